package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quarry"
)

// unresolvedAnswer is what `links --unresolved --json` prints, without the note's other lists where none is named.
type unresolvedAnswer struct {
	*quarry.NoteLinks
	Unresolved []quarry.DeadLink `json:"unresolved"`
	Truncated  bool              `json:"truncated,omitempty"`
}

// cut leaves the first dead links that the budget has room for, in both lists that hold them.
func (u *unresolvedAnswer) cut(maxTokens int) {
	b, kept := newBudget(maxTokens), 0
	for i, l := range u.Unresolved {
		size := sizeOf(l)
		if u.NoteLinks != nil && i < len(u.Out) {
			size += sizeOf(u.Out[i])
		}
		if !b.takes(size) {
			break
		}
		kept++
	}
	u.Unresolved, u.Truncated = u.Unresolved[:kept], b.isSpent
	if u.NoteLinks != nil {
		u.Out = u.Out[:min(len(u.Out), kept)]
	}
}

// unresolved lists dead links: those of the note, or of all where none is named.
func (a *app) unresolved(ctx context.Context, engine *quarry.Engine, names []string, f linksFlags) error {
	var answer unresolvedAnswer
	err := a.ensureIndex(ctx, engine, func() (err error) {
		if len(names) > 0 {
			links, _, err := a.linksOf(ctx, engine, quarry.LinksRequest{Note: names[0], Kinds: f.kinds, Unresolved: true})
			if err != nil {
				return err
			}
			answer.NoteLinks = &links
		}
		answer.Unresolved, err = engine.DeadLinks(ctx, quarry.DeadLinksRequest{})
		return err
	})
	if err != nil {
		return err
	}
	answer.Unresolved = slices.DeleteFunc(answer.Unresolved, func(l quarry.DeadLink) bool {
		return !f.asksForKind(l.Kind) || answer.NoteLinks != nil && !isAmong(l, answer.NoteLinks)
	})
	if answer.Unresolved == nil {
		answer.Unresolved = []quarry.DeadLink{}
	}
	if a.flags.json {
		answer.cut(f.maxTokens)
	}
	if err := a.noticeNoDeadLinks(ctx, engine, answer, f); err != nil {
		return err
	}
	return show(a, answer, a.flags.json, func(answer unresolvedAnswer) error {
		a.printUnresolved(answer.Unresolved, f)
		return nil
	})
}

func (f linksFlags) asksForKind(kind string) bool {
	return len(f.kinds) == 0 || slices.ContainsFunc(f.kinds, func(asked string) bool { return strings.EqualFold(strings.TrimSpace(asked), kind) })
}

// isAmong tells whether a dead link is one of those from a note.
func isAmong(link quarry.DeadLink, links *quarry.NoteLinks) bool {
	if link.Source != links.Note {
		return false
	}
	for _, l := range links.Out {
		if l.Line == link.Line && l.Target == link.Target && l.Subpath == link.Subpath {
			return true
		}
	}
	return false
}

// noticeNoDeadLinks says that there are none, and how much was looked at.
func (a *app) noticeNoDeadLinks(ctx context.Context, engine *quarry.Engine, answer unresolvedAnswer, f linksFlags) error {
	if len(answer.Unresolved) > 0 || answer.Truncated || a.flags.json {
		return nil
	}
	where := ""
	if answer.NoteLinks != nil {
		where = oneLinePath(answer.Note)
	} else {
		notes, err := engine.List(ctx, quarry.ListRequest{})
		if err != nil {
			return err
		}
		where = counted(len(notes), "note")
	}
	kind := ""
	if len(f.kinds) > 0 {
		kind = " of kind " + oneLine(strings.Join(f.kinds, " or "))
	}
	a.notice("No dead links%s in %s.", kind, where)
	return nil
}

func (a *app) printUnresolved(links []quarry.DeadLink, f linksFlags) {
	b := newBudget(f.maxTokens)
	for i, l := range links {
		place := fmt.Sprintf("%s:%d", oneLinePath(l.Source), l.Line)
		what := fmt.Sprintf("%s  (%s)%s", oneLinePath(l.Target+l.Subpath), stateInWords(string(l.State), ""), kindInWords(l.Kind)+whenceInWords(l.Rule, l.Hidden))
		meant := suggestionsInWords(l.Suggestions)
		if !b.takes(len([]rune(place + what + meant))) {
			a.notice("notice: %d of %s were cut to the budget", len(links)-i, counted(len(links), "dead link"))
			return
		}
		if a.fits(place + "  → " + what) {
			fmt.Fprintf(a.io.Out, "%s  → %s\n", a.style(stylePath, place), what)
		} else {
			fmt.Fprintln(a.io.Out, a.style(stylePath, place))
			a.printWrapped("  → "+what, indent)
		}
		if meant != "" {
			a.printWrapped(strings.Repeat(" ", indent)+meant, indent)
		}
	}
}

// kindInWords tells of a relation; that a plain link is one goes without saying.
func kindInWords(kind string) string {
	if kind == "references" {
		return ""
	}
	return ", " + oneLinePath(kind)
}

func suggestionsInWords(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	shown := make([]string, len(paths))
	for i, path := range paths {
		shown[i] = oneLinePath(path)
	}
	return "perhaps " + strings.Join(shown, " or ")
}
