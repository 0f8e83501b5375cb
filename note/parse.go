package note

import (
	"path"
	"sort"
	"strings"

	"github.com/yuin/goldmark/util"

	"quarry/internal/dialect"
	"quarry/secret"
)

// Reader reads the files of one vault. The zero value reads as Obsidian does and knows the filter's own rules. It is safe
// for concurrent use.
type Reader struct {
	Dialect dialect.Dialect // "": Obsidian
	Filter  *secret.Filter  // nil: secret.Default()
}

// Read looks for secrets and reads one file. name is its path below the vault, raw its text as Decode gives it. It never fails:
// faults are in FrontmatterErrors and Problems. The note keeps no part of raw. Time and memory are linear in the length of raw.
func (r Reader) Read(name string, raw []byte) *Note {
	return r.parse(name, raw, append(r.Filter.Find(raw), escapedSpans(raw, r.Filter)...))
}

// parse reads one file, of which the secrets are known. Spans that overlap or lie outside of raw are put right.
func (r Reader) parse(name string, raw []byte, spans []secret.Span) *Note {
	s := newSource(raw, spans, r.Filter)
	n := &Note{Path: s.clean(name), Kind: kindOf(name), BodyLine: 1, filter: r.Filter}
	switch n.Kind {
	case Canvas:
		readCanvas(n, s)
	case Base:
		readBase(n, s)
	case Data:
		readData(n, s, extension(name))
	default:
		if isMarkdown(n.Kind, name) {
			markdownReaderOf(r.Dialect)(n, s, name)
		} else {
			readDrawing(n, s)
		}
	}
	s.withhold()
	n.setText(s)
	finish(n, s, name)
	return n
}

// setText takes the text of the file over.
func (n *Note) setText(s *source) {
	n.Text, n.LineOffsets, n.Redactions = s.text, s.lines, secret.Counts(s.spans)
	if len(s.spans) == 0 {
		return
	}
	n.LineOffsets = lineStarts(s.text)
	for len(n.LineOffsets) < len(s.lines) { // the last line was all secret: it is there still, though empty
		n.LineOffsets = append(n.LineOffsets, len(s.text))
	}
}

// kindOf knows a kind by the name of the file; some are known by a property only.
func kindOf(name string) Kind {
	switch extension(name) {
	case "canvas":
		return Canvas
	case "base":
		return Base
	case "json", "jsonl", "yaml", "yml":
		return Data
	case "excalidraw":
		return Excalidraw
	case "md", "markdown":
		if extension(dialect.Stem(name)) == "excalidraw" {
			return Excalidraw
		}
	}
	return Plain
}

// extension gives the end of a file name behind its last dot, in small letters.
func extension(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
}

// bodyPart is what of the body of a note is read as Markdown, where an app writes more than Markdown in it.
type bodyPart struct {
	end    int // byte of the file
	finish func(r *reader)
}

// readMarkdown reads a note of Obsidian.
func readMarkdown(n *Note, s *source, _ string) {
	_, start, inner := readFrontmatter(n, s)
	if n.Kind == Plain && isUnmarkedDrawing(s, start) {
		n.Kind = Excalidraw
	}
	readBody(newReader(n, s, start), inner)
}

func newReader(n *Note, s *source, start int) *reader {
	r := &reader{note: n, source: s, base: start}
	r.scanner.reader = r
	return r
}

// readBody reads what follows the properties. inner are the bytes of a block that could not be read as properties.
func readBody(r *reader, inner Range) {
	part := bodyPart{end: len(r.source.raw)}
	switch r.note.Kind {
	case Excalidraw:
		part = drawingBody(r.source, r.base)
	case Kanban:
		part = boardBody(r.note, r.source, r.base)
	}
	whole := r.source
	if part.end < len(whole.raw) {
		r.source = whole.head(part.end)
	}
	if inner.Start < inner.End {
		r.scanRuns(inner.Start, inner.End, false)
	}
	r.markdown()
	if r.source = whole; part.finish != nil {
		part.finish(r)
	}
}

// markdown reads the body as Markdown.
func (r *reader) markdown() {
	body := r.source.raw[r.base:]
	if len(r.source.lines) > maxLines {
		r.plain("more lines than are read as Markdown")
		return
	}
	if nestsTooDeep(body) {
		r.plain("lists or quotes nest too deep")
		return
	}
	tree, definitions, ok := parseBlocks(lineFeeds(util.StringToReadOnlyBytes(body)), r.scanner.mentions)
	if !ok {
		r.plain("the Markdown parser failed")
		return
	}
	r.definitions = definitions
	r.document(tree)
	releaseNodes(tree)
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

// head is the source without what stands behind a byte.
func (s *source) head(end int) *source {
	short := *s
	short.raw, short.units, short.cursorLine = s.raw[:end], nil, 0
	short.lines = s.lines[:sort.SearchInts(s.lines, end)]
	return &short
}

// finish puts in what follows from all the rest.
func finish(n *Note, s *source, name string) {
	if len(n.Links) >= maxFacts || len(n.Tags) >= maxFacts || len(n.Fields) >= maxFacts {
		n.Problems = append(n.Problems, Problem{Reason: "more links, tags or fields than are kept of one note"})
	}
	if len(n.Fragments) >= maxFacts {
		n.Problems = append(n.Problems, Problem{Reason: "more texts than are kept of one file"})
	}
	if len(n.Headings) >= maxFacts || len(n.Sections) >= maxFacts {
		n.Problems = append(n.Problems, Problem{Reason: "more headings or blocks than are kept of one note"})
	}
	if n.Title == "" || isPlaceholder(n.Title) {
		n.Title = fallbackTitle(n, s, name)
	}
	n.Title = withoutEncoded(n.Title)
	if len(n.Fragments) == 0 && s.raw != "" && !isMarkdown(n.Kind, name) { // nothing in it is for a reader
		n.Omit = []Range{{0, len(s.raw)}}
	}
	n.Omit = append(n.Omit, encoded(s.raw)...)
	for i := range n.Fragments {
		n.Fragments[i].Text = withoutEncoded(n.Fragments[i].Text)
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

// fallbackTitle is the first heading if it is of level 1, else the name of the file.
func fallbackTitle(n *Note, s *source, name string) string {
	for _, heading := range n.Headings {
		if heading.Plain == "" || isPlaceholder(heading.Plain) || n.Kind == Excalidraw && partName("# "+heading.Plain) != "" {
			continue
		}
		if heading.Level == 1 {
			return heading.Plain
		}
		break
	}
	base := dialect.Stem(name)
	for _, end := range []string{".excalidraw", ".canvas", ".base"} {
		if len(base) > len(end) && strings.EqualFold(base[len(base)-len(end):], end) {
			base = base[:len(base)-len(end)]
		}
	}
	return s.clean(base)
}

// isPlaceholder tells whether a text is what a template leaves for an app to fill in.
func isPlaceholder(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "{{") && strings.HasSuffix(text, "}}") || strings.HasPrefix(text, "<%") && strings.HasSuffix(text, "%>")
}

// isMarkdown tells whether the text of a file of this kind is Markdown.
func isMarkdown(kind Kind, name string) bool {
	switch kind {
	case Canvas, Base, Data:
		return false
	case Excalidraw:
		return extension(name) != "excalidraw"
	}
	return true
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
