package chunk

import (
	"bytes"
	"sort"
	"strings"

	"quarry/note"
	"quarry/secret"
)

// hidden is a stretch of a note that nobody is to see, and what stands in its place: nothing for what the note omits, a marker
// for a secret that only shows where that is left out. Without the markers such a secret would be known no longer once a
// passage ends within it, or before what tells of it.
type hidden struct {
	start, end int
	instead    string
}

// hiddenOf gives what is hidden of a note, the secrets from a place on.
func hiddenOf(n *note.Note, body int) []hidden {
	if len(n.Omit) == 0 {
		return nil
	}
	list := make([]hidden, 0, len(n.Omit))
	for _, omit := range n.Omit {
		list = append(list, hidden{start: omit.Start, end: omit.End})
	}
	var whole closer
	whole.addAll(n.Text, list, body, len(n.Text))
	found := n.Secrets(string(whole.text))
	if len(found) == 0 {
		return list
	}
	return whole.withSecrets(list, found)
}

// withSecrets adds the secrets that were found in the text of a closer. What was hidden within one already is hidden by it.
func (c *closer) withSecrets(list []hidden, found []secret.Span) []hidden {
	var all []hidden
	next := 0
	for _, span := range found {
		inside := c.text[span.Start:span.End]
		one := hidden{
			start: c.place(span.Start), end: c.place(span.End-1) + 1,
			instead: string(secret.Apply(inside, []secret.Span{{End: len(inside), Name: span.Name}})),
		}
		for ; next < len(list) && list[next].start < one.start; next++ {
			all = append(all, list[next])
		}
		if last := len(all) - 1; last >= 0 && all[last].end > one.start {
			all[last].end = one.start
		}
		for ; next < len(list) && list[next].end <= one.end; next++ {
			continue
		}
		if next < len(list) && list[next].start < one.end {
			list[next].start = one.end
		}
		all = append(all, one)
	}
	return append(all, list[next:]...)
}

// shown gives the text of a stretch without what nobody is to see. Blank lines around that become one. What was taken out
// may have parted a secret, which is looked for anew.
func (d *document) shown(start, end int) string {
	first := firstHidden(d.hidden, start)
	if first == len(d.hidden) || d.hidden[first].start >= end {
		return d.Text[start:end]
	}
	var out closer
	out.addAll(d.Text, d.hidden[first:], start, end)
	return d.Redact(string(out.text))
}

// firstHidden gives the first hidden stretch that ends behind a place.
func firstHidden(list []hidden, at int) int {
	return sort.Search(len(list), func(i int) bool { return list[i].end > at })
}

// closer puts a text together of which something was taken away.
type closer struct {
	text  []byte
	bare  int // length of it without the white space at its end
	parts []copied
}

// copied is a stretch that was taken over.
type copied struct {
	at, from int // where it begins, and where it began
}

// addAll adds the text of a stretch without what is hidden.
func (c *closer) addAll(text string, list []hidden, start, end int) {
	at := start
	for _, h := range list {
		if h.start >= end {
			break
		}
		if h.end <= at {
			continue
		}
		c.add(text[at:max(at, h.start)], at)
		if h.instead != "" && h.start >= start {
			c.add(h.instead, h.start)
		}
		at = min(max(at, h.end), end)
	}
	c.add(text[at:end], at)
}

// add adds a text that began at a place.
func (c *closer) add(text string, from int) {
	content := strings.TrimLeft(text, blanks)
	if content == "" {
		c.text = append(c.text, text...)
		return
	}
	gap := closeGap(string(c.text[c.bare:]) + text[:len(text)-len(content)])
	c.text = append(c.text[:c.bare], gap...)
	c.parts = append(c.parts, copied{at: len(c.text), from: from + len(text) - len(content)})
	c.text = append(c.text, content...)
	c.bare = len(bytes.TrimRight(c.text, blanks))
}

// place tells where a byte of the text was taken from.
func (c *closer) place(at int) int {
	next := sort.Search(len(c.parts), func(i int) bool { return c.parts[i].at > at })
	if next == 0 {
		return c.parts[0].from
	}
	return c.parts[next-1].from + at - c.parts[next-1].at
}

// closeGap leaves one blank line of several, and what indents the text behind them.
func closeGap(gap string) string {
	lineEnd := "\n"
	switch {
	case strings.Contains(gap, "\r\n"):
		lineEnd = "\r\n"
	case strings.Contains(gap, "\r"):
		lineEnd = "\r"
	}
	if strings.Count(gap, lineEnd) < 3 {
		return gap
	}
	return lineEnd + lineEnd + gap[strings.LastIndexAny(gap, "\r\n")+1:]
}
