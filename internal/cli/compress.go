package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quarry/internal/budget"
	"quarry/internal/compress"
)

// compressFlags are those of `compress`.
type compressFlags struct {
	kind                     string
	maxCharacters, maxTokens int
}

func (a *app) compressCommand() *cobra.Command {
	var flags compressFlags
	cmd := &cobra.Command{
		Use:   "compress",
		Short: "Shorten what a tool printed, and keep its failures, errors and places",
		Long: `Reads what a tool printed from standard input and prints what matters of it: failing tests, errors, their places. What
is left out is counted where it stood, as in "… 212 passed tests". The output is never longer than the input; a text that is
short, unknown or was compressed before stays as it is. Secrets are redacted. No vault is needed.

What the text is of is found out; --kind says it instead: tests, trace, build, diff, json, listing, matches, log, or markdown
for prose and code, of which only repeated lines go.

--max-characters or --max-tokens (of four characters) is an aim: what is not a failure is cut until it is met. Failures stay
even if they need more. Of an input over 16 MB the beginning and the end are read.

docs/compress.md tells what is kept of each kind.`,
		Example: `  go test ./... 2>&1 | quarry compress
  pytest -v | quarry compress --max-tokens 1500
  docker build . 2>&1 | quarry compress --kind build
  git diff | quarry compress --json | jq .dropped`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flags.check(cmd.Flags().Changed); err != nil {
				return err
			}
			return a.compress(cmd.Context(), flags.options())
		},
	}
	cmd.Flags().StringVar(&flags.kind, "kind", string(compress.Auto), "what the text is of: "+strings.Join(kindNames(), ", "))
	cmd.Flags().IntVar(&flags.maxCharacters, "max-characters", 0, "the aim, in characters; 0: none")
	cmd.Flags().IntVar(&flags.maxTokens, "max-tokens", 0, "the aim, in tokens of four characters; 0: none")
	completeWords(cmd, "kind", kindNames()...)
	return cmd
}

func kindNames() []string {
	names := make([]string, len(compress.Kinds))
	for i, kind := range compress.Kinds {
		names[i] = string(kind)
	}
	return names
}

func (f *compressFlags) check(isGiven func(string) bool) error {
	switch {
	case !slices.Contains(kindNames(), f.kind):
		return usage("the kinds are "+strings.Join(kindNames(), ", "), "there is no kind %q of output", f.kind)
	case f.maxCharacters < 0, f.maxTokens < 0:
		return usage("give 1 or more, or 0 for no aim", "an aim cannot be below 0")
	case isGiven("max-characters") && isGiven("max-tokens"):
		return usage("give one of the two", "--max-characters and --max-tokens say the same in two ways")
	}
	return nil
}

func (f *compressFlags) options() compress.Options {
	aim := f.maxCharacters
	if aim == 0 {
		aim = budget.New(f.maxTokens).Left()
	}
	return compress.Options{Kind: compress.Kind(f.kind), MaxCharacters: aim}
}

// compress redacts before it shortens: that may part a secret.
func (a *app) compress(ctx context.Context, options compress.Options) error {
	if err := a.useFilterFor(standardInput, false); err != nil {
		return err
	}
	a.noticeWaiting("Reading what a tool printed, to the end of the input.")
	content, err := interruptible(ctx, func() ([]byte, error) { return readEnds(a.io.In, compress.MaxBytes) })
	if err != nil {
		return err
	}
	redacted, _ := a.redactor().Redact(string(content))
	result := compress.Compress(redacted, options)
	if a.flags.json {
		return a.writeJSON(result)
	}
	_, err = io.WriteString(a.io.Out, a.screen(result.Text))
	return err
}

// readEnds reads to the end. Of what is longer than maxBytes it keeps the first and the last lines, and says how much was left
// out between them; no more than that is held in memory at a time.
func readEnds(from io.Reader, maxBytes int) ([]byte, error) {
	const roomForMark = 100
	half := (maxBytes - roomForMark) / 2
	front, err := io.ReadAll(io.LimitReader(from, int64(half)))
	if err != nil || len(front) < half {
		return front, err
	}
	back := &tail{size: half}
	if _, err := io.CopyBuffer(back, onlyReader{from}, make([]byte, 1<<16)); err != nil {
		return nil, fmt.Errorf("read the input: %w", err)
	}
	end := back.bytes()
	if back.dropped == 0 {
		return append(front, end...), nil
	}
	left := back.dropped
	if i := strings.LastIndexByte(string(front), '\n'); i >= 0 {
		left += int64(len(front) - i - 1)
		front = front[:i+1]
	} else {
		front = append(front, '\n')
	}
	if i := slices.Index(end, '\n'); i >= 0 {
		left += int64(i + 1)
		end = end[i+1:]
	}
	front = fmt.Appendf(front, "… %d bytes in the middle of the input were not read\n", left)
	return append(front, end...), nil
}

// onlyReader hides that a reader can write itself, which would give the writer pieces of any size.
type onlyReader struct{ io.Reader }

// tail keeps the last bytes that were written to it.
type tail struct {
	size    int // bytes to keep
	buffer  []byte
	dropped int64 // bytes that were written and are gone
}

var errNoRoom = errors.New("a piece is longer than what is kept")

// Write keeps up to twice the size, so that moving costs little.
func (t *tail) Write(piece []byte) (int, error) {
	if len(piece) > t.size {
		return 0, errNoRoom
	}
	if len(t.buffer)+len(piece) > 2*t.size {
		t.trim()
	}
	t.buffer = append(t.buffer, piece...)
	return len(piece), nil
}

func (t *tail) trim() {
	if excess := len(t.buffer) - t.size; excess > 0 {
		t.dropped += int64(excess)
		t.buffer = append(t.buffer[:0], t.buffer[excess:]...)
	}
}

func (t *tail) bytes() []byte {
	t.trim()
	return t.buffer
}
