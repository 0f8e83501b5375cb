package note

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"quarry/internal/lazyregexp"
	"quarry/secret"
)

// FlatLine is one value of a text of data with the path of keys to it: "server.port: 8080".
type FlatLine struct {
	Text string // redacted, one line
	Line int    // 0-based, within the text
}

// Bounds on what is flattened of one text. Beyond them it stays as it is.
const (
	maxFlatDepth     = 64
	maxFlatLines     = 10_000
	maxFlatBytes     = 4 << 20
	maxDataBytes     = 16 << 20 // of what is made of a file of data
	maxTreeDataBytes = 1 << 20  // YAML and TOML, whose parsers build trees
	maxJoinedBytes   = 200      // of the items of a list on one line
)

// FlattenData gives the values of a text of JSON, JSON Lines, YAML or TOML, each with the path of keys to it, in order
// of their places. Scalars of one list share a line. language is the word behind a fence or a file extension without its
// dot, in any case. It is not ok, and gives nothing, where the language is another, where the text is broken, a lone
// scalar or empty, nests deeper than 64, or holds more than 10,000 lines or 4 MB; YAML and TOML also beyond 1 MB.
// They are filtered as the note was. Time and memory are linear in the length of text. Safe for concurrent use.
func (n *Note) FlattenData(language, text string) ([]FlatLine, bool) {
	f := newFlattener(newSource([]byte(text), nil, n.filter))
	if fault := f.read(language); fault != nil || !f.structured {
		return nil, false
	}
	f.redact()
	lines := make([]FlatLine, 0, len(f.lines))
	for _, line := range f.lines {
		lines = append(lines, FlatLine{Text: line.text, Line: line.line - 1})
	}
	return lines, true
}

// dataFault is where and why a text of data was read no further.
type dataFault struct {
	line   int // 1-based
	reason string
	full   bool // a bound was met: the text itself is not at fault
	offset int  // of the first byte that was not read, where full
}

// flatLine is a line of a flattener. Lines of one group stand under one key at the top, or are scalars at the top.
type flatLine struct {
	text          string
	line, lineEnd int // 1-based
	group         int
	key           string // of the group
	start         int    // the first line of the group, 0 if that is the line of its first value
}

// flattener collects lines. Its path is that of the list or mapping that is open.
type flattener struct {
	source *source
	lines  []flatLine
	bytes  int
	path   []byte
	marks  []mark
	group  int
	key    string // of the group that is open, and its first line
	start  int
	notes  []flatLine // comments that wait for the next value
	fault  *dataFault
	at     int // the byte of the file that is read, 0 where only lines are known

	maxLines, maxBytes int
	// structured tells that there was a list or a mapping, not one scalar alone.
	structured bool

	lenient bool // goes on behind a broken line of JSON Lines
	skipped []*dataFault

	// A list whose items so far are scalars.
	listOpen   bool
	joined     []byte // what is not on a line yet
	joinedLine int
}

// mark is what was before a list or mapping that is open.
type mark struct {
	path, lines int // lengths
	line        int // of its beginning in the file
}

func newFlattener(s *source) *flattener {
	return &flattener{source: s, maxLines: maxFlatLines, maxBytes: maxFlatBytes}
}

// read takes in the whole text of the source. Nothing is read of a language that is not known.
func (f *flattener) read(language string) *dataFault {
	switch strings.ToLower(strings.TrimSpace(language)) {
	case "json", "geojson":
		f.readJSON(0, len(f.source.raw))
	case "jsonl", "ndjson", "jsonlines":
		f.readJSONLines()
	case "yaml", "yml":
		f.readYAML()
	case "toml":
		f.readTOML()
	}
	f.flushNotes()
	slices.SortStableFunc(f.lines, func(a, b flatLine) int { return a.line - b.line }) // comments came out of order
	return f.fault
}

// enter opens a list or mapping of this name; at the top it is a group of its own.
func (f *flattener) enter(name string, line int) {
	if len(f.marks) >= maxFlatDepth {
		f.stop(line, "lists or mappings nest too deep")
		return
	}
	if len(f.marks) == 1 {
		f.group++
		f.key, f.start = strings.TrimPrefix(name, "."), line
	}
	f.marks = append(f.marks, mark{path: len(f.path), lines: len(f.lines), line: line})
	f.path = append(f.path, name...)
	f.structured = true
}

// leave closes the last one that was entered. Of an empty one the name stays.
func (f *flattener) leave() {
	if f.fault != nil {
		return
	}
	last := len(f.marks) - 1
	around := f.marks[last]
	if len(f.lines) == around.lines && len(f.path) > 0 {
		f.add("", "", around.line, 0)
	}
	f.path, f.marks = f.path[:around.path], f.marks[:last]
	if last == 1 {
		f.group++
		f.key, f.start = "", 0
	}
}

// stop ends the reading for a bound that was met.
func (f *flattener) stop(line int, reason string) {
	if f.fault == nil {
		f.fault = &dataFault{line: line, reason: reason, full: true, offset: f.at}
		if f.at == 0 && line <= len(f.source.lines) {
			f.fault.offset = f.source.lines[line-1]
		}
	}
}

// add puts in a value, one line for each of its own; step is by how much the line in the file grows with each.
func (f *flattener) add(name, value string, line, step int) {
	for i, text := range strings.Split(strings.ReplaceAll(value, "\r", "\n"), "\n") {
		text = strings.TrimSpace(text)
		if i == 0 {
			path := strings.TrimSpace(oneLine(strings.TrimPrefix(string(f.path)+name, ".")))
			if path != "" && text != "" {
				path += ": "
			} else if path != "" {
				path += ":"
			}
			text = path + text
		}
		if text != "" && f.fault == nil {
			f.addLine(text, line+i*step)
		}
	}
}

func (f *flattener) addLine(text string, line int) {
	f.flushNotes()
	f.bytes += len(text) + 1
	if len(f.lines) >= f.maxLines || f.bytes > f.maxBytes {
		f.stop(line, "more values than are read of one file")
		return
	}
	line = max(min(line, len(f.source.lines)), 1) // a text may be empty behind the mark that begins it
	f.lines = append(f.lines, flatLine{text: text, line: line, lineEnd: line, group: f.group, key: f.key, start: f.start})
}

// comment puts in the lines of a comment before the next value. It is looked for above a line of the file.
func (f *flattener) comment(text string, below int) {
	if text == "" {
		return
	}
	lines := strings.Split(text, "\n")
	first := below - len(lines)
	for line := min(below-1, len(f.source.lines)); line > max(below-50, 0); line-- {
		if strings.TrimSpace(f.source.lineText(line)) == strings.TrimSpace(lines[len(lines)-1]) {
			first = line - len(lines) + 1
			break
		}
	}
	for i, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			f.notes = append(f.notes, flatLine{text: showMarkers(line), line: max(first+i, 1)})
		}
	}
}

// remark puts a comment behind the last value, or before the next one where that is an item of a list on one line.
func (f *flattener) remark(text string, line int) {
	last := len(f.lines) - 1
	switch {
	case text == "" || f.fault != nil:
	case last >= 0 && !f.listOpen && f.lines[last].line == line:
		f.lines[last].text += " " + oneLine(showMarkers(text))
		f.bytes += len(text) + 1
	default:
		f.notes = append(f.notes, flatLine{text: showMarkers(text), line: line})
	}
}

// flushNotes puts in the comments that wait.
func (f *flattener) flushNotes() {
	notes := f.notes
	f.notes = nil
	for _, comment := range notes {
		if f.fault == nil {
			f.addLine(comment.text, comment.line)
		}
	}
}

// extend makes the last line that was put in reach to a line of the file.
func (f *flattener) extend(lineEnd int) {
	if last := len(f.lines) - 1; last >= 0 {
		f.lines[last].lineEnd = max(f.lines[last].lineEnd, lineEnd)
	}
}

// fragments gives the lines, those of one group in one fragment under the key of the group.
func (f *flattener) fragments() []Fragment {
	var list []Fragment
	var text strings.Builder
	for i, line := range f.lines {
		if i == 0 || line.group != f.lines[i-1].group {
			text.Reset()
			list = append(list, Fragment{Heading: f.source.clean(line.key), LineStart: cmp.Or(line.start, line.line)})
		}
		last := &list[len(list)-1]
		text.WriteString(line.text)
		text.WriteByte('\n')
		last.LineStart, last.LineEnd = min(last.LineStart, line.line), max(last.LineEnd, line.lineEnd)
		if i == len(f.lines)-1 || line.group != f.lines[i+1].group {
			last.Text = strings.TrimSuffix(text.String(), "\n")
		}
	}
	return list
}

// addItem puts an item into the open list, whose items share lines of about maxJoinedBytes.
func (f *flattener) addItem(text string, line int) {
	if len(f.joined) > 0 && len(f.joined)+len(text) > maxJoinedBytes {
		f.add("", string(f.joined), f.joinedLine, 0)
		f.joined = f.joined[:0]
	}
	if len(f.joined) == 0 {
		f.joinedLine = line
	} else {
		f.joined = append(f.joined, ", "...)
	}
	f.joined = append(f.joined, text...)
}

// closeList ends the line of items.
func (f *flattener) closeList() {
	if len(f.joined) > 0 {
		f.add("", string(f.joined), f.joinedLine, 0)
	}
	f.listOpen, f.joined = false, f.joined[:0]
}

// readData gives the values of a file of data, those under one key at the top together. A broken text is a problem,
// and stands as it is.
func readData(n *Note, s *source, language string) {
	n.Frontmatter, n.FrontmatterRaw = map[string]any{}, map[string]any{}
	if isBlank(s.raw) {
		return
	}
	f := newFlattener(s)
	f.maxLines, f.maxBytes = maxFacts, maxDataBytes
	f.lenient = true
	fault := f.read(language)
	f.redact()
	for _, broken := range f.skipped {
		n.addProblem(broken.line, "the line is not valid JSON: "+broken.reason)
	}
	switch {
	case fault == nil:
	case fault.full:
		n.addProblem(fault.line, fault.reason)
	default:
		n.addProblem(fault.line, "the file is not valid "+strings.ToUpper(strings.Replace(language, "yml", "yaml", 1))+": "+fault.reason)
		f.lines = nil
	}
	for _, fragment := range f.fragments() {
		n.addFragment(fragment)
	}
	switch {
	case fault != nil:
		n.addRest(s, fault.offset)
	case len(f.lines) == 0: // comments alone
		n.addRest(s, 0)
	}
}

// redact filters all lines at once, since a secret can run over several; that keeps their number.
func (f *flattener) redact() {
	var text strings.Builder
	starts := make([]int, 0, len(f.lines)+1)
	for _, line := range f.lines {
		starts = append(starts, text.Len())
		text.WriteString(line.text)
		text.WriteByte('\n')
	}
	raw := []byte(text.String())
	spans := f.source.filter.Find(raw)
	if len(spans) == 0 {
		return
	}
	f.hide(raw, spans, append(starts, len(raw)))
	redacted := string(secret.Apply(raw, spans))
	for i := range f.lines {
		f.lines[i].text, redacted, _ = strings.Cut(redacted, "\n")
	}
}

// hide withholds in the file what was found in the lines, each of which begins at a byte of text. A value can stand some lines
// behind the place that it is known by, before that of the next one.
func (f *flattener) hide(text []byte, spans []secret.Span, starts []int) {
	lastLines := make([]int, len(f.lines))
	last := len(f.source.lines)
	for i := len(f.lines) - 1; i >= 0; i-- {
		if i+1 < len(f.lines) && f.lines[i+1].line > f.lines[i].line {
			last = f.lines[i+1].line - 1
		}
		lastLines[i] = max(last, f.lines[i].lineEnd)
	}
	for _, span := range spans {
		for i := sort.SearchInts(starts, span.Start+1) - 1; i < len(f.lines) && starts[i] < span.End; i++ {
			value := string(text[max(span.Start, starts[i]):min(span.End, starts[i+1]-1)])
			f.source.hide(value[strings.LastIndex(value, ": ")+1:], span.Name, f.lines[i].line, lastLines[i])
		}
	}
}

// itemName names a value by its place: nothing in a list at the top, whose items are groups.
func itemName(index, depth int) string {
	if depth <= 1 {
		return ""
	}
	return "[" + strconv.Itoa(index) + "]"
}

var (
	markerPattern = lazyregexp.New(`\[REDACTED:([A-Za-z0-9_-]+)\]`)
	hiddenMarker  = lazyregexp.New("\uF8FEREDACTED:([A-Za-z0-9_-]+)\uF8FE")
)

// hideMarkers gives the redacted text with its markers in a form that is a plain text in YAML, too, where brackets
// make a list; showMarkers undoes it.
func hideMarkers(text string) string {
	if !strings.Contains(text, "[REDACTED:") {
		return text
	}
	return markerPattern.ReplaceAllString(text, "\uF8FEREDACTED:${1}\uF8FE")
}

func showMarkers(text string) string {
	if !strings.Contains(text, "\uF8FE") {
		return text
	}
	return hiddenMarker.ReplaceAllString(text, "[REDACTED:${1}]")
}
