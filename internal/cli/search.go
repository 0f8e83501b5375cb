package cli

import (
	"errors"
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
	days    []string // which days were meant by the words for them
}

func (a *app) searchCommand() *cobra.Command {
	var f searchFlags
	var filters filterFlags
	cmd := &cobra.Command{
		Use:   "search QUERY…",
		Short: "Find passages by words and by meaning",
		Long:  searchHelp,
		Example: `  quarry search how do refresh tokens rotate
  quarry search -n 3 --format paths sourdough
  quarry search '"advisory lock" OR pgbouncer'
  quarry search 'pool tag:postgres -drill'
  quarry search tag:backup since:2026-01-01
  quarry search --links-to Backups --hops 2 "restore a database"
  quarry search --mode lexical --tag backup --since 2026-01-01 "backup failed"
  quarry search --like "Refresh token rotation"
  quarry search --expand "connection storm"
  quarry search --explain -n 3 "pool size"
  quarry search --json --explain "pool size" | jq .plan`,
		Args: func(cmd *cobra.Command, words []string) error {
			if f.request.Like != "" || filters.any(cmd.Flags()) {
				return nil // the note, or the filters, ask
			}
			return args(1, many, "a query")(cmd, words)
		},
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := f.check(cmd.Flags().Changed("like")); err != nil {
				return err
			}
			f.request.Query, f.request.Mode, f.request.Fusion = strings.Join(words, " "), quarry.Mode(f.mode), quarry.Fusion(f.fusion)
			filter, err := filters.filter()
			if err != nil {
				return err
			}
			f.request.Filter, f.days = filter, filters.days(filter)
			if f.request.Like == "" && !filter.Narrows() && strings.TrimSpace(f.request.Query) == "" {
				return usage("write what to look for; filters such as --tag list notes without words, and `quarry ls` lists all", "the query is empty")
			}
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error { return a.search(cmd, engine, f) })
		},
	}
	flags := cmd.Flags()
	flags.IntVarP(&f.request.Limit, "limit", "n", quarry.DefaultLimit, "passages at most")
	flags.StringVar(&f.mode, "mode", "hybrid", "hybrid, lexical (words alone) or vector (meaning alone)")
	flags.IntVar(&f.request.MaxTokens, "max-tokens", quarry.DefaultMaxTokens, "bound on all passages together, 4 characters a token")
	flags.Float64Var(&f.request.MinScore, "min-score", 0, "leave out passages with a lower score, 0 to 1")
	flags.BoolVar(&f.request.All, "all", false, "list the nearest passages, too, where nothing relevant was found")
	flags.StringVar(&f.request.Like, "like", "", "passages near to this `note`, or to a part of it, by meaning and words (\"Note#Heading\"); a query adds to it")
	flags.BoolVar(&f.request.Expand, "expand", false, "add notes that links join to the best hits, and say how")
	flags.StringVar(&f.fusion, "fusion", "", "sum (scores are added) or rrf (ranks are fused); otherwise what the configuration says, or sum")
	flags.BoolVar(&f.request.Explain, "explain", false, "show how the query was understood, and what each score is the sum of")
	flags.BoolVar(&f.refresh, "refresh", false, "bring the index up to date first")
	flags.StringVar(&f.format, "format", "text", strings.Join(searchFormats, ", "))
	filters.register(flags)
	completeWords(cmd, "mode", "hybrid", "lexical", "vector")
	completeWords(cmd, "fusion", fusions...)
	completeWords(cmd, "format", searchFormats...)
	return cmd
}

// searchHelp is what `quarry help search` says first.
const searchHelp = `Finds passages by words and by meaning, and prints the best with their source. Builds the index first where there is none.

A query is plain words; any text is one. It may hold
  "side by side"            words that stand so in the passage
  -word                     passages with it are left out
  one OR other              either
  tag:a/b  #a/b             notes with the tag, or one below it
  type:  status:  domain:   properties of the note
  path:  file:  folder:     part of its path, of its file's name, its folder
  title:  section:          part of its title, of a heading
  since:7d  until:2026-01   by the day it was updated
  [prop:value]  [prop]      any other property
  links-to:  linked-by:     by links
  ( )                       what belongs together
A "-" in front of any of these excludes. A query that begins with one stands behind --, and flags before that:
  quarry search -n 3 -- -draft tag:project
Without words the notes are listed, newest first.

The score, 0 to 1, says how surely the notes speak of the matter at all, and not that a passage is right. Where it is low the
match is called weak, and where it is very low nothing is listed unless --all is given. docs/searching.md tells more.`

func (f searchFlags) check(isLike bool) error {
	switch {
	case !slices.Contains(searchFormats, f.format):
		return usage("formats are "+strings.Join(searchFormats, ", "), "there is no format %q", f.format)
	case !slices.Contains([]string{"hybrid", "lexical", "vector"}, f.mode):
		return usage("modes are hybrid, lexical and vector", "there is no mode %q", f.mode)
	case f.fusion != "" && !slices.Contains(fusions, f.fusion):
		return usage("fusions are "+strings.Join(fusions, " and "), "there is no fusion %q", f.fusion)
	case isLike && strings.TrimSpace(f.request.Like) == "":
		return usage("--like takes a note's path, name or #docid", "--like needs a note")
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
	isBusy := false
	if f.refresh {
		report, err := a.runIndex(ctx, engine, quarry.IndexOptions{})
		if isBusy = errors.Is(err, quarry.ErrBusy); err != nil && !isBusy {
			return err
		}
		a.noticeProblems(report)
	}
	var answer quarry.SearchAnswer
	request := f.request
	request.Explain = request.Explain || f.format == "text" && !a.flags.json // what words tell decides what is shown of a passage
	err := a.ensureIndex(ctx, engine, func() (err error) {
		answer, err = engine.Search(ctx, request)
		return err
	})
	if err != nil {
		return err
	}
	if answer.Status == quarry.StatusNoResults {
		answer.Notices = append(answer.Notices, f.days...)
	}
	if isBusy {
		answer.Notices = append(answer.Notices, noticeBusy)
	}
	return show(a, answer, a.usesJSON(cmd), func(answer quarry.SearchAnswer) error {
		for _, n := range answer.Notices {
			a.notice("notice: %s", asSearchFlags(n))
		}
		return a.printAnswer(answer, f, linesFrom(ctx, engine))
	})
}

func (a *app) contextCommand() *cobra.Command {
	var request quarry.ContextRequest
	var filters filterFlags
	var expands bool
	cmd := &cobra.Command{
		Use:   "context TOPIC…",
		Short: "Write a block about a topic, ready for a prompt",
		Long: `Searches, and writes the passages as one block with their sources, fenced so that a model can tell quoted notes
from instructions. The best come with what goes on around them, and behind them stands what links lead to. The block says where
the notes may not speak of the topic, and quotes nothing where they do not seem to.`,
		Example: `  quarry context "retry budget" --max-tokens 1500
  quarry context "connection storm" --expand=false
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
			if strings.TrimSpace(strings.Join(words, "")) == "" {
				return usage("write what the block is to be about", "the topic is empty")
			}
			asJSON := a.usesJSON(cmd)
			if request.Format == "json" {
				request.Format = "markdown"
			}
			request.Topic, request.Filter, request.HitsAlone = strings.Join(words, " "), filter, !expands
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				return a.context(cmd, engine, request, asJSON)
			})
		},
	}
	cmd.Flags().IntVar(&request.MaxTokens, "max-tokens", quarry.DefaultContextTokens, "bound on the block, 4 characters a token")
	cmd.Flags().BoolVar(&expands, "expand", true, "take in what links lead to from the best passages (--expand=false: the passages alone)")
	cmd.Flags().BoolVar(&request.All, "all", false, "quote the nearest passages, too, where nothing relevant was found")
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
		for _, n := range answer.Notices {
			a.notice("notice: %s", asFlags(n))
		}
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
