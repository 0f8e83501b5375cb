package quarry

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"quarry/graph"
	"quarry/note"
)

// maxSubpaths bounds how many headings and blocks that links name are looked up in a note.
const maxSubpaths = 256

// partAddress is what names a part of a note, or stands in the brackets of a link.
var partAddress = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^\[\[.*\]\]$|.#|:\d{1,9}$`) })

// notePart are some lines of a note as it lies in the vault.
type notePart struct {
	note     *note.Note
	from, to int  // 1-based, inclusive
	isWhole  bool // they are all that it has
}

// partNamed finds the part of a note that an address names, nil where it names none. No view may be open.
func (e *Engine) partNamed(ctx context.Context, address string) (*notePart, error) {
	if !partAddress().MatchString(address) {
		return nil, nil
	}
	named, err := e.readOne(ctx, address)
	switch {
	case errors.Is(err, ErrNoPart) || ctx.Err() != nil:
		return nil, err
	case err != nil || len(named) != 1:
		return nil, nil
	}
	parsed, err := e.Parse(ctx, named[0].FilePath)
	if err != nil {
		return nil, err
	}
	whole := lines(parsed, 1, len(parsed.LineOffsets))
	p := &notePart{note: parsed, from: named[0].LineStart, to: named[0].LineEnd}
	p.isWhole = p.from <= whole.LineStart && p.to >= whole.LineEnd
	return p, nil
}

func (p *notePart) holds(line int) bool { return line >= p.from && line <= p.to }

// keep leaves the links in the part and those that name a heading or a block in it.
func (p *notePart) keep(ctx context.Context, e *Engine, links *NoteLinks) {
	if p.isWhole {
		return
	}
	links.LineStart, links.LineEnd = p.from, p.to
	links.Out = slices.DeleteFunc(links.Out, func(l graph.Link) bool { return !p.holds(l.Line) })
	links.keepAliases()
	leads := map[string]bool{} // by subpath
	isCut := false
	links.Back = slices.DeleteFunc(links.Back, func(l graph.Backlink) bool {
		isHere, isKnown := leads[l.Subpath]
		switch {
		case isKnown || l.Subpath == "":
		case len(leads) == maxSubpaths:
			isCut = true
		default:
			found, err := e.partOf(ctx, p.note, l.Subpath)
			isHere = err == nil && p.holds(found.LineStart)
			leads[l.Subpath] = isHere
		}
		return !isHere
	})
	if isCut {
		links.Notices = append(links.Notices, fmt.Sprintf("links name so many parts of %s that not all were looked up", links.Note))
	}
}
