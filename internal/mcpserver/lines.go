package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// lockedWriter lets the server and the line reader write whole messages side by side.
type lockedWriter struct {
	mu  sync.Mutex
	out io.WriteCloser
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}

func (w *lockedWriter) Close() error { return w.out.Close() }

// lineReader passes on lines that are JSON. A line that is none, or is too long, is answered with an error and dropped,
// since it would end the session otherwise.
type lineReader struct {
	in      *bufio.Reader
	closer  io.Closer
	out     io.Writer
	pending []byte
}

func newLineReader(in io.ReadCloser, out io.Writer) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 64<<10), closer: in, out: out}
}

func (r *lineReader) Close() error { return r.closer.Close() }

func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.pending) == 0 {
		line, err := r.next()
		if err != nil {
			return 0, err
		}
		r.pending = line
	}
	n := copy(p, r.pending)
	r.pending = r.pending[n:]
	return n, nil
}

// next gives the next good line with its end; nil for one that was dropped.
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
	switch {
	case tooLong:
		return nil, r.reject(-32600, "the message is too long")
	case len(bytes.TrimSpace(line)) == 0:
		return nil, nil
	case !json.Valid(line):
		return nil, r.reject(-32700, "the line is no JSON")
	}
	return append(bytes.TrimRight(line, "\r\n"), '\n'), nil
}

func (r *lineReader) reject(code int, message string) error {
	answer, err := encode(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": message},
	})
	if err != nil {
		return err
	}
	_, err = r.out.Write(append(answer, '\n'))
	return err
}
