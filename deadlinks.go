package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"quarry/graph"
)

// DeadLink is a link that leads nowhere, or not to all that it names.
type DeadLink struct {
	Source string `json:"source"` // path of the note that holds it
	graph.Link
	// Suggestions are what may be meant, the likeliest first, at most three; never nil: paths of files, or where the note has no
	// such heading or block, the addresses of others, "path#Heading" or "path#^block".
	Suggestions []string `json:"suggestions"`
}

// DeadLinksRequest says of what the dead links are wanted.
type DeadLinksRequest struct {
	Note  string   // a note or a part of one, as LinksRequest has it; "": all notes
	Kinds []string // as LinksRequest has them; none: all
}

// DeadLinks lists dead links, by source, then line. Links to addresses outside of the vault are none, and in
// Logseq a name without a page is one as elsewhere.
func (e *Engine) DeadLinks(ctx context.Context, request DeadLinksRequest) (_ []DeadLink, err error) {
	defer e.clean(&err)
	dead, err := e.deadLinks(ctx, request)
	if err != nil {
		return nil, fmt.Errorf("look for dead links: %w", err)
	}
	return dead, nil
}

func (e *Engine) deadLinks(ctx context.Context, request DeadLinksRequest) ([]DeadLink, error) {
	dead, err := e.deadLinksIn(ctx, request, nil)
	var unknown *unknownNote
	if !errors.As(err, &unknown) {
		return dead, err
	}
	part, partErr := e.partNamed(ctx, request.Note)
	switch {
	case partErr != nil:
		return nil, partErr
	case part == nil:
		return nil, e.butSecret(ctx, err)
	}
	request.Note = part.note.Path
	return e.deadLinksIn(ctx, request, part)
}

// deadLinksIn lists those of a part of a note where there is one, else of what the request names.
func (e *Engine) deadLinksIn(ctx context.Context, request DeadLinksRequest, part *notePart) ([]DeadLink, error) {
	v, err := e.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	names := &finder{engine: e, view: v}
	sources := v.Links(ctx)
	if request.Note != "" {
		at, err := names.find(ctx, request.Note)
		if err != nil {
			return nil, err
		}
		sources = names.linksIn(ctx, []string{at.path})
	}
	kinds := kindsOf(request.Kinds)
	dead := []DeadLink{}
	err = names.eachLink(ctx, sources, func(source string, link graph.Link) {
		isWanted := len(kinds) == 0 || slices.Contains(kinds, link.Kind)
		if isWanted && isDead(link.State) && (part == nil || part.holds(link.Line)) {
			dead = append(dead, DeadLink{Source: source, Link: link})
		}
	})
	if err != nil {
		return nil, err
	}
	if err := names.suggest(ctx, dead); err != nil {
		return nil, err
	}
	return dead, filterAgain(e, v.meta, &dead)
}

// isDead tells of a link within the vault that leads nowhere, or not to all that it names.
func isDead(state graph.State) bool {
	return state == graph.Unresolved || state == graph.Alias || state == graph.HeadingMissing || state == graph.BlockMissing
}

// suggest fills in what dead links may mean.
func (f *finder) suggest(ctx context.Context, dead []DeadLink) error {
	if len(dead) == 0 {
		return nil
	}
	resolver, err := f.names(ctx)
	if err != nil {
		return err
	}
	parts, err := f.partsLike(ctx, dead)
	if err != nil {
		return err
	}
	type place struct{ target, folder string }
	known := map[place][]string{}
	for i := range dead {
		link := &dead[i]
		if link.State == graph.HeadingMissing || link.State == graph.BlockMissing {
			link.Suggestions = parts.like(link)
			continue
		}
		at := place{link.Target, path.Dir(link.Source)}
		list, ok := known[at]
		if !ok {
			if err := ctx.Err(); err != nil {
				return err
			}
			// By the folder alone, so one more than is wanted: the source itself is none.
			list = resolver.Suggest(link.Target, path.Join(at.folder, "-"), maxSuggestions+1)
			known[at] = list
		}
		list = slices.DeleteFunc(slices.Clone(list), func(path string) bool { return path == link.Source })
		link.Suggestions = list[:min(len(list), maxSuggestions)]
	}
	return nil
}

// parts are headings and blocks that links which name others may mean.
type parts struct {
	headings map[string][]string // of notes that lack one, by path
	moved    map[string][]string // addresses of headings, by what graph.PlainHeading makes of them
	blocks   map[string][]string // addresses of blocks, by their ids in lower case
	known    map[[2]string][]string
}

// Bounds of what is compared.
const (
	maxHeadingsCompared = 1000
	maxPartsCompared    = 10000
)

// partsLike reads the outlines of notes that links miss parts of, and looks for these parts in others.
func (f *finder) partsLike(ctx context.Context, dead []DeadLink) (*parts, error) {
	p := &parts{map[string][]string{}, map[string][]string{}, map[string][]string{}, map[[2]string][]string{}}
	for i := range dead {
		link := &dead[i]
		switch link.State {
		case graph.BlockMissing:
			p.blocks[blockID(link.Subpath)] = nil
		case graph.HeadingMissing:
			p.headings[*link.Resolved] = nil
			p.moved[graph.PlainHeading(lastHeading(link.Subpath))] = nil
		}
	}
	if len(p.headings)+len(p.blocks) == 0 {
		return p, nil
	}
	for of, err := range f.view.Outlines(ctx) {
		if err != nil {
			return nil, err
		}
		_, isMissed := p.headings[of.Path]
		for i, heading := range of.Headings {
			if isMissed && i < maxHeadingsCompared {
				p.headings[of.Path] = append(p.headings[of.Path], heading.Text)
			}
			addTo(p.moved, graph.PlainHeading(heading.Text), of.Path+"#"+heading.Text)
		}
		for _, id := range of.BlockIDs {
			addTo(p.blocks, strings.ToLower(id), of.Path+"#^"+id)
		}
	}
	return p, nil
}

// addTo adds an address to a list that is wanted.
func addTo(lists map[string][]string, key, address string) {
	if list, ok := lists[key]; ok && len(list) <= maxSuggestions {
		lists[key] = append(list, address)
	}
}

func lastHeading(subpath string) string {
	return subpath[strings.LastIndexByte(strings.TrimRight(subpath, "#"), '#')+1:]
}

func blockID(subpath string) string {
	return strings.ToLower(strings.TrimSpace(subpath[strings.LastIndexByte(subpath, '^')+1:]))
}

// like lists what a link may mean: the same heading or block elsewhere, if that is rare, and headings of the note that come
// near.
func (p *parts) like(link *DeadLink) []string {
	if link.State == graph.BlockMissing {
		return rare(p.blocks[blockID(link.Subpath)])
	}
	key := [2]string{*link.Resolved, link.Subpath}
	list, ok := p.known[key]
	if !ok && len(p.known) < maxPartsCompared {
		list = p.likeHeading(*link.Resolved, lastHeading(link.Subpath))
		p.known[key] = list
	}
	return append([]string{}, list...)
}

func rare(addresses []string) []string {
	if len(addresses) > maxSuggestions {
		return []string{}
	}
	return append([]string{}, addresses...)
}

func (p *parts) likeHeading(path, wanted string) []string {
	type near struct {
		address string
		share   float64
	}
	var found []near
	pairs := letterPairs(strings.ReplaceAll(wanted, "-", " "))
	for _, text := range p.headings[path] {
		if share := likeness(pairs, strings.ReplaceAll(text, "-", " ")); share >= leastShare {
			found = append(found, near{path + "#" + text, share})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(b.share, a.share) })
	list := rare(p.moved[graph.PlainHeading(wanted)])
	for _, n := range found {
		if n.share >= found[0].share-shareBelowBest && !slices.Contains(list, n.address) {
			list = append(list, n.address)
		}
	}
	return list[:min(len(list), maxSuggestions)]
}
