package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"quarry/graph"
	"quarry/store"
)

// DeadLinksRequest says of what the dead links are wanted.
type DeadLinksRequest struct {
	Note  string   // a note or a part of one, as LinksRequest has it; "": all notes
	Kinds []string // as LinksRequest has them; none: all
}

// DeadLink is a link that leads nowhere, or not to all that it names.
type DeadLink struct {
	Source string `json:"source"` // path of the note that holds it
	graph.Link
	// Suggestions are what may be meant, the likeliest first, at most three; never nil: paths of files, or where the note has no
	// such heading or block, the addresses of others, "path#Heading" or "path#^block".
	Suggestions []string `json:"suggestions"`
}

// DeadLinks lists dead links, by source, then line: those that Doctor tells of. What is none is told by graph.Sound and the other
// faults that are not dead; in Logseq a name without a page is one as elsewhere.
func (e *Engine) DeadLinks(ctx context.Context, request DeadLinksRequest) (_ []DeadLink, err error) {
	defer e.clean(&err)
	ctx = withOneLook(ctx)
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
	kinds := kindsOf(request.Kinds)
	isWanted := func(j *graph.Judgement) bool {
		return (len(kinds) == 0 || slices.Contains(kinds, j.Kind)) && (part == nil || part.holds(j.Line))
	}
	var found []graph.Backlink
	if request.Note == "" {
		found, _, err = names.deadOfAll(ctx, isWanted)
	} else {
		found, err = names.deadOf(ctx, request.Note, isWanted)
	}
	if err != nil {
		return nil, err
	}
	dead, err := names.suggest(ctx, found)
	if err != nil {
		return nil, err
	}
	return dead, filterAgain(e, v.meta, &dead)
}

// judge visits the links of notes, by line within each, with what is wrong with them.
func (f *finder) judge(ctx context.Context, sources iter.Seq2[store.LinksOf, error], visit func(source string, j *graph.Judgement)) error {
	resolver, failed, err := f.judging(ctx)
	if err != nil {
		return err
	}
	return judgeBy(ctx, resolver, sources, func(source string, j *graph.Judgement) error {
		visit(source, j)
		return failed()
	})
}

// judgeBy visits the links of notes with what a resolver finds wrong with them, and stops where a visit fails.
func judgeBy(
	ctx context.Context, resolver *graph.Resolver, sources iter.Seq2[store.LinksOf, error], visit func(source string, j *graph.Judgement) error,
) error {
	for of, err := range sources {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		links := slices.Clone(of.Links)
		slices.SortStableFunc(links, func(a, b store.Link) int { return cmp.Compare(a.Line, b.Line) })
		for i := range links {
			j := resolver.Judge(&links[i], of.Path)
			if err := visit(of.Path, &j); err != nil {
				return err
			}
		}
	}
	return nil
}

// judging gives a resolver that knows headings, blocks and elements of HTML, and tells whether reading one of them failed.
func (f *finder) judging(ctx context.Context) (_ *graph.Resolver, failed func() error, _ error) {
	resolver, err := f.names(ctx)
	if err != nil {
		return nil, nil, err
	}
	outlines := newOutlineReader(f.view)
	texts := func(path string) []string {
		n, _, err := f.view.Note(ctx, path)
		outlines.err = cmp.Or(outlines.err, err)
		list := make([]string, len(n.Passages))
		for i := range n.Passages {
			list[i] = n.Passages[i].Text
		}
		return list
	}
	resolver = resolver.WithOutlines(func(path string) *graph.Outline { return outlines.of(ctx, path) }).WithTexts(texts)
	return resolver, func() error { return outlines.err }, nil
}

// deadOfAll lists the dead links of all notes that are wanted, and counts all links.
func (f *finder) deadOfAll(ctx context.Context, isWanted func(*graph.Judgement) bool) ([]graph.Backlink, graph.Tally, error) {
	var dead []graph.Judgement
	var sources []string
	var tally graph.Tally
	err := f.judge(ctx, f.view.Links(ctx), func(source string, j *graph.Judgement) {
		tally.Add(j)
		if j.Fault.IsDead() && isWanted(j) {
			dead, sources = append(dead, *j), append(sources, source)
		}
	})
	return deadBy(&tally, dead, sources), tally, err
}

// deadOf lists those of one note. What the links of all notes show is looked at where it matters.
func (f *finder) deadOf(ctx context.Context, address string, isWanted func(*graph.Judgement) bool) ([]graph.Backlink, error) {
	at, err := f.find(ctx, address)
	if err != nil {
		return nil, err
	}
	var dead []graph.Judgement
	var sources []string
	needsTally := false
	err = f.judge(ctx, f.linksIn(ctx, []string{at.path}), func(source string, j *graph.Judgement) {
		if j.Fault.IsDead() && isWanted(j) {
			dead, sources = append(dead, *j), append(sources, source)
			needsTally = needsTally || j.IsAnchor
		}
	})
	if err != nil {
		return nil, err
	}
	var tally graph.Tally
	if needsTally {
		if tally, err = f.tally(ctx); err != nil {
			return nil, err
		}
	}
	return deadBy(&tally, dead, sources), nil
}

// tally counts the links of all notes by what their names alone tell.
func (f *finder) tally(ctx context.Context) (tally graph.Tally, _ error) {
	resolver, err := f.names(ctx)
	if err != nil {
		return tally, err
	}
	err = judgeBy(ctx, resolver, f.view.Links(ctx), func(_ string, j *graph.Judgement) error {
		tally.Add(j)
		return nil
	})
	return tally, err
}

// deadBy leaves the links that are dead by what all links show.
func deadBy(tally *graph.Tally, judged []graph.Judgement, sources []string) []graph.Backlink {
	var dead []graph.Backlink
	for i := range judged {
		if tally.IsDead(&judged[i]) {
			dead = append(dead, graph.Backlink{Source: sources[i], Link: judged[i].Link})
		}
	}
	return dead
}

// maxMeant is how many suggestions a dead link gets.
const maxMeant = 3

// suggest tells what dead links may mean.
func (f *finder) suggest(ctx context.Context, found []graph.Backlink) ([]DeadLink, error) {
	dead := make([]DeadLink, len(found))
	if len(found) == 0 {
		return dead, nil
	}
	resolver, err := f.names(ctx)
	if err != nil {
		return nil, err
	}
	isLinked, err := f.linked(ctx)
	if err != nil {
		return nil, err
	}
	meant, err := resolver.SuggestAll(ctx, found, graph.Search{Outlines: f.view.Outlines(ctx), Linked: isLinked, Limit: maxMeant})
	if err != nil {
		return nil, err
	}
	for i := range found {
		dead[i] = DeadLink{Source: found[i].Source, Link: short(found[i].Link), Suggestions: make([]string, len(meant[i]))}
		for k := range meant[i] {
			dead[i].Suggestions[k] = meant[i][k].Address()
		}
	}
	return dead, nil
}

// linked tells of two notes whether the first links to the other.
func (f *finder) linked(ctx context.Context) (func(from, to string) bool, error) {
	web, err := f.engine.webOf(ctx, f)
	if err != nil {
		return nil, err
	}
	known := map[string]map[string]bool{}
	return func(from, to string) bool {
		targets, ok := known[from]
		if !ok {
			targets = map[string]bool{}
			for _, r := range web.whole().Reach([]string{from}, graph.Forward, 1) {
				targets[r.Path] = true
			}
			known[from] = targets
		}
		return targets[to]
	}, nil
}

// maxShownRunes bounds what an answer has of a link's target, subpath and kind: no file has so long a name.
const maxShownRunes = 1000

// short cuts what of a link is longer than any name.
func short(link graph.Link) graph.Link {
	for _, text := range []*string{&link.Target, &link.Subpath, &link.Kind} {
		*text = cutRunes(*text, maxShownRunes)
	}
	return link
}

// cutRunes cuts a text after so many characters, and says so by "…".
func cutRunes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	count := 0
	for at := range text {
		if count++; count > most {
			return text[:at] + "…"
		}
	}
	return text
}
