package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"syscall"

	"quarry/internal/steering"
)

// output is standard output. It remembers the first error, so that no command has to look at each write.
type output struct {
	to  io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.to.Write(p)
	o.err = err
	return n, err
}

// failure is what to tell of a broken output: nothing if its reader has seen enough, as `head` does.
func (o *output) failure() error {
	if o.err == nil || isClosedPipe(o.err) {
		return nil
	}
	return &hinted{fmt.Errorf("write the output: %w", plain(o.err)), "make room, or send the output to another place"}
}

func isClosedPipe(err error) bool {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return true
	}
	const windowsBrokenPipe, windowsNoData = syscall.Errno(109), syscall.Errno(232)
	return runtime.GOOS == "windows" && (errors.Is(err, windowsBrokenPipe) || errors.Is(err, windowsNoData))
}

// writeJSON writes one document: in one line for programs, indented for a person at a terminal.
func (a *app) writeJSON(document any) error {
	if a.io.OutTerminal {
		return a.encodeJSON(document, "  ")
	}
	return a.encodeJSON(document, "")
}

// writeJSONLine writes one line of JSON Lines.
func (a *app) writeJSONLine(document any) error { return a.encodeJSON(document, "") }

// encodeJSON writes a document that holds no secret, and does not steer a terminal either.
func (a *app) encodeJSON(document any, indent string) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(document); err != nil {
		return err
	}
	return a.writeEncoded(b.Bytes())
}

// writeEncoded writes a document that is encoded, with its line feed. It may change the bytes.
func (a *app) writeEncoded(document []byte) error {
	document = steering.EscapeJSON(a.redactor().RedactJSON(document))
	a.out.Flush()
	_, err := a.out.to.Write(document)
	return err
}

// writeDocument writes a document for programs, whose strings were redacted one by one: a marker that took in what stands
// between two of them would break it.
func (a *app) writeDocument(text string) error {
	a.out.Flush()
	_, err := io.WriteString(a.out.to, text)
	return err
}

// show writes an answer: as a JSON document, or for a person by printAnswer. That one cuts, wraps and highlights, all of which
// can part a secret, so it gets an answer from which they are gone.
func show[T any](a *app, answer T, asJSON bool, printAnswer func(T) error) error {
	if asJSON {
		return a.writeJSON(answer)
	}
	clean, err := withoutSecrets(a, answer)
	if err != nil {
		return err
	}
	return printAnswer(clean)
}

// withoutSecrets is an answer whose document holds no secret: itself in nearly all cases.
func withoutSecrets[T any](a *app, answer T) (T, error) {
	var clean T
	document, err := json.Marshal(answer)
	if err != nil {
		return clean, err
	}
	redacted := a.redactor().RedactJSON(bytes.Clone(document))
	if bytes.Equal(redacted, document) {
		return answer, nil
	}
	return clean, json.Unmarshal(redacted, &clean)
}

// screen is a note's text for the output: as it stands in files and pipes, harmless on a terminal.
func (a *app) screen(text string) string {
	if a.io.OutTerminal {
		return printable(text)
	}
	return text
}

// printable keeps text from steering the terminal: what would do so becomes "�".
func printable(s string) string { return steering.Plain(s) }

// oneLinePath shows a path in one line, a line feed in it as "␤".
func oneLinePath(path string) string { return strings.ReplaceAll(printable(path), "\n", "\u2424") }
