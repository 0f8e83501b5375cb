package note

import (
	"sort"
	"strings"
	"unicode/utf8"

	"quarry/secret"
)

// source is the text of one note with what every reader of it needs: lines, UTF-16 places and redaction.
// Offsets are bytes in raw; strings that leave the package come from slice, clean or text.
type source struct {
	raw    string         // as it lies on disk, decoded; never leaves the package where spans is not empty
	text   string         // raw, redacted
	filter *secret.Filter // nil: the default one
	spans  []secret.Span  // ascending, apart from each other, within raw
	shifts []int          // by how much text is longer than raw before each span
	known  *knownSecrets  // the values of all spans
	hidden []hiddenSecret // found in what was made of raw
	lines  []int          // offset of the start of each line
	ascii  bool
	units  []int // UTF-16 units before each line, made on first use

	// The last place that was asked for: the next one is most often near, and lines can be long.
	cursorLine, cursor, cursorUnits int
}

func newSource(raw []byte, spans []secret.Span, filter *secret.Filter) *source {
	s := &source{raw: string(raw), filter: filter}
	s.setSpans(spans)
	s.lines = lineStarts(s.raw)
	s.ascii = isASCII(s.raw)
	return s
}

func (s *source) setSpans(spans []secret.Span) {
	raw := []byte(s.raw)
	s.spans, s.text = tidySpans(spans, raw), s.raw
	if len(s.spans) > 0 {
		s.text = string(secret.Apply(raw, s.spans))
		s.indexSpans()
	}
}

func (s *source) indexSpans() {
	shift := 0
	s.shifts = s.shifts[:0]
	names := map[string]string{}
	for _, span := range s.spans {
		s.shifts = append(s.shifts, shift)
		value := s.raw[span.Start:span.End]
		shift += len(secret.Apply([]byte(value), []secret.Span{{End: len(value), Name: span.Name}})) - len(value)
		if span.Name != secret.Unscanned { // that is any text
			names[value] = span.Name
		}
	}
	s.known = newKnownSecrets(names)
}

// tidySpans sorts the spans, joins those that overlap, cuts what lies outside of the text and parts no CR from its LF.
func tidySpans(spans []secret.Span, raw []byte) []secret.Span {
	isPair := func(at int) bool { return at > 0 && at < len(raw) && raw[at-1] == '\r' && raw[at] == '\n' }
	var tidy []secret.Span
	for _, span := range spans {
		span.Start, span.End = max(span.Start, 0), min(span.End, len(raw))
		if span.Start < span.End {
			if isPair(span.Start) {
				span.Start--
			}
			if isPair(span.End) {
				span.End++
			}
			tidy = append(tidy, span)
		}
	}
	sort.SliceStable(tidy, func(i, j int) bool { return tidy[i].Start < tidy[j].Start })
	kept := tidy[:0]
	for _, span := range tidy {
		if last := len(kept) - 1; last >= 0 && span.Start < kept[last].End {
			kept[last].End = max(kept[last].End, span.End)
			continue
		}
		kept = append(kept, span)
	}
	return kept
}

// lineStarts gives the offset of each line of text; LF, CRLF and a lone CR end a line.
func lineStarts(text string) []int {
	if text == "" {
		return []int{}
	}
	starts := make([]int, 1, 1+strings.Count(text, "\n")+1)
	if strings.IndexByte(text, '\r') < 0 {
		for at := 0; ; {
			next := strings.IndexByte(text[at:], '\n')
			at += next + 1
			if next < 0 || at == len(text) {
				return starts
			}
			starts = append(starts, at)
		}
	}
	for i := 0; i < len(text)-1; i++ {
		if text[i] == '\n' || text[i] == '\r' && text[i+1] != '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func isASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// line gives the 1-based line that holds the byte at offset.
func (s *source) line(offset int) int {
	return max(1, sort.SearchInts(s.lines, offset+1))
}

// lineRange gives the bytes of a line without its end.
func (s *source) lineRange(line int) (start, end int) {
	start, end = s.lines[line-1], len(s.raw)
	if line < len(s.lines) {
		end = s.lines[line]
	}
	for end > start && (s.raw[end-1] == '\n' || s.raw[end-1] == '\r') {
		end--
	}
	return start, end
}

// wholeLines gives the bytes of lines with the end of the last one.
func (s *source) wholeLines(first, last int) Range {
	if last < len(s.lines) {
		return Range{s.lines[first-1], s.lines[last]}
	}
	return Range{s.lines[first-1], len(s.raw)}
}

// isLineEnd tells whether text ends, or a line in it, at a place.
func isLineEnd(text string, at int) bool {
	return at >= len(text) || text[at] == '\n' || text[at] == '\r'
}

// lineText gives a line of the raw text without its end: for looking at, never for handing out.
func (s *source) lineText(line int) string {
	start, end := s.lineRange(line)
	return s.raw[start:end]
}

// blank tells whether a line holds nothing but white space.
func (s *source) blank(line int) bool {
	return strings.TrimSpace(s.lineText(line)) == ""
}

// place gives line and column (1-based) and offset (0-based) of a byte; column and offset count UTF-16 units.
func (s *source) place(offset int) (line, column, units int) {
	line = s.line(offset)
	if len(s.lines) == 0 {
		return 1, 1, 0
	}
	start := s.lines[line-1]
	if s.ascii {
		return line, offset - start + 1, offset
	}
	if s.units == nil {
		s.units = make([]int, len(s.lines))
		for i := 1; i < len(s.lines); i++ {
			s.units[i] = s.units[i-1] + utf16Length(s.raw[s.lines[i-1]:s.lines[i]])
		}
	}
	if s.cursorLine != line {
		s.cursorLine, s.cursor, s.cursorUnits = line, start, 0
	}
	if offset >= s.cursor {
		s.cursorUnits += utf16Length(s.raw[s.cursor:offset])
	} else {
		s.cursorUnits -= utf16Length(s.raw[offset:s.cursor])
	}
	s.cursor = offset
	return line, s.cursorUnits + 1, s.units[line-1] + s.cursorUnits
}

// utf16Length counts the UTF-16 units of a text; a byte that is no UTF-8 counts as one.
func utf16Length(text string) int {
	units := 0
	for _, r := range text {
		units++
		if r > 0xFFFF {
			units++
		}
	}
	return units
}

// slice gives raw[start:end] with every secret in it, or a part of one, replaced by its marker.
func (s *source) slice(start, end int) string {
	first := sort.Search(len(s.spans), func(i int) bool { return s.spans[i].End > start })
	if first == len(s.spans) || s.spans[first].Start >= end {
		return s.raw[start:end]
	}
	var out strings.Builder
	at := start
	for _, span := range s.spans[first:] {
		if span.Start >= end {
			break
		}
		out.WriteString(s.raw[at:max(at, span.Start)])
		out.WriteString(secret.Marker(span.Name))
		at = min(span.End, end)
	}
	out.WriteString(s.raw[at:end])
	return out.String()
}

// clean redacts a text that was made from raw, decoded or joined: the bytes of each known secret wherever they are,
// then whatever the filter finds in it anew. What is withheld unscanned is known by its place alone: see isUnscanned.
func (s *source) clean(text string) string {
	redacted, _ := s.filter.Redact(s.known.replace(text))
	return redacted
}

// overlaps tells whether a secret touches raw[start:end].
func (s *source) overlaps(start, end int) bool {
	first := sort.Search(len(s.spans), func(i int) bool { return s.spans[i].End > start })
	return first < len(s.spans) && s.spans[first].Start < end
}

// isUnscanned tells whether a stretch that touches raw[start:end] was withheld without being looked at.
func (s *source) isUnscanned(start, end int) bool {
	first := sort.Search(len(s.spans), func(i int) bool { return s.spans[i].End > start })
	for ; first < len(s.spans) && s.spans[first].Start < end; first++ {
		if s.spans[first].Name == secret.Unscanned {
			return true
		}
	}
	return false
}

// textOffset gives the place in text of an offset in raw; one inside a secret goes to the start of its marker.
func (s *source) textOffset(offset int) int {
	next := sort.Search(len(s.spans), func(i int) bool { return s.spans[i].End > offset })
	switch {
	case next < len(s.spans):
		return min(offset, s.spans[next].Start) + s.shifts[next]
	case len(s.spans) > 0:
		return offset + len(s.text) - len(s.raw)
	}
	return offset
}
