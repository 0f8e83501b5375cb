package cli

import "context"

// untilParentEnds is a context that ends with the process that started this one, so that no server is left behind without a client.
func (a *app) untilParentEnds(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}
