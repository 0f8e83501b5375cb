package mcpserver

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quarry"
	"quarry/internal/failure"
)

const (
	longestWait  = 20 * time.Second       // for an index that is being built
	indexPoll    = 250 * time.Millisecond // between two looks at it
	progressStep = time.Second            // between two words of progress
)

// told is how to tell a client that its call goes on, and with what; nil where it did not ask. It is called one at a time.
type told func(ctx context.Context, message string)

// toldBy tells by the token of a call. What cannot be delivered is not missed.
func toldBy(request *mcp.CallToolRequest) told {
	token := request.Params.GetProgressToken()
	if token == nil || request.Session == nil {
		return nil
	}
	seconds := 0.0
	return func(ctx context.Context, message string) {
		seconds++
		_ = request.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: seconds, Message: message})
	}
}

// during tells of a call that takes long, every second, until the function is done.
func (t told) during(ctx context.Context, message string, do func()) {
	if t == nil {
		do()
		return
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(progressStep)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				if isOver(over) || ctx.Err() != nil { // both may have come at once
					return
				}
				t(ctx, message)
			case <-over:
				return
			}
		}
	}()
	defer func() { close(over); <-ended }() // nothing is told after the answer
	do()
}

// isOver tells whether a channel is closed.
func isOver(over <-chan struct{}) bool {
	select {
	case <-over:
		return true
	default:
		return false
	}
}

// withIndex runs what needs an index. Where that is only being built, a client that is told of progress waits a while for it, any
// other hears so at once.
func withIndex[T any](ctx context.Context, engine *quarry.Engine, progress told, run func() (T, error)) (answer T, err error) {
	progress.during(ctx, "working", func() { answer, err = run() })
	if !isBuilding(ctx, engine, err) {
		return answer, err
	}
	mayGoOn := false
	if progress != nil {
		progress.during(ctx, "waiting for the index, which is being built", func() {
			mayGoOn = paused(ctx, func() { waitWhile(ctx, engine.IsIndexing) })
		})
	}
	if mayGoOn {
		progress.during(ctx, "working", func() { answer, err = run() })
		if !isBuilding(ctx, engine, err) {
			return answer, err
		}
	}
	return answer, failure.ErrBuilding
}

// isBuilding tells whether an error comes from an index that is only being built: it is not there, or nothing is in it.
func isBuilding(ctx context.Context, engine *quarry.Engine, err error) bool {
	switch {
	case errors.Is(err, failure.ErrBuilding):
		return true
	case errors.Is(err, quarry.ErrNoIndex):
		return engine.IsIndexing()
	case errors.Is(err, quarry.ErrNotFound):
		return isFilling(ctx, engine)
	}
	return false
}

// isFilling tells of an index that is being built and holds nothing yet.
func isFilling(ctx context.Context, engine *quarry.Engine) bool {
	if !engine.IsIndexing() {
		return false
	}
	some, err := engine.List(ctx, quarry.ListRequest{Limit: 1})
	return err == nil && len(some) == 0
}

// waitWhile waits until something is over, the context ends, or it has taken too long.
func waitWhile(ctx context.Context, isGoingOn func() bool) {
	ctx, cancel := context.WithTimeout(ctx, longestWait)
	defer cancel()
	ticker := time.NewTicker(indexPoll)
	defer ticker.Stop()
	for isGoingOn() {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}
