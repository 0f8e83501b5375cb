package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"quarry/intake"
	"quarry/intake/source"
	"quarry/intake/triage"
)

// intakeFlags are those of commands that take in or route.
type intakeFlags struct {
	noRoute bool
	channel string
}

func (f *intakeFlags) register(cmd *cobra.Command, hasChannel bool) {
	cmd.Flags().BoolVar(&f.noRoute, "no-route", false, "take in alone; `quarry intake route` goes on")
	if hasChannel {
		registerChannel(cmd, &f.channel)
	}
}

func registerChannel(cmd *cobra.Command, channel *string) {
	cmd.Flags().StringVar(channel, "channel", "tool", "what plain texts are: tool or capture")
	completeWords(cmd, "channel", "tool", "capture")
}

func channelOf(word string) (intake.Channel, error) {
	switch channel := intake.Channel(word); channel {
	case intake.Tool, intake.Capture:
		return channel, nil
	}
	return "", usage("--channel takes tool or capture", "there is no channel %q for texts", word)
}

func (a *app) intakeAddCommand() *cobra.Command {
	var flags intakeFlags
	cmd := &cobra.Command{
		Use:   "add FILE|FOLDER|-…",
		Short: "Take in files: feeds, bookmarks, mails, pages, texts",
		Long: `Reads signals out of files, of folders with all that is in them, and of standard input ("-"): RSS, Atom and JSON feeds, bookmarks of
browsers, mails (.eml, mbox, Maildir), pages of HTML, Markdown and plain text. What kind a file is its content tells. Nothing is
fetched, and the files stay as they are. Then scores and routes what is new.`,
		Example: `  quarry intake add ~/Downloads/bookmarks.html
  quarry intake add ~/Mail/newsletters
  go test ./... 2>&1 | quarry intake add -`,
		Args: args(1, many, `a file, a folder, or "-"`),
		RunE: func(cmd *cobra.Command, paths []string) error {
			channel, err := channelOf(flags.channel)
			if err != nil {
				return err
			}
			return a.withTriage(cmd.Context(), func(t *triage.Triage) error {
				inputs, err := a.intakeInputs(cmd.Context(), paths)
				if err != nil {
					return err
				}
				show, finish := a.intakeProgress()
				report, err := t.Add(cmd.Context(), inputs, triage.AddOptions{NoRoute: flags.noRoute, Channel: channel, Progress: show})
				finish()
				return a.showRun(report, err)
			})
		},
	}
	flags.register(cmd, true)
	return cmd
}

// intakeInputs are the arguments as triage reads them.
func (a *app) intakeInputs(ctx context.Context, paths []string) ([]triage.Input, error) {
	inputs := make([]triage.Input, 0, len(paths))
	for _, path := range paths {
		if path != standardInput {
			inputs = append(inputs, triage.Input{Path: a.absolute(path)})
			continue
		}
		a.noticeWaiting("Waiting for signals on standard input; Ctrl-D ends it.")
		content, err := interruptible(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(a.io.In, source.MaxInputBytes+1)) })
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		inputs = append(inputs, triage.Input{Name: "standard input", Content: content})
	}
	return inputs, nil
}

func (a *app) intakeFetchCommand() *cobra.Command {
	var flags intakeFlags
	var only string
	cmd := &cobra.Command{
		Use:   "fetch",
		Short: "Ask the listed feeds for what is new",
		Long: `Asks the feeds that you listed, each when it wants to be asked again, and takes in what is new; then scores and routes it. This alone
asks the network. Addresses that are not on the public web are refused, also behind a redirect. A feed that fails is told of and
asked again later; the others go on (exit code 3).`,
		Example: "  quarry intake fetch\n  quarry intake fetch --only \"Kiln news\"",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withTriage(cmd.Context(), func(t *triage.Triage) error {
				show, finish := a.intakeProgress()
				fetched, err := t.Fetch(cmd.Context(), triage.FetchOptions{AddOptions: triage.AddOptions{NoRoute: flags.noRoute, Progress: show}, Only: only})
				finish()
				if err != nil {
					return a.showRun(fetched.Report, err)
				}
				return a.showFetched(fetched)
			})
		},
	}
	flags.register(cmd, false)
	cmd.Flags().StringVar(&only, "only", "", "the feed of this `name` or address alone, also before its time")
	return cmd
}

func (a *app) showFetched(fetched triage.Fetched) error {
	a.settleCode(fetched.Report)
	return show(a, fetched, a.flags.json, func(fetched triage.Fetched) error {
		if fetched.Asked+fetched.NotDue == 0 {
			a.notice("No feed is listed; `quarry intake feeds add ADDRESS` lists one.")
			return nil
		}
		line := fmt.Sprintf("%s asked", counted(fetched.Asked, "feed"))
		for _, one := range []struct {
			count int
			what  string
		}{{fetched.Unchanged, "unchanged"}, {fetched.Failed, "failed"}, {fetched.NotDue, "not due yet"}} {
			if one.count > 0 {
				line += fmt.Sprintf(", %d %s", one.count, one.what)
			}
		}
		a.printWrapped(line+".", 0)
		a.printRun(fetched.Report)
		return nil
	})
}

func (a *app) intakeRouteCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:     "route",
		Short:   "Score and route what was taken in",
		Long:    "Scores the signals that were taken in with --no-route, or that a run which was interrupted left, and routes them.",
		Example: "  quarry intake route --dry-run\n  quarry intake route",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withTriage(cmd.Context(), func(t *triage.Triage) error {
				if dryRun {
					report, err := t.Plan(cmd.Context())
					return a.showRun(report, err)
				}
				show, finish := a.intakeProgress()
				report, err := t.Route(cmd.Context(), triage.AddOptions{Progress: show})
				finish()
				return a.showRun(report, err)
			})
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "tell what would become of each, and write nothing")
	return cmd
}

// showRun tells what a run did, also one that ended with an error.
func (a *app) showRun(report triage.Report, err error) error {
	if err != nil {
		if report.Added+report.Routed+report.Queued+report.Dropped > 0 {
			a.notice("notice: until then: %s; it is kept", runSummary(report))
		}
		return err
	}
	a.settleCode(report)
	return show(a, report, a.flags.json, func(report triage.Report) error {
		a.printRun(report)
		return nil
	})
}

func (a *app) settleCode(report triage.Report) {
	if report.Failed > 0 {
		a.code = exitPartial
	}
}

// mostOutcomes is how many signals a run lists.
const mostOutcomes = 30

func (a *app) printRun(report triage.Report) {
	listed := 0
	for _, one := range report.Outcomes {
		if one.Decision == intake.Drop {
			continue
		}
		if listed++; listed <= mostOutcomes {
			a.printOutcome(one)
		}
	}
	if listed > mostOutcomes {
		a.printWrapped(fmt.Sprintf("… and %d more; `quarry intake log` lists them", listed-mostOutcomes), 0)
	}
	a.printWrapped(runSummary(report)+".", 0)
	for _, one := range report.LeftOut {
		a.notice("notice: left out: %d × %s", one.Count, one.Reason)
	}
	if report.Others > 0 {
		a.notice("notice: %s of no kind that intake reads", counted(report.Others, "file"))
	}
	for _, one := range report.Problems {
		a.notice("notice: %s: %s", one.Where, one.Reason)
	}
	if report.Queued > 0 {
		a.notice("`quarry intake review` shows what waits for you.")
	}
}

func (a *app) printOutcome(one triage.Outcome) {
	what := "review"
	if one.Decision == intake.Route {
		what = "routed"
	}
	line := fmt.Sprintf("#%d  %.2f  %s  %s  %s", one.ID, one.Score, what, one.Domain, oneLine(printable(one.Title)))
	if one.Path != "" {
		line += "  " + a.style(stylePath, oneLinePath(one.Path))
	}
	a.printWrapped(line, indent)
}

// runSummary are the figures of a run in words.
func runSummary(report triage.Report) string {
	var parts []string
	for _, one := range []struct {
		count int
		what  string
	}{
		{report.Added, "new"},
		{report.Known, "known before"},
		{report.Near, "nearly the same as another"},
		{report.Routed, "routed"},
		{report.Queued, "to be reviewed"},
		{report.Dropped, "dropped"},
		{report.Waiting, "waiting to be routed"},
	} {
		if one.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", one.count, one.what))
		}
	}
	if len(parts) == 0 {
		return "Nothing new"
	}
	return counted(max(report.Signals, len(report.Outcomes)), "signal") + ": " + strings.Join(parts, ", ")
}
