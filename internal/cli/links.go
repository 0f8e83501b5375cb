package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quarry"
	"quarry/internal/budget"
)

// nearestShown is how many related notes are listed beside the links.
const nearestShown = 5

// linksFlags are the flags of `links`.
type linksFlags struct {
	budget.Links
	unresolved, everything bool
	hops, maxTokens        int
}

func (a *app) linksCommand() *cobra.Command {
	var f linksFlags
	cmd := &cobra.Command{
		Use:   "links [NOTE]",
		Short: "Print what a note links to, what links to it, what is near it",
		Long: `Prints the links from a note (→), the links to it (←), and the notes that are nearest to it without being linked with it (~).
A note is named as for get: by path, name, title, alias or short id; "Note#Heading" means the links in that section and to it.

--out, --back and --related print what they name alone, and --hops goes the same way: along the links from the note, along
those to it, or both. --unresolved lists dead links with the notes that may be meant, of all notes where none is named. Passages that are near to a
note, linked or not, are found by ` + "`quarry search --like NOTE`" + `.
docs/links.md tells more.`,
		Example: `  quarry links "Refresh token rotation"
  quarry links --back 02-areas/Operations/Backups.md --json
  quarry links --related Backups
  quarry links --hops 3 --out "Refresh token rotation"
  quarry links --out --kind references "Refresh token rotation"
  quarry links --max-tokens 500 --json Home
  quarry links "Backups#The check"
  quarry links --unresolved`,
		Args: args(0, 1, "a note"),
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := f.check(names, cmd.Flags().Changed("kind")); err != nil {
				return err
			}
			defer saveMemory(graphMemoryBytes)()
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				if f.unresolved {
					return a.unresolved(cmd.Context(), engine, names, f)
				}
				return a.links(cmd.Context(), engine, names[0], f)
			})
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.Out, "out", false, "only the links from the note")
	flags.BoolVar(&f.Back, "back", false, "only the links to the note")
	flags.BoolVar(&f.Related, "related", false, fmt.Sprintf("only the notes that are nearest to it, by meaning and by what they link to, without being linked with it: at most %d", budget.MostRelated))
	flags.BoolVar(&f.unresolved, "unresolved", false, "dead links with what may be meant: those of the note, or of all notes where none is named")
	flags.IntVar(&f.hops, "hops", 1, fmt.Sprintf("notes up to so many links away, too, with the way there: 1 to %d", quarry.MaxHops))
	flags.StringSliceVar(&f.Kinds, "kind", nil, "links of this kind alone, such as references or related_to, and those that types imply (repeat for OR)")
	flags.IntVar(&f.maxTokens, "max-tokens", 0, "bound on the list, 4 characters a token (0: none); what is cut is told")
	flags.BoolVar(&f.everything, "all", false, fmt.Sprintf("list all for people, too, where %d of a group are listed otherwise", shownLinks))
	completeWords(cmd, "kind", "references", "depends_on", "related_to", "similar_to")
	return cmd
}

// check finds what the command line cannot mean.
func (f linksFlags) check(names []string, asksForKinds bool) error {
	const explains = "`quarry links --help` explains"
	switch {
	case len(names) == 0 && !f.unresolved:
		return usage("usage: quarry links NOTE; `quarry links --unresolved` lists the dead links of all notes", "links needs a note")
	case f.hops < 1 || f.hops > quarry.MaxHops:
		return usage(fmt.Sprintf("--hops takes 1 to %d", quarry.MaxHops), "--hops %d is out of range", f.hops)
	case f.maxTokens < 0:
		return usage("--max-tokens takes a number above 0", "--max-tokens %d is out of range", f.maxTokens)
	case f.unresolved && (f.Back || f.Related || f.hops > 1):
		return usage("ask for one after the other; "+explains, "--unresolved lists links from notes, and goes with neither --back, --related nor --hops")
	}
	if asksForKinds && strings.TrimSpace(strings.Join(f.Kinds, "")) == "" {
		return usage("--kind takes a kind such as references; "+explains, "--kind needs a value")
	}
	return nil
}

// linksAnswer is what `links --json` prints.
type linksAnswer struct {
	quarry.NoteLinks
	Truncated bool `json:"truncated,omitempty"`
}

func (a *app) links(ctx context.Context, engine *quarry.Engine, name string, f linksFlags) error {
	var answer linksAnswer
	related := nearestShown
	if a.flags.json {
		related = budget.MostRelated
	}
	err := a.ensureIndex(ctx, engine, func() (err error) {
		answer.NoteLinks, err = engine.Links(ctx, f.Request(name, f.hops, related))
		return err
	})
	if err != nil {
		return err
	}
	f.Leave(&answer.NoteLinks)
	if a.flags.json {
		answer.Truncated = budget.CutLinks(&answer.NoteLinks, f.maxTokens)
		return a.writeJSON(answer)
	}
	kinds, err := a.otherKinds(ctx, engine, name, answer.NoteLinks, f)
	if err != nil {
		return err
	}
	return show(a, answer, false, func(answer linksAnswer) error {
		a.noticeAll(answer.Notices)
		if answer.LineStart > 0 && (f.Related || f.hops > 1) {
			a.notice("notice: the notes near it or further away are those of the whole note, %s", oneLinePath(answer.Note))
		}
		a.printLinks(answer.NoteLinks, f, kinds)
		return nil
	})
}

// otherKinds are those of the links there are, with their numbers, where none is of a kind that was asked for.
func (a *app) otherKinds(ctx context.Context, engine *quarry.Engine, name string, links quarry.NoteLinks, f linksFlags) (map[string]int, error) {
	if len(f.Kinds) == 0 || len(links.Out)+len(links.Back)+len(links.Reached) > 0 {
		return nil, nil
	}
	shown, err := engine.Links(ctx, quarry.LinksRequest{Note: name})
	if err != nil {
		return nil, err
	}
	f.Leave(&shown)
	kinds := map[string]int{}
	for i := range shown.Out {
		kinds[shown.Out[i].Kind]++
	}
	for i := range shown.Back {
		kinds[shown.Back[i].Kind]++
	}
	return kinds, nil
}

// kindsThereAre says which kinds might have been asked for, with the number of links of each.
func kindsThereAre(kinds map[string]int) string {
	if len(kinds) == 0 {
		return ""
	}
	words := countsInWords(kinds)
	if len(words) > shownKinds {
		words = append(words[:shownKinds], "…")
	}
	return " There are: " + strings.Join(words, ", ") + "."
}

func (a *app) noticeAll(notices []string) {
	for _, n := range notices {
		a.notice("notice: %s", n)
	}
}

// deadKinds are the kinds of dead links with their numbers.
func deadKinds(links []quarry.DeadLink) map[string]int {
	kinds := map[string]int{}
	for i := range links {
		kinds[links[i].Kind]++
	}
	return kinds
}

// shownKinds is how many kinds are named where none was found of those asked for.
const shownKinds = 10
