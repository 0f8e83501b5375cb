package search

import (
	"testing"
	"unicode"
)

// What is passed over without a look at the tables is in none of them.
func TestNothingBeforeTheFirstSolidIsWrittenSolid(t *testing.T) {
	for r := rune(0); r < firstSolid; r++ {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			t.Fatalf("%U", r)
		}
	}
	for _, r := range "ก学ひカ" {
		if !isWrittenSolid(r) {
			t.Errorf("%U", r)
		}
	}
}
