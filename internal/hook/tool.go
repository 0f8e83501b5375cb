package hook

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Bounds of the query of a tool.
const (
	maxCodeBytes  = 64 << 10 // looked at
	maxToolWords  = 10       // of a query
	maxPathParts  = 3        // of a file, the last ones
	maxCodeWords  = 6        // of the changed text
	maxProseWords = 6        // of its comments
)

// toolQuery makes a query of what a tool is about to do.
func toolQuery(e event) query {
	if command := e.command(); command != "" {
		if isPatch(command) {
			return patchQuery(command)
		}
		return commandQuery(command)
	}
	file := field(e.input, "file_path", "notebook_path", "path", "absolute_path", "filename")
	if file == "" && e.text != "" && isPatch(e.text) {
		return patchQuery(e.text)
	}
	return changeQuery([]string{file}, e.changed())
}

// command is the command line of a shell tool, or the text of a patch, which Codex calls so too.
func (e event) command() string {
	if raw, ok := e.input["command"]; ok {
		if s := text(raw); s != "" {
			return s
		}
		return strings.Join(texts(raw), " ") // a list of arguments
	}
	return field(e.input, "cmd", "script", "patch", "input")
}

// changed is the text that a file is to hold.
func (e event) changed() string {
	if said := field(e.input, "new_string", "content", "new_source", "file_text", "new_str"); said != "" {
		return said
	}
	var all strings.Builder
	for _, edit := range objects(e.input["edits"]) {
		all.WriteString(field(edit, "new_string", "new_text") + "\n")
		if all.Len() > maxCodeBytes {
			break
		}
	}
	return all.String()
}

func isPatch(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "*** Begin Patch") }

// patchQuery makes a query of the files that a patch changes and the lines that it adds.
func patchQuery(patch string) query {
	var files []string
	var added strings.Builder
	for line := range strings.Lines(ends(patch, maxCodeBytes, 0)) {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := cutAny(line, "*** Add File: ", "*** Update File: ", "*** Delete File: "); ok {
			files = append(files, name)
		} else if text, ok := strings.CutPrefix(line, "+"); ok {
			added.WriteString(text + "\n")
		}
	}
	return changeQuery(files, added.String())
}

func cutAny(line string, prefixes ...string) (string, bool) {
	for _, prefix := range prefixes {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			return rest, true
		}
	}
	return line, false
}

// changeQuery makes a query of a change: what the files are called, what its comments say, the names that come most often.
func changeQuery(files []string, text string) query {
	var words []string
	for _, file := range files[:min(len(files), 3)] {
		words = append(words, pathWords(file)...)
	}
	text = ends(text, maxCodeBytes, 0)
	comments, code := commentsOf(text)
	said := subjectOf(comments, maxSubjectWords).words
	words = append(words, said[:min(len(said), maxProseWords)]...)
	names := subjectOfCode(code).words
	words = distinct(append(words, names[:min(len(names), maxCodeWords)]...))
	found := subjectOf(strings.Join(words, " "), maxSubjectWords)
	if found.weight() < leastWeight {
		return query{missing: "the change names no matter"}
	}
	return query{text: asQuery(words[:min(len(words), maxToolWords)])}
}

// pathWords are the words of the last parts of a path: of the file's name and the folders around it.
func pathWords(file string) []string {
	file = strings.ReplaceAll(file, "\\", "/")
	var words []string
	for range maxPathParts {
		base := path.Base(file)
		if base == "." || base == "/" {
			break
		}
		if len(words) == 0 {
			base = strings.TrimSuffix(base, path.Ext(base))
		}
		words = append(words, nameParts(base)...)
		file = path.Dir(file)
	}
	return words
}

// commonParts are names of folders and parts of names of files that any project has.
var commonParts = lazily(`src lib pkg internal cmd bin dist home users user tmp index mod spec util utils helpers helper common core base package
		init workspace work repo repos projects dev var js ts py go rs md json yaml yml html css node_modules components
		component models model views view services service controllers`)

// nameParts are the words that a name in code is made of, without those that any project has.
func nameParts(name string) []string {
	var parts []string
	var b strings.Builder
	flush := func() {
		if w := strings.ToLower(b.String()); len(w) > 2 && !commonParts()[w] && !isChatter(w) && !isNumber(w) {
			parts = append(parts, w)
		}
		b.Reset()
	}
	var before rune
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && unicode.IsLower(before):
			flush()
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		before = r
	}
	flush()
	return parts
}

// commentsOf parts a text into what is said in it, in comments or, in prose, anywhere, and code.
func commentsOf(text string) (comments, code string) {
	var said, rest strings.Builder
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if comment, ok := cutAny(trimmed, "//", "# ", "/*", "* ", "-- ", "<!--", "\"\"\"", "## ", "### "); ok {
			said.WriteString(comment + "\n")
		} else {
			rest.WriteString(line)
		}
	}
	return said.String(), rest.String()
}

// keywords stand in code of any matter.
var keywords = lazily(`func def fn let const var static public private protected void int string str bool boolean float double
		struct interface enum impl trait match switch case default else elif for while break async await yield throw throws catch except finally
		raise try null nil none undefined true false self this super extends implements export from package require module print println printf
		console fmt len range append map filter reduce args kwargs array object number any unknown err ctx context div span href src
		echo sudo bash exit`)

// subjectOfCode are the names of a text of code, those first that come most often, then the longest.
func subjectOfCode(code string) subject {
	counts := map[string]int{}
	var order []string
	for _, w := range wordsOf(ends(code, maxCodeBytes, 0), 2*maxSubjectWords) {
		for _, piece := range strings.FieldsFunc(w.text, func(r rune) bool { return strings.ContainsRune("./:#+'’", r) }) {
			lower := strings.ToLower(piece)
			if len(piece) < 4 || keywords()[lower] || commonParts()[lower] || isChatter(piece) || isNumber(piece) {
				continue
			}
			if counts[piece] == 0 {
				order = append(order, piece)
			}
			counts[piece]++
		}
	}
	slices.SortStableFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(b, counts[b]), rank(a, counts[a])), cmp.Compare(len(b), len(a)))
	})
	return subjectOf(strings.Join(order[:min(len(order), maxCodeWords)], " "), maxSubjectWords)
}

// rank prefers names that are made of parts: they say what they are for.
func rank(name string, count int) int {
	if isName(name) {
		return 2*count + 1
	}
	return count
}

func distinct(words []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(words, func(w string) bool {
		lower := strings.ToLower(w)
		is := seen[lower] || lower == ""
		seen[lower] = true
		return is
	})
}
