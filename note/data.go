package note

import (
	"regexp"
	"strconv"
	"strings"

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
	maxTreeDataBytes = 1 << 20 // YAML and TOML, whose parsers build trees
	maxJoinedBytes   = 200     // of the items of a list on one line
)

// FlattenData gives the values of a text of JSON, JSON Lines, YAML or TOML, each with the path of keys to it, in order
// of their places. Scalars of one list share a line. language is the word behind a fence or a file extension without its
// dot, in any case. It is not ok, and gives nothing, where the language is another, where the text is broken, a lone
// scalar or empty, nests deeper than 64, or holds more than 10,000 lines or 4 MB; YAML and TOML also beyond 1 MB.
// Time and memory are linear in the length of text. Safe for concurrent use.
func FlattenData(language, text string) ([]FlatLine, bool) {
	f := &flattener{source: newSource([]byte(text), nil)}
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
}

// flatLine is a line of a flattener. Lines of one group stand under one key at the top, or are scalars at the top.
type flatLine struct {
	text  string
	line  int // 1-based
	group int
}

// flattener collects lines. Its path is that of the list or mapping that is open.
type flattener struct {
	source *source
	lines  []flatLine
	bytes  int
	path   []byte
	marks  []mark
	group  int
	names  map[int]string // of the groups under a key
	fault  *dataFault
	// structured tells that there was a list or a mapping, not one scalar alone.
	structured bool

	// A list whose items so far are scalars.
	listOpen bool
	list     []listItem
}

// mark is what was before a list or mapping that is open.
type mark struct {
	path, lines int // lengths
	line        int // of its beginning in the file
}

type listItem struct {
	text string
	line int
}

// read takes in the whole text of the source. Nothing is read of a language that is not known.
func (f *flattener) read(language string) *dataFault {
	f.names = map[int]string{}
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
		f.names[f.group] = strings.TrimPrefix(name, ".")
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
	}
}

// stop ends the reading for the first fault.
func (f *flattener) stop(line int, reason string) {
	if f.fault == nil {
		f.fault = &dataFault{line: line, reason: reason}
	}
}

// add puts in a value, one line for each of its own; step is by how much the line in the file grows with each.
func (f *flattener) add(name, value string, line, step int) {
	for i, text := range strings.Split(strings.ReplaceAll(value, "\r", "\n"), "\n") {
		text = strings.TrimSpace(text)
		if i == 0 {
			path := strings.TrimPrefix(string(f.path)+name, ".")
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
	f.bytes += len(text) + 1
	if len(f.lines) >= maxFlatLines || f.bytes > maxFlatBytes {
		f.stop(line, "more values than are read of one file")
		return
	}
	f.lines = append(f.lines, flatLine{text: text, line: line, group: f.group})
}

// addList puts the items of the open list on lines of about maxJoinedBytes.
func (f *flattener) addList() {
	var joined []byte
	line := 0
	for _, item := range f.list {
		if len(joined) > 0 && len(joined)+len(item.text) > maxJoinedBytes {
			f.add("", string(joined), line, 0)
			joined = joined[:0]
		}
		if len(joined) == 0 {
			line = item.line
		} else {
			joined = append(joined, ", "...)
		}
		joined = append(joined, item.text...)
	}
	if len(joined) > 0 {
		f.add("", string(joined), line, 0)
	}
	f.listOpen, f.list = false, f.list[:0]
}

// redact filters all lines at once, since a secret can run over several; that keeps their number.
func (f *flattener) redact() {
	var text strings.Builder
	for _, line := range f.lines {
		text.WriteString(line.text)
		text.WriteByte('\n')
	}
	redacted, found := secret.Redact(text.String())
	if len(found) == 0 {
		return
	}
	for i := range f.lines {
		f.lines[i].text, redacted, _ = strings.Cut(redacted, "\n")
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
	markerPattern = regexp.MustCompile(`\[REDACTED:([A-Za-z0-9_-]+)\]`)
	hiddenMarker  = regexp.MustCompile("\uF8FEREDACTED:([A-Za-z0-9_-]+)\uF8FE")
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
