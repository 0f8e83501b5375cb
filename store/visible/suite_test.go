package visible_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"quarry/store"
	"quarry/store/storetest"
	"quarry/store/visible"
)

// Two folders of noise, which sort before and behind everything else.
const (
	noiseBefore = "\x00noise/"
	noiseBehind = "\xff\xffnoise/"
)

func isNoise(path string) bool {
	return strings.HasPrefix(path, noiseBefore) || strings.HasPrefix(path, noiseBehind)
}

// noisy is a store into which hidden notes and files go beside all that is written, and whose snapshots do not show them.
type noisy struct {
	store.Store
	hidden visible.Hidden
	plain  bool // the snapshots below are no Listers
}

func (s noisy) Snapshot(ctx context.Context) (store.Snapshot, error) {
	below, err := s.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	if s.plain {
		below = struct{ store.Snapshot }{below}
	}
	v, err := visible.Snapshot(ctx, below, s.hidden)
	if err != nil {
		_ = below.Close()
	}
	return v, err
}

func (s noisy) Begin(ctx context.Context, mode store.Mode) (store.Update, error) {
	u, err := s.Store.Begin(ctx, mode)
	return &noisyUpdate{u, s.hidden.Path != nil}, err
}

// noisyUpdate adds noise.
type noisyUpdate struct {
	store.Update
	files bool // to the lists of files and problems too
}

// noiseOf is a note like another, in a folder of noise.
func noiseOf(n store.Note, folder string) store.Note {
	n.Path = folder + n.Path
	n.Status = "archived"
	n.Passages = append([]store.Passage(nil), n.Passages...)
	for i := range n.Passages {
		n.Passages[i].Path = n.Path
	}
	return n
}

func (u *noisyUpdate) Put(ctx context.Context, notes []store.Note) error {
	var all []store.Note
	for i, n := range notes {
		if i < 40 {
			all = append(all, noiseOf(n, noiseBehind))
		}
		all = append(all, n)
		if i%3 == 0 {
			all = append(all, noiseOf(n, noiseBefore))
		}
	}
	if len(notes) > 0 {
		all = append(all, store.Note{File: store.File{Path: noiseBehind + "constant.md"}, Passages: []store.Passage{{
			Text: "red blue green kiln glaze words none w1 w1 w2 w3 w20 old new alpha", Section: "w1 w2", HeadingContext: "w9",
		}}})
	}
	return u.Update.Put(ctx, all)
}

func (u *noisyUpdate) Touch(ctx context.Context, files []store.File) error {
	for _, f := range files {
		f.Path = noiseBefore + f.Path
		files = append(files, f)
	}
	return u.Update.Touch(ctx, files)
}

func (u *noisyUpdate) SetOtherFiles(ctx context.Context, paths []string) error {
	if u.files {
		paths = append([]string{noiseBefore + "a.png", noiseBehind + "b.png"}, paths...)
	}
	return u.Update.SetOtherFiles(ctx, paths)
}

func (u *noisyUpdate) SetProblems(ctx context.Context, problems []store.Problem) error {
	if u.files {
		problems = append([]store.Problem{{Path: noiseBehind + "x.md", State: "failed"}, {Path: noiseBefore + "x.md", State: "failed"}}, problems...)
	}
	return u.Update.SetProblems(ctx, problems)
}

func (u *noisyUpdate) Draft() store.Draft { return quietDraft{u.Update.Draft()} }

// quietDraft leaves the noise out of what a draft shows: that is the writer's and hides nothing.
type quietDraft struct{ store.Draft }

func (d quietDraft) Files(ctx context.Context) ([]store.File, error) {
	files, err := d.Draft.Files(ctx)
	return slices.DeleteFunc(files, func(f store.File) bool { return isNoise(f.Path) }), err
}

func (d quietDraft) Notes(ctx context.Context, q store.NoteQuery) ([]store.Note, error) {
	limit := q.Limit
	q.Limit = 0
	notes, err := d.Draft.Notes(ctx, q)
	notes = slices.DeleteFunc(notes, func(n store.Note) bool { return isNoise(n.Path) })
	alone := make([]*store.Note, len(notes)) // the suite asks for all of them, with no filter
	for i := range notes {
		alone[i] = &notes[i]
	}
	store.Identify(alone)
	if limit > 0 && len(notes) > limit {
		notes = notes[:limit]
	}
	return notes, err
}

func (d quietDraft) OtherFiles(ctx context.Context) ([]string, error) {
	paths, err := d.Draft.OtherFiles(ctx)
	return slices.DeleteFunc(paths, isNoise), err
}

func (d quietDraft) Problems(ctx context.Context) ([]store.Problem, error) {
	problems, err := d.Draft.Problems(ctx)
	return slices.DeleteFunc(problems, func(p store.Problem) bool { return isNoise(p.Path) }), err
}

func (d quietDraft) Links(ctx context.Context) iter.Seq2[store.LinksOf, error] {
	return quiet(d.Draft.Links(ctx), func(of store.LinksOf) string { return of.Path })
}

func (d quietDraft) Outlines(ctx context.Context) iter.Seq2[store.OutlineOf, error] {
	return quiet(d.Draft.Outlines(ctx), func(of store.OutlineOf) string { return of.Path })
}

func quiet[T any](all iter.Seq2[T, error], path func(T) string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for of, err := range all {
			if (err != nil || !isNoise(path(of))) && !yield(of, err) {
				return
			}
		}
	}
}

func (d quietDraft) Counts(ctx context.Context) (notes, passages int, err error) {
	list, err := d.Notes(ctx, store.NoteQuery{})
	for i := range list {
		passages += list[i].PassageCount
	}
	return len(list), passages, err
}

// TestConformance: nothing that a store has to do tells of the noise.
func TestConformance(t *testing.T) {
	byNote := visible.Hidden{Note: func(path, _ string) bool { return isNoise(path) }}
	byPath := visible.Hidden{Note: byNote.Note, Path: isNoise}
	for name, test := range map[string]struct {
		open   func(*testing.T) store.Store
		hidden visible.Hidden
		plain  bool
	}{
		"memory":        {inMemory, byNote, false},
		"memory, plain": {inMemory, byPath, true},
		"sqlite":        {inFile, byNote, false},
		"sqlite, paths": {inFile, byPath, false},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "sqlite" {
				t.Skip("what may race is in the other row: too long under the race detector")
			}
			storetest.Run(t, func(t *testing.T) store.Store { return noisy{test.open(t), test.hidden, test.plain} })
		})
	}
}
