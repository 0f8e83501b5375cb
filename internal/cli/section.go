package cli

import (
	"context"
	"errors"
	"regexp"

	"quarry"
)

// maxSubpaths bounds how many headings and blocks that links name are looked up in a note.
const maxSubpaths = 256

// partAddress is what names a part of a note, or stands in the brackets of a link.
var partAddress = regexp.MustCompile(`^\[\[.*\]\]$|.#|:\d{1,9}$`)

// linksOf gives the links around what an address names: a note, or a part of one, whose links are those in its lines and
// those that lead to a heading or a block in it.
func (a *app) linksOf(ctx context.Context, engine *quarry.Engine, request quarry.LinksRequest) (links quarry.NoteLinks, isPart bool, err error) {
	links, err = engine.Links(ctx, request)
	if !errors.Is(err, quarry.ErrNotFound) || !partAddress.MatchString(request.Note) {
		return links, links.LineStart > 0, err
	}
	named, readErr := engine.Read(ctx, []string{request.Note}, 0)
	switch {
	case errors.Is(readErr, quarry.ErrNoPart):
		return links, false, readErr
	case readErr != nil || len(named) != 1:
		return links, false, err
	}
	request.Note = named[0].FilePath
	if links, err = engine.Links(ctx, request); err != nil {
		return links, false, err
	}
	whole, err := engine.Read(ctx, []string{request.Note}, 0)
	if err != nil || len(whole) != 1 || named[0].LineStart <= whole[0].LineStart && named[0].LineEnd >= whole[0].LineEnd {
		return links, false, err
	}
	a.keepPart(ctx, engine, &links, named[0])
	return links, true, nil
}

// keepPart leaves the links of a part of the note.
func (a *app) keepPart(ctx context.Context, engine *quarry.Engine, links *quarry.NoteLinks, part quarry.Excerpt) {
	isInside := func(line int) bool { return line >= part.LineStart && line <= part.LineEnd }
	out, back := links.Out[:0], links.Back[:0]
	for _, l := range links.Out {
		if isInside(l.Line) {
			out = append(out, l)
		}
	}
	leads := map[string]bool{} // by subpath
	for _, l := range links.Back {
		if _, known := leads[l.Subpath]; !known && l.Subpath != "" && len(leads) < maxSubpaths {
			found, err := engine.Read(ctx, []string{part.FilePath + l.Subpath}, 0)
			leads[l.Subpath] = err == nil && len(found) == 1 && isInside(found[0].LineStart)
		}
		if leads[l.Subpath] {
			back = append(back, l)
		}
	}
	links.Out, links.Back = out, back
	if len(leads) == maxSubpaths {
		a.notice("notice: links name so many parts of %s that not all were looked up", oneLinePath(part.FilePath))
	}
}
