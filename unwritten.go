package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"quarry/graph"
	"quarry/store"
)

// linksToUnwritten gives the links that mean a note which nobody has written; where there are none, notFound is the answer. No view
// may be open.
func (e *Engine) linksToUnwritten(ctx context.Context, request LinksRequest, notFound error) (NoteLinks, error) {
	var unknown *unknownNote
	if !errors.As(notFound, &unknown) || errors.Is(notFound, ErrLeftOut) || request.Unresolved {
		return NoteLinks{}, notFound
	}
	v, err := e.snapshot(ctx)
	if err != nil {
		return NoteLinks{}, err
	}
	defer v.Close()
	names := &finder{engine: e, view: v}
	back, err := names.linksMeaning(ctx, request.Note)
	switch {
	case err != nil:
		return NoteLinks{}, err
	case len(back) == 0:
		return NoteLinks{}, notFound
	}
	sources := sourcesOf(back)
	name := e.stored(withoutBrackets(request.Note))
	links := NoteLinks{
		Surroundings: graph.Surroundings{Note: name, Out: []graph.Link{}, Back: back, Related: []graph.Related{}},
		Notices:      []string{fmt.Sprintf("no note is called %s, but links mean one%s", name, hintIn(unknown.err))},
	}
	kinds := kindsOf(request.Kinds)
	if len(kinds) > 0 {
		links.Back = slices.DeleteFunc(links.Back, func(l graph.Backlink) bool { return !slices.Contains(kinds, l.Kind) })
	}
	if request.Hops > 1 {
		if links.Reached, err = names.reachedFrom(ctx, sources, request, kinds); err != nil {
			return NoteLinks{}, err
		}
	}
	return links, filterAgain(e, v.meta, &links)
}

// hintIn is what an ErrNotFound suggests, with what parts it from the rest.
func hintIn(err error) string {
	_, hint, ok := strings.Cut(err.Error(), ErrNotFound.Error())
	if !ok {
		return ""
	}
	return hint
}

// reachedFrom lists the notes that are further than one link away from a note that is not there, but links of sources mean.
func (f *finder) reachedFrom(ctx context.Context, sources []string, request LinksRequest, kinds []string) ([]ReachedNote, error) {
	if request.Way == WayOut {
		return []ReachedNote{}, nil
	}
	network, err := f.networkBy(ctx, kinds)
	if err != nil {
		return nil, err
	}
	reached := network.Reach(sources, ways[request.Way], request.Hops-1)
	for i := range reached {
		reached[i].Hops++
	}
	return reached, nil
}

// linksMeaning lists the links that mean a note of a name, which nobody has written, by source, then line.
func (f *finder) linksMeaning(ctx context.Context, address string) ([]graph.Backlink, error) {
	resolver, err := f.names(ctx)
	if err != nil {
		return nil, err
	}
	wanted := bareName(withoutBrackets(address))
	if wanted == "." {
		return nil, nil
	}
	means := func(target string) bool {
		target = bareName(target)
		return graph.SameName(target, wanted) || !strings.Contains(wanted, "/") && graph.SameName(path.Base(target), wanted)
	}
	linking, err := f.linking(ctx, wanted)
	if err != nil {
		return nil, err
	}
	var found []graph.Backlink
	for of, err := range linking {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		first := len(found)
		for i := range of.Links {
			if link := &of.Links[i]; !link.External && link.Target != "" && means(link.Target) {
				if j := resolver.Judge(link, of.Path); j.State == graph.Unresolved {
					found = append(found, graph.Backlink{Source: of.Path, Link: j.Link})
				}
			}
		}
		slices.SortStableFunc(found[first:], func(a, b graph.Backlink) int { return cmp.Compare(a.Line, b.Line) })
	}
	return found, nil
}

// fewLinking is up to how many notes are read one by one; then reading the links of all is cheaper.
const fewLinking = 32

// linking yields the notes that may link to a bareName with their links, by path.
func (f *finder) linking(ctx context.Context, name string) (iter.Seq2[store.LinksOf, error], error) {
	paths, isKnown, err := f.directory.linking(ctx, f.view, name)
	if err != nil || !isKnown || len(paths) > fewLinking {
		return f.view.Links(ctx), err
	}
	return func(yield func(store.LinksOf, error) bool) {
		for _, path := range paths {
			n, _, err := f.view.Note(ctx, path)
			if !yield(store.LinksOf{Path: path, Links: n.Links}, err) {
				return
			}
		}
	}, nil
}

// bareName is a target of a link without what names no more than the kind of the file.
func bareName(target string) string {
	target = strings.TrimLeft(path.Clean(strings.ReplaceAll(target, `\`, "/")), "/")
	if isNoteName(target) {
		target = strings.TrimSuffix(target, path.Ext(target))
	}
	return target
}

// sourcesOf lists the notes that hold links, which are by source.
func sourcesOf(links []graph.Backlink) []string {
	var sources []string
	for i := range links {
		if len(sources) == 0 || sources[len(sources)-1] != links[i].Source {
			sources = append(sources, links[i].Source)
		}
	}
	return sources
}
