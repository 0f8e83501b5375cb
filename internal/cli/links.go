package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"

	"quarry"
)

const (
	// nearestShown is how many related notes are listed beside the links; mostRelated where they are asked for.
	nearestShown = 5
	mostRelated  = 20
	// charactersPerToken is the rule of thumb by which budgets are counted.
	charactersPerToken = 4
)

// linksFlags are the flags of `links`.
type linksFlags struct {
	out, back, related, unresolved bool
	hops, maxTokens                int
	kinds                          []string
}

func (a *app) linksCommand() *cobra.Command {
	var f linksFlags
	cmd := &cobra.Command{
		Use:   "links [NOTE]",
		Short: "Print what a note links to, what links to it, and what is near it",
		Long: `Prints the links from a note (→), the links to it (←), and the notes that are nearest to it without being linked with it (~).
A note is named as for get: by path, name, title, alias or short id; "Note#Heading" means the links in that section and to it.
--out, --back and --related print what they name alone. --unresolved lists dead links with the notes that may be meant, of all
notes where none is named.`,
		Example: `  quarry links "Refresh token rotation"
  quarry links --back 02-areas/Operations/Backups.md --json
  quarry links --related Backups
  quarry links --hops 3 "Refresh token rotation"
  quarry links --out --kind references "Refresh token rotation"
  quarry links --max-tokens 500 --json Home
  quarry links "Backups#The check"
  quarry links --unresolved`,
		Args: args(0, 1, "a note"),
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := f.check(names, cmd.Flags().Changed("kind")); err != nil {
				return err
			}
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				if f.unresolved {
					defer saveMemory(graphMemoryBytes)()
					return a.unresolved(cmd.Context(), engine, names, f)
				}
				return a.links(cmd.Context(), engine, names[0], f)
			})
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.out, "out", false, "only the links from the note")
	flags.BoolVar(&f.back, "back", false, "only the links to the note")
	flags.BoolVar(&f.related, "related", false, fmt.Sprintf("only the nearest notes that are not linked with it, at most %d", mostRelated))
	flags.BoolVar(&f.unresolved, "unresolved", false, "dead links with what may be meant: those of the note, or of all notes where none is named")
	flags.IntVar(&f.hops, "hops", 1, fmt.Sprintf("notes up to so many links away, too, in either direction: 1 to %d", quarry.MaxHops))
	flags.StringSliceVar(&f.kinds, "kind", nil, "links of this kind alone, such as references or related_to (repeat for OR)")
	flags.IntVar(&f.maxTokens, "max-tokens", 0, "bound on the list, 4 characters a token (0: none); what is cut is told")
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
	case f.unresolved && (f.back || f.related || f.hops > 1):
		return usage("ask for one after the other; "+explains, "--unresolved lists links from notes, and goes with neither --back, --related nor --hops")
	}
	if asksForKinds && strings.Trim(strings.Join(f.kinds, ""), " ") == "" {
		return usage("--kind takes a kind such as references; "+explains, "--kind needs a value")
	}
	return nil
}

// all tells that nothing was asked for by name.
func (f linksFlags) all() bool { return !f.out && !f.back && !f.related }

// request asks the engine for what is printed, and not for what is left out.
func (f linksFlags) request(note string, asJSON bool) quarry.LinksRequest {
	request := quarry.LinksRequest{Note: note, Kinds: f.kinds, Hops: f.hops}
	switch {
	case f.related, f.all() && len(f.kinds) == 0 && asJSON:
		request.Related = mostRelated
	case f.all() && len(f.kinds) == 0: // what is near has no kind
		request.Related = nearestShown
	}
	return request
}

// linksAnswer is what `links --json` prints.
type linksAnswer struct {
	quarry.NoteLinks
	Truncated bool `json:"truncated,omitempty"`
}

func (a *app) links(ctx context.Context, engine *quarry.Engine, name string, f linksFlags) error {
	var answer linksAnswer
	isPart := false
	err := a.ensureIndex(ctx, engine, func() (err error) {
		answer.NoteLinks, isPart, err = a.linksOf(ctx, engine, f.request(name, a.flags.json))
		return err
	})
	if err != nil {
		return err
	}
	switch {
	case !isPart:
	case f.related || f.hops > 1:
		a.notice("notice: the notes near it or further away are those of the whole note, %s", oneLinePath(answer.Note))
	default:
		answer.Related = answer.Related[:0]
	}
	if !f.all() {
		if !f.out {
			answer.Out = answer.Out[:0]
		}
		if !f.back {
			answer.Back = answer.Back[:0]
		}
		if !f.related {
			answer.Related = answer.Related[:0]
		}
	}
	if a.flags.json {
		answer.cut(f.maxTokens)
	}
	return show(a, answer, a.flags.json, func(answer linksAnswer) error {
		a.printLinks(answer.NoteLinks, f)
		return nil
	})
}

// cut leaves the first items of the lists that the budget has room for.
func (l *linksAnswer) cut(maxTokens int) {
	b := newBudget(maxTokens)
	l.Out, l.Back, l.Related, l.Reached = within(b, l.Out), within(b, l.Back), within(b, l.Related), within(b, l.Reached)
	l.Truncated = b.isSpent
}

// linkLine is how a link is shown: what is written ("" for a link from another note), the file, and the rest.
type linkLine struct{ from, path, rest string }

func (a *app) printLinks(links quarry.NoteLinks, f linksFlags) {
	groups := []linkGroup{{lines: append(outLines(links), backLines(links)...)}, {lines: relatedLines(links)}}
	groups = append(groups, reachedGroups(links)...)
	b, shown, all := newBudget(f.maxTokens), 0, 0
	for _, group := range groups {
		lines := group.folded()
		all += len(lines)
		for i, line := range lines {
			if !b.takes(runewidth.StringWidth(line.from + line.path + line.rest)) {
				break
			}
			if i == 0 && group.title != "" {
				fmt.Fprintln(a.io.Out, a.style(styleTitle, group.title))
			}
			a.printLink(line)
			shown++
		}
	}
	switch {
	case all == 0:
		a.notice("%s", emptyLinks(links, f))
	case b.isSpent:
		a.notice("notice: %d of %d lines were cut to the budget", all-shown, all)
	}
}

// emptyLinks says that there is nothing, and of what.
func emptyLinks(links quarry.NoteLinks, f linksFlags) string {
	kind, note := "", oneLinePath(links.Note)
	if len(f.kinds) > 0 {
		kind = " of kind " + printable(oneLine(strings.Join(f.kinds, " or ")))
	}
	switch {
	case f.related && !f.out && !f.back:
		return fmt.Sprintf("No notes are near %s that are not linked with it.", note)
	case f.out && !f.back:
		return fmt.Sprintf("No links%s from %s.", kind, note)
	case f.back && !f.out:
		return fmt.Sprintf("No links%s to %s.", kind, note)
	}
	return fmt.Sprintf("No links%s from or to %s.", kind, note)
}

// linkGroup are lines under a title, "" where their signs say enough.
type linkGroup struct {
	title string
	lines []linkLine
}

// folded puts lines that say the same into one, with their number.
func (g linkGroup) folded() []linkLine {
	var folded []linkLine
	for i := 0; i < len(g.lines); {
		same := i + 1
		for same < len(g.lines) && g.lines[same] == g.lines[i] {
			same++
		}
		line := g.lines[i]
		if same > i+1 {
			line.rest = fmt.Sprintf("%s, %d times", line.rest, same-i)
		}
		folded = append(folded, line)
		i = same
	}
	return folded
}

func outLines(links quarry.NoteLinks) []linkLine {
	var list []linkLine
	for _, l := range links.Out {
		line := linkLine{
			from: "→ " + oneLinePath(l.Target+l.Subpath),
			rest: fmt.Sprintf("line %d, %s", l.Line, oneLinePath(l.Kind)),
		}
		if l.Resolved != nil {
			line.path = oneLinePath(*l.Resolved)
		}
		if isImplied(l.Rule) {
			line.from = "→ " // nobody wrote a target
		}
		if l.State != "ok" {
			line.rest = "(" + stateInWords(string(l.State), oneLinePath(links.AliasOf[l.Target])) + ")  " + line.rest
		}
		line.rest += whenceInWords(l.Rule, l.Hidden)
		list = append(list, line)
	}
	return list
}

func backLines(links quarry.NoteLinks) []linkLine {
	var list []linkLine
	for _, l := range links.Back {
		line := linkLine{path: oneLinePath(l.Source), rest: fmt.Sprintf("line %d, %s", l.Line, oneLinePath(l.Kind))}
		if l.State != "ok" {
			line.rest = fmt.Sprintf("%s (%s)  %s", oneLinePath(l.Target+l.Subpath), stateInWords(string(l.State), ""), line.rest)
		}
		line.rest += whenceInWords(l.Rule, l.Hidden)
		list = append(list, line)
	}
	return list
}

func relatedLines(links quarry.NoteLinks) []linkLine {
	var list []linkLine
	for _, r := range links.Related {
		list = append(list, linkLine{from: "~ ", path: oneLinePath(r.Path), rest: fmt.Sprintf("near, %.2f", r.Score)})
	}
	return list
}

// reachedGroups are the notes further away by their distance.
func reachedGroups(links quarry.NoteLinks) []linkGroup {
	var groups []linkGroup
	for i, r := range links.Reached {
		if i == 0 || r.Hops != links.Reached[i-1].Hops {
			groups = append(groups, linkGroup{title: fmt.Sprintf("%s away:", counted(r.Hops, "link"))})
		}
		group := &groups[len(groups)-1]
		group.lines = append(group.lines, linkLine{from: "  ", path: oneLinePath(r.Path), rest: "via " + oneLinePath(r.Via)})
	}
	return groups
}

// printLink writes a link in one row, or where that is too narrow in two.
func (a *app) printLink(l linkLine) {
	between, rest := "  ", l.rest
	if l.from == "" {
		l.from = "← "
	}
	isTarget := strings.HasPrefix(l.from, "→")
	if l.path == "" || !isTarget || l.from == "→ " {
		between = ""
	}
	if a.fits(l.from + between + l.path + "  " + rest) {
		fmt.Fprintf(a.io.Out, "%s%s%s  %s\n", l.from, between, a.style(stylePath, l.path), rest)
		return
	}
	if isTarget {
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

// isImplied tells of a link that nobody wrote, but the type of its note implies.
func isImplied(rule string) bool { return strings.HasPrefix(rule, "edge_defaults:") }

// whenceInWords tells of a link that is not simply in the text.
func whenceInWords(rule string, hidden bool) string {
	words := ""
	if isImplied(rule) {
		words = ", implied by the type of its note"
	}
	if hidden {
		words += ", in a comment"
	}
	return words
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
		if aliasOf == "" {
			return "an alias, to which links do not resolve in Obsidian"
		}
		return "an alias of " + aliasOf + ", to which links do not resolve in Obsidian"
	}
	return state
}
