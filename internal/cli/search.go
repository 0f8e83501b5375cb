package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quarry"
)

var searchFormats = []string{"text", "json", "jsonl", "csv", "md", "paths"}

// searchFlags are the flags of `search` beside the filters.
type searchFlags struct {
	request quarry.SearchRequest
	mode    string
	format  string
	fusion  string
	refresh bool
	all     bool
}

func (a *app) searchCommand() *cobra.Command {
	var f searchFlags
	var filters filterFlags
	cmd := &cobra.Command{
		Use:   "search QUERY…",
		Short: "Find passages by words and by meaning",
		Long: `Asks the full-text index and the vectors side by side, joins both rankings, and prints the best passages with
their source. Builds the index first where there is none. Any text is a valid query.

The score, 0 to 1, says how surely the notes speak of this at all; the order comes from both ranks.`,
		Example: `  quarry search how do refresh tokens rotate
  quarry search -n 3 --format paths sourdough
  quarry search --links-to Backups --hops 2 "restore a database"
  quarry search --mode lexical --tag backup --since 2026-01-01 "backup failed"
  quarry search --json --explain "pool size" | jq .plan`,
		Args: args(1, many, "a query"),
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := f.check(); err != nil {
				return err
			}
			f.request.Query, f.request.Mode = strings.Join(words, " "), quarry.Mode(f.mode)
			filter, err := filters.filter()
			if err != nil {
				return err
			}
			f.request.Filter = filter
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error { return a.search(cmd, engine, f) })
		},
	}
	flags := cmd.Flags()
	flags.IntVarP(&f.request.Limit, "limit", "n", quarry.DefaultLimit, "passages at most")
	flags.StringVar(&f.mode, "mode", "hybrid", "hybrid, lexical (words alone) or vector (meaning alone)")
	flags.IntVar(&f.request.MaxTokens, "max-tokens", quarry.DefaultMaxTokens, "bound on all passages together, 4 characters a token")
	flags.Float64Var(&f.request.MinScore, "min-score", 0, "leave out passages with a lower score, 0 to 1")
	flags.BoolVar(&f.all, "all", false, "list doubtful passages too (rank fusion hides none)")
	flags.StringVar(&f.fusion, "fusion", "rrf", "how the two rankings are joined: rrf (reciprocal rank fusion)")
	flags.BoolVar(&f.request.Explain, "explain", false, "show how each passage came by its place")
	flags.BoolVar(&f.refresh, "refresh", false, "bring the index up to date first")
	flags.StringVar(&f.format, "format", "text", strings.Join(searchFormats, ", "))
	filters.register(flags)
	completeWords(cmd, "mode", "hybrid", "lexical", "vector")
	completeWords(cmd, "format", searchFormats...)
	return cmd
}

func (f searchFlags) check() error {
	switch {
	case !slices.Contains(searchFormats, f.format):
		return usage("formats are "+strings.Join(searchFormats, ", "), "there is no format %q", f.format)
	case !slices.Contains([]string{"hybrid", "lexical", "vector"}, f.mode):
		return usage("modes are hybrid, lexical and vector", "there is no mode %q", f.mode)
	case f.fusion != "rrf":
		return usage("this version joins the rankings by rrf alone", "there is no fusion %q", f.fusion)
	case f.request.Limit < 1 || f.request.Limit > maxLimit:
		return usage(fmt.Sprintf("-n takes 1 to %d", maxLimit), "-n %d is out of range", f.request.Limit)
	case f.request.MaxTokens < 1:
		return usage("--max-tokens takes a number above 0", "--max-tokens %d is out of range", f.request.MaxTokens)
	case !(f.request.MinScore >= 0 && f.request.MinScore <= 1): // NaN is out of range too
		return usage("scores are 0 to 1", "--min-score %v is out of range", f.request.MinScore)
	}
	return nil
}

// maxLimit bounds -n.
const maxLimit = 1000

func (a *app) search(cmd *cobra.Command, engine *quarry.Engine, f searchFlags) error {
	ctx := cmd.Context()
	if f.refresh {
		report, err := a.runIndex(ctx, engine, quarry.IndexOptions{})
		if err != nil {
			return err
		}
		a.noticeProblems(report)
	}
	var answer quarry.SearchAnswer
	err := a.ensureIndex(ctx, engine, func() (err error) {
		answer, err = engine.Search(ctx, f.request)
		return err
	})
	if err != nil {
		return err
	}
	if err := noticeArchived(ctx, engine, f.request, &answer); err != nil {
		return err
	}
	return show(a, answer, a.usesJSON(cmd), func(answer quarry.SearchAnswer) error {
		for _, n := range answer.Notices {
			a.notice("notice: %s", n)
		}
		return a.printAnswer(answer, f.format)
	})
}

// noticeArchived asks once more where nothing good was found, and tells if the archived notes that were left out hold it.
func noticeArchived(ctx context.Context, engine *quarry.Engine, request quarry.SearchRequest, answer *quarry.SearchAnswer) error {
	if !request.Filter.ExcludeArchived || answer.Status != quarry.StatusWeak && answer.Status != quarry.StatusNoResults {
		return nil
	}
	request.Filter.ExcludeArchived, request.Limit, request.Explain = false, 1, false
	all, err := engine.Search(ctx, request)
	if err != nil {
		return err
	}
	if all.Status == quarry.StatusOK || len(answer.Results) == 0 && len(all.Results) > 0 {
		answer.Notices = append(answer.Notices, "archived notes match better; --include-archived takes them in")
	}
	return nil
}

func (a *app) contextCommand() *cobra.Command {
	var request quarry.ContextRequest
	var filters filterFlags
	cmd := &cobra.Command{
		Use:   "context TOPIC…",
		Short: "Write a block about a topic, ready for a prompt",
		Long: `Searches, and writes the passages as one block with their sources, fenced so that a model can tell quoted notes
from instructions.`,
		Example: `  quarry context "retry policy" --max-tokens 1500
  quarry context refresh tokens --format xml`,
		Args: args(1, many, "a topic"),
		RunE: func(cmd *cobra.Command, words []string) error {
			if !slices.Contains([]string{"markdown", "json", "xml"}, request.Format) {
				return usage("formats are markdown, json and xml", "there is no format %q", request.Format)
			}
			if request.MaxTokens < 1 {
				return usage("--max-tokens takes a number above 0", "--max-tokens %d is out of range", request.MaxTokens)
			}
			filter, err := filters.filter()
			if err != nil {
				return err
			}
			asJSON := a.usesJSON(cmd)
			if request.Format == "json" {
				request.Format = "markdown"
			}
			request.Topic, request.Filter = strings.Join(words, " "), filter
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				return a.context(cmd, engine, request, asJSON)
			})
		},
	}
	cmd.Flags().IntVar(&request.MaxTokens, "max-tokens", quarry.DefaultContextTokens, "bound on the passages, 4 characters a token")
	cmd.Flags().StringVar(&request.Format, "format", "markdown", "markdown, json or xml")
	filters.register(cmd.Flags())
	completeWords(cmd, "format", "markdown", "json", "xml")
	return cmd
}

func (a *app) context(cmd *cobra.Command, engine *quarry.Engine, request quarry.ContextRequest, asJSON bool) error {
	var answer quarry.ContextAnswer
	err := a.ensureIndex(cmd.Context(), engine, func() (err error) {
		answer, err = engine.Context(cmd.Context(), request)
		return err
	})
	if err != nil {
		return err
	}
	return show(a, answer, asJSON, func(answer quarry.ContextAnswer) error {
		_, err := fmt.Fprint(a.io.Out, a.screen(answer.Text))
		return err
	})
}

func completeWords(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) //nolint:forbidigo // the flag's name is a mistake in this package
	}
}
