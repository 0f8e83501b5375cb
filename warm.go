package quarry

import (
	"context"
	"errors"
	"fmt"

	"quarry/store"
)

// warmingQuery is of words that any model knows, and some of which most notes hold.
const warmingQuery = "what do the notes say about this"

// Warm reads model and index into memory, so that the first answer comes as fast as later ones: some 300 bytes a passage and 600 a
// note of an index with the built-in model. What is there already is not read again, and after a run of the index that changed something
// the next Warm reads anew. Without an index it is ErrNoIndex; ctx ends it early. It is safe for concurrent use.
func (e *Engine) Warm(ctx context.Context) (err error) {
	defer e.clean(&err)
	model := make(chan error, 1)
	go func() {
		_, err := e.model()
		model <- err
	}()
	err = e.warmIndex(ctx)
	select {
	case modelErr := <-model:
		err = errors.Join(err, modelErr)
	case <-ctx.Done():
		return errors.Join(err, ctx.Err())
	}
	if err != nil {
		return fmt.Errorf("warm up: %w", err)
	}
	_, err = e.Search(ctx, SearchRequest{Query: warmingQuery, Limit: 1}) // what is made ready with the first question: statements, tables
	return err
}

func (e *Engine) warmIndex(ctx context.Context) (err error) {
	v, err := e.searched(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	warmer, ok := v.Snapshot.(store.Warmer)
	if !ok {
		return nil
	}
	return warmer.Warm(ctx)
}
