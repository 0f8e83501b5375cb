package model2vec

import (
	_ "embed"
	"unicode/utf8"
)

//go:generate go run ./internal/compact classes ../../fixtures/model2vec/bert-charclass.json charclass.bin

// charclass.bin says what the reference's normalizer and pre-tokenizer do with each code point. Its tables are about
// those of Unicode 8, so neither Go's nor any current ones will do. Numbers are little-endian:
//
//	"QCC1", u16 pages, u16 records
//	u16 [0x110000/128]        which page holds the code points 128·i … 128·i+127
//	u16 [pages][128]          the record of each code point
//	[records] of 8 bytes:     u8 class and flags, u8 canonical combining class if the character survives and is not 0,
//	                          three u16 offsets of strings: decomposed without marks in lower case; decomposed without
//	                          marks; lower case. Offset 0: the character is unchanged.
//	the strings:              u8 length in bytes, then UTF-8; the byte at offset 0 is no string
//
// Hangul syllables decompose by arithmetic and have no strings.
//
//go:embed charclass.bin
var charClasses string

// The classes of a character in the normalizer; they exclude each other.
const (
	classOrdinary    = iota
	classSpace       // becomes a space
	classDropped     // control, format, private use, U+0000, U+FFFD: gone without a gap
	classMarkStarter // nonspacing mark of combining class 0: over it no mark moves
	classMark        // nonspacing mark of another combining class
	classChinese     // an ideograph, which stands alone
	classHangul      // a syllable, which falls apart
	classBits        = 0x0F

	flagWhite = 0x10 // splits words
	flagPunct = 0x20 // stands alone
)

const (
	pageRunes    = 128
	recordBytes  = 8
	stageAt      = 8
	pagesAt      = stageAt + 2*(utf8.MaxRune+1)/pageRunes
	bothOffset   = 2 // within a record
	strippedOnly = 4
	lowerOnly    = 6
)

var (
	recordsAt = pagesAt + 2*pageRunes*int(charUint16(4))
	stringsAt = recordsAt + recordBytes*int(charUint16(6))
)

// charRecord is the offset of a character's record in charClasses.
type charRecord int

// recordOf looks r up; r is in 0..0x10FFFF.
func recordOf(r rune) charRecord {
	page := int(charUint16(stageAt + 2*(int(r)/pageRunes)))
	number := int(charUint16(pagesAt + 2*(page*pageRunes+int(r)%pageRunes)))
	return charRecord(recordsAt + recordBytes*number)
}

func (c charRecord) class() byte      { return charClasses[c] & classBits }
func (c charRecord) white() bool      { return charClasses[c]&flagWhite != 0 }
func (c charRecord) punct() bool      { return charClasses[c]&flagPunct != 0 }
func (c charRecord) separates() bool  { return charClasses[c]&(flagWhite|flagPunct) != 0 }
func (c charRecord) combining() uint8 { return charClasses[c+1] }

// text is the string that the character becomes, "" for itself; form is bothOffset, strippedOnly or lowerOnly.
func (c charRecord) text(form int) string {
	offset := int(charUint16(int(c) + form))
	if offset == 0 {
		return ""
	}
	at := stringsAt + offset
	return charClasses[at+1 : at+1+int(charClasses[at])]
}

func charUint16(at int) uint16 {
	return uint16(charClasses[at]) | uint16(charClasses[at+1])<<8
}
