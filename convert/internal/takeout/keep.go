package takeout

import (
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// keepNote is a note of Keep as its JSON has it.
type keepNote struct {
	Title           *string       `json:"title"`
	TextContent     string        `json:"textContent"`
	TextContentHTML string        `json:"textContentHtml"`
	Color           string        `json:"color"`
	IsTrashed       bool          `json:"isTrashed"`
	IsPinned        bool          `json:"isPinned"`
	IsArchived      bool          `json:"isArchived"`
	Edited          *microseconds `json:"userEditedTimestampUsec"`
	Created         *microseconds `json:"createdTimestampUsec"`
	ListContent     []struct {
		Text      string `json:"text"`
		IsChecked bool   `json:"isChecked"`
	} `json:"listContent"`
	Labels []struct {
		Name string `json:"name"`
	} `json:"labels"`
	Annotations []struct {
		Title  string `json:"title"`
		URL    string `json:"url"`
		Source string `json:"source"`
	} `json:"annotations"`
	Attachments []struct {
		FilePath  string `json:"filePath"`
		MediaType string `json:"mimetype"`
	} `json:"attachments"`
	Sharees []struct {
		IsOwner bool   `json:"isOwner"`
		Email   string `json:"email"`
	} `json:"sharees"`
}

// microseconds is a time since 1970; older files have it as a text.
type microseconds int64

// UnmarshalJSON reads a number, bare or in quotes; another value is no time.
func (m *microseconds) UnmarshalJSON(content []byte) error {
	if value, err := strconv.ParseInt(strings.Trim(string(content), `"`), 10, 64); err == nil {
		*m = microseconds(value)
	}
	return nil
}

func (m *microseconds) time() time.Time {
	if m == nil || *m <= 0 || *m > 1<<57 {
		return time.Time{}
	}
	return time.UnixMicro(int64(*m)).UTC()
}

// keepFile takes a file of Keep; it is false for one that is no note of its own.
func (r *reader) keepFile(f export.File) bool {
	stem := strings.TrimSuffix(f.Path, path.Ext(f.Path))
	switch strings.ToLower(path.Ext(f.Path)) {
	case ".json":
		r.keepJSON(f, stem)
	case ".html":
		// Its JSON, which holds more, comes after it in the order of names.
		if !r.tree.Has(stem + ".json") {
			r.keepHTML(f, stem)
		}
	case ".txt":
		r.into.LeaveOut("Keep: the list of all labels", f.Path)
	default:
		return false
	}
	return true
}

func (r *reader) keepJSON(f export.File, stem string) {
	text, ok := r.read(f)
	if !ok {
		r.instead(stem)
		return
	}
	var n keepNote
	if err := json.Unmarshal([]byte(text), &n); err != nil {
		r.into.Problem(f.Path, "read the note: %v", err)
		r.instead(stem)
		return
	}
	switch {
	case n.Title == nil && n.Edited == nil && n.Created == nil && n.TextContent == "":
		r.into.LeaveOut("Keep: no note", f.Path)
	case n.IsTrashed:
		r.into.LeaveOut("Keep: in the trash", f.Path)
		for _, a := range n.Attachments {
			r.trashed[r.beside(f.Path, a.FilePath)] = true
		}
	default:
		r.addKeep(f, stem, &n)
	}
}

// instead takes the HTML of a note whose JSON cannot be read.
func (r *reader) instead(stem string) {
	if f, ok := r.pages[stem]; ok {
		r.keepHTML(f, stem)
	}
}

func (r *reader) addKeep(f export.File, stem string, n *keepNote) {
	if n.Color != "" && n.Color != "DEFAULT" {
		r.into.Lost["colour"]++
	}
	made := export.Note{ID: f.Path, Names: []string{path.Base(stem)}}
	made.Created, made.Updated = n.Created.time(), n.Edited.time()
	if n.Title != nil {
		made.Title = strings.Join(strings.Fields(*n.Title), " ")
	}
	for _, label := range n.Labels {
		made.Tags = append(made.Tags, label.Name)
	}
	if n.IsArchived {
		made.Status = "archived"
	}
	if n.IsPinned {
		made.Properties = append(made.Properties, draft.Property{Name: "pinned", Value: true})
	}
	var shared []string
	for _, s := range n.Sharees {
		if !s.IsOwner && s.Email != "" {
			shared = append(shared, s.Email)
		}
	}
	if len(shared) > 0 {
		made.Properties = append(made.Properties, draft.Property{Name: "shared-with", Value: shared})
	}
	made.Body, made.Source = r.keepBody(f, n)
	r.add(f, made, n.firstLine())
}

// add gives a note what every note has; first is what stands for a title where there is none.
func (r *reader) add(f export.File, n export.Note, first string) {
	if n.Created.IsZero() {
		n.Created = n.Updated
	}
	if n.Created.IsZero() && f.Modified.Year() >= 1980 { // a zip may have none
		n.Created = f.Modified
	}
	if n.Title == "" {
		n.Title = first
	}
	if n.Title == "" {
		n.Title = "Note of " + n.Created.Format("2006-01-02 15.04")
	}
	n.Path = path.Join(path.Dir(r.below(f.Path)), strings.ReplaceAll(n.Title, "/", export.Slash))
	r.into.Notes = append(r.into.Notes, n)
}

// maxFirst is the length, in characters, of a first line that stands for a title.
const maxFirst = 80

func (n *keepNote) firstLine() string {
	text := n.TextContent
	if text == "" && len(n.ListContent) > 0 {
		text = n.ListContent[0].Text
	}
	return firstLine(text)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.Join(strings.Fields(line), " ")
	if utf8.RuneCountInString(line) <= maxFirst {
		return line
	}
	line = string([]rune(line)[:maxFirst])
	if at := strings.LastIndexByte(line, ' '); at > maxFirst/2 {
		line = line[:at]
	}
	return line + "…"
}

var marked = lazyregexp.New(`(?i)<h[1-6]|font-weight:\s*(?:bold|[6-9]00)|font-style:\s*italic|<(?:b|i|strong|em)>`)

// keepBody is the text of a note, its list, files and links. Its source is the one page that it links to.
func (r *reader) keepBody(f export.File, n *keepNote) (body, source string) {
	parts := []string{markdown.FromText(n.TextContent)}
	if marked.MatchString(n.TextContentHTML) {
		if made, lost, err := markdown.FromHTML(n.TextContentHTML, markdown.Options{Prepare: styles, TopHeading: 1}); err == nil {
			r.lost(lost)
			parts[0] = made
		}
	}
	var list strings.Builder
	for _, item := range n.ListContent {
		box := "- [ ] "
		if item.IsChecked {
			box = "- [x] "
		}
		list.WriteString(box + strings.ReplaceAll(markdown.Escape(strings.TrimSpace(item.Text)), "\n", "\n  ") + "\n")
	}
	parts = append(parts, list.String())
	for _, a := range n.Attachments {
		if at := r.beside(f.Path, a.FilePath); at != "" {
			parts = append(parts, r.attach(at, "", isShown(a.MediaType)))
		} else {
			r.into.Problem(f.Path, "a file that it shows is not in the export: %s", draft.Line(a.FilePath))
		}
	}
	links, source := n.links()
	return joined(append(parts, links)), source
}

func joined(parts []string) string {
	var kept []string
	for _, part := range parts {
		if part = strings.TrimRight(part, "\n "); part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "\n\n")
}

// links are the pages that Keep found in a note, but those that stand in its text; source is the only one.
func (n *keepNote) links() (list, source string) {
	var b strings.Builder
	pages := 0
	for _, a := range n.Annotations {
		if !strings.HasPrefix(a.URL, "https://") && !strings.HasPrefix(a.URL, "http://") {
			continue
		}
		pages++
		source = a.URL
		if strings.Contains(n.TextContent, a.URL) {
			continue
		}
		address := strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "\n", "").Replace(a.URL)
		title := markdown.Escape(draft.TitleLine(a.Title))
		if title == "" {
			title = draft.TitleLine(a.URL)
		}
		fmt.Fprintf(&b, "- [%s](%s)\n", title, address)
	}
	if pages != 1 {
		source = ""
	}
	return b.String(), source
}

// beside is a file beside a note: Takeout may write it with another extension than the note says. "" where there is none.
func (r *reader) beside(note, name string) string {
	at := path.Join(path.Dir(note), path.Base(name))
	if r.tree.Has(at) {
		return at
	}
	if other := r.stems[strings.TrimSuffix(at, path.Ext(at))]; other != "" && !isText(other) {
		return other
	}
	return ""
}

func isShown(mediaType string) bool {
	kind, _, _ := strings.Cut(mediaType, "/")
	return kind == "image" || kind == "audio" || kind == "video" || mediaType == "application/pdf"
}
