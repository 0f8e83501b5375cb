package sqlite

import (
	"context"
	"iter"

	"quarry/store"
)

func (u *update) SetOtherFiles(context.Context, []string) error  { return nil }
func (v *snapshot) OtherFiles(context.Context) ([]string, error) { return nil, nil }
func (v *snapshot) Outlines(context.Context) iter.Seq2[store.OutlineOf, error] {
	return func(func(store.OutlineOf, error) bool) {}
}
