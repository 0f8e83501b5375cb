package mcpserver

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quarry"
)

const (
	longestWait  = 20 * time.Second       // for an index that is being built
	indexPoll    = 250 * time.Millisecond // between two looks at it
	progressStep = time.Second            // between two words of progress
)

// told is who is told of the progress of a call: nobody where the client gave no token.
type told struct {
	session *mcp.ServerSession
	token   any
}

func (t told) isAsked() bool { return t.token != nil && t.session != nil }

// tell tells how many seconds a call has taken. What cannot be delivered is not missed.
func (t told) tell(ctx context.Context, seconds float64, message string) {
	if t.isAsked() {
		_ = t.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: t.token, Progress: seconds, Message: message})
	}
}

// during tells of a call that takes long, every second, until the function is done.
func (t told) during(ctx context.Context, message string, do func()) {
	if !t.isAsked() {
		do()
		return
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(progressStep)
		defer ticker.Stop()
		for seconds := 1.0; ; seconds++ {
			select {
			case <-ticker.C:
				t.tell(ctx, seconds, message)
			case <-over:
				return
			}
		}
	}()
	defer func() { close(over); <-ended }() // nothing is told after the answer
	do()
}

// withIndex runs what needs an index. Where that is only being built, a client that is told of progress waits a while for it, any
// other hears so at once.
func withIndex[T any](ctx context.Context, engine *quarry.Engine, progress told, run func() (T, error)) (answer T, err error) {
	progress.during(ctx, "working", func() { answer, err = run() })
	if !errors.Is(err, quarry.ErrNoIndex) || !engine.IsIndexing() {
		return answer, err
	}
	if progress.isAsked() {
		progress.during(ctx, "waiting for the index, which is being built", func() { waitWhile(ctx, engine.IsIndexing) })
		if answer, err = run(); !errors.Is(err, quarry.ErrNoIndex) || !engine.IsIndexing() {
			return answer, err
		}
	}
	return answer, errBuilding
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
