package cli

import (
	"context"
	"fmt"
	"strings"

	"quarry"
	"quarry/internal/budget"
)

// unresolvedAnswer is what `links --unresolved --json` prints, without the note's other lists where none is named.
type unresolvedAnswer struct {
	*quarry.NoteLinks
	Unresolved []quarry.DeadLink `json:"unresolved"`
	Truncated  bool              `json:"truncated,omitempty"`
}

// unresolved lists dead links: those of the note, or of all where none is named.
func (a *app) unresolved(ctx context.Context, engine *quarry.Engine, names []string, f linksFlags) error {
	request, answer := quarry.DeadLinksRequest{Kinds: f.Kinds}, unresolvedAnswer{}
	err := a.ensureIndex(ctx, engine, func() (err error) {
		if len(names) > 0 {
			request.Note = names[0]
			links, err := engine.Links(ctx, quarry.LinksRequest{Note: request.Note})
			if err != nil {
				return err
			}
			links.Out, links.Back, links.AliasOf = noneOf(links.Out), noneOf(links.Back), nil // which of them are dead comes next
			answer.NoteLinks = &links
		}
		answer.Unresolved, err = engine.DeadLinks(ctx, request)
		return err
	})
	if err == nil && len(names) == 0 {
		err = a.tellNotices(ctx, engine)
	}
	if err != nil {
		return err
	}
	if a.flags.json {
		answer.Unresolved, answer.Truncated = budget.CutDeadLinks(answer.Unresolved, answer.NoteLinks != nil, f.maxTokens)
		answer.ofNote()
		return a.writeJSON(answer)
	}
	if len(answer.Unresolved) == 0 {
		return a.noticeNoDeadLinks(ctx, engine, answer, request)
	}
	return show(a, answer, false, func(answer unresolvedAnswer) error {
		if answer.NoteLinks != nil {
			a.noticeAll(answer.Notices)
		}
		a.printUnresolved(answer.Unresolved, f)
		return nil
	})
}

// ofNote lists the dead links among those from the note, too.
func (u *unresolvedAnswer) ofNote() {
	if u.NoteLinks == nil {
		return
	}
	for i := range u.Unresolved {
		u.Out = append(u.Out, u.Unresolved[i].Link)
	}
}

// noneOf is an empty list that does not keep the one it stands for in memory.
func noneOf[T any]([]T) []T { return []T{} }

// noticeNoDeadLinks says that there are none, and how much was looked at.
func (a *app) noticeNoDeadLinks(ctx context.Context, engine *quarry.Engine, answer unresolvedAnswer, request quarry.DeadLinksRequest) error {
	kind, where, kinds := "", "", map[string]int(nil)
	if len(request.Kinds) > 0 {
		kind = " of kind " + printable(oneLine(strings.Join(request.Kinds, " or ")))
		every, err := engine.DeadLinks(ctx, quarry.DeadLinksRequest{Note: request.Note})
		if err != nil {
			return err
		}
		kinds = deadKinds(every)
	}
	if answer.NoteLinks != nil {
		where = placeOf(*answer.NoteLinks)
	} else {
		notes, err := engine.List(ctx, quarry.ListRequest{})
		if err != nil {
			return err
		}
		where = counted(len(notes), "note")
	}
	a.notice("No dead links%s in %s.%s", kind, where, kindsThereAre(kinds))
	return nil
}

func (a *app) printUnresolved(links []quarry.DeadLink, f linksFlags) {
	b := budget.New(f.maxTokens)
	for i := range links {
		if more := len(links) - i; i >= shownLinks && more > 1 && !f.everything {
			fmt.Fprintf(a.io.Out, "… and %d more (--all)\n", more)
			return
		}
		l := &links[i]
		place, fault := fmt.Sprintf("%s:%d", oneLinePath(l.Source), l.Line), "("+stateInWords(string(l.State), "")+")"
		what := fmt.Sprintf("%s  %s%s", written(l.Target, l.Subpath), fault, kindInWords(l.Kind)+whenceInWords(l.Rule, l.Hidden))
		meant := suggestionsInWords(l.Suggestions)
		if !b.Takes(len([]rune(place + what + meant))) {
			a.notice("notice: %d of %s were cut to the budget", len(links)-i, counted(len(links), "dead link"))
			return
		}
		if a.fits(place + "  → " + what) {
			fmt.Fprintf(a.io.Out, "%s  → %s\n", a.style(stylePath, place), a.marked(what, fault))
		} else {
			fmt.Fprintln(a.io.Out, a.style(stylePath, place))
			a.printMarked("  → "+what, indent, fault)
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
	return ", " + boundedText(kind)
}

func suggestionsInWords(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	shown := make([]string, len(paths))
	for i, path := range paths {
		shown[i] = boundedText(path)
	}
	return "perhaps " + strings.Join(shown, " or ")
}
