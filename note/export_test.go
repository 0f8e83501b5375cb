package note

import (
	"quarry/internal/dialect"
	"quarry/secret"
)

// Parse reads one file as Obsidian does, with the secrets that a test plants.
func Parse(name string, raw []byte, spans []secret.Span) *Note {
	return ParseAs(dialect.Obsidian, name, raw, spans)
}

// ParseAs is Parse by the rules of a dialect.
func ParseAs(d dialect.Dialect, name string, raw []byte, spans []secret.Span) *Note {
	return Reader{Dialect: d}.parse(name, raw, spans)
}

// FlattenData is that of a note which was read with the default filter.
func FlattenData(language, text string) ([]FlatLine, bool) {
	return (&Note{}).FlattenData(language, text)
}
