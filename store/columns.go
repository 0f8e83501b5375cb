package store

import "strings"

// Columns of the full-text index.
const (
	ColumnText        = iota // the passage
	ColumnSection            // the headings above it
	ColumnContext            // title, type and tags of its note
	ColumnAliases            // of its note
	ColumnIndexText          // Passage.IndexText
	ColumnPairs              // what Segment makes of the columns above
	ColumnCharacters         // the same, character by character
	ColumnIdentifiers        // what Identifiers makes of the columns above
	Columns                  // how many there are
)

// Weights are those of the columns, by their number. A column without weight is found but scores nothing.
type Weights [Columns]float64

// maxAliasBytes bounds the aliases on each passage but the first, or a long list of them in a long note would fill the index.
const maxAliasBytes = 512

// aliasText gives what the passage with that index holds of its note's aliases: whole ones, the first passage all of them.
func aliasText(aliases []string, index int) string {
	if index > 0 {
		bytes := 0
		for i, alias := range aliases {
			if bytes += len(alias); bytes > maxAliasBytes {
				aliases = aliases[:i]
				break
			}
		}
	}
	return strings.Join(aliases, "\n")
}

// ColumnTexts gives what the full-text index holds of a passage, by column. Most passages have neither aliases nor
// further text nor segments: these are "".
func ColumnTexts(n *Note, p *Passage) [Columns]string {
	texts := [Columns]string{
		ColumnText: p.Text, ColumnSection: p.Section, ColumnContext: p.HeadingContext,
		ColumnAliases: aliasText(n.Aliases, p.Index), ColumnIndexText: p.IndexText,
	}
	var s segments
	for column, text := range texts[:ColumnPairs] {
		s.add(text)
		if column == ColumnContext || column == ColumnAliases {
			s.add(text) // names count twice, as those that are words of their own do by the weights of their columns
		}
	}
	texts[ColumnIdentifiers] = identifierText(texts[:ColumnPairs], p.Index)
	texts[ColumnPairs], texts[ColumnCharacters] = s.pairs.String(), s.characters.String()
	return texts
}
