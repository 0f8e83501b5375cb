// Package roam reads the JSON export of Roam.
package roam

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
)

// reader is what one import knows.
type reader struct {
	into   *export.Builder
	pages  []*block
	byUID  map[string]*block
	titles map[string]*block
	ids    map[*block]string // of blocks that a reference means, as they are written
	page   *block            // the one that is written
	remote int               // files of it that lie at Roam's server
	lost   map[string]bool   // blocks that it means and that are not there
}

var errEDN = errors.New("it is an EDN export; in Roam choose Export All and the format JSON")

// Read takes the pages of an export: blocks as nested lists, references as links. Errors are those of an export in another form.
func Read(ctx context.Context, tree *export.Tree, into *export.Builder) error {
	r := &reader{into: into, byUID: map[string]*block{}, titles: map[string]*block{}, ids: map[*block]string{}}
	var refused error
	for _, f := range tree.Files() {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch strings.ToLower(path.Ext(f.Path)) {
		case ".json":
			r.file(ctx, tree, f.Path)
		case ".edn", ".msgpack":
			refused = fmt.Errorf("read %s: %w", f.Path, errEDN)
			into.Problem(f.Path, "%v", errEDN)
		default:
			into.LeaveOut("not of Roam's export", f.Path)
		}
	}
	if len(r.pages) == 0 {
		if refused != nil {
			return refused
		}
		return fmt.Errorf("read Roam's export: %w", export.ErrNothing)
	}
	r.index()
	for _, page := range r.pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.note(page)
	}
	return nil
}

func (r *reader) file(ctx context.Context, tree *export.Tree, name string) {
	content, err := tree.Read(name)
	if err != nil {
		r.into.Problem(name, "%v", err)
		return
	}
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	if start := bytes.TrimSpace(content); bytes.HasPrefix(start, []byte("#datascript")) || bytes.HasPrefix(start, []byte("{:")) {
		r.into.Problem(name, "%v", errEDN)
		return
	}
	pages, isDeep, err := parse(ctx, content)
	if err != nil {
		r.into.Problem(name, "%v; %d pages before it are taken", err, len(pages))
	}
	if isDeep {
		r.into.Problem(name, "blocks more than %d deep are taken as one list", maxDepth)
	}
	for i, page := range pages {
		if page.title == "" {
			r.into.Problem(name, "page %d has no title", i+1)
			continue
		}
		r.pages = append(r.pages, page)
	}
}

// reference is a block's id where a text names it.
var reference = lazyregexp.New(`\(\(([A-Za-z0-9_-]{1,64})\)\)`)

// index finds blocks and pages by their ids, and which blocks need one in their note.
func (r *reader) index() {
	doubled := 0
	for _, page := range r.pages {
		if _, ok := r.titles[page.title]; !ok {
			r.titles[page.title] = page
		}
		each(page, func(b *block) {
			if _, ok := r.byUID[b.uid]; ok && b.uid != "" {
				doubled++
				b.uid = ""
			}
			if b.uid != "" {
				r.byUID[b.uid] = b
			}
		})
	}
	if doubled > 0 {
		r.into.Problem("blocks", "%d have the id of another one; links mean the first", doubled)
	}
	taken := map[*block]map[string]bool{}
	for _, page := range r.pages {
		if page.uid == "" {
			r.giveID(page)
		}
		markPlain(page.children, true)
		each(page, func(b *block) {
			for _, m := range reference.FindAllStringSubmatch(b.text, -1) {
				if to := r.byUID[m[1]]; to != nil && to.page != nil && r.ids[to] == "" {
					if taken[to.page] == nil {
						taken[to.page] = map[string]bool{}
					}
					r.ids[to] = blockID(to.uid, taken[to.page])
				}
			}
		})
	}
}

// markPlain marks the blocks that have no place for an id, as writer.blocks writes them.
func markPlain(blocks []*block, isTop bool) {
	for _, b := range blocks {
		switch {
		case strings.TrimSpace(b.text) == "":
			b.isPlain = true
			markPlain(b.children, isTop)
		case isTable(b):
			each(b, func(b *block) { b.isPlain = true })
		case b.heading > 0 && isTop:
			b.isPlain = true
			markPlain(b.children, true)
		default:
			markPlain(b.children, false)
		}
	}
}

// blockID is a block's id in the form that Obsidian takes, one that is not taken.
func blockID(uid string, taken map[string]bool) string {
	id := strings.Trim(strings.ReplaceAll(uid, "_", "-"), "-")
	if id == "" {
		id = "block"
	}
	for made, number := id, 2; ; number++ {
		if !taken[made] {
			taken[made] = true
			return made
		}
		made = id + "-" + strconv.Itoa(number)
	}
}

// each visits a block and all below it, in order. The depth is bounded by maxDepth.
func each(b *block, visit func(*block)) {
	visit(b)
	for _, child := range b.children {
		each(child, visit)
	}
}

func (r *reader) note(page *block) {
	r.page, r.remote, r.lost = page, 0, map[string]bool{}
	n := export.Note{ID: page.uid, Path: strings.ReplaceAll(page.title, "/", export.Slash)}
	n.Title, n.Type, n.Created = page.title, "note", page.created
	if day, ok := dayOf(page.title); ok {
		n.Path, n.Title, n.Type, n.Names = day, day, "daily", []string{page.title}
		n.Properties = []draft.Property{{Name: "aliases", Value: []string{page.title}}}
	}
	if n.Created.IsZero() {
		each(page, func(b *block) {
			if n.Created.IsZero() || !b.created.IsZero() && b.created.Before(n.Created) {
				n.Created = b.created
			}
		})
	}
	if page.edited.Truncate(time.Second).After(n.Created) {
		n.Updated = page.edited
	}
	w := &writer{reader: r}
	w.blocks(page.children, "", false)
	n.Body = w.out.String()
	r.into.Notes = append(r.into.Notes, n)
	if r.remote > 0 {
		r.into.Problem(page.title, "files at Roam's server that are not in the export: %d; the links to them stay", r.remote)
	}
}

// giveID gives a page without an id one by its title.
func (r *reader) giveID(page *block) {
	page.uid = "title:" + page.title
	for number := 2; r.byUID[page.uid] != nil; number++ {
		page.uid = "title:" + page.title + "#" + strconv.Itoa(number)
	}
	r.byUID[page.uid] = page
}

var dayTitle = lazyregexp.New(`^([A-Z][a-z]+) (\d{1,2})(?:st|nd|rd|th), (\d{4})$`)

// dayOf is the day of a daily page, 2026-03-03, by its title, "March 3rd, 2026".
func dayOf(title string) (string, bool) {
	m := dayTitle.FindStringSubmatch(title)
	if m == nil {
		return "", false
	}
	day, err := time.Parse("January 2 2006", m[1]+" "+m[2]+" "+m[3])
	return day.Format(time.DateOnly), err == nil
}
