package cli

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/spf13/cobra"

	"quarry"
)

// graphMemoryBytes is where printing what is of all notes begins to collect garbage sooner: it is looked through as a whole.
const graphMemoryBytes = 320 << 20

func (a *app) graphCommand() *cobra.Command {
	formats := []string{"json", "dot", "graphml"}
	var format string
	var stats bool
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Print the whole graph of notes, or its figures",
		Long: `Prints the notes and the links between them, typed, with the PageRank of each note. --stats prints figures: how much there is of
what, what hangs together, which notes nothing links, and which ones most links lead to or come from.`,
		Example: `  quarry graph --format dot | dot -Tsvg > notes.svg
  quarry graph --format graphml > notes.graphml
  quarry graph --stats
  quarry graph | jq '.nodes | sort_by(-.pagerank) | .[:10]'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains(formats, format) {
				return usage("formats are json, dot and graphml", "there is no format %q", format)
			}
			if stats && format != "json" {
				return usage("leave --format out, or take json", "figures have no form of %s", format)
			}
			defer saveMemory(graphMemoryBytes)()
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				if stats {
					return a.graphStats(cmd.Context(), engine, a.flags.json || cmd.Flags().Changed("format"))
				}
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
	cmd.Flags().BoolVar(&stats, "stats", false, "figures of the graph instead: for people, or with --json or --format json as a document")
	completeWords(cmd, "format", formats...)
	return cmd
}

func (a *app) printGraph(graph quarry.Graph, format string) error {
	if format == "json" {
		var b bytes.Buffer
		if err := graph.WriteJSON(&b); err != nil {
			return err
		}
		if !a.io.OutTerminal {
			return a.writeEncoded(b.Bytes()) // large graphs are not encoded twice
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
