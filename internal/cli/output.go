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
	return a.writeDocument(string(steering.EscapeJSON(a.filter.RedactJSON(b.Bytes()))))
}

// writeDocument writes a document for programs, whose strings were redacted one by one: a marker that took in what stands
// between two of them would break it.
func (a *app) writeDocument(text string) error {
	a.out.Flush()
	_, err := io.WriteString(a.out.to, text)
	return err
}

// show writes an answer: as a JSON document, or for a person by printAnswer. Secrets are gone from the answer before that cuts,
// wraps or highlights it, since all of these can part one. answer is a pointer to what it writes.
func (a *app) show(answer any, asJSON bool, printAnswer func() error) error {
	if asJSON {
		return a.writeJSON(answer)
	}
	a.redactStrings(answer)
	return printAnswer()
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
