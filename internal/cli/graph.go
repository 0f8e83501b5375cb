package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quarry"
)

func (a *app) linksCommand() *cobra.Command {
	var out, back bool
	cmd := &cobra.Command{
		Use:   "links NOTE",
		Short: "Print the links from and to a note",
		Example: `  quarry links "Refresh tokens"
  quarry links --back 01-projects/auth.md --json`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, names []string) error {
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				var links quarry.NoteLinks
				err := a.ensureIndex(cmd.Context(), engine, func() (err error) {
					links, err = engine.Links(cmd.Context(), names[0])
					return err
				})
				if err != nil {
					return err
				}
				if out && !back {
					links.Back = links.Back[:0]
				}
				if back && !out {
					links.Out = links.Out[:0]
				}
				if a.flags.json {
					return writeJSON(a.io.Out, links)
				}
				a.printLinks(links)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&out, "out", false, "the links from the note alone")
	cmd.Flags().BoolVar(&back, "back", false, "the links to the note alone")
	return cmd
}

func (a *app) printLinks(links quarry.NoteLinks) {
	for _, l := range links.Out {
		to := "(" + string(l.State) + ")"
		if l.Resolved != nil {
			to = a.style(stylePath, oneLinePath(*l.Resolved))
		}
		fmt.Fprintf(a.io.Out, "→ %s%s  %s  line %d, %s\n", oneLinePath(l.Target), oneLinePath(l.Subpath), to, l.Line, l.Kind)
	}
	for _, l := range links.Back {
		fmt.Fprintf(a.io.Out, "← %s  line %d, %s\n", a.style(stylePath, oneLinePath(l.Source)), l.Line, l.Kind)
	}
	if len(links.Out)+len(links.Back) == 0 {
		a.notice("No links from or to %s.", oneLinePath(links.Note))
	}
}

func (a *app) graphCommand() *cobra.Command {
	formats := []string{"json", "dot", "graphml"}
	var format string
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Print the whole graph of notes",
		Example: `  quarry graph --format dot | dot -Tsvg > notes.svg
  quarry graph | jq '.nodes | sort_by(-.pagerank) | .[:10]'`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains(formats, format) {
				return usage("formats are json, dot and graphml", "there is no format %q", format)
			}
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				var graph quarry.Graph
				err := a.ensureIndex(cmd.Context(), engine, func() (err error) {
					graph, err = engine.Graph(cmd.Context())
					return err
				})
				if err != nil {
					return err
				}
				return a.printGraph(graph, format)
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "json", "json, dot or graphml")
	completeWords(cmd, "format", formats...)
	return cmd
}

func (a *app) printGraph(graph quarry.Graph, format string) error {
	write := graph.WriteJSON
	switch format {
	case "dot":
		write = graph.WriteDOT
	case "graphml":
		write = graph.WriteGraphML
	}
	if !a.io.OutTerminal {
		return write(a.io.Out)
	}
	var b strings.Builder
	if err := write(&b); err != nil {
		return err
	}
	_, err := io.WriteString(a.io.Out, printable(b.String()))
	return err
}
