package chunk

import (
	"strings"

	"quarry/note"
)

// stretch tells where the text of a passage stands in the Text of its note.
type stretch struct {
	lead, start, end int    // lead is where its heading begins; end is 0 where the note has fragments or nothing but properties
	before, after    string // repeated around it
	line             int    // the first that the passage before it does not have
}

// Windows gives the text of each passage between those of its neighbours, passages being all or some of those of a note that
// Split gave, in their order. What two of them share stands in it once. Between two that follow each other stands what stands
// there in the note, a heading for one; others are parted by a blank line. Each is as large as three passages and the headings
// between them at most. Safe for concurrent use.
func Windows(n *note.Note, passages []Passage) []string {
	d := &document{Note: n}
	d.hidden = hiddenOf(n, min(d.lineStart(n.BodyLine), len(n.Text)))
	windows := make([]string, len(passages))
	for i := range passages {
		three := passages[max(0, i-1):min(i+2, len(passages))]
		if passages[i].stretch.end > 0 {
			windows[i] = d.window(three)
		} else {
			windows[i] = windowOfFragments(three)
		}
	}
	return windows
}

// window gives the text from the first passage to the last.
func (d *document) window(passages []Passage) string {
	var texts []string
	open := passages[0].stretch
	flush := func() { texts = append(texts, open.before+d.visible(open.start, open.end)+open.after) }
	for _, p := range passages[1:] {
		if p.stretch.lead <= open.end {
			open.end, open.after = p.stretch.end, p.stretch.after
		} else {
			flush()
			open = p.stretch
		}
	}
	flush()
	return strings.Join(texts, "\n\n")
}

func windowOfFragments(passages []Passage) string {
	texts := []string{passages[0].Text}
	for i, p := range passages[1:] {
		own, found := strings.CutPrefix(p.Text, p.stretch.before+p.repeated)
		if found && strings.HasSuffix(passages[i].Text, strings.TrimRight(p.repeated, blanks)) {
			texts = append(texts, p.stretch.before+own)
		} else {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}
