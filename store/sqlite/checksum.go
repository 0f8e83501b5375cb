package sqlite

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"quarry/store"
)

// SQLite does not notice a flipped byte within a text. So each row that a hit is made of has a CRC-32C over its fields.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum sums fields; the length of each goes in too, so that a byte cannot move from one to the next.
type checksum struct {
	sum     uint32
	scratch []byte
}

func (c *checksum) text(fields ...string) {
	for _, f := range fields {
		c.scratch = append(binary.LittleEndian.AppendUint32(c.scratch[:0], uint32(len(f))), f...)
		c.sum = crc32.Update(c.sum, castagnoli, c.scratch)
	}
}

func (c *checksum) numbers(numbers ...int64) {
	c.scratch = c.scratch[:0]
	for _, n := range numbers {
		c.scratch = binary.LittleEndian.AppendUint64(c.scratch, uint64(n))
	}
	c.sum = crc32.Update(c.sum, castagnoli, c.scratch)
}

func sumOfPassage(p *store.Passage, headingPath string) int64 {
	var c checksum
	c.text(p.Path, p.Section, p.Text, p.HeadingContext, headingPath)
	c.numbers(int64(p.Index), int64(p.LineStart), int64(p.LineEnd))
	if p.IndexText != "" { // version 1 had none
		c.text(p.IndexText)
	}
	return int64(c.sum)
}

func sumOfNote(n *store.Note, lists noteLists, chunks span) int64 {
	var c checksum
	c.text(n.Path, n.DeclaredID, n.Kind, n.Title, n.Type, n.Status, n.Domain, n.Source, n.Created, n.Updated)
	c.text(lists.tags, lists.aliases)
	c.numbers(int64(chunks.first), int64(chunks.count), int64(math.Float64bits(n.EmbeddedAtUnix)))
	if !lists.unclassed {
		c.text(n.Sensitivity, lists.redactions)
	}
	return int64(c.sum)
}

func sumOfTexts(texts ...string) int64 {
	var c checksum
	c.text(texts...)
	return int64(c.sum)
}

// The frontmatter has a sum of its own within links_checksum: lists of notes leave both out.
func sumOfLinks(frontmatter []byte, links []store.Link) int64 {
	var c checksum
	c.text(string(frontmatter))
	for i := range links {
		l := &links[i]
		c.text(l.Target, l.Subpath, l.Display, l.Relation)
		c.numbers(flagsOf(l), int64(l.Line), int64(l.ChunkOrd))
	}
	return int64(c.sum)
}

// ofEdges sums a row of table note_edges, anew with each call.
func (c *checksum) ofEdges(note int64, packed []byte) int64 {
	c.sum = 0
	c.numbers(note)
	c.sum = crc32.Update(c.sum, castagnoli, packed)
	return int64(c.sum)
}
