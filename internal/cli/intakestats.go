package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quarry"
	"quarry/intake"
	"quarry/intake/ledger"
	"quarry/intake/triage"
)

func (a *app) intakeStatsCommand() *cobra.Command {
	var since string
	cmd := &cobra.Command{
		Use:     "stats",
		Short:   "Intake in figures, by month, channel and domain",
		Long:    "Tells how many signals there are in each state, and what became of those that came since a day, by month, channel and domain.",
		Example: "  quarry intake stats\n  quarry intake stats --since 2026-01",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.intakeStats(cmd.Context(), since) },
	}
	cmd.Flags().StringVar(&since, "since", "", "of this `day` or later: 2026-01-31, 7d, 3w, or words such as last monday")
	return cmd
}

// sinceTime is the beginning of a day in words, the zero time for "".
func sinceTime(text string) (time.Time, error) {
	day, err := quarry.ParseDay(text, time.Now())
	if err != nil {
		return time.Time{}, usage(`dates are 2026-01-31, 2026-01, 7d, 3w, 2m, 1y for a span back from today, or words such as "last monday"`, "%w", err)
	}
	if day == "" {
		return time.Time{}, nil
	}
	return time.ParseInLocation(time.DateOnly, day, time.Local)
}

func (a *app) intakeStats(ctx context.Context, since string) error {
	from, err := sinceTime(since)
	if err != nil {
		return err
	}
	return a.withTriage(ctx, func(t *triage.Triage) error {
		stats, err := t.Stats(ctx, from)
		if err != nil {
			return err
		}
		return show(a, stats, a.flags.json, a.printIntakeStats)
	})
}

func (a *app) printIntakeStats(stats triage.Stats) error {
	total := 0
	for _, count := range stats.States {
		total += count
	}
	if total == 0 {
		a.printWrapped(fmt.Sprintf("No signal yet, and %s listed; `quarry intake --help` tells how to begin.", counted(stats.Feeds, "feed")), 0)
		return nil
	}
	for _, one := range []struct {
		state ledger.State
		words string
	}{
		{ledger.New, "wait to be routed"}, {ledger.Queued, "wait for you"}, {ledger.Routed, "are notes"}, {ledger.Dropped, "dropped"}, {ledger.Duplicate, "nearly the same as another"},
	} {
		fmt.Fprintf(a.io.Out, "%6d  %s\n", stats.States[one.state], one.words)
	}
	fmt.Fprintf(a.io.Out, "%6d  %s\n", stats.Feeds, strings.TrimPrefix(counted(stats.Feeds, "feed"), fmt.Sprint(stats.Feeds)+" "))
	if decisions := stats.Accepted + stats.Moved + stats.Dropped; decisions > 0 {
		a.printWrapped(fmt.Sprintf("Your decisions: %d accepted, %d moved, %d dropped, %d taken back.", stats.Accepted, stats.Moved, stats.Dropped, stats.Undone), 0)
	}
	a.printTallies("month", stats.Months)
	a.printTallies("channel", stats.Channels)
	a.printTallies("domain", stats.Domains)
	return nil
}

func (a *app) printTallies(by string, tallies []ledger.Tally) {
	if len(tallies) == 0 {
		return
	}
	width := len(by)
	for _, one := range tallies {
		width = max(width, len(one.Name))
	}
	fmt.Fprintf(a.io.Out, "\n%s\n", a.style(styleTitle, fmt.Sprintf("%-*s  %7s %7s %7s %7s", width, by, "came", "notes", "waiting", "dropped")))
	for _, one := range tallies {
		fmt.Fprintf(a.io.Out, "%-*s  %7d %7d %7d %7d\n", width, printable(one.Name), one.Seen, one.Routed, one.Queued, one.Dropped)
	}
}

func (a *app) intakeLogCommand() *cobra.Command {
	var since, state string
	var limit int
	cmd := &cobra.Command{
		Use:   "log [NUMBER]",
		Short: "What became of signals, the newest first",
		Long: `Lists what became of signals, by the rules or by you, the newest first; with a number that of one signal. --state dropped lists
what the rules or you dropped, which ` + "`quarry intake accept`" + ` brings back.`,
		Example: "  quarry intake log --state dropped\n  quarry intake log 12\n  quarry intake log --since 7d -n 100",
		Args:    args(0, 1, "one number of a signal at most"),
		RunE: func(cmd *cobra.Command, words []string) error {
			query := ledger.EventQuery{Limit: limit}
			ids, err := signalNumbers(words)
			if err != nil {
				return err
			}
			if len(ids) > 0 {
				query.Signal = ids[0]
			}
			if query.Since, err = sinceTime(since); err != nil {
				return err
			}
			if limit < 0 {
				return usage("-n takes 0, for all, or more", "-n %d is out of range", limit)
			}
			if query.State, err = stateOf(state); err != nil {
				return err
			}
			return a.withTriage(cmd.Context(), func(t *triage.Triage) error { return a.showLog(cmd.Context(), t, query) })
		},
	}
	cmd.Flags().StringVar(&since, "since", "", "of this `day` or later: 2026-01-31, 7d, 3w, or words such as last monday")
	cmd.Flags().StringVar(&state, "state", "", "changes of signals that are now: new, queued, routed, dropped or duplicate")
	cmd.Flags().IntVarP(&limit, "limit", "n", 50, "how many, 0 for all")
	completeWords(cmd, "state", "new", "queued", "routed", "dropped", "duplicate")
	return cmd
}

func stateOf(word string) (ledger.State, error) {
	for _, state := range append([]ledger.State{""}, ledger.States...) {
		if string(state) == word {
			return state, nil
		}
	}
	return "", usage("--state takes new, queued, routed, dropped or duplicate", "there is no state %q", word)
}

func (a *app) showLog(ctx context.Context, t *triage.Triage, query ledger.EventQuery) error {
	events, err := t.Ledger().Events(ctx, query)
	if err != nil {
		return err
	}
	document := struct {
		Events []ledger.Event `json:"events"`
	}{events}
	return show(a, document, a.flags.json, func(document struct {
		Events []ledger.Event `json:"events"`
	},
	) error {
		if len(document.Events) == 0 {
			a.notice("Nothing of this is in the log.")
		}
		for _, one := range document.Events {
			a.printEvent(one)
		}
		return nil
	})
}

func (a *app) printEvent(one ledger.Event) {
	who := "rules"
	if one.ByUser {
		who = "you"
	}
	line := fmt.Sprintf("%s  %-5s  %s", one.At.Local().Format("2006-01-02 15:04"), who, one.Verb)
	if one.Signal > 0 {
		line += fmt.Sprintf("  #%d  %s  %s", one.Signal, one.DomainAfter, oneLine(printable(one.Title)))
	}
	if one.Detail != "" {
		line += "  (" + oneLine(printable(one.Detail)) + ")"
	}
	if one.Undone {
		line += "  [taken back]"
	}
	a.printWrapped(line, indent)
}

func (a *app) intakeLearnedCommand() *cobra.Command {
	var reset bool
	cmd := &cobra.Command{
		Use:   "learned",
		Short: "What was learnt from your decisions",
		Long: `Shows what was learnt from what you accepted, dropped and moved: the trust in hosts, the weight of keywords, and where they lead to, each
within .2 of what the rules say. --reset forgets all of it, and leaves signals and notes as they are.`,
		Example: "  quarry intake learned\n  quarry intake learned --reset",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withTriage(cmd.Context(), func(t *triage.Triage) error {
				if reset {
					if err := t.Forget(cmd.Context()); err != nil {
						return err
					}
				}
				return a.showLearned(cmd.Context(), t)
			})
		},
	}
	cmd.Flags().BoolVar(&reset, "reset", false, "forget all of it")
	return cmd
}

// learnedDocument is the JSON form of what was learnt.
type learnedDocument struct {
	Learned intake.Adjustments `json:"learned"`
	Words   []string           `json:"words"`
}

func (a *app) showLearned(ctx context.Context, t *triage.Triage) error {
	learnt, err := t.Ledger().Learnt(ctx)
	if err != nil {
		return err
	}
	return show(a, learnedDocument{learnt, learnt.Words()}, a.flags.json, func(document learnedDocument) error {
		if len(document.Words) == 0 {
			a.printWrapped("Nothing is learnt.", 0)
		}
		for _, line := range document.Words {
			a.printWrapped(oneLine(printable(line)), indent)
		}
		return nil
	})
}
