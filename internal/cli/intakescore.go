package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"quarry/intake"
	"quarry/intake/source"
	"quarry/intake/triage"
)

func (a *app) intakeScoreCommand() *cobra.Command {
	var explain bool
	var channel string
	cmd := &cobra.Command{
		Use:   "score [FILE|NUMBER|-…]",
		Short: "Score signals without keeping anything",
		Long: `Scores the signals of files, or those of the ledger with these numbers, or all that wait, by the rules as they are now. Nothing
is kept or changed: to try out intake.yaml and interests.md. --explain tells why each figure is what it is.`,
		Example: "  quarry intake score ~/Downloads/feed.xml --explain\n  quarry intake score 12 --explain",
		RunE: func(cmd *cobra.Command, words []string) error {
			kind, err := channelOf(channel)
			if err != nil {
				return err
			}
			return a.withTriage(cmd.Context(), func(t *triage.Triage) error {
				scored, problems, err := a.scoreWords(cmd, t, words, kind)
				if err != nil {
					return err
				}
				for _, one := range problems {
					a.notice("notice: %s: %s", one.Where, one.Reason)
				}
				return a.showScored(scored, explain)
			})
		},
	}
	cmd.Flags().BoolVar(&explain, "explain", false, "tell why")
	registerChannel(cmd, &channel)
	return cmd
}

// scoreWords scores what the arguments name: numbers of signals, else files.
func (a *app) scoreWords(cmd *cobra.Command, t *triage.Triage, words []string, channel intake.Channel) ([]triage.Scored, []source.Problem, error) {
	var ids []int64
	for _, word := range words {
		id, err := strconv.ParseInt(strings.TrimPrefix(word, "#"), 10, 64)
		_, missing := os.Stat(a.absolute(word))
		if err == nil && missing != nil { // a file is called so otherwise
			ids = append(ids, id)
		}
	}
	switch {
	case len(ids) == len(words):
		scored, err := t.ScoreWaiting(cmd.Context(), ids)
		return scored, nil, err
	case len(ids) > 0:
		return nil, nil, usage("ask for one after the other", "score takes files or numbers, not both")
	}
	inputs, err := a.intakeInputs(cmd.Context(), words)
	if err != nil {
		return nil, nil, err
	}
	scored, report, err := t.ScoreInputs(cmd.Context(), inputs, channel)
	a.settleCode(report)
	return scored, report.Problems, err
}

func (a *app) showScored(scored []triage.Scored, explain bool) error {
	document := struct {
		Signals []triage.Scored `json:"signals"`
	}{scored}
	return show(a, document, a.flags.json, func(document struct {
		Signals []triage.Scored `json:"signals"`
	},
	) error {
		if len(document.Signals) == 0 {
			a.notice("There is no signal to be scored.")
		}
		for _, one := range document.Signals {
			a.printScored(one, explain)
		}
		return nil
	})
}

func (a *app) printScored(one triage.Scored, explain bool) {
	score, number := one.Score, ""
	if one.ID > 0 {
		number = fmt.Sprintf("#%d  ", one.ID)
	}
	a.printWrapped(fmt.Sprintf("%s%.2f  %s  %s  %s", number, score.Composite, score.Decision, score.Domain, oneLine(printable(one.Title))), indent)
	if !explain {
		return
	}
	for _, figure := range []struct {
		name string
		intake.Dimension
	}{{"relevance", score.Relevance}, {"actionability", score.Actionability}, {"depth", score.Depth}, {"authority", score.Authority}} {
		a.printWrapped(fmt.Sprintf("    %-13s %.2f  %s", figure.name, figure.Value, oneLine(printable(strings.Join(figure.Reasons, "; ")))), 24)
	}
	a.printWrapped(fmt.Sprintf("    %-13s       %s", "domain", oneLine(printable(strings.Join(score.DomainReasons, "; ")))), 24)
}
