package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"quarry"
	"quarry/internal/steering"
)

const (
	maxWaiting  = 64               // answers to bad lines that a client has not read yet; more are dropped
	lastAnswers = 10 * time.Second // at the end of the input, for the answers to calls under way
)

// lockedWriter lets the server and the line reader write whole messages side by side, and knows how many requests still
// wait for their answer. Errors of the protocol tell what a client sent, so they are filtered here; the documents of tools
// have been.
type lockedWriter struct {
	writing sync.Mutex
	out     io.WriteCloser
	filter  func() *quarry.Redactor

	mu      sync.Mutex
	owed    int
	settled chan struct{} // closed when owed comes down to 0; nil while nobody waits
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	message, decodeErr := jsonrpc.DecodeMessage(bytes.TrimSpace(p))
	_, isAnswer := message.(*jsonrpc.Response)
	if _, err := w.write(append(redactMessage(bytes.TrimSpace(p), w.filter()), '\n')); err != nil {
		return 0, err
	}
	if isAnswer && decodeErr == nil {
		w.owe(-1)
	}
	return len(p), nil
}

// redactMessage is a message without secrets, in which characters that steer stand by their number. The documents of answers have been
// filtered; the id of an error stays as the client chose it, or it would know no answer.
func redactMessage(raw []byte, filter *quarry.Redactor) []byte {
	return steering.EscapeJSON(withoutSecrets(raw, filter))
}

func withoutSecrets(raw []byte, filter *quarry.Redactor) []byte {
	message, err := jsonrpc.DecodeMessage(raw)
	answer, isAnswer := message.(*jsonrpc.Response)
	switch {
	case err != nil, !isAnswer:
		return filter.RedactJSON(bytes.Clone(raw))
	case answer.Error == nil:
		return raw
	}
	failure, err := json.Marshal(answer.Error)
	if err != nil {
		return filter.RedactJSON(bytes.Clone(raw))
	}
	clean := filter.RedactJSON(bytes.Clone(failure))
	if bytes.Equal(clean, failure) {
		return raw
	}
	encoded, err := encode(map[string]any{"jsonrpc": "2.0", "id": answer.ID.Raw(), "error": json.RawMessage(clean)})
	if err != nil {
		return filter.RedactJSON(bytes.Clone(raw))
	}
	return encoded
}

// write writes a message that the count of answers does not see.
func (w *lockedWriter) write(p []byte) (int, error) {
	w.writing.Lock()
	defer w.writing.Unlock()
	return w.out.Write(p)
}

func (w *lockedWriter) Close() error { return w.out.Close() }

// owe counts answers that are still to be written.
func (w *lockedWriter) owe(more int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.owed += more
	if w.owed <= 0 && w.settled != nil {
		close(w.settled)
		w.settled = nil
	}
}

// wait ends when nothing is owed, closed is, or the time is up.
func (w *lockedWriter) wait(closed <-chan struct{}, longest time.Duration) {
	w.mu.Lock()
	settled := make(chan struct{})
	if w.owed <= 0 {
		w.mu.Unlock()
		return
	}
	w.settled = settled
	w.mu.Unlock()
	timer := time.NewTimer(longest)
	defer timer.Stop()
	select {
	case <-settled:
	case <-closed:
	case <-timer.C:
	}
}

// lineReader passes on lines that are JSON-RPC messages. A line that is none, or is too long, is answered with an error
// and dropped, since it would end the session otherwise. The end of the input comes after the last answer.
type lineReader struct {
	in      *bufio.Reader
	closer  io.Closer
	out     *lockedWriter
	pending []byte
	answers chan []byte
	closed  chan struct{}
	once    sync.Once
}

func newLineReader(in io.ReadCloser, out *lockedWriter) *lineReader {
	r := &lineReader{
		in: bufio.NewReaderSize(in, 64<<10), closer: in, out: out,
		answers: make(chan []byte, maxWaiting), closed: make(chan struct{}),
	}
	go r.writeAnswers()
	return r
}

func (r *lineReader) Close() error {
	r.once.Do(func() { close(r.closed) })
	return r.closer.Close()
}

// writeAnswers keeps a client that does not read from stopping the reading of its lines.
func (r *lineReader) writeAnswers() {
	for {
		select {
		case answer := <-r.answers:
			_, _ = r.out.write(answer) // a client that is gone ends its input too
			r.out.owe(-1)
		case <-r.closed:
			return
		}
	}
}

func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.pending) == 0 {
		line, err := r.next()
		if err != nil {
			r.out.wait(r.closed, lastAnswers)
			return 0, err
		}
		r.pending = r.messages(line)
	}
	n := copy(p, r.pending)
	r.pending = r.pending[n:]
	return n, nil
}

// next gives the next line; nil for one that was dropped.
func (r *lineReader) next() ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := r.in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxMessageBytes; !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(bytes.TrimSpace(line)) == 0:
			return nil, err
		}
		break
	}
	if tooLong {
		r.reject(jsonrpc.CodeInvalidRequest, "the message is too long")
		return nil, nil
	}
	return bytes.TrimSpace(line), nil
}

// messages is what the server gets of a line, one message a line: older clients send several at once, in a list.
func (r *lineReader) messages(line []byte) []byte {
	switch {
	case len(line) == 0:
		return nil
	case !json.Valid(line):
		r.reject(jsonrpc.CodeParseError, "the line is no JSON")
		return nil
	}
	var batch []json.RawMessage
	if line[0] != '[' {
		batch = []json.RawMessage{line}
	} else if json.Unmarshal(line, &batch) != nil || len(batch) == 0 {
		batch = []json.RawMessage{nil}
	}
	var good []byte
	for _, one := range batch {
		message, err := jsonrpc.DecodeMessage(one)
		if err != nil {
			r.reject(jsonrpc.CodeInvalidRequest, "this is no JSON-RPC message")
			continue
		}
		if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() {
			r.out.owe(1)
		}
		good = append(append(good, one...), '\n')
	}
	return good
}

// reject answers a bad line, unless the client has left too many such answers unread.
func (r *lineReader) reject(code int, message string) {
	answer, err := encode(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": message},
	})
	if err != nil {
		return // it holds two plain values
	}
	r.out.owe(1)
	select {
	case r.answers <- append(answer, '\n'):
	default:
		r.out.owe(-1)
	}
}
