package mcpserver

import "context"

// turnKey is the key of what lets a call give its turn to others while it waits.
type turnKey struct{}

// WithTurn is a context by which a call that waits for something lets others go on: pause runs the wait, and tells whether the call
// may go on behind it; false, also without the wait, where there is no room to wait or to go on. Of the calls in one body one
// alone calls it.
func WithTurn(ctx context.Context, pause func(wait func()) bool) context.Context {
	return context.WithValue(ctx, turnKey{}, pause)
}

// paused waits, without the turn of a call where it has one, and tells whether the call may go on.
func paused(ctx context.Context, wait func()) bool {
	if shared, ok := ctx.Value(bodyKey{}).(*body); ok {
		if shared.hasWaited {
			return false
		}
		shared.hasWaited = true
	}
	pause, ok := ctx.Value(turnKey{}).(func(wait func()) bool)
	if !ok {
		wait()
		return true
	}
	return pause(wait)
}

// bodyKey is the key of what the calls in one body share.
type bodyKey struct{}

type body struct {
	place     chan struct{} // of the call that is being answered
	hasWaited bool          // one of them has waited: the others do not, so that all together wait no longer than one
}

// inOneBody is a context whose calls are answered one after the other: together they are no more than the one request that they came in.
func inOneBody(ctx context.Context) context.Context {
	return context.WithValue(ctx, bodyKey{}, &body{place: make(chan struct{}, 1)})
}

// inTurn waits until no other call of the body is being answered. The error is that of a client that is gone.
func inTurn(ctx context.Context) (release func(), err error) {
	shared, ok := ctx.Value(bodyKey{}).(*body)
	if !ok {
		return func() {}, nil
	}
	ctx, end := withClient(ctx)
	defer end()
	select {
	case shared.place <- struct{}{}:
		return func() { <-shared.place }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
