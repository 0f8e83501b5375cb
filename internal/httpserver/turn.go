package httpserver

import (
	"context"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"
)

const (
	leastSlots   = 8
	maxWaiting   = 256
	maxWaitTime  = 30 * time.Second
	perProcessor = 2

	maxPaused     = 128              // that wait for something and hold no slot meanwhile
	maxWriting    = 64               // whose answer is made and on its way
	answerTimeout = 30 * time.Second // for that
)

// slots bounds how many requests are answered at a time; a number of others wait for their turn. It is safe for concurrent use.
type slots struct {
	free, waiting, paused, writing chan struct{} // a value in each is a request
}

func newSlots() *slots {
	return &slots{
		free: make(chan struct{}, max(leastSlots, perProcessor*runtime.GOMAXPROCS(0))), waiting: make(chan struct{}, maxWaiting),
		paused: make(chan struct{}, maxPaused), writing: make(chan struct{}, maxWriting),
	}
}

// acquire waits for a turn; false where too many wait, it takes too long, or ctx ends.
func (s *slots) acquire(ctx context.Context) (release func(), ok bool) {
	release = func() { <-s.free }
	select {
	case s.free <- struct{}{}:
		return release, true
	default:
	}
	select {
	case s.waiting <- struct{}{}:
		defer func() { <-s.waiting }()
	default:
		return nil, false
	}
	timer := time.NewTimer(maxWaitTime)
	defer timer.Stop()
	select {
	case s.free <- struct{}{}:
		return release, true
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil, false
}

// turn is the slot of one request, which gives it up while it only waits. It is safe for concurrent use.
type turn struct {
	slots *slots
	ctx   context.Context // of the request

	mu      sync.Mutex
	release func() // gives up what is held; nil where nothing is
	isEnded bool
}

// take waits for a slot; false where there is none to be had.
func (t *turn) take() bool {
	release, ok := t.slots.acquire(t.ctx)
	if !ok {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.isEnded || t.release != nil { // by a call left over of a request whose client is gone, or of several calls in one body the other
		release()
		return !t.isEnded
	}
	t.release = release
	return true
}

// pause waits without the slot, and takes one again; false where too many wait, or none is to be had.
func (t *turn) pause(wait func()) bool {
	if !t.leaveFor(t.slots.paused) {
		return false
	}
	wait()
	t.drop()
	return t.take()
}

// write lets others go on while the answer, which is made, goes to a client that may be slow.
func (t *turn) write() { t.leaveFor(t.slots.writing) }

// leaveFor gives the slot up for a place elsewhere; false, and nothing, where there is none, or no slot is held.
func (t *turn) leaveFor(places chan struct{}) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.release == nil || t.isEnded {
		return false
	}
	select {
	case places <- struct{}{}:
		t.release()
		t.release = func() { <-places }
		return true
	default:
		return false
	}
}

// drop gives up what is held.
func (t *turn) drop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.release != nil {
		t.release()
		t.release = nil
	}
}

// end gives up what is held, for good.
func (t *turn) end() {
	t.mu.Lock()
	t.isEnded = true
	t.mu.Unlock()
	t.drop()
}

// largeEventBytes is what an event has that is an answer, not a word of progress.
const largeEventBytes = 16 << 10

// turnWriter gives the slot up when the answer is made, which it then has a bounded time to send. A stream is made while it is sent:
// there it is an event that is large.
type turnWriter struct {
	http.ResponseWriter
	turn *turn
}

// Unwrap is for http.ResponseController.
func (w *turnWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Write sends what a client may be slow to take.
func (w *turnWriter) Write(p []byte) (int, error) {
	if len(p) > largeEventBytes || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
		w.turn.write()
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(answerTimeout)) // else that of the server holds
	}
	return w.ResponseWriter.Write(p)
}
