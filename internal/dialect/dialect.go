// Package dialect tells which app a vault of notes is written for, and what follows from it for the vault as a whole: the
// names of dialects, what tells them apart, what an app keeps beside the notes, and how Logseq names its files. How a note
// is read is package note's, what its links mean package graph's. It works on names alone and reads no files.
package dialect

import (
	"fmt"
	"strings"
)

// Dialect is the app whose rules a vault is written by: how its notes are read, and how its links are resolved. What is
// none of the four counts as Obsidian.
type Dialect string

// Dialects. Obsidian is that of plain folders of Markdown, too.
const (
	Obsidian Dialect = "obsidian"
	Logseq   Dialect = "logseq"
	Foam     Dialect = "foam"
	Dendron  Dialect = "dendron"
)

// Auto stands in a configuration for the dialect that the vault tells.
const Auto = "auto"

// Names gives what a configuration may say, Auto first.
func Names() []string {
	return []string{Auto, string(Obsidian), string(Logseq), string(Foam), string(Dendron)}
}

// Parse gives the dialect that a configuration names, in any letter case and with blanks around it; "" where the vault
// is to tell it, which "" and Auto ask for. Any other name is an error.
func Parse(name string) (Dialect, error) {
	switch d := Dialect(strings.ToLower(strings.TrimSpace(name))); d {
	case "", Auto:
		return "", nil
	case Obsidian, Logseq, Foam, Dendron:
		return d, nil
	}
	return "", fmt.Errorf("there is no dialect %q", name)
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
