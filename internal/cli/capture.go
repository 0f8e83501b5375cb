package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quarry"
)

func (a *app) captureCommand() *cobra.Command {
	var request quarry.CaptureRequest
	var readsInput bool
	cmd := &cobra.Command{
		Use:   "capture TEXT…",
		Short: "Write a note into the inbox, findable at once",
		Long: `Writes a new note with properties into the capture folder (00-inbox, or what the configuration says) and indexes it. Secrets are
replaced by markers before anything is written. A file that is there is never touched: of several captures each gets a name of
its own. Prints the path of the note. "-" in the place of the text, or --stdin, reads standard input: the way for a text with
code in it, as a shell runs what stands in backticks or $(…) between double quotes.`,
		Example: `  quarry capture "Access tokens do not rotate" --domain security --tags oauth,tokens
  quarry capture --title "Dry pool" --source "incident review" "Two jobs held 40 of 50"
  go test ./... 2>&1 | quarry capture - --title "Test run" --tags tests --deduplicate
  quarry capture --domain security - <<'END_OF_NOTE'
  ` + "`rotate()` is called by $(cron)" + `
  END_OF_NOTE`,
		RunE: func(cmd *cobra.Command, words []string) error {
			text, err := a.captureText(cmd.Context(), words, readsInput)
			if err != nil {
				return err
			}
			request.Text = text
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error { return a.capture(cmd, engine, request) })
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&request.Title, "title", "", "`title` of the note; otherwise its first line")
	flags.StringVar(&request.Domain, "domain", "", "the property `domain`")
	flags.StringSliceVar(&request.Tags, "tags", nil, "`tags`, with commas between them")
	flags.StringVar(&request.Type, "type", "note", "the property `type`")
	flags.StringVar(&request.Source, "source", "capture", "where it comes from: a tool, an `address`")
	flags.BoolVar(&request.Deduplicate, "deduplicate", false, "write nothing where the folder has a note of the same text")
	flags.BoolVar(&readsInput, "stdin", false, "read the text from standard input")
	return cmd
}

// captureText is what is to be captured: the arguments, or standard input.
func (a *app) captureText(ctx context.Context, words []string, readsInput bool) (string, error) {
	isDash := slices.Equal(words, []string{"-"})
	if !readsInput && !isDash {
		text := strings.Join(words, " ")
		if strings.TrimSpace(text) == "" {
			return "", usage(`quarry capture "what is to be kept"; "-" reads standard input`, "capture needs a text")
		}
		return text, nil
	}
	if len(words) > 0 && !isDash {
		return "", usage("leave one of them out", "capture takes a text or standard input, not both")
	}
	a.noticeWaiting("Waiting for the text on standard input; Ctrl-D ends it.")
	content, err := interruptible(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(a.io.In, quarry.MaxCaptureBytes+1)) })
	if err != nil {
		return "", fmt.Errorf("read the text from standard input: %w", err)
	}
	return string(content), nil
}

func (a *app) capture(cmd *cobra.Command, engine *quarry.Engine, request quarry.CaptureRequest) error {
	captured, err := engine.Capture(cmd.Context(), request)
	if err != nil {
		return hintOfCapture(err)
	}
	return show(a, captured, a.flags.json, func(captured quarry.Captured) error {
		total := 0
		for _, one := range captured.Redactions {
			total += one.Count
		}
		if total > 0 {
			a.notice("notice: %s left out, a marker stands for each", counted(total, "secret"))
		}
		if captured.Existing {
			a.notice("notice: a note of this text was there; nothing was written")
		}
		for _, n := range captured.Notices {
			a.notice("notice: %s", n)
		}
		_, err := fmt.Fprintln(a.io.Out, oneLinePath(captured.FilePath))
		return err
	})
}

// hintOfCapture adds what to do about an error of a capture.
func hintOfCapture(err error) error {
	for _, known := range []struct {
		err  error
		hint string
	}{
		{quarry.ErrEmptyCapture, `quarry capture "what is to be kept"; "-" reads standard input`},
		{quarry.ErrLongCapture, "`quarry compress` shortens the output of tools; a note of this size is written with an editor"},
		{quarry.ErrCaptureTag, "a tag is made of letters, digits, _ - and /, with one at least that is no digit"},
		{quarry.ErrCaptureFolder, "make it a folder below the vault that notes are taken in from, or name another one in the configuration: folder = … in the table [capture]; docs/capture.md tells more"},
	} {
		if errors.Is(err, known.err) {
			return &hinted{err, known.hint}
		}
	}
	return err
}
