package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"quarry"
	"quarry/internal/eval"
)

// evalFlags are those of eval.
type evalFlags struct {
	n          int
	worst      int
	save, diff string // files
}

func (a *app) evalCommand() *cobra.Command {
	var flags evalFlags
	cmd := &cobra.Command{
		Use:   "eval GOLDEN.jsonl",
		Short: "Measure the ranking on golden queries",
		Long: `Asks each query of a JSON Lines file in each mode, and by both fusions, and measures the answers: nDCG@10, nDCG@5, recall@10,
MRR and Hit@1, note by note. A line is {"id", "query", "intent": "lookup|concept|mixed", "expected": [{"path", "section",
"grade": 1|2}]}; the section may be left out. Where sections are expected, section@10 is the share of those queries that one
is among the first ten passages of.

The differences of hybrid search stand with the interval that holds 95 % of 10,000 samples of the queries (paired bootstrap).
With 20 or 30 queries it is wide: what it includes 0 in may be chance.

--save keeps a run, --diff compares this one with it: which queries gained, which lost. ` + "`quarry eval add`" + ` adds a query.`,
		Example: `  quarry eval --vault examples/vault examples/queries.jsonl
  quarry eval --vault examples/vault examples/queries.jsonl --worst 5
  quarry eval ~/golden.jsonl --save ~/before.json
  quarry eval ~/golden.jsonl --diff ~/before.json`,
		Args: args(1, 1, "a file of golden queries"),
		RunE: func(cmd *cobra.Command, files []string) error {
			switch {
			case flags.n < 1 || flags.n > maxLimit:
				return usage(fmt.Sprintf("-n takes 1 to %d", maxLimit), "-n %d is out of range", flags.n)
			case flags.worst < 0:
				return usage("--worst takes 0 or more", "--worst %d is out of range", flags.worst)
			}
			if err := a.refuseClient("eval is for the owner: files are not read for clients", "ask by `quarry search`"); err != nil {
				return err
			}
			queries, err := a.readGolden(cmd.Context(), files[0])
			if err != nil {
				return err
			}
			before, err := a.readSaved(cmd.Context(), flags.diff)
			if err != nil {
				return err
			}
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				report, err := a.eval(cmd.Context(), engine, queries, flags.n)
				if err != nil {
					return err
				}
				return a.giveReport(report, before, flags)
			})
		},
	}
	cmd.Flags().IntVarP(&flags.n, "limit", "n", eval.DefaultPassages, "passages asked for")
	cmd.Flags().IntVar(&flags.worst, "worst", 0, "list so many `queries` that did worst, and what stood first instead")
	cmd.Flags().StringVar(&flags.save, "save", "", "keep this run in a `file`, to compare later ones with")
	cmd.Flags().StringVar(&flags.diff, "diff", "", "compare with the run in a `file`: what gained, what lost")
	cmd.AddCommand(a.evalAddCommand())
	return cmd
}

// readGolden reads a file of golden queries, or those on standard input.
func (a *app) readGolden(ctx context.Context, file string) ([]eval.Query, error) {
	content, err := interruptible(ctx, func() ([]byte, error) { return a.readInput(file) })
	if err != nil {
		return nil, err
	}
	queries, err := eval.Load(bytes.NewReader(content))
	if err != nil {
		return nil, &hinted{fmt.Errorf("read %s: %w", file, err), "`quarry eval --help` shows the form of a line, `quarry eval add` writes one"}
	}
	return queries, nil
}

// readSaved reads a run that was saved; nil where none is named.
func (a *app) readSaved(ctx context.Context, file string) (*eval.Report, error) {
	if file == "" {
		return nil, nil
	}
	content, err := interruptible(ctx, func() ([]byte, error) { return a.readInput(file) })
	if err != nil {
		return nil, err
	}
	report, err := eval.ReadReport(content)
	if err != nil {
		return nil, &hinted{fmt.Errorf("read %s: %w", file, err), "`quarry eval GOLDEN.jsonl --save FILE` makes one"}
	}
	return &report, nil
}

// evalTokens is a budget that cuts no answer.
const evalTokens = 1 << 20

// eval measures, and tells of what could not be.
func (a *app) eval(ctx context.Context, engine *quarry.Engine, queries []eval.Query, n int) (eval.Report, error) {
	ask := func(ctx context.Context, query string, way eval.Way, n int) (eval.Answer, error) {
		answer, err := engine.Search(ctx, quarry.SearchRequest{
			Query: query, Mode: quarry.Mode(way.Mode), Fusion: quarry.Fusion(way.Fusion), Limit: n, MaxTokens: evalTokens, Explain: true,
			Filter: quarry.Filter{ExcludeArchived: true},
		})
		if err == nil && string(answer.Mode) != way.Mode {
			return eval.Answer{}, eval.ErrNoMode // there is no model, or the index was built with another
		}
		return evalAnswer(answer), err
	}
	var report eval.Report
	err := a.ensureIndex(ctx, engine, func() (err error) {
		report, err = eval.Run(ctx, queries, ask, n)
		return err
	})
	if err != nil {
		return report, err
	}
	if err := a.noticeMissing(ctx, engine, queries); err != nil {
		return report, err
	}
	if _, ok := report.ByMode["hybrid"]; !ok {
		a.notice("notice: the index has no vectors of this model: only the lexical mode is measured")
	}
	return report, nil
}

// evalAnswer is an answer as it is measured.
func evalAnswer(answer quarry.SearchAnswer) eval.Answer {
	out := eval.Answer{Status: string(answer.Status), Passages: make([]eval.Passage, len(answer.Results))}
	if answer.Plan != nil {
		out.Fusion = answer.Plan.Fusion
	}
	for i, r := range answer.Results {
		out.Passages[i] = eval.NewPassage(r.FilePath, r.Title, r.HeadingPath, r.ChunkText)
	}
	return out
}

// noticeMissing tells how many of the expected notes no ranking can bring, since they are not there.
func (a *app) noticeMissing(ctx context.Context, engine *quarry.Engine, queries []eval.Query) error {
	notes, err := engine.List(ctx, quarry.ListRequest{})
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, n := range notes {
		known[n.FilePath] = true
	}
	expected, missing := map[string]bool{}, 0
	for _, q := range queries {
		for path := range q.Grades {
			if !expected[path] && !known[path] {
				missing++
			}
			expected[path] = true
		}
	}
	if missing > 0 {
		a.notice("notice: of %s %d %s not in the index", counted(len(expected), "expected note"), missing, isOrAre(missing))
	}
	return nil
}

// giveReport saves a report and writes it, with what changed since an earlier one.
func (a *app) giveReport(report eval.Report, before *eval.Report, flags evalFlags) error {
	if flags.save != "" {
		if err := a.saveReport(flags.save, report); err != nil {
			return err
		}
	}
	if before != nil {
		diff := eval.Compare(*before, report)
		report.Diff = &diff
	}
	if flags.worst > 0 {
		report.Worst = report.Lowest(flags.worst)
	}
	return show(a, report, a.flags.json, func(report eval.Report) error {
		a.printEval(report)
		return nil
	})
}

// saveReport keeps a report. A file that holds anything but one is left alone.
func (a *app) saveReport(file string, report eval.Report) error {
	path := a.absolute(file)
	if isForeign(path) {
		return &hinted{fmt.Errorf("save the run as %s: something else is there", file), "name another file"}
	}
	document, err := json.MarshalIndent(report, "", " ")
	if err != nil {
		return fmt.Errorf("save the run: %w", err)
	}
	document = append(a.redactor().RedactJSON(document), '\n')
	if err := replaceFile(path, document); err != nil {
		return &hinted{fmt.Errorf("save the run as %s: %w", file, plain(err)), "name a file in a folder that can be written to"}
	}
	a.notice("Saved as %s; `quarry eval GOLDEN.jsonl --diff %s` compares with it.", file, file)
	return nil
}

// isForeign tells of a place that is taken by anything but a saved run or an empty file.
func isForeign(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false // nothing is there, or writing will tell
	}
	if !info.Mode().IsRegular() || info.Size() > maxRedactBytes {
		return true
	}
	held, err := os.ReadFile(path)
	if err != nil || len(bytes.TrimSpace(held)) == 0 {
		return err != nil
	}
	_, err = eval.ReadReport(held)
	return err != nil
}

// replaceFile writes a file in one step: whoever reads it sees the old content, which is none of a new file, or the new one, also
// after a crash. Its mode stays.
func replaceFile(path string, content []byte) error {
	old, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644) // a new one has the mode that the user gives to files
	if err != nil {
		return err
	}
	info, err := old.Stat()
	if err = errors.Join(err, old.Close()); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".quarry-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(content)
	if err = errors.Join(err, temporary.Chmod(info.Mode().Perm()), temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}
