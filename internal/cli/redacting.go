package cli

import (
	"bytes"
	"io"
	"log/slog"
	"reflect"
	"regexp"
)

// The output pass: whatever a command writes goes through the credential filter once more. A document for programs does so
// string by string, in encodeJSON or in show; text for people as a whole, too, in page; all of standard error in talk. Until
// a configuration has been read the filter is the default one.

// maxHeldBytes is how much text a page holds back before it writes. A secret longer than half of it may be parted.
const maxHeldBytes = 8 << 20

// page is text on its way to standard output. It is held back until the command ends or something else is to be written, so
// that a secret that comes in pieces is seen as a whole.
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
	if len(p.held) > maxHeldBytes {
		p.write(p.cut())
	}
	return len(text), nil
}

// cut is where the first half of the held text ends: with a line, and not inside a secret.
func (p *page) cut() int {
	half := len(p.held) / 2
	end := half + bytes.IndexByte(p.held[half:], '\n') + 1
	if end == half {
		end = len(p.held)
	}
	for _, span := range p.app.filter.Find(p.held) {
		if span.Start < end && end < span.End {
			return span.End
		}
	}
	return end
}

// Flush writes what is held back.
func (p *page) Flush() { p.write(len(p.held)) }

func (p *page) write(end int) {
	if end == 0 {
		return
	}
	_, _ = io.WriteString(p.to, p.app.redacted(string(p.held[:end]))) // the output remembers the error
	p.held = append(p.held[:0], p.held[end:]...)
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
var escapeSequence = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// redacted is text without secrets. Colours do not hide one; text that holds one loses them.
func (a *app) redacted(text string) string {
	clean, _ := a.filter.Redact(text)
	if escapeSequence.MatchString(text) {
		plain := escapeSequence.ReplaceAllString(clean, "")
		if again, found := a.filter.Redact(plain); len(found) > 0 {
			return again
		}
	}
	return clean
}

// redactStrings takes the secrets out of all strings below a pointer, each by itself.
func (a *app) redactStrings(pointer any) { a.redactValue(reflect.ValueOf(pointer)) }

func (a *app) redactValue(v reflect.Value) {
	if !v.CanInterface() {
		return // a field that no other package sees, and that nobody prints
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			a.redactValue(v.Elem())
		}
	case reflect.String:
		if v.CanSet() {
			v.SetString(a.redacted(v.String()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			a.redactValue(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			a.redactValue(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			value := v.MapIndex(key)
			v.SetMapIndex(key, reflect.Value{})
			v.SetMapIndex(a.redactCopy(key), a.redactCopy(value))
		}
	case reflect.Interface:
		if !v.IsNil() && v.CanSet() {
			v.Set(a.redactCopy(v.Elem()))
		}
	default: // numbers hold no secret
	}
}

// redactCopy is a redacted copy of what cannot be changed in its place.
func (a *app) redactCopy(v reflect.Value) reflect.Value {
	own := reflect.New(v.Type()).Elem()
	own.Set(v)
	a.redactValue(own)
	return own
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
