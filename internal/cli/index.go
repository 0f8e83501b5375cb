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
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				report, err := a.runIndexInTurn(cmd.Context(), engine, options)
				if err != nil {
					return err
				}
				if report.Failed > 0 {
					a.code = exitPartial
				}
				return show(a, report, a.flags.json, func(report quarry.IndexReport) error { return a.printReport(report, options, engine) })
			})
		},
	}
	cmd.Flags().BoolVar(&options.Full, "full", false, "start from nothing; readers see the old index to the end")
	cmd.Flags().BoolVar(&options.Verify, "verify", false, "compare content hashes too, and check the index itself")
	cmd.Flags().BoolVar(&options.DryRun, "dry-run", false, "tell what would be done, write nothing")
	cmd.Flags().BoolVar(&options.Force, "force", false, "go on though more than half of the notes are gone (asked for from 20 notes on)")
	return cmd
}

const (
	// shownProblems is how many problems a report lists before it refers to `status`.
	shownProblems = 10
	// shownSecretNotes is how many notes that are left out for their class are listed for people; --json lists all.
	shownSecretNotes = 20
	// problemIndent is where the path of a problem stands.
	problemIndent = 10
)

func (a *app) printReport(report quarry.IndexReport, options quarry.IndexOptions, engine *quarry.Engine) error {
	verb := "indexed"
	if options.DryRun {
		verb = "to index"
	}
	a.printWrapped(fmt.Sprintf("%d %s, %d unchanged, %d deleted, %d skipped, %d failed; %s",
		report.Indexed, verb, report.Unchanged, report.Deleted, report.Skipped, report.Failed, counted(report.Chunks, "passage")), indent)
	a.printProblems(report.Problems, shownProblems)
	if report.Indexed+report.Unchanged == 0 && report.Failed == 0 {
		a.notice("There are no notes in %s: is it the right folder? `--vault` names another.", engine.VaultDir())
	}
	return nil
}

func (a *app) printProblems(problems []quarry.Problem, limit int) {
	secrets := 0
	for i, p := range problems {
		if i == limit {
			a.printWrapped(a.placed(fmt.Sprintf("  … and %d more; `quarry status` lists all", len(problems)-limit)), indent)
			return
		}
		if isKeptOut(p) {
			if secrets++; secrets > shownSecretNotes {
				continue
			}
		}
		where := oneLinePath(p.Path)
		if p.Line != nil {
			where = fmt.Sprintf("%s:%d", where, *p.Line)
		}
		a.printWrapped(fmt.Sprintf("  %-7s %s: %s", p.State, where, printable(oneLine(p.Reason))), problemIndent)
	}
	if left := secrets - shownSecretNotes; left > 0 {
		a.printWrapped(a.placed(fmt.Sprintf("  … and %s more; `quarry status --json` lists all", counted(left, "secret note"))), problemIndent)
	}
}

// isKeptOut tells of a note that is left out of the index for its class.
func isKeptOut(p quarry.Problem) bool {
	return p.State == "skipped" && strings.HasPrefix(p.Reason, "not indexed: secret by ")
}

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Tell what is indexed, skipped and failed, and why",
		Long: `Compares the index with the vault: how many notes and passages it holds, how many files are new, changed or gone since
the last run, which notes could not be read as they stand, how many notes there are of each class, and how many secrets were
kept out of which, by the name of the rule. What the ignore rules leave out is not listed.`,
		Example: `  quarry status --vault ~/notes
  quarry status --vault ~/notes --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				status, err := engine.Status(cmd.Context())
				if err != nil {
					return err
				}
				return show(a, status, a.flags.json, func(status quarry.Status) error {
					a.printStatus(status)
					return nil
				})
			})
		},
	}
}

func (a *app) printStatus(s quarry.Status) {
	if s.Notes == 0 && s.Chunks == 0 && s.Model == "" {
		fmt.Fprintf(a.io.Out, "vault     %s\nindex     %s (not built yet)\nto index  %s\n", oneLinePath(s.Vault), oneLinePath(s.DB), counted(s.Stale, "file"))
		a.notice("`quarry index` builds the index; the first search does so too.")
		return
	}
	model := s.Model
	if model == "" {
		model = "none: keyword search alone"
	}
	fmt.Fprintf(a.io.Out, "vault     %s\nindex     %s\nnotes     %d\npassages  %d\nmodel     %s\n",
		oneLinePath(s.Vault), oneLinePath(s.DB), s.Notes, s.Chunks, printable(oneLine(model)))
	a.printWrapped("dialect   "+a.placed(dialectOf(s)), problemIndent)
	fmt.Fprintf(a.io.Out, "stale     %d\n", s.Stale)
	a.printWrapped("classes   "+classesInWords(s.Sensitivity), problemIndent)
	a.printRedactions(s)
	if len(s.Problems) > 0 {
		a.printWrapped(fmt.Sprintf("problems  %d (%s)", len(s.Problems), countByState(s.Problems)), problemIndent)
		a.printProblems(s.Problems, len(s.Problems))
	}
	if len(s.RedactedNotes) > 0 {
		a.notice("`quarry redact --hashes NOTE…` tells the lines, and the hash that lets a value through.")
	}
	for _, n := range s.Notices {
		a.notice("notice: %s", n)
	}
	if s.Stale > 0 {
		a.notice("New, changed or gone since the last run: %s; `quarry index` brings the index up to date.", counted(s.Stale, "file"))
	}
}

// shownRedacted is how many redacted notes are listed for people; --json lists all.
const shownRedacted = 100

// printRedactions lists what was kept out of the index, by rule and number alone.
func (a *app) printRedactions(s quarry.Status) {
	if len(s.Redactions) == 0 {
		fmt.Fprintln(a.io.Out, "secrets   none found")
		return
	}
	a.printWrapped(fmt.Sprintf("secrets   %d kept out of %s (%s)", total(s.Redactions), counted(len(s.RedactedNotes), "note"), rulesInWords(s.Redactions)), problemIndent)
	for i, note := range s.RedactedNotes {
		if i == shownRedacted {
			a.printWrapped(a.placed(fmt.Sprintf("  … and %s more; `quarry status --json` lists all", counted(len(s.RedactedNotes)-i, "note"))), indent)
			break
		}
		a.printWrapped(fmt.Sprintf("  %s: %s", oneLinePath(note.Path), rulesInWords(note.Redactions)), indent)
	}
}

// noticeRedactions tells that secrets were kept out, whichever command has made the index.
func (a *app) noticeRedactions(report quarry.IndexReport) {
	count, verb := 0, "were"
	for _, r := range report.Redactions {
		count += r.Count
	}
	if count == 1 {
		verb = "was"
	}
	if count > 0 {
		a.notice("%s in %s %s kept out; `quarry status` tells which", counted(count, "secret"), counted(report.RedactedNotes, "note"), verb)
	}
}

func total(counts []quarry.RedactionCount) int {
	sum := 0
	for _, c := range counts {
		sum += c.Count
	}
	return sum
}

// rulesInWords are counts such as "2 github-token, 1 password".
func rulesInWords(counts []quarry.RedactionCount) string {
	parts := make([]string, len(counts))
	for i, c := range counts {
		parts[i] = fmt.Sprintf("%d %s", c.Count, c.Name)
	}
	return strings.Join(parts, ", ")
}

// classesInWords are the numbers of notes by class, without those of which there is none.
func classesInWords(s quarry.SensitivityCounts) string {
	var parts []string
	for _, class := range []struct {
		count int
		name  string
	}{{s.Public, "public"}, {s.Internal, "internal"}, {s.Private, "private"}, {s.Secret, "secret (not indexed)"}} {
		if class.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", class.count, class.name))
		}
	}
	return strings.Join(parts, ", ")
}

// dialectOf is the dialect that the vault is read by, with that of the index where it is another.
func dialectOf(s quarry.Status) string {
	if s.IndexDialect == "" || s.IndexDialect == s.Dialect {
		return s.Dialect
	}
	return fmt.Sprintf("%s (the index was built as %s; run `quarry index`)", s.Dialect, s.IndexDialect)
}

// countByState tells how many problems there are of each state, "2 failed, 1 warning".
func countByState(problems []quarry.Problem) string {
	count := map[string]int{}
	for _, p := range problems {
		count[p.State]++
	}
	var parts []string
	for _, state := range slices.Sorted(maps.Keys(count)) {
		name := fmt.Sprintf("%d %s", count[state], state)
		if state == "warning" {
			name = counted(count[state], state)
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, ", ")
}
