package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"quarry/intake"
	"quarry/internal/lazyregexp"
)

// Errors of Read, to be told by errors.Is.
var (
	// ErrUnknown tells that an input is of no kind that is read here.
	ErrUnknown = errors.New("this is no feed, bookmarks, mail, page or text")
	// ErrTooLarge tells that an input, or what it unpacks to, is over a bound, which the message names.
	ErrTooLarge = errors.New("too large")
	// ErrDoctype tells that an XML file declares a document type, whose entities could grow without end or name other files.
	ErrDoctype = errors.New("a DOCTYPE is not allowed in a feed")
	// ErrDamaged tells that an input is of a kind that is read here, and too damaged for anything of it to be.
	ErrDamaged = errors.New("damaged")
)

// Read reads an input of any kind, told by its content and never by its name. What of it can be read is in the batch, and the rest in
// its LeftOut and Problems; an error tells that nothing could be: it matches one of the errors above or is that of the context.
func Read(ctx context.Context, in Input) (Batch, error) {
	if len(in.Content) > MaxInputBytes {
		return Batch{}, fmt.Errorf("read %s: %w: over %d MiB", in.Name, ErrTooLarge, MaxInputBytes>>20)
	}
	r := newReader(ctx, in)
	if err := r.read(); err != nil {
		return Batch{}, fmt.Errorf("read %s: %w", in.Name, err)
	}
	return r.finish(), nil
}

// kindReader reads an input of one kind.
type kindReader func(r *reader, text []byte) error

func (r *reader) read() error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	raw := r.in.Content
	switch {
	case isPacked(raw):
		unpacked, err := unpackMozilla(raw)
		if err != nil {
			return err
		}
		raw = unpacked
	case isMbox(raw):
		return r.mbox(raw)
	case isMail(raw):
		return r.oneMail(raw)
	}
	text := toUTF8(raw, r.in.ContentType)
	read, err := r.kindOf(text)
	if err != nil {
		return err
	}
	return read(r, text)
}

// kindOf tells what a text is.
func (r *reader) kindOf(text []byte) (kindReader, error) {
	start := bytes.TrimLeft(text, " \t\r\n")
	switch {
	case len(start) == 0:
		return nil, fmt.Errorf("it is empty: %w", ErrUnknown)
	case start[0] == '{':
		return kindOfJSON(start)
	case start[0] == '<':
		return r.kindOfMarkup(start)
	case bytes.IndexByte(text[:min(len(text), 8192)], 0) >= 0 || !isMostlyText(text):
		return nil, ErrUnknown
	case strings.HasPrefix(strings.TrimSpace(strings.ToLower(r.in.ContentType)), "text/html"):
		return (*reader).page, nil
	}
	return (*reader).text, nil
}

var (
	netscapeMark  = lazyregexp.New(`(?i)^[\s\S]{0,200}?<!DOCTYPE\s+NETSCAPE-Bookmark-file-1`)
	htmlStart     = lazyregexp.New(`(?i)^(?:<!doctype\s+html\b|</?(?:html|head|body|meta|title|article|main|section|script|style|base|link)\b)`)
	fragmentStart = lazyregexp.New(`(?i)^<(?:p|div|h[1-6]|ul|ol|table|span|header|nav|figure|blockquote|center|font|a|b|i|em|strong|br|img|iframe|form|pre)\b`)
)

func (r *reader) kindOfMarkup(text []byte) (kindReader, error) {
	if netscapeMark.Match(text[:min(len(text), 4096)]) {
		return (*reader).netscape, nil
	}
	root, hasDoctype := rootOf(text)
	switch strings.ToLower(localName(root)) {
	case "rss", "rdf", "feed", "opml":
		if hasDoctype {
			return nil, ErrDoctype
		}
		if strings.EqualFold(localName(root), "opml") {
			return (*reader).opml, nil
		}
		return (*reader).feed, nil
	}
	start := skipProlog(text)
	isWhole := bytes.HasSuffix(bytes.TrimRight(text, " \t\r\n"), []byte(">"))
	if htmlStart.Match(start) || strings.HasPrefix(r.in.ContentType, "text/html") || isWhole && fragmentStart.Match(start) {
		return (*reader).page, nil
	}
	if isWhole || bytes.HasPrefix(text, []byte("<?xml")) {
		return nil, ErrUnknown
	}
	return (*reader).text, nil
}

// isMostlyText tells text from what only happens to have no NUL at its start.
func isMostlyText(text []byte) bool {
	text = text[:min(len(text), 64<<10)]
	odd := 0
	for rest := text; len(rest) > 0; {
		c, width := utf8.DecodeRune(rest)
		if c == utf8.RuneError || c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b {
			odd++
		}
		rest = rest[width:]
	}
	return odd <= len(text)/50
}

// Bounds of what one input gives.
const (
	maxSignals  = 20_000 // of an input
	maxProblems = 200
	maxReasons  = 50 // of what was left out
	maxTags     = 50
)

// reader reads one input into a batch.
type reader struct {
	ctx     context.Context
	in      Input
	batch   Batch
	leftOut map[string]int // place in the batch by reason
	seen    map[string]int // place of a signal by identity
	more    int            // problems over the bound
}

func newReader(ctx context.Context, in Input) *reader {
	return &reader{
		ctx: ctx, in: in, leftOut: map[string]int{}, seen: map[string]int{},
		batch: Batch{Signals: []intake.Signal{}, LeftOut: []LeftOut{}, Problems: []Problem{}},
	}
}

func (r *reader) leave(reason, example string) { r.leaveMany(reason, example, 1) }

func (r *reader) leaveMany(reason, example string, count int) {
	at, ok := r.leftOut[reason]
	if !ok {
		if at = len(r.batch.LeftOut); at >= maxReasons {
			return
		}
		r.leftOut[reason] = at
		r.batch.LeftOut = append(r.batch.LeftOut, LeftOut{Reason: reason, Example: oneLine(example, 120)})
	}
	r.batch.LeftOut[at].Count += count
}

func (r *reader) problem(item, reason string) {
	if len(r.batch.Problems) >= maxProblems {
		r.more++
		return
	}
	where := r.in.Name
	if item = oneLine(item, 120); item != "" {
		where += ": " + item
	}
	r.batch.Problems = append(r.batch.Problems, Problem{Where: where, Reason: oneLine(reason, 300)})
}

// add takes a signal, unless one of the same identity is there; ok is false where it is not taken.
func (r *reader) add(signal intake.Signal) bool {
	key := signal.Identity
	if key == "" {
		key = signal.Address
	}
	if key != "" {
		if _, ok := r.seen[key]; ok {
			r.leave("seen before in this file", signal.Title)
			return false
		}
	}
	if len(r.batch.Signals) >= maxSignals {
		r.leave(fmt.Sprintf("more than %d in one file", maxSignals), signal.Title)
		return false
	}
	if key != "" {
		r.seen[key] = len(r.batch.Signals)
	}
	if signal.Created.IsZero() {
		signal.Created = r.in.Now.UTC()
	}
	signal.Body = strings.TrimSpace(signal.Body)
	r.batch.Signals = append(r.batch.Signals, signal)
	return true
}

func (r *reader) finish() Batch {
	if r.more > 0 {
		r.batch.Problems = append(r.batch.Problems, Problem{Where: r.in.Name, Reason: fmt.Sprintf("%d more problems", r.more)})
	}
	return r.batch
}
