package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quarry/intake/ledger"
	"quarry/intake/triage"
)

func (a *app) intakeReviewCommand() *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use:   "review",
		Short: "Look through what waits for you",
		Long: `Shows the signals that wait for you, the best first. On a terminal they are a list with keys: j and k or the arrows go through it,
Enter shows the text, a accepts, d drops, m moves into another domain, u takes the last decision back, q ends. Elsewhere, and with
--list or --json, they are listed; ` + "`quarry intake accept`, `drop` and `move`" + ` take their numbers.`,
		Example: "  quarry intake review\n  quarry intake review --list -n 20",
		Args:    noArgs,
	}
	var list bool
	cmd.Flags().BoolVar(&list, "list", false, "list them, without keys")
	cmd.Flags().IntVarP(&limit, "limit", "n", 0, "how many, 0 for all")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if limit < 0 {
			return usage("-n takes 0, for all, or more", "-n %d is out of range", limit)
		}
		return a.withTriage(cmd.Context(), func(t *triage.Triage) error {
			if !list && !a.flags.json && a.io.InTerminal && a.io.OutTerminal {
				return a.reviewOnTerminal(cmd.Context(), t)
			}
			return a.showQueue(cmd.Context(), t, limit)
		})
	}
	return cmd
}

// waiting is a signal of the queue. Its JSON form is part of the contract.
type waiting struct {
	ID      int64     `json:"id"`
	Title   string    `json:"title"`
	Score   float64   `json:"score"`
	Domain  string    `json:"domain"`
	Channel string    `json:"channel"`
	From    string    `json:"from"`
	Address string    `json:"address"`
	Created time.Time `json:"created"`
	Reasons []string  `json:"reasons"` // the weightiest of each figure
}

func waitingOf(entry ledger.Entry) waiting {
	s := entry.Signal
	one := waiting{ID: entry.ID, Title: triage.TitleOf(s), Domain: entry.Domain, Channel: string(s.Channel), From: s.OriginName, Address: s.Address, Created: s.Created, Reasons: []string{}}
	if one.From == "" {
		one.From = s.Origin
	}
	if entry.Score != nil {
		one.Score = entry.Score.Composite
		for _, figure := range [][]string{entry.Score.Relevance.Reasons, entry.Score.Actionability.Reasons, entry.Score.Depth.Reasons, entry.Score.Authority.Reasons} {
			if len(figure) > 0 {
				one.Reasons = append(one.Reasons, figure[0])
			}
		}
	}
	return one
}

// queueDocument is the JSON form of the queue.
type queueDocument struct {
	Signals []waiting `json:"signals"`
}

func (a *app) showQueue(ctx context.Context, t *triage.Triage, limit int) error {
	entries, err := t.Queue(ctx, limit)
	if err != nil {
		return err
	}
	document := queueDocument{[]waiting{}}
	for _, entry := range entries {
		document.Signals = append(document.Signals, waitingOf(entry))
	}
	return show(a, document, a.flags.json, func(document queueDocument) error {
		if len(document.Signals) == 0 {
			a.notice("Nothing waits for you.")
		}
		for _, one := range document.Signals {
			a.printWrapped(fmt.Sprintf("#%d  %.2f  %s  %s", one.ID, one.Score, one.Domain, oneLine(printable(one.Title))), indent)
			if place := oneLine(printable(strings.TrimSpace(one.From + "  " + one.Address))); place != "" {
				a.printStyled(styleFaint, "    "+place, indent)
			}
		}
		return nil
	})
}
