package cli

import (
	"cmp"
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
		Long: `Brings the index up to date, then follows each change of the vault, until Ctrl-C or SIGTERM ends it (exit code 130). A line tells
which notes each run added, changed or deleted; --json makes it a line of JSON, and --quiet leaves it out. As a client
(--audience client) only the first run is told of: the others may be of private notes.
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
	audience, err := a.audience()
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
			a.sayNotice(fmt.Sprintf("Watching %s; Ctrl-C ends it.", engine.VaultDir()))
		}
		progress, finish := a.indexProgress()
		defer finish()
		t := watchTalk{app: a, finish: finish, isFirst: true, isClient: audience == quarry.Client}
		return engine.Watch(within, quarry.WatchOptions{Progress: progress}, t.tell)
	})
}

// watchTalk says what becomes of a watch.
type watchTalk struct {
	app      *app
	finish   func() // of the progress of the first run
	isFirst  bool
	isClient bool
	limit    string
}

func (t *watchTalk) tell(event quarry.WatchEvent) {
	a := t.app
	t.finish()
	isSaid := event.Err != nil || !event.Leading || t.isFirst || event.Limit != t.limit
	if t.isClient && (!isSaid || errors.Is(event.Err, quarry.ErrMassDelete)) { // that there was a run tells of notes that a client knows nothing of
		return
	}
	switch {
	case a.flags.json:
		t.tellJSON(event)
	case event.Err != nil:
		a.say(fmt.Sprintf("quarry: %s", oneLine(event.Err.Error())))
		a.say(fmt.Sprintf("hint: %s", oneLine(hintFor(event.Err))))
	case !event.Leading:
		a.sayNotice("Another process keeps the index fresh; this one takes over when that ends.")
	default:
		t.tellRun(event)
	}
	if event.Err == nil && event.Leading {
		t.isFirst, t.limit = false, event.Limit
	}
	a.out.Flush()
}

func (t *watchTalk) tellRun(event quarry.WatchEvent) {
	a := t.app
	if event.Limit != t.limit && event.Limit != "" {
		a.sayNotice(fmt.Sprintf("notice: not all folders can be watched (%s); the vault is compared from time to time instead", event.Limit))
	}
	if t.isFirst {
		a.noticeRedactions(event.Report)
		a.noticeProblems(event.Report)
	}
	if a.flags.quiet || t.isClient && !t.isFirst {
		return
	}
	t.printRun(event.Report, event.Took)
}

// say tells a person something on standard error, which breaks at spaces on a terminal.
func (a *app) say(text string) {
	rows := []string{printable(a.placed(text))}
	if a.io.ErrTerminal {
		rows = wrap(rows[0], a.width())
	}
	fmt.Fprintln(a.io.Err, strings.Join(rows, "\n"))
}

func (a *app) sayNotice(text string) {
	if !a.flags.quiet {
		a.say(text)
	}
}

const (
	// watchIndent is where what a line tells begins, behind the time.
	watchIndent = 10
	// shownNames is how many notes of a kind a line names.
	shownNames = 3
)

// watchedNames are the notes of a run.
type watchedNames struct{ Added, Changed, Deleted []string }

func namesOf(report quarry.IndexReport) watchedNames {
	added := map[string]bool{}
	for _, name := range report.Added {
		added[name] = true
	}
	names := watchedNames{Added: slices.Clone(report.Added), Deleted: slices.Clone(report.Removed)}
	for _, name := range report.Written {
		if !added[name] {
			names.Changed = append(names.Changed, name)
		}
	}
	for _, list := range [][]string{names.Added, names.Changed, names.Deleted} {
		slices.Sort(list)
	}
	return names
}

// part is what a run did in one way to how many notes, the first of which it names.
type part struct {
	count int
	verb  string
	names []string
}

// partsOf is what a run did, in the order in which it is told; of a run that read all notes anew only how many.
func (t *watchTalk) partsOf(report quarry.IndexReport) []part {
	names, err := withoutSecrets(t.app, namesOf(report)) // cuts can part one
	if err != nil {
		names = watchedNames{}
	}
	parts := []part{
		{len(names.Added), "added", names.Added},
		{len(names.Changed), "changed", names.Changed},
		{report.Deleted, "deleted", names.Deleted},
		{report.Failed, "failed", nil},
	}
	if report.Full || t.isFirst && report.Unchanged == 0 {
		parts = slices.Replace(parts, 0, 2, part{report.Indexed, "indexed", nil})
	}
	return slices.DeleteFunc(parts, func(p part) bool { return p.count == 0 })
}

// shown are the names that are told, and how many are not.
func (p part) shown() (names []string, more string) {
	for _, name := range p.names[:min(len(p.names), shownNames)] {
		names = append(names, oneLinePath(name))
	}
	if left := len(p.names) - len(names); left > 0 {
		more = fmt.Sprintf("and %d more", left)
	}
	return names, more
}

// printRun tells of a run in one line, or, where a terminal has no room for that, with a row for each note.
func (t *watchTalk) printRun(report quarry.IndexReport, took time.Duration) {
	var counts, whole []string
	parts := t.partsOf(report)
	for _, p := range parts {
		count := fmt.Sprintf("%d %s", p.count, p.verb)
		counts = append(counts, count)
		if names, more := p.shown(); len(names) > 0 {
			count += ": " + strings.TrimRight(strings.Join(names, ", ")+" "+more, " ")
		}
		whole = append(whole, count)
	}
	form := func(words string) string {
		return fmt.Sprintf("%s  %s (%d ms)", time.Now().Format(time.TimeOnly), cmp.Or(words, "up to date"), took.Milliseconds())
	}
	a := t.app
	if line := form(strings.Join(whole, "; ")); a.fits(line) {
		fmt.Fprintln(a.io.Out, line)
		return
	}
	a.printWrapped(form(strings.Join(counts, ", ")), watchIndent)
	for _, p := range parts {
		names, more := p.shown()
		for _, name := range names {
			fmt.Fprintf(a.io.Out, "%*s %s\n", watchIndent-1, p.verb, cutMiddle(name, a.width()-watchIndent))
		}
		if more != "" {
			fmt.Fprintf(a.io.Out, "%*s%s\n", watchIndent, "", more)
		}
	}
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
