package index_test

import (
	"context"
	"errors"

	"quarry/store"
)

// failingStore breaks off after some writes, as a kill does.
type failingStore struct {
	store.Store
	writes int
}

type failingUpdate struct {
	store.Update
	left *int
}

var errBroken = errors.New("broken off")

func (s *failingStore) Begin(ctx context.Context, mode store.Mode) (store.Update, error) {
	update, err := s.Store.Begin(ctx, mode)
	return &failingUpdate{update, &s.writes}, err
}

// unlessBroken writes, if that is not one write too many.
func (u *failingUpdate) unlessBroken(write func() error) error {
	if *u.left--; *u.left < 0 {
		return errBroken
	}
	return write()
}

func (u *failingUpdate) Put(ctx context.Context, notes []store.Note) error {
	return u.unlessBroken(func() error { return u.Update.Put(ctx, notes) })
}

func (u *failingUpdate) Delete(ctx context.Context, paths []string) error {
	return u.unlessBroken(func() error { return u.Update.Delete(ctx, paths) })
}

func (u *failingUpdate) Touch(ctx context.Context, files []store.File) error {
	return u.unlessBroken(func() error { return u.Update.Touch(ctx, files) })
}

func (u *failingUpdate) SetOtherFiles(ctx context.Context, paths []string) error {
	return u.unlessBroken(func() error { return u.Update.SetOtherFiles(ctx, paths) })
}

func (u *failingUpdate) SetProblems(ctx context.Context, list []store.Problem) error {
	return u.unlessBroken(func() error { return u.Update.SetProblems(ctx, list) })
}

func (u *failingUpdate) SetMeta(ctx context.Context, values map[string]string) error {
	return u.unlessBroken(func() error { return u.Update.SetMeta(ctx, values) })
}

func (u *failingUpdate) PutEdges(ctx context.Context, edges []store.EdgesOf) error {
	return u.unlessBroken(func() error { return u.Update.PutEdges(ctx, edges) })
}

func (u *failingUpdate) PutFigures(ctx context.Context, figures []store.Figures) error {
	return u.unlessBroken(func() error { return u.Update.PutFigures(ctx, figures) })
}

func (u *failingUpdate) Commit(ctx context.Context) error {
	return u.unlessBroken(func() error { return u.Update.Commit(ctx) })
}
