package notetype

import (
	"bytes"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// decode reads the first document. A fault of the library is an error.
func decode(raw []byte) (document yaml.Node, err error) {
	defer func() {
		if failed := recover(); failed != nil {
			document, err = yaml.Node{}, errors.New("it cannot be read")
		}
	}()
	if !utf8.Valid(raw) {
		return document, errors.New("it is not UTF-8")
	}
	err = yaml.Unmarshal(raw, &document)
	return document, err
}

// plainFault gives the line of what the library found wrong, and the reason in plain words where it has a common one.
func plainFault(raw []byte, err error) (line int, reason string) {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		return 1, shortenTo(strings.Join(strings.Fields(err.Error()), " "), maxReasonCharacters)
	}
	last := bytes.Count(bytes.TrimRight(raw, "\n"), []byte("\n")) + 1
	at := characterAt(raw, load.Mark.Line, load.Mark.Column)
	switch {
	case load.Mark.Line < 1: // the library tells no line of these
		control := bytes.IndexFunc(raw, func(c rune) bool { return unicode.IsControl(c) && !strings.ContainsRune("\t\n\r", c) })
		line = bytes.Count(raw[:max(control, 0)], []byte("\n")) + 1
		return line, "it has control characters"
	case load.Message == "found character that cannot start any token" && at == '\t':
		reason = "a tab: YAML indents with spaces"
	case load.Message == "found character that cannot start any token" && at != utf8.RuneError:
		reason = "a value cannot begin with " + string(at) + ": put it in quotes"
	case load.Message == "mapping values are not allowed in this context":
		reason = "a colon where none can stand: put the value in quotes, or mend the indentation"
	default:
		reason = shortenTo(strings.Join(strings.Fields(load.Message), " "), maxReasonCharacters)
	}
	return min(load.Mark.Line, last), reason
}

// characterAt gives the character in a line and column, both from 1; utf8.RuneError where there is none.
func characterAt(raw []byte, line, column int) rune {
	for range line - 1 {
		_, rest, found := bytes.Cut(raw, []byte("\n"))
		if !found {
			return utf8.RuneError
		}
		raw = rest
	}
	for range column - 1 {
		_, width := utf8.DecodeRune(raw)
		raw = raw[width:]
	}
	character, _ := utf8.DecodeRune(raw)
	return character
}
