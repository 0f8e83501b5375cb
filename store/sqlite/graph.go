package sqlite

import (
	"context"
	"errors"

	"quarry/store"
)

// Draft shows what was written so far.
func (u *update) Draft() store.Draft { panic("not built yet") } //nolint:forbidigo

// PutEdges replaces edges.
func (u *update) PutEdges(context.Context, []store.EdgesOf) error { return errors.New("not built yet") }

// PutFigures replaces figures.
func (u *update) PutFigures(context.Context, []store.Figures) error {
	return errors.New("not built yet")
}

// Vectors fetches vectors.
func (v *snapshot) Vectors(context.Context, []store.PassageID) ([][]float32, error) {
	return nil, errors.New("not built yet")
}
