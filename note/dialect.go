package note

import (
	"fmt"
	"path"
	"strings"

	"quarry/secret"
)

// Dialect is the app whose rules a vault is written by: how its notes are read, and how its links are resolved.
type Dialect string

// Dialects. Obsidian is that of plain folders of Markdown, too.
const (
	Obsidian Dialect = "obsidian"
	Logseq   Dialect = "logseq"
	Foam     Dialect = "foam"
	Dendron  Dialect = "dendron"
)

// Parse reads one file as the function Parse does, by the rules of the dialect; an unknown one is read as Obsidian.
//
// Logseq: every bullet is a block; "key:: value" in the first block are properties, "id::" names a block, a tag is a link
// to the page of its name too, and what only the app needs is in Omit. Foam: generated link definitions are in Omit.
// Dendron: the alias of a link comes first, "#a.b" is the tag a/b and a link to the note tags.a.b, "@a" is one to user.a,
// and created and updated are dates.
func (d Dialect) Parse(name string, raw []byte, spans []secret.Span) *Note {
	return parse(d, name, raw, spans)
}

// readMarkdown reads the text of a note by the rules of the dialect.
func (d Dialect) readMarkdown(n *Note, s *source, raw []byte, name string) {
	switch d {
	case Logseq:
		readLogseq(n, s, raw, name)
	case Foam:
		readMarkdown(n, s, raw)
		adaptFoam(n, s)
	case Dendron:
		readMarkdown(n, s, raw)
		adaptDendron(n, s, name)
	default:
		readMarkdown(n, s, raw)
	}
}

// ParseDialectName gives the dialect of a name as a user writes it, in any letter case. An unknown name is an error.
func ParseDialectName(name string) (Dialect, error) {
	switch d := Dialect(strings.ToLower(strings.TrimSpace(name))); d {
	case Obsidian, Logseq, Foam, Dendron:
		return d, nil
	}
	return "", fmt.Errorf("dialect %q is none of obsidian, logseq, foam, dendron", name)
}

// DetectDialect tells by names alone which app a vault is of. has tells whether a file or folder is there, by its path
// below the vault with slashes; names are the paths of the files of the vault, in any order.
//
// A folder of settings decides: logseq/config.edn, then .obsidian, then Dendron's dendron.yml, then Foam's .foam or
// .vscode/foam.json; without any, a schema beside a root.md makes Dendron, and all else is Obsidian. A vault that both
// Logseq and Obsidian have opened is Logseq's if most notes lie where Logseq writes them, in pages and journals: one
// that began in Obsidian has its notes elsewhere, and keeps its links with aliases.
func DetectDialect(has func(path string) bool, names []string) Dialect {
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

// IgnoreRules gives what the app keeps in a vault beside the notes, as lines of an ignore file: backups, caches,
// templates, schemas. The caller must not change the list.
func (d Dialect) IgnoreRules() []string {
	switch d {
	case Logseq:
		return []string{"/logseq/", "/whiteboards/", "/draws/"}
	case Foam:
		return []string{"/.foam/", "/.vscode/"}
	case Dendron:
		return []string{"*.schema.yml", "/dendron.yml", "/dendronrc.yml", "/*.code-workspace", ".dendron.*", "/.dendron/"}
	}
	return nil
}
