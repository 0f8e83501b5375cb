package evernote

import (
	"bytes"
	"crypto/md5" // #nosec G501 -- Evernote names files by it
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"quarry/internal/markdown"
)

// Bounds of a note.
const (
	maxDepth = 40      // of elements in each other, outside of its text
	maxField = 1 << 20 // bytes of a field that is not its text
	maxTags  = 1000
	maxFiles = 10_000
)

// note is a note as its notebook has it.
type note struct {
	title, content string
	tags           []string
	fields         map[string]string
	files          []*file
	tasks          []taskItem
}

// file is a file that a note holds.
type file struct {
	hash, mediaType, name string
	start, end            int // of its base64 in the notebook
	isShown               bool
}

// taskItem is a task that is kept beside the text of its note.
type taskItem struct{ title, status, group, due string }

// parser reads one note.
type parser struct {
	source *bytes.Reader
	xml    *xml.Decoder
	raw    []byte
	offset int // of raw in the notebook
	path   []string
	text   strings.Builder // of the innermost element
	note   *note
	file   *file
	task   *taskItem
}

// parseNote reads a note of a notebook, where it begins at an offset; what was read before an error is given, too.
func parseNote(raw []byte, offset int) (*note, error) {
	p := &parser{source: bytes.NewReader(raw), raw: raw, offset: offset, note: &note{fields: map[string]string{}}}
	p.xml = xml.NewDecoder(p.source)
	p.xml.Strict, p.xml.Entity = false, xml.HTMLEntity
	p.xml.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	for {
		token, err := p.xml.RawToken()
		if errors.Is(err, io.EOF) {
			if len(p.path) > 0 {
				return p.note, errors.New("the note has no end")
			}
			return p.note, nil
		}
		if err != nil {
			return p.note, fmt.Errorf("read the note: %w", err)
		}
		if err := p.token(token); err != nil {
			return p.note, err
		}
	}
}

func (p *parser) token(token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		if len(p.path) >= maxDepth {
			return errors.New("elements lie too deep in each other")
		}
		p.path = append(p.path, token.Name.Local)
		p.text.Reset()
		return p.start(token.Name.Local)
	case xml.EndElement:
		if len(p.path) == 0 || p.path[len(p.path)-1] != token.Name.Local {
			return fmt.Errorf("</%.40s> ends what is not open", token.Name.Local)
		}
		p.end(token.Name.Local, strings.TrimSpace(p.text.String()))
		p.path = p.path[:len(p.path)-1]
		p.text.Reset()
	case xml.CharData:
		most := maxField
		if p.within(0) == "content" {
			most = markdown.MaxHTMLBytes + 1
		}
		p.text.Write(token[:min(len(token), most-min(most, p.text.Len()))])
	}
	return nil
}

// within is the name of an element around, counted from the innermost.
func (p *parser) within(up int) string {
	if at := len(p.path) - 1 - up; at >= 0 {
		return p.path[at]
	}
	return ""
}

func (p *parser) start(name string) error {
	switch {
	case name == "resource":
		p.file = &file{}
	case name == "task" && p.within(1) == "note":
		p.task = &taskItem{}
	case name == "data" && p.within(1) == "resource" && p.file != nil:
		return p.data()
	}
	return nil
}

// data goes over the bytes of a file, which may be many, without holding them.
func (p *parser) data() error {
	start := len(p.raw) - p.source.Len()
	if start >= 2 && p.raw[start-2] == '/' {
		return nil
	}
	length := bytes.Index(p.raw[start:], []byte("</data"))
	if length < 0 {
		return errors.New("a file in it has no end")
	}
	p.file.start, p.file.end = p.offset+start, p.offset+start+length
	sum := md5.New() // #nosec G401 -- Evernote names files by it
	if count, err := io.Copy(sum, decoder(p.raw[start:start+length])); err == nil && count > 0 {
		p.file.hash = hex.EncodeToString(sum.Sum(nil))
	}
	_, err := p.source.Seek(int64(start+length), io.SeekStart)
	return err
}

// end takes what an element held.
func (p *parser) end(name, text string) {
	parent := p.within(1)
	switch {
	case parent == "note" && name == "title":
		p.note.title = text
	case parent == "note" && name == "content":
		p.note.content = text
	case parent == "note" && name == "tag":
		if text != "" && len(p.note.tags) < maxTags {
			p.note.tags = append(p.note.tags, text)
		}
	case parent == "note" && name == "resource":
		p.endFile()
	case parent == "note" && name == "task" && p.task != nil:
		if len(p.note.tasks) < maxFiles {
			p.note.tasks = append(p.note.tasks, *p.task)
		}
		p.task = nil
	case parent == "note", parent == "note-attributes":
		p.note.fields[name] = text
	case p.task != nil && parent == "task":
		p.endTask(name, text)
	case p.file != nil && name == "mime" && parent == "resource":
		p.file.mediaType = strings.ToLower(text)
	case p.file != nil && name == "file-name":
		p.file.name = text
	}
}

func (p *parser) endTask(name, text string) {
	switch name {
	case "title":
		p.task.title = text
	case "taskStatus":
		p.task.status = text
	case "taskGroupNoteLevelID":
		p.task.group = text
	case "dueDate":
		p.task.due = text
	}
}

func (p *parser) endFile() {
	if p.file != nil && len(p.note.files) < maxFiles {
		p.note.files = append(p.note.files, p.file)
	}
	p.file = nil
}

// withoutBlanks leaves white space out of what it reads.
type withoutBlanks struct{ rest []byte }

func (w *withoutBlanks) Read(into []byte) (int, error) {
	count := 0
	for count < len(into) && len(w.rest) > 0 {
		if c := w.rest[0]; c > ' ' {
			into[count] = c
			count++
		}
		w.rest = w.rest[1:]
	}
	if count == 0 && len(w.rest) == 0 {
		return 0, io.EOF
	}
	return count, nil
}

func decoder(encoded []byte) io.Reader {
	encoded = bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(encoded), []byte("<![CDATA[")), []byte("]]>"))
	return base64.NewDecoder(base64.StdEncoding, &withoutBlanks{encoded})
}

func decode(encoded []byte) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(len(encoded) * 3 / 4)
	if _, err := io.Copy(&b, decoder(encoded)); err != nil {
		return nil, fmt.Errorf("read a file of a note: %w", err)
	}
	return b.Bytes(), nil
}

var extensions = map[string]string{
	"image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg", "image/tiff": ".tiff", "image/bmp": ".bmp", "application/pdf": ".pdf",
	"audio/mpeg": ".mp3", "audio/mp3": ".mp3", "audio/mp4": ".m4a", "audio/x-m4a": ".m4a", "audio/m4a": ".m4a", "audio/wav": ".wav", "audio/amr": ".amr", "video/mp4": ".mp4", "video/quicktime": ".mov",
	"text/plain": ".txt", "text/html": ".html", "application/zip": ".zip", "application/msword": ".doc", "application/vnd.evernote.ink": ".ink",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
}

// extensionOf is the extension of a file of this media type.
func extensionOf(mediaType string) string {
	if extension, ok := extensions[mediaType]; ok {
		return extension
	}
	return ".bin"
}
