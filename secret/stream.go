package secret

import (
	"bytes"
	"io"
	"slices"
	"sync"
)

const (
	maxHeldBytes    = 64 << 10 // of a stream that are kept
	leastTailBytes  = 4 << 10  // that wait on when the front of a line has to go
	maxContextBytes = 2 << 10  // that went on and are kept: what stands before a secret may announce it
	maxFrameBytes   = 1024     // of a line that goes on before its end
)

// Writer redacts a stream of text on its way, line by line. A line goes on as soon as its end is written, unless a secret
// that starts on it may go on below: a line that ends in the beginning of a token waits for at most two more, the lines of
// a private key wait for its end. What is written behind a lone CR, as progress displays do, goes on with each Write where
// no token begins at its end. Anything else without an end waits for more or for Flush. No more than 64 KiB wait: of a
// longer line the front goes on, cut at a blank where there is one and never within a secret that is seen. No byte is lost
// but those of secrets.
//
// It is for text; JSON goes through RedactJSON as a whole. It may be used concurrently: each Write is one piece.
type Writer struct {
	mutex  sync.Mutex
	to     io.Writer
	filter *Filter
	held   []byte
	sent   int   // bytes at the start of held that went on already
	err    error // of the writer below: nothing is written after it
}

// NewWriter returns a Writer that passes redacted text on to w. A nil filter is Default(). Its owner calls Flush at the
// end, and wherever a reader waits for a line that has no end, as a prompt.
func NewWriter(w io.Writer, f *Filter) *Writer { return &Writer{to: w, filter: f} }

// Write takes text in. It returns len(p) and nil, or 0 and the error of the writer below, which stays.
func (w *Writer) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for rest := p; len(rest) > 0 && w.err == nil; {
		size := min(len(rest), maxHeldBytes-len(w.held))
		w.held = append(w.held, rest[:size]...)
		rest = rest[size:]
		w.emit(w.closedBefore())
		if len(w.held) >= maxHeldBytes {
			w.emit(w.forcedCut())
		}
	}
	if w.mayPassFrame() {
		w.emit(len(w.held))
	}
	if w.err != nil {
		return 0, w.err
	}
	return len(p), nil
}

// Flush passes on all that is held. A secret that is not complete yet is taken for what it looks like so far.
func (w *Writer) Flush() error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.emit(len(w.held))
	return w.err
}

// emit passes on the first bytes, and with them the rest of a secret that starts there. Of what went on, the last lines are
// kept.
func (w *Writer) emit(size int) {
	if size <= w.sent {
		return
	}
	w.sent = w.pass(size)
	if drop := w.sent - maxContextBytes; drop > 0 {
		if line := bytes.IndexByte(w.held[drop:w.sent], '\n'); line >= 0 {
			drop += line + 1
		}
		w.held = append(w.held[:0], w.held[drop:]...)
		w.sent -= drop
	}
}

// pass writes the redacted form of the first bytes that did not go on yet. It returns where it stopped.
func (w *Writer) pass(size int) int {
	out := make([]byte, 0, size)
	at := w.sent
	for _, span := range w.filter.Find(w.held) {
		if span.Start >= size {
			break
		}
		if span.End <= at {
			continue
		}
		out = append(out, w.held[at:max(at, span.Start)]...)
		out = append(append(append(out, markerStart...), span.Name...), markerEnd)
		out = appendLineEnds(out, w.held, Span{Start: max(at, span.Start), End: span.End})
		at = span.End
	}
	size = max(size, at)
	if w.err == nil {
		_, w.err = w.to.Write(append(out, w.held[at:size]...))
	}
	return size
}

// closedBefore is the end of the lines that need not wait.
func (w *Writer) closedBefore() int {
	end := bytes.LastIndexAny(w.held, "\r\n") + 1
	cut, last := end, end
	for range maxJoinedLines - 1 {
		if last == 0 {
			break
		}
		start := bytes.LastIndexAny(w.held[:last-1], "\r\n") + 1
		if w.filter.table().beginsToken(lastToken(w.held[start:last])) {
			cut = start
		}
		last = start
	}
	if key := bytes.LastIndex(w.held[:cut], []byte("-----BEGIN ")); key >= 0 && end-key < maxKeyBytes {
		head, _, _ := bytes.Cut(w.held[key:end], []byte{'\n'})
		if bytes.Contains(head, []byte("PRIVATE KEY")) && !bytes.Contains(w.held[key:end], []byte("-----END")) {
			cut = bytes.LastIndexAny(w.held[:key], "\r\n") + 1
		}
	}
	return cut
}

// lastToken is what stands at the end of a line without a blank.
func lastToken(line []byte) []byte {
	line = bytes.TrimRight(line, " \t\r\n\\")
	start := len(line)
	for start > 0 && len(line)-start < maxTokenBytes && inToken[line[start-1]] {
		start--
	}
	return line[start:]
}

// beginsToken tells whether text holds a keyword of a rule that looks for the rest of a token on the next lines.
func (set *ruleSet) beginsToken(text []byte) bool {
	found := false
	set.finder.each(text, func(keyword uint16, _, _ int) bool {
		found = slices.ContainsFunc(set.users[keyword], func(index uint16) bool { return set.rules[index].least > 0 })
		return !found
	})
	return found
}

// mayPassFrame: a progress display is writing a line that nothing in it makes wait.
func (w *Writer) mayPassFrame() bool {
	start := bytes.LastIndexAny(w.held, "\r\n")
	if start < 0 || w.held[start] == '\n' || len(w.held) == w.sent || start >= w.sent || len(w.held)-w.sent > maxFrameBytes {
		return false
	}
	spans := w.filter.Find(w.held)
	atEnd := len(spans) > 0 && spans[len(spans)-1].End == len(w.held)
	return !atEnd && !w.filter.table().finder.find(lastToken(w.held))
}

// forcedCut is where to part a text that has to go on without an end of line, behind its middle.
func (w *Writer) forcedCut() int {
	cut := len(w.held) - leastTailBytes
	if blank := bytes.LastIndexAny(w.held[:cut], " \t\r\n") + 1; blank > len(w.held)/2 {
		cut = blank
	}
	for _, span := range w.filter.Find(w.held) {
		if span.Start < cut && cut < span.End {
			if span.Start > len(w.held)/2 {
				return span.Start
			}
			return span.End
		}
	}
	return cut
}
