package bear

import (
	"encoding/json"
	"path"
	"strings"
	"time"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
)

// note is a note before its text is written.
type note struct {
	file
	id          string
	title, text string
	dir         string // that its addresses begin at
	assets      string // where its attachments lie
	place       string // as of export.Note
	info        info
}

// info is what a text bundle tells of its note.
type info struct {
	ID       string    `json:"uniqueIdentifier"`
	Created  time.Time `json:"-"`
	Modified time.Time `json:"-"`
	Source   string    `json:"-"`

	CreationDate     string `json:"creationDate"`
	ModificationDate string `json:"modificationDate"`
	Archived         flag   `json:"archived"`
	Trashed          flag   `json:"trashed"`
	Pinned           flag   `json:"pinned"`
	Encrypted        flag   `json:"encrypted"`
	Locked           flag   `json:"locked"`
}

// flag is a truth, which Bear writes as 0 and 1.
type flag bool

// UnmarshalJSON takes numbers, truths and texts.
func (f *flag) UnmarshalJSON(text []byte) error {
	switch strings.Trim(string(text), `"`) {
	case "", "0", "false", "null":
		*f = false
	default:
		*f = true
	}
	return nil
}

// open reads a file that is a note's text; nil where it is none, or the note is left out.
func (r *reader) open(f file) *note {
	if !isText(f.path) {
		return nil
	}
	n := &note{file: f, dir: path.Dir(f.path), assets: stem(f.path), place: stem(f.path)}
	if bundle := bundleOf(f.path); bundle != "" {
		n.assets, n.place = bundle+"/assets", stem(bundle)
		n.info = r.info(bundle + "/info.json")
	}
	switch {
	case bool(n.info.Trashed):
		r.into.LeaveOut("in the trash", n.place)
		return nil
	case bool(n.info.Encrypted || n.info.Locked):
		r.into.LeaveOut("locked", n.place)
		return nil
	case f.bytes > maxTextBytes:
		r.into.Problem(f.path, "%v", export.ErrTooLarge)
		return nil
	}
	content, err := f.read()
	if err == nil && len(content) > maxTextBytes {
		err = export.ErrTooLarge
	}
	if err != nil {
		r.into.Problem(f.path, "%v", err)
		return nil
	}
	n.text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(strings.TrimPrefix(string(content), "\ufeff"), "\uFFFD"))
	n.title = titleOf(n.text)
	if n.title == "" {
		n.title = path.Base(n.place)
	}
	r.name(n)
	return n
}

// name gives a note its id: that of a bundle, else its place.
func (r *reader) name(n *note) {
	n.id = n.info.ID
	if r.ids[n.id] {
		r.into.Problem(n.place, "another note has its id; links by the id mean that one")
		n.id = ""
	}
	if n.id == "" {
		n.id = "file:" + n.path
	}
	r.ids[n.id] = true
}

func (r *reader) info(name string) info {
	var all struct {
		Bear   info   `json:"net.shinyfrog.bear"`
		Source string `json:"sourceURL"`
	}
	f, ok := r.files[name]
	if !ok {
		return info{}
	}
	content, err := f.read()
	if err == nil {
		err = json.Unmarshal(content, &all)
	}
	if err != nil {
		r.into.Problem(name, "%v", err)
	}
	if strings.HasPrefix(all.Source, "http") {
		all.Bear.Source = all.Source
	}
	all.Bear.Created, all.Bear.Modified = timeOf(all.Bear.CreationDate), timeOf(all.Bear.ModificationDate)
	return all.Bear
}

func timeOf(text string) time.Time {
	for _, form := range []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if when, err := time.Parse(form, text); err == nil {
			return when.UTC()
		}
	}
	return time.Time{}
}

var firstHeading = lazyregexp.New(`^(?:[ \t]*\n)*#[ \t]+([^\n]*?)[ \t#]*(?:\n|$)`)

// titleOf is the heading that a text begins with, "" for none.
func titleOf(text string) string {
	_, text = frontmatter(text)
	if m := firstHeading.FindStringSubmatch(text); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}

func (r *reader) note(n *note) {
	properties, text := frontmatter(n.text)
	made := export.Note{ID: n.id, Path: n.place}
	made.Title, made.Type, made.Source = n.title, "note", n.info.Source
	made.Created, made.Updated = n.info.Created, n.info.Modified
	if made.Created.IsZero() && n.modified.Year() > 1980 { // a zip may have no times
		made.Created = n.modified
	}
	for _, p := range []struct {
		name string
		is   flag
	}{{"pinned", n.info.Pinned}, {"archived", n.info.Archived}} {
		if p.is {
			made.Properties = append(made.Properties, draft.Property{Name: p.name, Value: true})
		}
	}
	takeProperties(&made, properties)
	made.Body = r.body(n, text, &made.Tags)
	r.into.Notes = append(r.into.Notes, made)
}

// takeProperties gives a note what stood in its header.
func takeProperties(made *export.Note, properties []draft.Property) {
	for _, p := range properties {
		text, _ := p.Value.(string)
		list, isList := p.Value.([]string)
		if !isList {
			list = strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
		}
		switch strings.ToLower(p.Name) {
		case "title":
			made.Title, made.Names = text, append(made.Names, made.Title)
		case "tags", "tag":
			made.Tags = append(made.Tags, list...)
		case "created", "date", "creationdate":
			if when := timeOf(text); !when.IsZero() {
				made.Created = when
			}
		case "updated", "modified", "modificationdate":
			if when := timeOf(text); !when.IsZero() {
				made.Updated = when
			}
		case "source", "url":
			made.Source = text
		case "type":
			made.Type = text
		default:
			made.Properties = append(made.Properties, p)
		}
	}
}

var propertyLine = lazyregexp.New(`^([\p{L}\p{N}_][\p{L}\p{N}_ .-]*):(?:[ \t]+(.*))?$`)

// frontmatter parts a header of simple properties, one a line or lists, from a text. One that holds more stays text.
func frontmatter(text string) ([]draft.Property, string) {
	rest, found := strings.CutPrefix(text, "---\n")
	head, body, ends := strings.Cut(rest, "\n---\n")
	if !found || !ends || len(head) > 64<<10 {
		return nil, text
	}
	var properties []draft.Property
	for line := range strings.SplitSeq(head, "\n") {
		item, isItem := strings.CutPrefix(strings.TrimSpace(line), "- ")
		m := propertyLine.FindStringSubmatch(line)
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case isItem && len(properties) > 0:
			last := &properties[len(properties)-1]
			list, isList := last.Value.([]string)
			if !isList && last.Value != "" {
				return nil, text
			}
			last.Value = append(list, unquote(item))
		case m != nil:
			properties = append(properties, draft.Property{Name: m[1], Value: valueOf(m[2])})
		default:
			return nil, text
		}
	}
	return properties, body
}

// valueOf is a value of a header: a text or a list in brackets.
func valueOf(text string) any {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return unquote(text)
	}
	inner := text[1 : len(text)-1]
	var list []string
	for item := range strings.SplitSeq(inner, ",") {
		if item = unquote(strings.TrimSpace(item)); item != "" {
			list = append(list, item)
		}
	}
	return list
}

func unquote(text string) string {
	text = strings.TrimSpace(text)
	if len(text) >= 2 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		return text[1 : len(text)-1]
	}
	return text
}
