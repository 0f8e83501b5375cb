package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quarry"
)

func (a *app) watchCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "watch",
		Short: "Keep the index fresh while notes change",
		Long: `Brings the index up to date, then follows each change of the vault, until it is ended (exit code 130). A line tells what each run
wrote; --json makes it a line of JSON, and --quiet leaves it out.
Of several processes that watch one vault, servers among them, one writes; another takes over when it ends. Servers watch by
themselves: this command is for those who search with the command line alone, and want no search to be out of date.`,
		Example: `  quarry watch --vault ~/notes
  quarry watch --vault ~/notes --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for cmd.Context().Err() == nil {
				if err := a.watchOnce(cmd.Context()); err != nil && !errors.Is(err, quarry.ErrVaultReplaced) {
					return err
				}
			}
			a.code = exitInterrupted
			return nil
		},
	}
}

// watchOnce watches until the configuration says something else, the vault has to be opened anew, or ctx ends.
func (a *app) watchOnce(ctx context.Context) error {
	said, err := a.configurationSum()
	if err != nil {
		return err
	}
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	return a.withEngine(ctx, func(engine *quarry.Engine) error {
		go func() {
			defer cancel()
			for wait(within, replacedEvery); within.Err() == nil; wait(within, replacedEvery) {
				// What cannot be read is being written, or the next one who opens it tells of it.
				if now, err := a.configurationSum(); err == nil && now != said {
					return
				}
			}
		}()
		if !a.flags.json {
			a.notice("Watching %s; Ctrl-C ends it.", engine.VaultDir())
		}
		progress, finish := a.indexProgress()
		defer finish()
		t := watchTalk{app: a, finish: finish, isFirst: true}
		return engine.Watch(within, quarry.WatchOptions{Progress: progress}, t.tell)
	})
}

// watchTalk says what becomes of a watch.
type watchTalk struct {
	app     *app
	finish  func() // of the progress of the first run
	isFirst bool
	limit   string
}

func (t *watchTalk) tell(event quarry.WatchEvent) {
	a := t.app
	t.finish()
	switch {
	case a.flags.json:
		t.tellJSON(event)
	case event.Err != nil:
		fmt.Fprintf(a.io.Err, "quarry: %s\nhint: %s\n", printable(oneLine(a.placed(event.Err.Error()))), printable(oneLine(a.placed(hintFor(event.Err)))))
	case !event.Leading:
		a.notice("Another process keeps the index fresh; this one takes over when that ends.")
	default:
		t.tellRun(event)
	}
	a.out.Flush()
}

func (t *watchTalk) tellRun(event quarry.WatchEvent) {
	a := t.app
	if event.Limit != t.limit {
		t.limit = event.Limit
		if t.limit != "" {
			a.notice("notice: not all folders can be watched (%s); the vault is compared from time to time instead", t.limit)
		}
	}
	if t.isFirst {
		t.isFirst = false
		a.noticeRedactions(event.Report)
		a.noticeProblems(event.Report)
	}
	if a.flags.quiet {
		return
	}
	fmt.Fprintf(a.io.Out, "%s  %s (%d ms)%s\n", time.Now().Format(time.TimeOnly), runInWords(event.Report), event.Took.Milliseconds(), writtenInWords(event.Report.Written))
}

func runInWords(report quarry.IndexReport) string {
	var parts []string
	for _, part := range []struct {
		count int
		verb  string
	}{{report.Indexed, "indexed"}, {report.Deleted, "deleted"}, {report.Failed, "failed"}} {
		if part.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.count, part.verb))
		}
	}
	if len(parts) == 0 {
		return "up to date"
	}
	return strings.Join(parts, ", ")
}

// shownWritten is how many notes a line names.
const shownWritten = 3

func writtenInWords(written []string) string {
	if len(written) == 0 {
		return ""
	}
	slices.Sort(written)
	shown := written[:min(len(written), shownWritten)]
	names := make([]string, len(shown))
	for i, name := range shown {
		names[i] = oneLinePath(name)
	}
	line := ": " + strings.Join(names, ", ")
	if more := len(written) - len(shown); more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return line
}

// watchLine is a line of `watch --json`.
type watchLine struct {
	Event   string   `json:"event"` // run, waiting or error
	Indexed int      `json:"indexed"`
	Deleted int      `json:"deleted"`
	Failed  int      `json:"failed"`
	Chunks  int      `json:"chunks"`
	Millis  int64    `json:"took_ms"`
	Written []string `json:"written"`
	Limit   string   `json:"limit"`
	Error   string   `json:"error"`
}

func (t *watchTalk) tellJSON(event quarry.WatchEvent) {
	report := event.Report
	line := watchLine{
		Event: "run", Indexed: report.Indexed, Deleted: report.Deleted, Failed: report.Failed, Chunks: report.Chunks,
		Millis: event.Took.Milliseconds(), Written: report.Written, Limit: event.Limit,
	}
	slices.Sort(line.Written)
	if line.Written == nil {
		line.Written = []string{}
	}
	switch {
	case event.Err != nil:
		line.Event, line.Error = "error", event.Err.Error()
	case !event.Leading:
		line.Event = "waiting"
	}
	_ = t.app.writeJSONLine(line) // an output that is closed ends the process
}
