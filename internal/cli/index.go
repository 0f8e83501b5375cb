package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quarry"
)

func (a *app) indexCommand() *cobra.Command {
	var options quarry.IndexOptions
	cmd := &cobra.Command{
		Use:     "index",
		Aliases: []string{"update"},
		Short:   "Bring the index up to date",
		Long: `Compares the vault with the index and reads what is new or changed. Nothing in the vault is written.
A file that cannot be read is reported, keeps what the index held of it, and the exit code is 3.`,
		Example: `  quarry index --vault ~/notes             what changed since the last run
  quarry index --vault ~/notes --full      everything, from nothing
  quarry index --vault ~/notes --dry-run   tell what would be done`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				report, err := a.runIndex(cmd.Context(), engine, options)
				if err != nil {
					return err
				}
				if report.Failed > 0 {
					a.code = exitPartial
				}
				if a.flags.json {
					return writeJSON(a.io.Out, report)
				}
				return a.printReport(report, options, engine)
			})
		},
	}
	cmd.Flags().BoolVar(&options.Full, "full", false, "start from nothing; readers see the old index to the end")
	cmd.Flags().BoolVar(&options.Verify, "verify", false, "compare content hashes too, and check the index itself")
	cmd.Flags().BoolVar(&options.DryRun, "dry-run", false, "tell what would be done, write nothing")
	cmd.Flags().BoolVar(&options.Force, "force", false, "go on though more than half of the notes are gone (asked for from 20 notes on)")
	return cmd
}

// shownProblems is how many problems a report lists before it refers to `status`.
const shownProblems = 10

func (a *app) printReport(report quarry.IndexReport, options quarry.IndexOptions, engine *quarry.Engine) error {
	verb := "indexed"
	if options.DryRun {
		verb = "to index"
	}
	fmt.Fprintf(a.io.Out, "%d %s, %d unchanged, %d deleted, %d skipped, %d failed; %d passages\n",
		report.Indexed, verb, report.Unchanged, report.Deleted, report.Skipped, report.Failed, report.Chunks)
	a.printProblems(report.Problems, shownProblems)
	if report.Indexed+report.Unchanged == 0 && report.Failed == 0 {
		a.notice("There are no notes in %s: is it the right folder? `--vault` names another.", engine.VaultDir())
	}
	return nil
}

func (a *app) printProblems(problems []quarry.Problem, limit int) {
	for i, p := range problems {
		if i == limit {
			fmt.Fprintf(a.io.Out, "… and %d more; `quarry status` lists all\n", len(problems)-limit)
			return
		}
		where := oneLinePath(p.Path)
		if p.Line != nil {
			where = fmt.Sprintf("%s:%d", where, *p.Line)
		}
		fmt.Fprintf(a.io.Out, "  %-7s %s: %s\n", p.State, where, printable(oneLine(p.Reason)))
	}
}

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Tell what is indexed, skipped and failed, and why",
		Long: `Compares the index with the vault: how many notes and passages it holds, how many files are new, changed or gone since
the last run, and which notes could not be read as they stand. What the ignore rules leave out is not listed.`,
		Example: `  quarry status --vault ~/notes
  quarry status --vault ~/notes --json`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				status, err := engine.Status(cmd.Context())
				if err != nil {
					return err
				}
				if a.flags.json {
					return writeJSON(a.io.Out, status)
				}
				a.printStatus(status)
				return nil
			})
		},
	}
}

func (a *app) printStatus(s quarry.Status) {
	if s.Notes == 0 && s.Chunks == 0 && s.Model == "" {
		fmt.Fprintf(a.io.Out, "vault     %s\nindex     %s (not built yet)\nto index  %d files\n", oneLinePath(s.Vault), oneLinePath(s.DB), s.Stale)
		a.notice("`quarry index` builds the index; the first search does so too.")
		return
	}
	model := s.Model
	if model == "" {
		model = "none: keyword search alone"
	}
	fmt.Fprintf(a.io.Out, "vault     %s\nindex     %s\nnotes     %d\npassages  %d\nmodel     %s\ndialect   %s\nstale     %d\n",
		oneLinePath(s.Vault), oneLinePath(s.DB), s.Notes, s.Chunks, printable(oneLine(model)), s.Dialect, s.Stale)
	if len(s.Problems) > 0 {
		fmt.Fprintf(a.io.Out, "problems  %d (%s)\n", len(s.Problems), countByState(s.Problems))
		a.printProblems(s.Problems, len(s.Problems))
	}
	if s.Stale > 0 {
		a.notice("%d files are new, changed or gone since the last run; `quarry index` brings the index up to date.", s.Stale)
	}
}

// countByState tells how many problems there are of each state, "2 failed, 1 warning".
func countByState(problems []quarry.Problem) string {
	count := map[string]int{}
	for _, p := range problems {
		count[p.State]++
	}
	var parts []string
	for _, state := range slices.Sorted(maps.Keys(count)) {
		name := state
		if state == "warning" && count[state] > 1 {
			name = "warnings"
		}
		parts = append(parts, fmt.Sprintf("%d %s", count[state], name))
	}
	return strings.Join(parts, ", ")
}
