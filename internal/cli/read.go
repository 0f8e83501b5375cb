package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"

	"quarry"
	"quarry/internal/budget"
)

func (a *app) getCommand() *cobra.Command {
	var maxTokens int
	cmd := &cobra.Command{
		Use:   "get ADDRESS…",
		Short: "Print a note, a section, a block or some lines",
		Long: `Prints what the addresses name, as it lies on disk now, with secrets redacted.

An address is
  a path                02-areas/Operations/Backups.md
  a name                Backups   "Refresh token rotation"
  a section             "Backups#The drill"   "Backups#Backups#The check"
  a block               "Refresh token rotation#^one-use"
  lines                 Backups:20:5         (5 lines from line 20)
  a note's short id     "#0cc19e"            (as search prints it)
  a pattern             "02-areas/*/*.md"`,
		Example: `  quarry get "Backups#The drill"
  quarry get --max-tokens 500 02-areas/Operations/Backups.md
  quarry get --json '#0cc19e'`,
		Args: args(1, many, "an address"),
		RunE: func(cmd *cobra.Command, addresses []string) error {
			if maxTokens < 0 {
				return usage("--max-tokens takes a number above 0", "--max-tokens %d is out of range", maxTokens)
			}
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				excerpts, err := engine.Read(cmd.Context(), addresses, maxTokens)
				if err != nil {
					return err
				}
				return show(a, excerptList{excerpts}, a.flags.json, func(list excerptList) error { return a.printExcerpts(list.Results) })
			})
		},
	}
	cmd.Flags().IntVar(&maxTokens, "max-tokens", 0, "bound on all texts together, 4 characters a token (0: none)")
	return cmd
}

type excerptList struct {
	Results []quarry.Excerpt `json:"results"`
}

func (a *app) printExcerpts(excerpts []quarry.Excerpt) error {
	for i, e := range excerpts {
		if len(excerpts) > 1 {
			if i > 0 {
				fmt.Fprintln(a.io.Out)
			}
			fmt.Fprintln(a.io.Out, a.style(stylePath, fmt.Sprintf("%s:%d", oneLinePath(e.FilePath), e.LineStart)))
		}
		text := a.screen(e.Text)
		if _, err := io.WriteString(a.io.Out, text); err != nil {
			return err
		}
		if text != "" && text[len(text)-1] != '\n' {
			fmt.Fprintln(a.io.Out)
		}
		if e.Truncated {
			a.notice("notice: %s was cut to the budget", oneLinePath(e.FilePath))
		}
	}
	return nil
}

func (a *app) lsCommand() *cobra.Command {
	request, maxTokens := quarry.ListRequest{}, 0
	var filters filterFlags
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List notes by filter",
		Example: `  quarry ls --tag runbook --sort updated
  quarry ls --folder 01-projects -n 100
  quarry ls --links-to Backups --sort updated
  quarry ls --linked-by "Refresh token rotation" --hops 2
  quarry ls --type signal --since 2026-01-01 --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, ok := quarry.Sorts[request.Sort]; !ok {
				return usage("orders are path, updated, created and title", "there is no order %q", request.Sort)
			}
			if request.Limit < 0 {
				return usage("-n takes 0 (all) or more", "-n %d is out of range", request.Limit)
			}
			if maxTokens < 0 {
				return usage("--max-tokens takes a number above 0", "--max-tokens %d is out of range", maxTokens)
			}
			var err error
			if request.Filter, err = filters.filter(); err != nil {
				return err
			}
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error { return a.ls(cmd.Context(), engine, request, maxTokens) })
		},
	}
	cmd.Flags().StringVar(&request.Sort, "sort", "path", "path, updated, created or title")
	cmd.Flags().IntVarP(&request.Limit, "limit", "n", 20, "notes at most (0: all)")
	cmd.Flags().IntVar(&maxTokens, "max-tokens", 0, "bound on the list, 4 characters a token (0: none); that it was cut is told")
	filters.register(cmd.Flags())
	completeWords(cmd, "sort", "path", "updated", "created", "title")
	return cmd
}

func (a *app) ls(ctx context.Context, engine *quarry.Engine, request quarry.ListRequest, maxTokens int) error {
	var list noteList
	err := a.ensureIndex(ctx, engine, func() (err error) {
		list.Notes, err = engine.List(ctx, request)
		return err
	})
	if err != nil {
		return err
	}
	if a.flags.json {
		b := budget.New(maxTokens)
		list.Notes = budget.Within(b, list.Notes)
		list.Truncated = b.IsSpent()
	}
	var unknown []string
	if len(list.Notes) == 0 {
		if unknown, err = engine.UnknownFilters(ctx, request.Filter); err != nil {
			return err
		}
	}
	return show(a, list, a.flags.json, func(list noteList) error {
		shown := a.printNotes(list.Notes, budget.New(maxTokens))
		switch count := len(list.Notes); {
		case count == 0:
			for _, notice := range unknown {
				a.notice("notice: %s", notice)
			}
			a.notice("No note matches. `quarry ls` without filters lists all; archived notes need --include-archived.")
		case shown < count:
			a.notice("notice: %d of %s were cut to the budget", count-shown, counted(count, "note"))
		case count == request.Limit:
			a.notice("Shown: %s; `-n 0` lists all.", counted(count, "note"))
		}
		return nil
	})
}

type noteList struct {
	Notes     []quarry.NoteSummary `json:"notes"`
	Truncated bool                 `json:"truncated,omitempty"` // to the budget
}

// printNotes writes a row a note, as long as there is room: date, path, title. Titles stand below each other: on a terminal all
// of them, elsewhere as far as the paths of most notes let them, since none is cut there. It tells how many rows it wrote.
func (a *app) printNotes(notes []quarry.NoteSummary, b *budget.Budget) (shown int) {
	const dateColumns = len("2006-01-02  ") + len("  ")
	room := a.width() - dateColumns
	column := min(usualWidth(notes), room/2)
	if a.io.OutTerminal {
		column = pathColumn(notes, room)
	}
	for _, n := range notes {
		date, path, title := printable(oneLine(n.Updated)), oneLinePath(n.FilePath), printable(oneLine(n.Title))
		if a.io.OutTerminal {
			path = cutMiddle(path, column)
			title = runewidth.Truncate(title, max(room-column, 1), "…")
		}
		gap := strings.Repeat(" ", max(column-runewidth.StringWidth(path), 0))
		if !b.Takes(utf8.RuneCountInString(date + path + gap + title)) {
			break
		}
		fmt.Fprintf(a.io.Out, "%s  %s%s  %s\n", date, a.style(stylePath, path), gap, title)
		shown++
	}
	return shown
}

// pathColumn is the width that all paths get: what the titles leave, but two thirds of the room at least, if they need it, since
// a title mostly says what the path does.
func pathColumn(notes []quarry.NoteSummary, room int) int {
	path, title := 0, 0
	for i := range notes {
		path = max(path, runewidth.StringWidth(oneLinePath(notes[i].FilePath)))
		title = max(title, runewidth.StringWidth(printable(oneLine(notes[i].Title))))
	}
	return min(path, max(room*2/3, room-title))
}

// usualWidth is the width that three quarters of the paths have room in.
func usualWidth(notes []quarry.NoteSummary) int {
	if len(notes) == 0 {
		return 0
	}
	widths := make([]int, len(notes))
	for i, n := range notes {
		widths[i] = runewidth.StringWidth(oneLinePath(n.FilePath))
	}
	slices.Sort(widths)
	return widths[(len(widths)-1)*3/4]
}

func (a *app) parseCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "parse FILE",
		Short:   "Print a note as it was understood (JSON)",
		Long:    "Reads one note and prints its properties, headings, links, tags, tasks and blocks. Needs no index.",
		Example: `  quarry parse 02-areas/Operations/Backups.md | jq .links`,
		Args:    args(1, 1, "a file"),
		RunE: func(cmd *cobra.Command, files []string) error {
			return a.withFile(cmd.Context(), files[0], func(engine *quarry.Engine, path string) error {
				parsed, err := engine.Parse(cmd.Context(), path)
				if err != nil {
					return err
				}
				return a.writeJSON(parsed)
			})
		},
	}
}

func (a *app) chunksCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "chunks FILE",
		Short:   "Print a note's passages as they would be stored (JSON)",
		Long:    "Cuts one note into passages, secrets redacted, as the index would hold them. Needs no index, and looks at no other note: where another has the same id, the index calls both by their paths.",
		Example: `  quarry chunks 02-areas/Operations/Backups.md | jq -r '.chunks[].section'`,
		Args:    args(1, 1, "a file"),
		RunE: func(cmd *cobra.Command, files []string) error {
			return a.withFile(cmd.Context(), files[0], func(engine *quarry.Engine, path string) error {
				list, err := engine.Chunks(cmd.Context(), path)
				if err != nil {
					return err
				}
				return a.writeJSON(list)
			})
		},
	}
}
