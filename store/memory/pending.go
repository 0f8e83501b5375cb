package memory

import (
	"context"
	"iter"

	"quarry/store"
)

func (u *update) SetOtherFiles(context.Context, []string) error  { return nil }
func (s *snapshot) OtherFiles(context.Context) ([]string, error) { return nil, nil }
func (s *snapshot) Outlines(context.Context) iter.Seq2[store.OutlineOf, error] {
	return func(func(store.OutlineOf, error) bool) {}
}
