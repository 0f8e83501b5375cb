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
	n, ok, err := a.finder.view.Note(ctx, pattern.path)
	if err == nil && !ok {
		err = ErrNotFound
	}
	if err != nil {
		return SearchAnswer{}, fmt.Errorf("search for what is like %s: %w", pattern.path, err)
	}
	wanted := search.Pattern{Path: n.Path, Title: n.Title}
	var ids []store.PassageID
	for i := range n.Passages {
		if pattern.holds(&n.Passages[i]) {
			wanted.Texts = append(wanted.Texts, n.Passages[i].Text)
			ids = append(ids, n.Passages[i].ID)
		}
	}
	if a.request.Mode != search.Lexical {
		vectors, err := a.finder.view.Vectors(ctx, ids)
		if err != nil {
			return SearchAnswer{}, fmt.Errorf("search for what is like %s: %w", n.Path, err)
		}
		wanted.Vector = meanOf(vectors)
	}
	return a.searcher.Like(ctx, a.request, wanted)
}
