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
	again   *retaking // nil while no call waits without the slot
	isBack  bool      // a call goes on behind its wait: the slot is kept from then on
}

// retaking is the slot that is taken again, once for all calls that waited.
type retaking struct {
	once sync.Once
	ok   bool
}

// take waits for a slot; false where there is none to be had.
func (t *turn) take() bool {
	release, ok := t.slots.acquire(t.ctx)
	if !ok {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.isEnded { // by a call left over of a request whose client is gone
		release()
		return false
	}
	if t.release != nil { // the place where it waited
		t.release()
	}
	t.release = release
	return true
}

// pause waits without the slot, and takes one again; false where too many wait, or none is to be had. Of several calls in one body the
// first gives the slot up, and the first that goes on takes it again, for all: nobody tells when that one is done, so it is kept.
func (t *turn) pause(wait func()) bool {
	again, ok := t.leave()
	if !ok {
		return false
	}
	wait()
	if again != nil {
		again.once.Do(func() { again.ok = t.goOn() })
		ok = again.ok
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return ok && !t.isEnded
}

// leave lets one more call wait: without the slot unless another call works on it already.
func (t *turn) leave() (again *retaking, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.isEnded || t.release == nil:
		return nil, false
	case t.isBack:
		return nil, true
	case t.again == nil:
		if !t.moveLocked(t.slots.paused) {
			return nil, false
		}
		t.again = &retaking{}
	}
	return t.again, true
}

// goOn takes the slot again.
func (t *turn) goOn() bool {
	isTaken := t.take()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.isBack = isTaken
	return isTaken // where it is not, the place where it waited is kept, and nothing goes on
}

// write lets others go on while the answer, which is made, goes to a client that may be slow.
func (t *turn) write() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.release != nil && !t.isEnded {
		t.moveLocked(t.slots.writing)
	}
}

// moveLocked gives what is held up for a place elsewhere; false, and nothing, where there is none.
func (t *turn) moveLocked(places chan struct{}) bool {
	select {
	case places <- struct{}{}:
		t.release()
		t.release = func() { <-places }
		return true
	default:
		return false
	}
}

// end gives up what is held, for good.
func (t *turn) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.isEnded = true
	if t.release != nil {
		t.release()
		t.release = nil
	}
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
