// Package logseq reads graphs of Logseq: its folder of pages, journals and assets.
package logseq

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"strings"
	"time"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
)

// reader is what one import knows.
type reader struct {
	tree   *export.Tree
	into   *export.Builder
	blocks map[string]string // by id, in small letters: the ID of the note that holds it
}

// page is a file of a page or a journal.
type page struct {
	file       export.File
	text       string // below its properties
	title      string
	names      []string
	tags       []string
	properties []draft.Property
	day        time.Time // of a journal
}

// Read takes pages and journals as notes and assets as attachments. It leaves out org files, whiteboards, and what Logseq keeps for
// itself. It is an error where nothing is a page or a journal.
func Read(ctx context.Context, tree *export.Tree, into *export.Builder) error {
	r := &reader{tree: tree, into: into, blocks: map[string]string{}}
	var pages []*page
	for _, f := range tree.Files() {
		if err := ctx.Err(); err != nil {
			return err
		}
		folder, name := kindOf(f.Path)
		switch extension := strings.ToLower(path.Ext(name)); {
		case folder == "assets":
			r.attach(f, name)
		case folder == "whiteboards":
			into.LeaveOut("whiteboard", f.Path)
		case (folder == "pages" || folder == "journals") && extension == ".org":
			into.LeaveOut("file of Org mode", f.Path)
		case (folder == "pages" || folder == "journals") && extension == ".md":
			if one := r.read(f, folder, strings.TrimSuffix(name, path.Ext(name))); one != nil {
				pages = append(pages, one)
			}
		default:
			into.LeaveOut("Logseq's own file", f.Path)
		}
	}
	if len(pages) == 0 {
		return fmt.Errorf("read the graph of Logseq: %w", export.ErrNothing)
	}
	for _, one := range pages {
		r.take(one)
	}
	return nil
}

// kindOf gives the folder of a graph that a file lies in, and its path below that. Copies that Logseq keeps lie in none.
func kindOf(file string) (folder, below string) {
	parts := strings.Split(file, "/")
	for i, part := range parts[:len(parts)-1] {
		switch part {
		case "logseq", ".recycle", "bak", "version-files":
			return "", file
		case "pages", "journals", "assets", "whiteboards":
			return part, strings.Join(parts[i+1:], "/")
		}
	}
	return "", file
}

func (r *reader) attach(f export.File, name string) {
	r.into.Attachments = append(r.into.Attachments, export.Attachment{ID: "assets/" + name, Path: name, Read: func() ([]byte, error) { return r.tree.Read(f.Path) }})
}

var (
	property = lazyregexp.New(`^(?:- )?([A-Za-z][\w./-]*):: ?(.*)$`)
	blockID  = lazyregexp.New(`(?m)^[ \t]+id:: ?([0-9a-fA-F-]{36})[ \t]*\r?$`)
	journal  = lazyregexp.New(`^(\d{4})[_-](\d{2})[_-](\d{2})$`)
)

func (r *reader) read(f export.File, folder, stem string) *page {
	content, err := r.tree.Read(f.Path)
	if err != nil {
		r.into.Problem(f.Path, "%v", err)
		return nil
	}
	one := &page{file: f, title: titleOf(stem), names: []string{stem}}
	text := strings.TrimPrefix(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(content)), "\ufeff")
	one.text = one.head(text)
	if m := journal.FindStringSubmatch(stem); m != nil && folder == "journals" {
		if day, err := time.Parse("2006-01-02", strings.Join(m[1:], "-")); err == nil {
			one.day, one.title = day, day.Format("2006-01-02")
			one.names = append(one.names, namesOf(day)...)
		}
	}
	if strings.TrimSpace(strings.Trim(strings.TrimSpace(one.text), "-")) == "" && len(one.properties) == 0 && len(one.tags) == 0 {
		r.into.LeaveOut("empty page", f.Path)
		return nil
	}
	for _, m := range blockID.FindAllStringSubmatch(one.text, -1) {
		r.blocks[strings.ToLower(m[1])] = f.Path
	}
	return one
}

// titleOf is the name of a page that its file stands for: "a___b" and "a%2Fb" are "a/b".
func titleOf(stem string) string {
	if decoded, err := url.PathUnescape(stem); err == nil {
		stem = decoded
	}
	return strings.ReplaceAll(stem, "___", "/")
}

// namesOf are the ways in which links write a day.
func namesOf(day time.Time) []string {
	ordinal := "th"
	switch n := day.Day(); {
	case n/10 == 1:
	case n%10 == 1:
		ordinal = "st"
	case n%10 == 2:
		ordinal = "nd"
	case n%10 == 3:
		ordinal = "rd"
	}
	number := fmt.Sprint(day.Day(), ordinal)
	names := []string{day.Format("Jan ") + number + day.Format(", 2006"), day.Format("January ") + number + day.Format(", 2006")}
	for _, layout := range []string{"2006_01_02", "2006/01/02", "20060102", "02-01-2006", "2006-01-02 Monday", "Mon, 2006/01/02", "Monday, 02.01.2006", "02.01.2006", "2006-01-02 Mon"} {
		names = append(names, day.Format(layout))
	}
	return names
}

// head takes the properties at the top of a page, and gives what is below them.
func (p *page) head(text string) string {
	for {
		line, rest, _ := strings.Cut(text, "\n")
		m := property.FindStringSubmatch(strings.TrimRight(line, " \t"))
		if m == nil {
			return text
		}
		p.set(strings.ToLower(m[1]), strings.TrimSpace(m[2]))
		text = rest
	}
}

func (p *page) set(name, value string) {
	switch name {
	case "title":
		p.names = append(p.names, p.title)
		p.title = value
	case "tags":
		p.tags = append(p.tags, listOf(value)...)
	case "alias", "aliases":
		aliases := listOf(value)
		p.names = append(p.names, aliases...)
		p.properties = append(p.properties, draft.Property{Name: "aliases", Value: aliases})
	case "id", "collapsed", "filters", "public", "exclude-from-graph-view", "icon", "created-at", "updated-at":
	default:
		p.properties = append(p.properties, draft.Property{Name: name, Value: value})
	}
}

func listOf(value string) []string {
	var list []string
	for one := range strings.SplitSeq(value, ",") {
		one = strings.Trim(strings.TrimSpace(one), "#")
		if one = strings.TrimSuffix(strings.TrimPrefix(one, "[["), "]]"); one != "" {
			list = append(list, one)
		}
	}
	return list
}

// take makes a note of a page. A name with "/" is one in folders.
func (r *reader) take(one *page) {
	n := export.Note{ID: one.file.Path, Path: one.title, Names: one.names, Note: draft.Note{Title: one.title, Tags: one.tags, Created: one.day, Updated: one.file.Modified}}
	if n.Created.IsZero() {
		n.Created = one.file.Modified
	} else {
		n.Type = "daily"
	}
	for _, p := range one.properties {
		if text, ok := p.Value.(string); ok {
			p.Value = r.inline(text)
		}
		n.Properties = append(n.Properties, p)
	}
	n.Body = r.body(one.text)
	r.into.Notes = append(r.into.Notes, n)
}
