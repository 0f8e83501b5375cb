package quarry

import (
	"context"
	"errors"
	"fmt"

	"quarry/search"
	"quarry/store"
)

// likePattern is what a search looks for the like of: a note, or the passages in some of its lines.
type likePattern struct {
	path     string
	from, to int // lines, 1-based, inclusive; 0: the whole note
}

func (p *likePattern) holds(passage *store.Passage) bool {
	return p.from == 0 || passage.LineStart <= p.to && passage.LineEnd >= p.from
}

// patternFor finds the note, or the part of one, that SearchRequest.Like names; nil where it names none. No view may be open.
func (e *Engine) patternFor(ctx context.Context, address string) (*likePattern, error) {
	if address == "" {
		return nil, nil
	}
	at, err := e.noteAt(ctx, address)
	var unknown *unknownNote
	if !errors.As(err, &unknown) {
		return &likePattern{path: at}, err
	}
	part, partErr := e.partNamed(ctx, address)
	switch {
	case partErr != nil:
		return nil, partErr
	case part == nil:
		return nil, e.butSecret(ctx, err)
	}
	pattern := &likePattern{path: part.note.Path}
	if !part.isWhole {
		pattern.from, pattern.to = part.from, part.to
	}
	return pattern, nil
}

// noteAt finds the path of the note that an address means.
func (e *Engine) noteAt(ctx context.Context, address string) (string, error) {
	v, err := e.snapshot(ctx)
	if err != nil {
		return "", err
	}
	defer v.Close()
	at, err := (&finder{engine: e, view: v}).find(ctx, address)
	if err == nil && !at.isNote {
		err = fmt.Errorf("%s: %w", at.path, ErrOtherFile)
	}
	return at.path, err
}

// like looks for passages that are like a note's.
func (a *asking) like(ctx context.Context, pattern *likePattern) (SearchAnswer, error) {
	wanted, err := a.finder.patternOf(ctx, pattern, a.request.Mode != search.Lexical)
	if err != nil {
		return SearchAnswer{}, fmt.Errorf("search for what is like %s: %w", pattern.path, err)
	}
	answer, err := a.searcher.Like(ctx, a.request, wanted)
	if a.request.Expand {
		answer.Notices = append(answer.Notices, "what is like a note is listed without what links lead to from there")
	}
	if a.request.Fusion == search.RRF {
		answer.Notices = append(answer.Notices, "what is like a note is ordered by a sum of its own; the fusion of ranks was not used")
	}
	return answer, err
}

// patternOf reads the passages of a note, or of a part of one, with the mean of their vectors where that is wanted.
func (f *finder) patternOf(ctx context.Context, of *likePattern, withVector bool) (search.Pattern, error) {
	n, ok, err := f.view.Note(ctx, of.path)
	if err == nil && !ok {
		err = ErrNotFound
	}
	if err != nil {
		return search.Pattern{}, err
	}
	pattern := search.Pattern{Path: n.Path, Title: n.Title}
	var ids []store.PassageID
	for i := range n.Passages {
		if of.holds(&n.Passages[i]) {
			pattern.Texts = append(pattern.Texts, n.Passages[i].Text)
			ids = append(ids, n.Passages[i].ID)
		}
	}
	if withVector {
		vectors, err := f.view.Vectors(ctx, ids)
		if err != nil {
			return search.Pattern{}, err
		}
		pattern.Vector = meanOf(vectors)
	}
	return pattern, nil
}
