package mcpserver

import "context"

// turnKey is the key of what lets a call give its turn to others while it waits.
type turnKey struct{}

// WithTurn is a context by which a call that waits for something lets others go on: pause runs the wait, and tells whether the call
// may go on behind it; false, also without the wait, where there is no room to wait or to go on. It is called by several calls at a
// time where they stand in one body.
func WithTurn(ctx context.Context, pause func(wait func()) bool) context.Context {
	return context.WithValue(ctx, turnKey{}, pause)
}

// paused waits, without the turn of a call where it has one, and tells whether the call may go on.
func paused(ctx context.Context, wait func()) bool {
	pause, ok := ctx.Value(turnKey{}).(func(wait func()) bool)
	if !ok {
		wait()
		return true
	}
	return pause(wait)
}
