package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quarry/intake"
	"quarry/intake/triage"
)

func (a *app) intakeAcceptCommand() *cobra.Command {
	var domain string
	cmd := &cobra.Command{
		Use:   "accept NUMBER…",
		Short: "Make notes of signals",
		Long: `Makes a note of each signal, in the domain of its score or in another one, whether it waits, was dropped or is nearly the same as
another. What you accept is learnt from: ` + "`quarry intake learned`" + ` shows what.`,
		Example: "  quarry intake accept 12 14\n  quarry intake accept 12 --domain security",
		Args:    args(1, many, "the number of a signal"),
		RunE: func(cmd *cobra.Command, words []string) error {
			return a.decide(cmd.Context(), words, func(t *triage.Triage, ids []int64) ([]triage.Decided, error) {
				return t.Accept(cmd.Context(), ids, domain)
			})
		},
	}
	a.registerDomain(cmd, &domain)
	return cmd
}

func (a *app) registerDomain(cmd *cobra.Command, domain *string) {
	cmd.Flags().StringVar(domain, "domain", "", "the `domain`: "+strings.Join(intake.Domains, ", ")+", or a further one of intake.yaml")
	completeWords(cmd, "domain", intake.Domains...)
}

func (a *app) intakeDropCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "drop NUMBER…",
		Short: "Drop signals",
		Long: `Drops signals: they stay in the ledger alone, from where ` + "`quarry intake accept`" + ` or ` + "`undo`" + ` brings them back. A note of one is
removed where it is to the letter as it was written, and left where it is otherwise. What you drop is learnt from.`,
		Example: "  quarry intake drop 13",
		Args:    args(1, many, "the number of a signal"),
		RunE: func(cmd *cobra.Command, words []string) error {
			return a.decide(cmd.Context(), words, func(t *triage.Triage, ids []int64) ([]triage.Decided, error) { return t.Drop(cmd.Context(), ids) })
		},
	}
}

func (a *app) intakeMoveCommand() *cobra.Command {
	var domain string
	cmd := &cobra.Command{
		Use:   "move NUMBER… --domain DOMAIN",
		Short: "Put signals into another domain",
		Long: `Makes notes of signals in this domain, or puts those that are there into its folder. A note that was changed since it was written stays
where it is. What you move is learnt from.`,
		Example: "  quarry intake move 12 --domain security",
		Args:    args(1, many, "the number of a signal"),
		RunE: func(cmd *cobra.Command, words []string) error {
			if domain == "" {
				return usage("quarry intake move 12 --domain security", "move needs a domain")
			}
			return a.decide(cmd.Context(), words, func(t *triage.Triage, ids []int64) ([]triage.Decided, error) {
				return t.Move(cmd.Context(), ids, domain)
			})
		},
	}
	a.registerDomain(cmd, &domain)
	return cmd
}

func (a *app) intakeUndoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "undo [NUMBER…]",
		Short: "Take the last decision back",
		Long: `Takes your last decision back, or the last change of each of these signals, by the rules or by you, and what was learnt by it. Called
again it takes back the one before. What the rules had settled waits for you then. A note that goes by it is removed where it is to
the letter as it was written, and left where it is otherwise.`,
		Example: "  quarry intake undo\n  quarry intake undo 12",
		RunE: func(cmd *cobra.Command, words []string) error {
			return a.decide(cmd.Context(), words, func(t *triage.Triage, ids []int64) (done []triage.Decided, err error) {
				if len(ids) == 0 {
					ids = []int64{0}
				}
				for _, id := range ids {
					one, err := t.Undo(cmd.Context(), id)
					if err != nil {
						return done, err
					}
					done = append(done, one)
				}
				return done, nil
			})
		},
	}
}

// decide runs decisions and tells what became of each; those before one that fails are kept and told.
func (a *app) decide(ctx context.Context, words []string, do func(*triage.Triage, []int64) ([]triage.Decided, error)) error {
	ids, err := signalNumbers(words)
	if err != nil {
		return err
	}
	return a.withTriage(ctx, func(t *triage.Triage) error {
		done, failed := do(t, ids)
		if failed != nil && len(done) == 0 {
			return failed
		}
		document := struct {
			Decisions []triage.Decided `json:"decisions"`
		}{slices.Concat([]triage.Decided{}, done)}
		err := show(a, document, a.flags.json, func(document struct {
			Decisions []triage.Decided `json:"decisions"`
		},
		) error {
			for _, one := range document.Decisions {
				a.printWrapped(decidedLine(one), indent)
			}
			return nil
		})
		if failed != nil {
			return failed
		}
		return err
	})
}

func decidedLine(one triage.Decided) string {
	line := fmt.Sprintf("#%d  %s  %s  %s", one.ID, one.State, one.Domain, oneLine(printable(one.Title)))
	if one.Detail != "" {
		line += "  (" + oneLine(printable(one.Detail)) + ")"
	}
	return line
}
