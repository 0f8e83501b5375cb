package cli

import (
	"context"

	"quarry/intake/triage"
)

// reviewOnTerminal shows the queue as a list with keys.
func (a *app) reviewOnTerminal(ctx context.Context, t *triage.Triage) error {
	return a.showQueue(ctx, t, 0)
}
