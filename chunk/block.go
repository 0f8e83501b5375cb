package chunk

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// block is a top-level block of a note, or what lies between two.
type block struct {
	kind       string // as in note.Section, "" for what is between
	start, end int
	border     border
	hasLabel   bool // it begins with a line that names what follows
	isLabel    bool // it is nothing else
	isLeadIn   bool // it ends in a colon
}

// maxLabelCharacters is how long a line may be that names what follows.
const maxLabelCharacters = 80

// blocks gives the atoms of a stretch, block by block.
func (d *document) blocks(start, end int, add func(atom)) {
	line := d.lineAt(start)
	next := sort.Search(len(d.Sections), func(i int) bool { return d.Sections[i].LineStart >= line })
	previous := block{}
	emit := func(b block) {
		text := d.shown(b.start, b.end)
		b.describe(text)
		b.border = borderBetween(previous, b)
		if length, tail := sizeOf(text); length > tail {
			previous = b
		}
		d.cutBlock(b, text, add)
	}
	for at := start; at < end; next++ {
		kind, from, to := "", end, end
		if next < len(d.Sections) {
			section := d.Sections[next]
			kind, from = section.Type, min(end, d.lineStart(section.LineStart))
			to = min(end, d.lineStart(section.LineEnd+1))
		}
		if from > at {
			emit(block{start: at, end: from})
		}
		if to > from {
			emit(block{kind: kind, start: from, end: to})
		}
		at = max(at, from, to)
	}
}

// describe notes how a block stands to the one behind it.
func (b *block) describe(text string) {
	if b.kind != "paragraph" {
		return
	}
	text = strings.TrimSpace(text)
	first, _, _ := strings.Cut(text, "\n")
	b.hasLabel = isLabel(strings.TrimSpace(first))
	b.isLabel = b.hasLabel && len(first) == len(text)
	b.isLeadIn = endsInColon(text)
}

// borderBetween tells how well a note is cut between two blocks.
func borderBetween(previous, next block) border {
	switch {
	case previous.kind == "heading" || previous.isLabel || previous.isLeadIn && isLed(next.kind):
		return nowhere
	case next.kind == "heading":
		return atHeading
	case next.hasLabel:
		return atLabel
	}
	return atBlock
}

// isLed tells whether a kind of block is what a line that ends in a colon leads to.
func isLed(kind string) bool {
	switch kind {
	case "list", "code", "table", "blockquote", "callout", "math", "html":
		return true
	}
	return false
}

// isLabel knows a line that is bold as a whole, or short and ends in a colon.
func isLabel(line string) bool {
	if strings.ContainsAny(line, "\r\n") || utf8.RuneCountInString(line) > maxLabelCharacters {
		return false
	}
	bare := strings.TrimRight(line, ":： ")
	for _, mark := range []string{"**", "__"} {
		if inner, found := strings.CutPrefix(bare, mark); found {
			inner, found = strings.CutSuffix(inner, mark)
			return found && inner != "" && !strings.Contains(inner, mark)
		}
	}
	return endsInColon(line)
}

func endsInColon(line string) bool {
	line = strings.TrimRight(line, " *_")
	return strings.HasSuffix(line, ":") && !strings.HasSuffix(line, "::") || strings.HasSuffix(line, "：")
}

// cutBlock gives the atoms of a block: itself where it fits, but a list by its items.
func (d *document) cutBlock(b block, text string, add func(atom)) {
	length, tail := sizeOf(text)
	if length-tail <= d.sizes.most && (b.kind != "list" || length == tail) {
		add(atom{start: b.start, end: b.end, length: length, tail: tail, border: b.border, kind: b.kind, isWhole: true})
		return
	}
	newLineReader(d, b, add).read()
}
