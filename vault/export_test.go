package vault

// BadOnWindows says why a path would not be taken on Windows, "" if it would.
func BadOnWindows(path string) string { return badPath(path, true) }

// PlainIgnored applies lines of gitignore syntax alone, without the built-in rules, telling letters apart by case. A path
// with a slash at its end is a folder.
func PlainIgnored(lines, path string, folder bool) bool {
	rules := ignoreRules{person: parseRules([]byte(lines), false)}
	for i := range len(path) {
		if path[i] == '/' && rules.ignores(path[:i], true) {
			return true
		}
	}
	return rules.ignores(path, folder)
}
