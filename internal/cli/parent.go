package cli

import (
	"context"
	"time"
)

// parentEvery is how often a process looks whether the one that started it is there.
const parentEvery = time.Second

// untilParentEnds is a context that ends with the process that started this one, so that no server is left behind without a client.
// A process that the system started has nobody to end with.
func (a *app) untilParentEnds(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	isThere, forget := watchParent()
	if isThere == nil {
		return ctx, cancel
	}
	go func() {
		defer cancel()
		defer forget()
		for isThere() && ctx.Err() == nil {
			wait(ctx, parentEvery)
		}
	}()
	return ctx, cancel
}
