package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"

	"quarry"
)

func (a *app) linksCommand() *cobra.Command {
	var out, back bool
	cmd := &cobra.Command{
		Use:   "links NOTE",
		Short: "Print the links from and to a note",
		Example: `  quarry links "Refresh token rotation"
  quarry links --back 02-areas/Operations/Backups.md --json`,
		Args: args(1, 1, "a note"),
		RunE: func(cmd *cobra.Command, names []string) error {
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				var links quarry.NoteLinks
				err := a.ensureIndex(cmd.Context(), engine, func() (err error) {
					links, err = engine.Links(cmd.Context(), quarry.LinksRequest{Note: names[0]})
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
				return show(a, links, a.flags.json, func(links quarry.NoteLinks) error {
					a.printLinks(links)
					return nil
				})
			})
		},
	}
	cmd.Flags().BoolVar(&out, "out", false, "the links from the note alone")
	cmd.Flags().BoolVar(&back, "back", false, "the links to the note alone")
	return cmd
}

func (a *app) printLinks(links quarry.NoteLinks) {
	var list []linkLine
	for _, l := range links.Out {
		line := linkLine{
			from: "→ " + oneLinePath(l.Target+l.Subpath),
			rest: fmt.Sprintf("line %d, %s", l.Line, oneLinePath(l.Kind)),
		}
		if l.Resolved != nil {
			line.path = oneLinePath(*l.Resolved)
		}
		if l.State != "ok" {
			line.rest = "(" + stateInWords(string(l.State), oneLinePath(links.AliasOf[l.Target])) + ")  " + line.rest
		}
		line.rest += hiddenInWords(l.Hidden)
		list = append(list, line)
	}
	for _, l := range links.Back {
		line := linkLine{path: oneLinePath(l.Source), rest: fmt.Sprintf("line %d, %s", l.Line, oneLinePath(l.Kind))}
		if l.State != "ok" {
			line.rest = fmt.Sprintf("%s (%s)  %s", oneLinePath(l.Target+l.Subpath), stateInWords(string(l.State), ""), line.rest)
		}
		line.rest += hiddenInWords(l.Hidden)
		list = append(list, line)
	}
	for i := 0; i < len(list); {
		same := i + 1
		for same < len(list) && list[same] == list[i] {
			same++
		}
		if same > i+1 {
			a.printLink(list[i], fmt.Sprintf("%s, %d times", list[i].rest, same-i))
		} else {
			a.printLink(list[i], list[i].rest)
		}
		i = same
	}
	if len(list) == 0 {
		a.notice("No links from or to %s.", oneLinePath(links.Note))
	}
}

// linkLine is how a link is shown: what is written ("" for a link from another note), the file, and the rest.
type linkLine struct{ from, path, rest string }

// printLink writes a link in one row, or where that is too narrow in two.
func (a *app) printLink(l linkLine, rest string) {
	between := "  "
	if l.from == "" {
		l.from, between = "← ", ""
	}
	if l.path == "" {
		between = ""
	}
	if a.fits(l.from + between + l.path + "  " + rest) {
		fmt.Fprintf(a.io.Out, "%s%s%s  %s\n", l.from, between, a.style(stylePath, l.path), rest)
		return
	}
	if strings.HasPrefix(l.from, "→") {
		fmt.Fprintln(a.io.Out, cutMiddle(l.from, a.width()))
		l.from = strings.Repeat(" ", indent)
	}
	if l.path == "" {
		a.printWrapped(l.from+rest, indent)
		return
	}
	path := cutMiddle(l.path, max(a.width()-runewidth.StringWidth(l.from+rest)-2, minWidth))
	if a.fits(l.from + path + "  " + rest) {
		fmt.Fprintf(a.io.Out, "%s%s  %s\n", l.from, a.style(stylePath, path), rest)
		return
	}
	fmt.Fprintf(a.io.Out, "%s%s\n", l.from, a.style(stylePath, cutMiddle(l.path, a.width()-indent)))
	a.printWrapped(strings.Repeat(" ", indent)+rest, indent)
}

func hiddenInWords(hidden bool) string {
	if hidden {
		return ", in a comment"
	}
	return ""
}

// stateInWords tells what became of a link that is not simply good.
func stateInWords(state, aliasOf string) string {
	switch state {
	case "unresolved":
		return "no such file"
	case "ambiguous":
		return "several files fit"
	case "external":
		return "outside the vault"
	case "heading_missing":
		return "no such heading"
	case "block_missing":
		return "no such block"
	case "alias":
		return "an alias of " + aliasOf + ", to which links do not resolve in Obsidian"
	}
	return state
}

func (a *app) graphCommand() *cobra.Command {
	formats := []string{"json", "dot", "graphml"}
	var format string
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Print the whole graph of notes",
		Example: `  quarry graph --format dot | dot -Tsvg > notes.svg
  quarry graph | jq '.nodes | sort_by(-.pagerank) | .[:10]'`,
		Args: noArgs,
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
	if format == "json" {
		var b bytes.Buffer
		if err := graph.WriteJSON(&b); err != nil {
			return err
		}
		return a.writeJSON(json.RawMessage(b.Bytes()))
	}
	return show(a, graph, false, func(graph quarry.Graph) error {
		write := graph.WriteDOT
		if format == "graphml" {
			write = graph.WriteGraphML
		}
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		return a.writeDocument(a.screen(b.String()))
	})
}
