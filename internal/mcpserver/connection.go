package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quarry"
)

// What a client may have under way over standard input and output. Beyond that its calls wait, and beyond what may wait nothing more is
// read until there is room, except that cancellations among what is read count at once.
const (
	maxCalls          = 32      // that are being answered
	maxCallBytes      = 8 << 20 // of those calls
	maxUnwrittenBytes = 8 << 20 // of their answers, which the client has not read yet
	maxWaiting        = 1024    // messages that wait
	maxWaitingBytes   = 8 << 20 // of those
	maxRefusals       = 64      // answers to what is no message that a client has not read yet; more are dropped

	lastAnswers = 10 * time.Second // at the end of the input, for the answers to calls under way
	lastWords   = time.Second      // the same where the server is told to end
)

const (
	methodInitialize  = "initialize"
	methodInitialized = "notifications/initialized"
	methodCancelled   = "notifications/cancelled"
)

var errGone = errors.New("the client is gone")

// connection is a client on standard input and output, with one message a line. A line that is none is answered with an error and dropped,
// since it would end the session otherwise. The end of the input comes after the last answer.
type connection struct {
	in     io.Closer
	out    io.WriteCloser
	filter func() *quarry.Redactor

	outgoing chan outgoing
	refusals chan []byte
	gone     chan struct{} // closed when nothing more is read or written

	mu       sync.Mutex
	changed  sync.Cond // of anything below
	waiting  []incoming
	urgent   []jsonrpc.Message // cancellations of calls that are being answered
	calls    map[jsonrpc.ID]*call
	inputErr error // that the input ended with

	isGreeting        bool // the handshake has no answer yet
	isAborted         bool // no more calls are begun
	isOver            bool
	waitingBytes      int
	running           int
	runningBytes      int
	unwrittenBytes    int
	unwrittenRefusals int
}

// incoming is a message that waits for its turn.
type incoming struct {
	message jsonrpc.Message
	call    *call // nil for what needs no answer
	bytes   int
}

// call is one that has no answer yet.
type call struct {
	id                      jsonrpc.ID
	bytes                   int
	isInitialize, isRunning bool
	isCancelled             bool
}

type outgoing struct {
	bytes []byte
	done  chan error
}

func newConnection(in io.ReadCloser, out io.WriteCloser, filter func() *quarry.Redactor) *connection {
	c := &connection{
		in: in, out: out, filter: filter, calls: map[jsonrpc.ID]*call{},
		outgoing: make(chan outgoing), refusals: make(chan []byte, maxRefusals), gone: make(chan struct{}),
	}
	c.changed.L = &c.mu
	go c.readLines(newLineReader(in))
	go c.writeMessages()
	return c
}

// Connect makes it the transport of one session.
func (c *connection) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID says that there is no name for the session.
func (c *connection) SessionID() string { return "" }

// Close ends reading and writing.
func (c *connection) Close() error {
	c.mu.Lock()
	c.endLocked()
	c.mu.Unlock()
	return errors.Join(c.in.Close(), c.out.Close())
}

// endLocked lets everybody go who waits to read or to write.
func (c *connection) endLocked() {
	if !c.isOver {
		c.isOver = true
		close(c.gone)
		c.changed.Broadcast()
	}
}

// end takes no more input. What is under way may be answered for so long.
func (c *connection) end(err error, longest time.Duration, isAborted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isAborted = c.isAborted || isAborted
	if c.inputErr == nil {
		c.inputErr = err
	}
	time.AfterFunc(longest, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.endLocked()
	})
	c.changed.Broadcast()
}

// Read gives the next message whose turn it is.
func (c *connection) Read(context.Context) (jsonrpc.Message, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.isOver:
			return nil, io.EOF
		case len(c.urgent) > 0:
			next := c.urgent[0]
			c.urgent = c.urgent[1:]
			return next, nil
		case len(c.waiting) > 0 && !c.isAborted && c.hasRoomLocked(c.waiting[0]):
			return c.beginLocked(), nil
		case c.inputErr != nil && c.running == 0 && c.unwrittenRefusals == 0 && (len(c.waiting) == 0 || c.isAborted):
			return nil, c.inputErr
		}
		c.changed.Wait()
	}
}

// hasRoomLocked tells whether a message need not wait. Nothing overtakes the handshake, and a call that is alone never waits.
func (c *connection) hasRoomLocked(next incoming) bool {
	switch {
	case c.isGreeting:
		return false
	case next.call == nil, c.running == 0:
		return true
	}
	return c.running < maxCalls && c.runningBytes+next.bytes <= maxCallBytes && c.unwrittenBytes <= maxUnwrittenBytes
}

// beginLocked takes the first message that waits.
func (c *connection) beginLocked() jsonrpc.Message {
	next := c.waiting[0]
	c.waiting[0] = incoming{}
	c.waiting = c.waiting[1:]
	c.waitingBytes -= next.bytes
	if next.call != nil {
		next.call.isRunning = true
		c.running++
		c.runningBytes += next.bytes
		c.isGreeting = next.call.isInitialize
	}
	c.changed.Broadcast()
	return next.message
}

// readLines reads the input to its end.
func (c *connection) readLines(lines *lineReader) {
	for {
		line, isTooLong, err := lines.next()
		if err != nil {
			c.end(err, lastAnswers, false)
			return
		}
		if !eachMessage(line, isTooLong, c.take) {
			return
		}
	}
}

// take puts a message among those that wait, when there is room for it there; false where nothing more is read.
func (c *connection) take(message jsonrpc.Message, raw json.RawMessage, fault *refusal) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	request, isRequest := message.(*jsonrpc.Request)
	next := incoming{message: message, bytes: len(raw)}
	switch {
	case fault != nil:
		c.refuseLocked(fault)
		return !c.isOver
	case !isRequest: // an answer, and nothing is asked here
		return !c.isOver
	case request.IsCall():
		if c.calls[request.ID] != nil { // to repeat the id would answer the other
			c.refuseLocked(&refusal{nil, jsonrpc.CodeInvalidRequest, repeatedID})
			return !c.isOver
		}
		next.call = &call{id: request.ID, bytes: len(raw), isInitialize: request.Method == methodInitialize}
		c.calls[request.ID] = next.call
	case request.Method == methodCancelled:
		c.cancelLocked(request)
		return !c.isOver
	case request.Method != methodInitialized: // nothing else that a client may tell matters here
		return !c.isOver
	}
	c.waiting = append(c.waiting, next)
	c.waitingBytes += next.bytes
	c.changed.Broadcast()
	for !c.isOver && (len(c.waiting) >= maxWaiting || c.waitingBytes > maxWaitingBytes) {
		c.changed.Wait()
	}
	return !c.isOver
}

// cancelLocked lets a cancellation overtake what waits. A call that waits itself is dropped.
func (c *connection) cancelLocked(request *jsonrpc.Request) {
	raw := membersOf(request.Params)["requestId"]
	var value any
	if !isExact(raw) || json.Unmarshal(raw, &value) != nil {
		return
	}
	id, err := jsonrpc.MakeID(value)
	cancelled := c.calls[id]
	if err != nil || cancelled == nil || cancelled.isCancelled || cancelled.isInitialize {
		return
	}
	cancelled.isCancelled = true
	if cancelled.isRunning {
		c.urgent = append(c.urgent, request)
	} else {
		c.waiting = slices.DeleteFunc(c.waiting, func(i incoming) bool { return i.call == cancelled })
		c.waitingBytes -= cancelled.bytes
		delete(c.calls, id)
	}
	c.changed.Broadcast()
}

// refuseLocked answers what is no message, unless the client has left too many such answers unread.
func (c *connection) refuseLocked(fault *refusal) {
	answer, err := fault.answer()
	if err != nil {
		return // it holds plain values
	}
	select {
	case c.refusals <- append(answer, '\n'):
		c.unwrittenRefusals++
	default:
	}
}

// Write writes a message when the client has read those before it. Who cancelled a call gets no answer to it.
func (c *connection) Write(_ context.Context, message jsonrpc.Message) error {
	if answer, ok := message.(*jsonrpc.Response); ok { // one to what comes before the handshake, too
		message = &jsonrpc.Response{ID: answer.ID, Result: answer.Result, Error: withCode(answer.Error)}
	}
	raw, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	clean := append(redactDecoded(message, raw, c.filter()), '\n')
	isWanted, written := c.answering(message, len(clean))
	defer written()
	if !isWanted {
		return nil
	}
	out := outgoing{clean, make(chan error, 1)}
	select {
	case c.outgoing <- out:
	case <-c.gone:
		return errGone
	}
	select {
	case err := <-out.done:
		return err
	case <-c.gone:
		return errGone
	}
}

// answering counts a message that is being written, until what it gives is called. A client may use the id of a call again as soon as it
// reads the answer.
func (c *connection) answering(message jsonrpc.Message, bytes int) (isWanted bool, written func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var answered *call
	if answer, ok := message.(*jsonrpc.Response); ok {
		answered = c.calls[answer.ID]
		delete(c.calls, answer.ID)
	}
	c.unwrittenBytes += bytes
	return answered == nil || !answered.isCancelled, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.unwrittenBytes -= bytes
		if answered != nil {
			c.running--
			c.runningBytes -= answered.bytes
			c.isGreeting = c.isGreeting && !answered.isInitialize
		}
		c.changed.Broadcast()
	}
}

// writeMessages is the only one that writes, so that nobody has to wait for a client that does not read and is given up.
func (c *connection) writeMessages() {
	for {
		select {
		case message := <-c.outgoing:
			_, err := c.out.Write(message.bytes)
			message.done <- err
		case refused := <-c.refusals:
			_, _ = c.out.Write(refused) // a client that is gone ends its input too
			c.mu.Lock()
			c.unwrittenRefusals--
			c.changed.Broadcast()
			c.mu.Unlock()
		case <-c.gone:
			return
		}
	}
}
