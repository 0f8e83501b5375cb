package docx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"quarry/convert/export"
	"quarry/internal/draft"
)

// Bounds of one document.
const (
	maxEntries    = 20_000
	maxPartBytes  = 64 << 20  // of XML, unpacked
	maxMediaBytes = 256 << 20 // of a picture, unpacked
)

// archive is the zip that a document is.
type archive struct {
	parts map[string]*zip.File
}

var (
	errProtected = errors.New("it is protected by a password, or of the old format of Word")
	errNoText    = errors.New("it holds no document")
)

func openArchive(content []byte) (*archive, error) {
	if bytes.HasPrefix(content, []byte("\xd0\xcf\x11\xe0")) {
		return nil, errProtected
	}
	zipped, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	if len(zipped.File) > maxEntries {
		return nil, fmt.Errorf("over %d parts: %w", maxEntries, export.ErrTooLarge)
	}
	a := &archive{parts: map[string]*zip.File{}}
	for _, entry := range zipped.File {
		name := strings.TrimPrefix(strings.ReplaceAll(entry.Name, `\`, "/"), "/")
		if _, ok := a.parts[name]; !ok && fs.ValidPath(name) {
			a.parts[name] = entry
		}
	}
	return a, nil
}

// read gives the bytes of a part.
func (a *archive) read(name string, mostBytes int64) ([]byte, error) {
	entry, ok := a.parts[name]
	if !ok {
		return nil, fmt.Errorf("read %s: %w", name, fs.ErrNotExist)
	}
	opened, err := entry.Open()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	defer func() { _ = opened.Close() }()
	content, err := io.ReadAll(io.LimitReader(opened, mostBytes+1))
	if err == nil && int64(len(content)) > mostBytes {
		err = export.ErrTooLarge
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return content, nil
}

// relation is where a relationship of a part points.
type relation struct {
	target     string // the name of a part, or an address
	kind       string // the last word of its type
	isExternal bool
}

// relations gives those of a part, by id; those of the whole document for "". None is followed outside of the zip.
func (a *archive) relations(part string) (map[string]relation, error) {
	found := map[string]relation{}
	name := "_rels/.rels"
	if part != "" {
		name = path.Join(path.Dir(part), "_rels", path.Base(part)+".rels")
	}
	if _, ok := a.parts[name]; !ok {
		return found, nil
	}
	x, closes, err := a.open(name)
	if err != nil {
		return found, err
	}
	defer closes()
	return found, x.each(func(root xml.StartElement) error {
		return x.each(func(e xml.StartElement) error {
			r := relation{target: value(e, "Target"), kind: path.Base(value(e, "Type")), isExternal: strings.EqualFold(value(e, "TargetMode"), "External")}
			if !r.isExternal {
				r.target = partName(path.Dir(part), r.target)
			}
			found[value(e, "Id")] = r
			return x.skip()
		})
	})
}

// partName is the name of a part that a relationship of a folder means.
func partName(dir, target string) string {
	if strings.HasPrefix(target, "/") {
		return strings.TrimPrefix(path.Clean(target), "/")
	}
	return path.Join(dir, target)
}

// main is the name of the part that holds the text, and of that with the properties.
func (a *archive) main() (text, core string, err error) {
	text, core = "word/document.xml", "docProps/core.xml"
	relations, err := a.relations("")
	if err != nil {
		return "", "", err
	}
	text, core = related(relations, "officeDocument", text), related(relations, "core-properties", core)
	if a.parts[text] == nil {
		return "", "", errNoText
	}
	return text, core, nil
}

// related is the part that a relationship of some kind means, or the usual one.
func related(relations map[string]relation, kind, usual string) string {
	for _, id := range slices.Sorted(maps.Keys(relations)) {
		if r := relations[id]; r.kind == kind && !r.isExternal {
			return r.target
		}
	}
	return usual
}

// properties are a document's own.
type properties struct {
	title, author, subject string
	keywords               []string
	created, modified      time.Time
}

func (a *archive) properties(name string) (properties, error) {
	var p properties
	if a.parts[name] == nil {
		return p, nil
	}
	x, closes, err := a.open(name)
	if err != nil {
		return p, err
	}
	defer closes()
	return p, x.each(func(root xml.StartElement) error {
		return x.each(func(e xml.StartElement) error {
			text, err := x.text()
			text = draft.Line(text)
			switch e.Name.Local {
			case "title":
				p.title = text
			case "creator":
				p.author = text
			case "subject":
				p.subject = text
			case "keywords":
				p.keywords = keywords(text)
			case "created":
				p.created = timeOf(text)
			case "modified":
				p.modified = timeOf(text)
			}
			return err
		})
	})
}

func keywords(text string) []string {
	split := func(r rune) bool { return r == ',' || r == ';' }
	if !strings.ContainsAny(text, ",;") {
		split = func(r rune) bool { return r == ' ' }
	}
	var words []string
	for _, word := range strings.FieldsFunc(text, split) {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}

func timeOf(text string) time.Time {
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateOnly} {
		if when, err := time.Parse(form, text); err == nil && when.Year() > 1601 { // 1601: never set
			return when.UTC()
		}
	}
	return time.Time{}
}
