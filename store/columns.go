package store

import "strings"

// Columns of the full-text index.
const (
	ColumnText       = iota // the passage
	ColumnSection           // the headings above it
	ColumnContext           // title, type and tags of its note
	ColumnAliases           // of its note
	ColumnIndexText         // Passage.IndexText
	ColumnPairs             // what Segment makes of the columns above
	ColumnCharacters        // the same, character by character
	Columns                 // how many there are
)

// Weights are those of the columns, by their number. A column without weight is found but scores nothing.
type Weights [Columns]float64

// ColumnTexts gives what the full-text index holds of a passage, by column. Most passages have neither aliases nor
// further text nor segments: these are "".
func ColumnTexts(n *Note, p *Passage) [Columns]string {
	texts := [Columns]string{
		ColumnText: p.Text, ColumnSection: p.Section, ColumnContext: p.HeadingContext,
		ColumnAliases: strings.Join(n.Aliases, "\n"), ColumnIndexText: p.IndexText,
	}
	var s segments
	for column, text := range texts[:ColumnPairs] {
		s.add(text)
		if column == ColumnContext || column == ColumnAliases {
			s.add(text) // names count twice, as those that are words of their own do by the weights of their columns
		}
	}
	texts[ColumnPairs], texts[ColumnCharacters] = s.pairs.String(), s.characters.String()
	return texts
}
