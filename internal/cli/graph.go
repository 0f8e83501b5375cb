package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quarry"
)

// graphMemoryBytes is where printing what is of all notes begins to collect garbage sooner: it is looked through as a whole.
const graphMemoryBytes = 160 << 20

// graphFlags are the flags of `graph`.
type graphFlags struct {
	format         string
	stats, written bool
}

func (a *app) graphCommand() *cobra.Command {
	var f graphFlags
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Print the whole graph of notes, or its figures",
		Long: `Prints the notes and the links between them, typed, with the PageRank of each note. --stats prints figures: how much there is of
what, what hangs together, which notes nothing links, and which ones most links lead to or come from.

--written leaves out what nobody wrote: links that the type of a note implies, and the mirror images of related_to and
similar_to. In dot that is so unless --written=false is given, since a picture of the others shows each link twice.`,
		Example: `  quarry graph --format dot | dot -Tsvg > notes.svg
  quarry graph --format graphml --written > notes.graphml
  quarry graph --stats
  quarry graph | jq '.nodes | max_by(.pagerank)'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(a.flags.json, cmd.Flags().Changed("written")); err != nil {
				return err
			}
			if f.format == "dot" && !cmd.Flags().Changed("written") {
				f.written = true
			}
			defer saveMemory(graphMemoryBytes)()
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				if f.stats {
					return a.graphStats(cmd.Context(), engine, a.flags.json || cmd.Flags().Changed("format"))
				}
				return a.graph(cmd.Context(), engine, f)
			})
		},
	}
	cmd.Flags().StringVar(&f.format, "format", "json", strings.Join(quarry.GraphFormats, ", "))
	cmd.Flags().BoolVar(&f.stats, "stats", false, "figures of the graph instead: for people, or with --json or --format json as a document")
	cmd.Flags().BoolVar(&f.written, "written", false, "what people wrote alone, without what types imply and without mirror images (in dot unless false)")
	completeWords(cmd, "format", quarry.GraphFormats...)
	return cmd
}

// check finds what the command line cannot mean.
func (f graphFlags) check(asJSON, asksForWritten bool) error {
	switch {
	case !slices.Contains(quarry.GraphFormats, f.format):
		return usage("formats are "+strings.Join(quarry.GraphFormats, ", "), "there is no format %q", f.format)
	case f.stats && f.format != "json":
		return usage("leave --format out, or take json", "figures have no form of %s", f.format)
	case asJSON && f.format != "json":
		return usage("leave one of the two out", "--json and --format %s ask for different things", f.format)
	case f.stats && asksForWritten:
		return usage("figures count edges by their rules; leave --written out", "--stats goes without --written")
	}
	return nil
}

// graph writes the graph piece by piece. Its strings are filtered one by one by the engine.
func (a *app) graph(ctx context.Context, engine *quarry.Engine, f graphFlags) error {
	return a.ensureIndex(ctx, engine, func() error {
		a.out.Flush()
		to := a.picture()
		if f.format == "json" {
			to = a.document()
		}
		if err := engine.WriteGraph(ctx, to, quarry.GraphRequest{Format: f.format, Written: f.written}); err != nil {
			return err
		}
		return cmp.Or(to.Flush(), a.tellNotices(ctx, engine))
	})
}

// tellNotices tells what bears on how far an answer that has no place for notices can be relied on.
func (a *app) tellNotices(ctx context.Context, engine *quarry.Engine) error {
	notices, err := engine.Notices(ctx)
	a.noticeAll(notices)
	return err
}
