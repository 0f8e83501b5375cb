package docx

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxElements bounds elements in each other: what is deeper is left out and reported.
const maxElements = 200

var errDTD = errors.New("it declares its own entities, which is refused")

// cursor reads the XML of a part, element by element. Nothing in it is expanded or loaded.
type cursor struct {
	decoder *xml.Decoder
	names   map[xml.Name]string
	depth   int
	isDeep  bool // something was too deep
	check   func() error
	count   int
}

// open reads a part as XML.
func (a *archive) open(name string) (*cursor, func(), error) {
	entry := a.parts[name]
	opened, err := entry.Open()
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", name, err)
	}
	x := &cursor{decoder: xml.NewDecoder(&bounded{opened, maxPartBytes}), names: map[xml.Name]string{}}
	return x, func() { _ = opened.Close() }, nil
}

// bounded is a reader that fails where a part is larger than it may be.
type bounded struct {
	io.Reader
	left int64
}

var errPart = errors.New("a part of it is too large")

func (b *bounded) Read(into []byte) (int, error) {
	if b.left <= 0 {
		return 0, errPart
	}
	count, err := b.Reader.Read(into[:min(int64(len(into)), b.left)])
	b.left -= int64(count)
	return count, err
}

// each visits the elements in the present one, up to its end. The visitor reads each to its end.
func (x *cursor) each(visit func(xml.StartElement) error) error {
	return x.walk(visit, nil)
}

// walk is each, with the text between them.
func (x *cursor) walk(visit func(xml.StartElement) error, write func([]byte)) error {
	if x.depth >= maxElements {
		x.isDeep = true
		return x.skip()
	}
	x.depth++
	defer func() { x.depth-- }()
	for {
		if x.count++; x.count%4096 == 0 && x.check != nil {
			if err := x.check(); err != nil {
				return err
			}
		}
		token, err := x.decoder.Token()
		if errors.Is(err, io.EOF) && x.depth == 1 {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if err := visit(t); err != nil {
				return err
			}
		case xml.EndElement:
			return nil
		case xml.CharData:
			if write != nil {
				write(t)
			}
		case xml.Directive:
			return errDTD
		}
	}
}

// skip reads to the end of the present element.
func (x *cursor) skip() error {
	for depth := 1; depth > 0; {
		token, err := x.decoder.Token()
		if err != nil {
			return err
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		case xml.Directive:
			return errDTD
		}
	}
	return nil
}

// text is all text in the present element.
func (x *cursor) text() (string, error) {
	var b strings.Builder
	var visit func(xml.StartElement) error
	write := func(text []byte) { b.Write(text) }
	visit = func(xml.StartElement) error { return x.walk(visit, write) }
	err := x.walk(visit, write)
	return b.String(), err
}

// prefixes are short names of namespaces, in the transitional and the strict form.
var prefixes = map[string]string{
	"http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w", "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
	"http://schemas.openxmlformats.org/officeDocument/2006/math": "m", "http://purl.oclc.org/ooxml/officeDocument/math": "m",
	"http://schemas.openxmlformats.org/drawingml/2006/main": "a", "http://purl.oclc.org/ooxml/drawingml/main": "a",
	"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing": "wp", "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing": "wp",
	"http://schemas.openxmlformats.org/drawingml/2006/chart": "c", "http://purl.oclc.org/ooxml/drawingml/chart": "c",
	"http://schemas.openxmlformats.org/drawingml/2006/diagram": "dgm", "http://purl.oclc.org/ooxml/drawingml/diagram": "dgm",
	"http://schemas.openxmlformats.org/markup-compatibility/2006": "mc", "urn:schemas-microsoft-com:vml": "v",
}

// name is an element's name with a short prefix, "w:p".
func (x *cursor) name(e xml.StartElement) string {
	known, ok := x.names[e.Name]
	if !ok {
		known = prefixes[e.Name.Space] + ":" + e.Name.Local
		if len(x.names) < 1000 {
			x.names[e.Name] = known
		}
	}
	return known
}

// value is an attribute by its local name, "" where it is not there.
func value(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// isOn is the value of a property that is a truth: on where it is there, unless it says otherwise.
func isOn(e xml.StartElement) bool {
	switch value(e, "val") {
	case "0", "false", "off", "none":
		return false
	}
	return true
}
