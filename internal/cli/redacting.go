package cli

import (
	"io"
	"log/slog"

	"quarry"
	"quarry/internal/lazyregexp"
)

// The output pass: whatever a command writes goes through the credential filter once more. A document for programs does so
// string by string, in encodeJSON; text for people first as such a document, in show, and then as a whole, in page; all of
// standard error in talk. Until a configuration has been read the filter is the default one.

// redactor is the filter of the output pass.
func (a *app) redactor() *quarry.Redactor { return a.filter.Load() }

// page is text on its way to standard output. It is held back until the command ends or something else is to be written, so
// that a secret which comes in pieces, and what announces it, are seen as a whole. Commands that go on without end write
// documents, which are not held.
type page struct {
	app  *app
	to   *output
	held []byte
}

// Write never fails: the output remembers the first error.
func (p *page) Write(text []byte) (int, error) {
	if p.to.err != nil {
		return 0, p.to.err
	}
	p.held = append(p.held, text...)
	return len(text), nil
}

// Flush writes what is held back.
func (p *page) Flush() {
	if len(p.held) == 0 {
		return
	}
	_, _ = io.WriteString(p.to, p.app.redacted(string(p.held))) // the output remembers the error
	p.held = nil
}

// talk is standard error. Each write is a whole message, a record of the log or a picture of the progress bar.
type talk struct {
	app *app
	to  io.Writer
}

func (t *talk) Write(message []byte) (int, error) {
	t.app.out.Flush() // what was printed before stands before it
	if _, err := io.WriteString(t.to, t.app.redacted(string(message))); err != nil {
		return 0, err
	}
	return len(message), nil
}

// escapeSequence is what steers a terminal: the program's own colours, or in a pipe also those of a note.
var escapeSequence = lazyregexp.New("\x1b\\[[0-9;?]*[A-Za-z]")

// redacted is text without secrets. Colours do not hide one; text that holds one loses them.
func (a *app) redacted(text string) string {
	clean, _ := a.redactor().Redact(text)
	if escapeSequence.MatchString(text) {
		plain := escapeSequence.ReplaceAllString(clean, "")
		if again, found := a.redactor().Redact(plain); len(found) > 0 {
			return again
		}
	}
	return clean
}

// logger writes to standard error. The texts of a record are redacted before they are quoted.
func (a *app) logger() (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(a.flags.logLevel)); err != nil {
		return nil, usage("levels are debug, info, warn and error", "there is no log level %q", a.flags.logLevel)
	}
	return slog.New(slog.NewTextHandler(a.io.Err, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, attr slog.Attr) slog.Attr {
		switch value := attr.Value.Any().(type) {
		case string:
			attr.Value = slog.StringValue(a.redacted(value))
		case error:
			attr.Value = slog.StringValue(a.redacted(value.Error()))
		}
		return attr
	}})), nil
}
