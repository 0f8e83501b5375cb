package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"quarry"
	"quarry/internal/eval"
	"quarry/internal/mcpserver"
)

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve the notes to AI clients by MCP, over standard input and output",
		Long: `Speaks the Model Context Protocol on standard input and output, until the input ends.
Tools: obsidian_search. All are read-only; nothing leaves this machine but what a client asks for, and private notes
(docs/configuration.md) are not handed out. A changed configuration counts from the next request on; while it cannot be read,
requests are refused.`,
		Example: `  claude mcp add notes -- quarry mcp --vault ~/notes
  codex mcp add notes -- quarry mcp --vault ~/notes`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			live, err := a.openLive(cmd.Context())
			if err != nil {
				return err
			}
			a.noticeWaiting("Waiting for an MCP client on standard input, which starts this command by itself; Ctrl-C ends it.")
			err = mcpserver.Serve(cmd.Context(), live, versionInfo().Version, io.NopCloser(a.io.In), unclosed{a.out.to})
			return errors.Join(err, live.Close())
		},
	}
}

// unclosed keeps the server from closing the process's own output.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

func (a *app) evalCommand() *cobra.Command {
	var n int
	cmd := &cobra.Command{
		Use:   "eval GOLDEN.jsonl",
		Short: "Measure the ranking on golden queries",
		Long: `Asks each query of a JSON Lines file in each mode and measures the answers: nDCG@10, nDCG@5, recall@10, MRR and
Hit@1, note by note. A line is {"id", "query", "intent": "lookup|concept|mixed", "expected": [{"path", "grade": 1|2}]}.`,
		Example: `  quarry eval --vault examples/vault examples/queries.jsonl`,
		Args:    args(1, 1, "a file of golden queries"),
		RunE: func(cmd *cobra.Command, files []string) error {
			if n < 1 || n > maxLimit {
				return usage(fmt.Sprintf("-n takes 1 to %d", maxLimit), "-n %d is out of range", n)
			}
			if err := a.refuseClient("eval is for the owner: files are not read for clients", "ask by `quarry search`"); err != nil {
				return err
			}
			content, err := interruptible(cmd.Context(), func() ([]byte, error) { return a.readInput(files[0]) })
			if err != nil {
				return err
			}
			queries, err := eval.Load(bytes.NewReader(content))
			if err != nil {
				return &hinted{fmt.Errorf("read %s: %w", files[0], err), "`quarry eval --help` shows the form of a line"}
			}
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error { return a.eval(cmd.Context(), engine, queries, n) })
		},
	}
	cmd.Flags().IntVarP(&n, "limit", "n", eval.DefaultPassages, "passages asked for")
	return cmd
}

// evalTokens is a budget that cuts no answer.
const evalTokens = 1 << 20

func (a *app) eval(ctx context.Context, engine *quarry.Engine, queries []eval.Query, n int) error {
	ask := func(ctx context.Context, query, mode string, n int) ([]string, error) {
		answer, err := engine.Search(ctx, quarry.SearchRequest{
			Query: query, Mode: quarry.Mode(mode), Limit: n, MaxTokens: evalTokens,
			Filter: quarry.Filter{ExcludeArchived: true},
		})
		if err == nil && string(answer.Mode) != mode {
			return nil, eval.ErrNoMode // there is no model, or the index was built with another
		}
		paths := make([]string, len(answer.Results))
		for i, r := range answer.Results {
			paths[i] = r.FilePath
		}
		return paths, err
	}
	var report eval.Report
	err := a.ensureIndex(ctx, engine, func() (err error) {
		report, err = eval.Run(ctx, queries, ask, n)
		return err
	})
	if err != nil {
		return err
	}
	if err := a.noticeMissing(ctx, engine, queries); err != nil {
		return err
	}
	if _, ok := report.ByMode["hybrid"]; !ok {
		a.notice("notice: the index has no vectors of this model: only the lexical mode is measured")
	}
	return show(a, report, a.flags.json, func(report eval.Report) error {
		a.printEval(report)
		return nil
	})
}

func (a *app) printEval(report eval.Report) {
	fmt.Fprintf(a.io.Out, "%s nDCG@10  nDCG@5  recall@10  MRR    Hit@1\n", fmt.Sprintf("%-17s", counted(report.Queries, "query")))
	first := ""
	for _, mode := range []string{"hybrid", "lexical", "vector"} {
		if figures, ok := report.ByMode[mode]; ok {
			a.printFigures(mode, figures)
			first = cmp.Or(first, mode)
		}
	}
	for _, intent := range slices.Sorted(maps.Keys(report.ByIntent)) {
		a.printFigures(first+", "+printable(oneLine(intent)), report.ByIntent[intent].Figures)
	}
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

func (a *app) printFigures(name string, f eval.Figures) {
	fmt.Fprintf(a.io.Out, "%-18s %.3f    %.3f   %.3f      %.3f  %.3f\n", name, f.NDCG10, f.NDCG5, f.Recall10, f.MRR, f.Hit1)
}
