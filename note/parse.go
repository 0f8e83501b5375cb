package note

import (
	"path"
	"sort"
	"strings"

	"quarry/secret"
)

// Parse reads one file. name is its path below the vault, raw its text as Decode gives it and spans the secrets in raw;
// spans that overlap or lie outside of raw are put right. It never fails: faults are in FrontmatterErrors and Problems.
// The note keeps no part of raw. Time and memory are linear in the length of raw. Safe for concurrent use.
func Parse(name string, raw []byte, spans []secret.Span) *Note {
	return Obsidian.Parse(name, raw, spans)
}

// parse is Parse by the rules of a dialect.
func parse(d Dialect, name string, raw []byte, spans []secret.Span) *Note {
	s := newSource(raw, spans)
	n := &Note{
		Path: s.clean(name), Kind: kindOf(name), Text: s.text, LineOffsets: s.lines, BodyLine: 1,
		Redactions: secret.Counts(s.spans),
	}
	if len(s.spans) > 0 {
		n.LineOffsets = lineStarts(s.text)
		for len(n.LineOffsets) < len(s.lines) { // the last line was all secret: it is there still, though empty
			n.LineOffsets = append(n.LineOffsets, len(s.text))
		}
	}
	switch n.Kind {
	case Canvas:
		readCanvas(n, s)
	case Base:
		n.Frontmatter, n.FrontmatterRaw = map[string]any{}, map[string]any{}
	default:
		d.readMarkdown(n, s, raw, name)
	}
	finish(n, s, name)
	return n
}

// kindOf knows a kind by the name of the file; some are known by a property only.
func kindOf(name string) Kind {
	switch lower := strings.ToLower(name); {
	case strings.HasSuffix(lower, ".canvas"):
		return Canvas
	case strings.HasSuffix(lower, ".base"):
		return Base
	case strings.HasSuffix(lower, ".excalidraw"), strings.HasSuffix(lower, ".excalidraw.md"):
		return Excalidraw
	}
	return Plain
}

func readMarkdown(n *Note, s *source, raw []byte) {
	start, inner := readFrontmatter(n, s)
	r := &reader{note: n, source: s, base: start}
	r.scanner.reader = r
	if inner.Start < inner.End {
		r.scanRuns(inner.Start, inner.End, false)
	}
	body := s.raw[start:]
	if len(s.lines) > maxLines {
		r.plain("more lines than are read as Markdown")
		return
	}
	if nestsTooDeep(body) {
		r.plain("lists or quotes nest too deep")
		return
	}
	tree, definitions, ok := parseBlocks(lineFeeds(raw[start:]))
	if !ok {
		r.plain("the Markdown parser failed")
		return
	}
	r.definitions = definitions
	r.document(tree)
}

// lineFeeds gives text with every lone CR as LF, which is what the block parser takes for the end of a line.
func lineFeeds(text []byte) []byte {
	var out []byte
	for i, c := range text {
		if c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			if out == nil {
				out = append([]byte(nil), text...)
			}
			out[i] = '\n'
		}
	}
	if out == nil {
		return text
	}
	return out
}

// finish puts in what follows from all the rest.
func finish(n *Note, s *source, name string) {
	if len(n.Links) >= maxFacts || len(n.Tags) >= maxFacts || len(n.Fields) >= maxFacts {
		n.Problems = append(n.Problems, Problem{Reason: "more links, tags or fields than are kept of one note"})
	}
	if len(n.Headings) >= maxFacts || len(n.Sections) >= maxFacts {
		n.Problems = append(n.Problems, Problem{Reason: "more headings or blocks than are kept of one note"})
	}
	if n.Title == "" {
		n.Title = fallbackTitle(n, s, name)
	}
	if n.Kind == Excalidraw {
		omitDrawing(n, s)
	}
	for i, r := range n.Omit {
		n.Omit[i] = Range{s.textOffset(r.Start), s.textOffset(r.End)}
	}
	n.Omit = mergeRanges(n.Omit)
	links := n.Links
	if byOffset := func(i, j int) bool { return links[i].Offset < links[j].Offset }; !sort.SliceIsSorted(links, byOffset) {
		sort.SliceStable(links, byOffset)
	}
	n.Aliases, n.Tags, n.Links = orEmpty(n.Aliases), orEmpty(n.Tags), orEmpty(n.Links)
	n.Headings, n.Fields, n.Tasks = orEmpty(n.Headings), orEmpty(n.Fields), orEmpty(n.Tasks)
	n.Blocks, n.Callouts, n.Sections = orEmpty(n.Blocks), orEmpty(n.Callouts), orEmpty(n.Sections)
	n.FrontmatterErrors = orEmpty(n.FrontmatterErrors)
}

// omitDrawing keeps the data of a drawing out of passages: all from the heading "Drawing" on.
func omitDrawing(n *Note, s *source) {
	for _, heading := range n.Headings {
		if heading.Text == "Drawing" {
			n.Omit = append(n.Omit, Range{s.lines[heading.Line-1], len(s.raw)})
			return
		}
	}
}

// fallbackTitle is the first heading of level 1, else the name of the file.
func fallbackTitle(n *Note, s *source, name string) string {
	for _, heading := range n.Headings {
		if heading.Level == 1 && heading.Text != "" {
			return heading.Text
		}
	}
	base := path.Base(name)
	if strings.HasSuffix(strings.ToLower(base), ".md") {
		base = base[:len(base)-len(".md")]
	}
	return s.clean(base)
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
