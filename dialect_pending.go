package quarry

import "quarry/note"

func detectDialect(func(string) bool, []string) note.Dialect { return note.Obsidian }
func ignoreRules(note.Dialect) []string                      { return nil }
func parseDialectName(name string) (note.Dialect, bool) {
	switch d := note.Dialect(name); d {
	case note.Obsidian, note.Logseq, note.Foam, note.Dendron:
		return d, true
	}
	return "", false
}
