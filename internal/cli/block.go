package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quarry"
)

// blockList is what `block list` and `block refresh` give.
type blockList struct {
	Blocks []quarry.Block `json:"blocks"`
}

func (a *app) blockCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "block",
		Short: "Blocks of context that sessions of an AI client begin with",
		Long: `A block is a query of the configuration with a budget, of which the answer is kept, so that each session begins with the same
text and the client's prompt cache hits. It is built anew when its time is over, when a note in it changed, went or became
private, and when the settings changed.

  [blocks.conventions]
  query = "API conventions"
  max_tokens = 1000
  ttl_hours = 168
  filters = {tag = "api", include_archived = false}

Without a command the blocks are listed. docs/blocks.md tells more.`,
		Example: `  quarry block list
  quarry block show conventions
  quarry block session`,
		Args: func(cmd *cobra.Command, words []string) error {
			if len(words) == 0 {
				return nil
			}
			hint := "`quarry block --help` lists the commands"
			if near := cmd.SuggestionsFor(words[0]); len(near) > 0 {
				hint = fmt.Sprintf("did you mean `quarry block %s`? %s", near[0], hint)
			}
			return usage(hint, "block has no command %q", words[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listBlocks(cmd.Context()) },
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(a.blockListCommand(), a.blockShowCommand(), a.blockRefreshCommand(), a.blockSessionCommand())
	return cmd
}

func (a *app) blockListCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the blocks: state, tokens, age, sources",
		Long:    "Lists the blocks in the order of the configuration, without building any: what is kept of each, and whether that counts. --json names\nthe notes that each was made of.",
		Example: "  quarry block list\n  quarry block list --json",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.listBlocks(cmd.Context()) },
	}
}

func (a *app) listBlocks(ctx context.Context) error {
	return a.withEngine(ctx, func(engine *quarry.Engine) error {
		blocks, err := engine.Blocks(ctx)
		if err != nil {
			return err
		}
		return show(a, blockList{blocks}, a.flags.json, a.printBlocks)
	})
}

func (a *app) blockShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "show NAME",
		Short:   "Print a block, which is built where nothing that counts is kept",
		Example: "  quarry block show conventions\n  quarry block show conventions --json",
		Args:    args(1, 1, "the name of a block"),
		RunE: func(cmd *cobra.Command, names []string) error {
			ctx := cmd.Context()
			return a.withEngine(ctx, func(engine *quarry.Engine) error {
				block, err := a.blockNamed(ctx, engine, names[0], false)
				if err != nil {
					return err
				}
				return show(a, block, a.flags.json, func(block quarry.Block) error {
					for _, n := range block.Notices {
						a.notice("notice: %s", asFlags(n))
					}
					_, err := fmt.Fprint(a.io.Out, a.screen(block.Text))
					return err
				})
			})
		},
	}
}

func (a *app) blockRefreshCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "refresh [NAME]",
		Short:   "Build a block anew, or all of them",
		Example: "  quarry block refresh\n  quarry block refresh conventions",
		Args:    args(0, 1, "the name of a block"),
		RunE: func(cmd *cobra.Command, names []string) error {
			ctx := cmd.Context()
			return a.withEngine(ctx, func(engine *quarry.Engine) error {
				if len(names) == 0 {
					blocks, err := engine.Blocks(ctx)
					if err != nil {
						return err
					}
					for _, block := range blocks {
						names = append(names, block.Name)
					}
				}
				list := blockList{Blocks: []quarry.Block{}}
				for _, name := range names {
					block, err := a.blockNamed(ctx, engine, name, true)
					if err != nil {
						return err
					}
					block.Text = ""
					list.Blocks = append(list.Blocks, block)
				}
				return show(a, list, a.flags.json, a.printBlocks)
			})
		},
	}
}

// blockNamed gives a block, and builds the index first where there is none.
func (a *app) blockNamed(ctx context.Context, engine *quarry.Engine, name string, refresh bool) (block quarry.Block, err error) {
	err = a.ensureIndex(ctx, engine, func() (err error) {
		block, err = engine.Block(ctx, name, refresh)
		return err
	})
	if !errors.Is(err, quarry.ErrNoBlock) {
		return block, err
	}
	blocks, listErr := engine.Blocks(ctx)
	var names []string
	for _, known := range blocks {
		names = append(names, known.Name)
	}
	hint := "the configuration has no block; docs/blocks.md tells how one is written"
	if near := nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean `%s`? `quarry block list` lists the blocks", near)
	} else if len(names) > 0 {
		hint = "`quarry block list` lists the blocks"
	}
	return block, errors.Join(listErr, &hinted{err, hint})
}

func (a *app) blockSessionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "session",
		Short: "Print what a session begins with, and what it costs",
		Long: `Prints the blocks that fit the budget, in the order of the configuration, as a session of a client that quarry was set up for gets
them. What they cost, and what was left out, stands on standard error.`,
		Example: "  quarry block session\n  quarry block session --audience client\n  quarry block session --json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				session, err := engine.Session(cmd.Context())
				if err != nil {
					return err
				}
				return show(a, session, a.flags.json, a.printSession)
			})
		},
	}
}

func (a *app) printSession(s quarry.Session) error {
	for _, n := range s.Notices {
		a.notice("notice: %s", asFlags(n))
	}
	if _, err := fmt.Fprint(a.io.Out, a.screen(s.Text)); err != nil {
		return err
	}
	a.noticeCost(s)
	if len(s.Blocks)+len(s.LeftOut) == 0 {
		a.notice(noBlocks)
	}
	return nil
}

// noticeCost tells what a session's beginning costs, and how its budget is shared out.
func (a *app) noticeCost(s quarry.Session) {
	row := func(name string, tokens, most int) {
		a.notice("%-24s %6s  %6d", name, tokensOrDash(tokens), most)
	}
	a.notice("%-24s %6s  %6s", "", "TOKENS", "BUDGET")
	row(counted(len(s.Blocks), "block"), s.Tokens, s.Budget.Blocks)
	for i := range s.Blocks {
		row("  "+s.Blocks[i].Name, s.Blocks[i].Tokens, s.Blocks[i].MaxTokens)
	}
	row("system", 0, s.Budget.System)
	row("searches", 0, s.Budget.Search)
	row("conversation", 0, s.Budget.Conversation)
	row("in all", s.Tokens, s.Budget.System+s.Budget.Blocks+s.Budget.Search+s.Budget.Conversation)
}

// tokensOrDash is a number of tokens, "-" where there are none to tell.
func tokensOrDash(tokens int) string {
	if tokens == 0 {
		return "-"
	}
	return strconv.Itoa(tokens)
}

const noBlocks = "The configuration has no block; docs/blocks.md tells how one is written."

func (a *app) printBlocks(list blockList) error {
	if len(list.Blocks) == 0 {
		a.notice(noBlocks)
		return nil
	}
	rows := [][]string{{"NAME", "STATE", "TOKENS", "AGE", "SOURCES"}}
	for i := range list.Blocks {
		rows = append(rows, blockRow(&list.Blocks[i], time.Now()))
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	for i, row := range rows {
		var b strings.Builder
		for at, cell := range row[:len(row)-1] {
			b.WriteString(cell + strings.Repeat(" ", widths[at]-len(cell)+2))
		}
		line := strings.TrimRight(b.String()+row[len(row)-1], " ")
		if i == 0 {
			line = a.style(styleFaint, line)
		}
		fmt.Fprintln(a.io.Out, line)
	}
	for i := range list.Blocks {
		for _, n := range list.Blocks[i].Notices {
			a.notice("notice: %s: %s", list.Blocks[i].Name, asFlags(n))
		}
	}
	return nil
}

func blockRow(b *quarry.Block, now time.Time) []string {
	tokens, age := fmt.Sprintf("%d of %d", b.Tokens, b.MaxTokens), "-"
	if b.Status == "" {
		tokens = fmt.Sprintf("- of %d", b.MaxTokens)
	}
	if built, err := time.Parse(time.RFC3339, b.Built); err == nil {
		age = ageInWords(now.Sub(built))
	}
	notes := map[string]bool{}
	for _, s := range b.Sources {
		notes[s.FilePath] = true
	}
	sources := "-"
	if len(notes) > 0 {
		sources = counted(len(notes), "note")
	}
	return []string{b.Name, b.State, tokens, age, sources}
}

// ageInWords is how long ago something was, in its largest unit.
func ageInWords(age time.Duration) string {
	switch {
	case age < time.Minute:
		return "now"
	case age < time.Hour:
		return fmt.Sprintf("%d min", int(age.Minutes()))
	case age < 48*time.Hour:
		return fmt.Sprintf("%d h", int(age.Hours()))
	}
	return fmt.Sprintf("%d days", int(age.Hours()/24))
}
