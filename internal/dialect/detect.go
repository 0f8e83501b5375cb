package dialect

import (
	"path"
	"strings"
)

// Detect tells by names alone which app a vault is of. has tells whether a file or folder is there, by its path
// below the vault with slashes; names are the paths of the files of the vault, in any order.
//
// A folder of settings decides: logseq/config.edn, then .obsidian, then Dendron's dendron.yml, then Foam's .foam or
// .vscode/foam.json; without any, a schema beside a root.md makes Dendron, and all else is Obsidian. A vault that both
// Logseq and Obsidian have opened is Logseq's if most notes lie where Logseq writes them, in pages and journals: one
// that began in Obsidian has its notes elsewhere, and keeps its links with aliases.
func Detect(has func(path string) bool, names []string) Dialect {
	switch {
	case has("logseq/config.edn") && (!has(".obsidian") || mostlyPages(names)):
		return Logseq
	case has(".obsidian"):
		return Obsidian
	case has("dendron.yml"):
		return Dendron
	case has(".foam") || has(".vscode/foam.json"):
		return Foam
	case hasSchema(names):
		return Dendron
	}
	return Obsidian
}

// NamesDecide tells whether Detect needs the names of files: the marks of apps alone leave it open.
func NamesDecide(has func(path string) bool) bool {
	if has(".obsidian") {
		return has("logseq/config.edn")
	}
	return !has("logseq/config.edn") && !has("dendron.yml") && !has(".foam") && !has(".vscode/foam.json")
}

// mostlyPages tells whether most notes lie in the folders pages and journals. Logseq's own copies do not count.
func mostlyPages(names []string) bool {
	inside, all := 0, 0
	for _, name := range names {
		if !strings.HasSuffix(strings.ToLower(name), ".md") || strings.HasPrefix(name, "logseq/") {
			continue
		}
		all++
		if strings.HasPrefix(name, "pages/") || strings.HasPrefix(name, "journals/") {
			inside++
		}
	}
	return 2*inside > all
}

// hasSchema tells whether some folder holds both a root.md and a schema of Dendron.
func hasSchema(names []string) bool {
	roots, schemas := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		isRoot, isSchema := strings.HasSuffix(name, "root.md"), strings.HasSuffix(name, ".schema.yml")
		if !isRoot && !isSchema {
			continue
		}
		folder := path.Dir(name)
		roots[folder] = roots[folder] || path.Base(name) == "root.md"
		schemas[folder] = schemas[folder] || isSchema
		if roots[folder] && schemas[folder] {
			return true
		}
	}
	return false
}
