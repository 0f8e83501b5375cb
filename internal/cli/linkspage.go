package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"quarry"
	"quarry/internal/budget"
)

const (
	// shownLinks is how many lines of a group people get without --all; --json lists all.
	shownLinks = 100
	// maxShownColumns is how wide a text is shown that a note may have made as long as it likes; paths are not cut for it.
	maxShownColumns = 300
)

// linkLine is how a link is shown: what is written ("" for a link from another note), the file, and the rest, in which fault is
// what is wrong with it.
type linkLine struct{ from, path, rest, fault string }

// linkGroup are lines under a title, "" where their signs say enough.
type linkGroup struct {
	title string
	lines []linkLine
}

// printLinks writes the note, what is around it, and what was left out. kinds are those to be named where there is nothing of
// the kinds that were asked for.
func (a *app) printLinks(links quarry.NoteLinks, f linksFlags, kinds map[string]int) {
	groups := []linkGroup{{lines: outLines(links)}, {lines: backLines(links)}, {lines: relatedLines(links)}}
	groups = append(groups, reachedGroups(links, f.Way())...)
	b, shown, all := budget.New(f.maxTokens), 0, 0
	for _, group := range groups {
		lines := group.folded()
		all += len(lines)
		for i, line := range lines {
			head := ""
			if shown == 0 {
				head = placeOf(links)
			}
			if !b.Takes(runewidth.StringWidth(head + line.from + line.path + line.rest)) {
				break
			}
			if head != "" {
				a.printStyled(styleTitle, head, indent)
			}
			if i == 0 && group.title != "" {
				fmt.Fprintln(a.io.Out, a.style(styleTitle, group.title))
			}
			if more := len(lines) - shownLinks; i == shownLinks && more > 1 && !f.everything {
				fmt.Fprintf(a.io.Out, "  … and %d more (--all)\n", more)
				shown += more
				break
			}
			a.printLink(line)
			shown++
		}
	}
	switch {
	case all == 0:
		a.notice("%s%s", emptyLinks(links, f), kindsThereAre(kinds))
	case b.IsSpent():
		a.notice("notice: %d of %d lines were cut to the budget", all-shown, all)
	}
}

// placeOf is the note that links are of, with the lines of the part that was asked for.
func placeOf(links quarry.NoteLinks) string {
	note := oneLinePath(links.Note)
	switch links.LineStart {
	case 0:
		return note
	case links.LineEnd:
		return fmt.Sprintf("%s, line %d", note, links.LineStart)
	}
	return fmt.Sprintf("%s, lines %d to %d", note, links.LineStart, links.LineEnd)
}

// emptyLinks says that there is nothing, and of what.
func emptyLinks(links quarry.NoteLinks, f linksFlags) string {
	kind, note := "", placeOf(links)
	if len(f.Kinds) > 0 {
		kind = " of kind " + printable(oneLine(strings.Join(f.Kinds, " or ")))
	}
	switch {
	case f.Related && !f.Out && !f.Back:
		return fmt.Sprintf("No notes are near %s that are not linked with it.", note)
	case f.Out && !f.Back:
		return fmt.Sprintf("No links%s from %s.", kind, note)
	case f.Back && !f.Out:
		return fmt.Sprintf("No links%s to %s.", kind, note)
	}
	return fmt.Sprintf("No links%s from or to %s.", kind, note)
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
	for i := range links.Out {
		l := &links.Out[i]
		line := linkLine{
			from: "→ " + written(l.Target, l.Subpath),
			rest: fmt.Sprintf("line %d, %s%s", l.Line, boundedText(l.Kind), whenceInWords(l.Rule, l.Hidden)),
		}
		if l.Resolved != nil {
			line.path = oneLinePath(*l.Resolved)
		}
		if isImplied(l.Rule) {
			line.from = "→ " // nobody wrote a target
		}
		if l.State != "ok" {
			line.fault = "(" + stateInWords(string(l.State), oneLinePath(links.AliasOf[l.Target])) + ")"
			line.rest = line.fault + "  " + line.rest
		}
		list = append(list, line)
	}
	return list
}

func backLines(links quarry.NoteLinks) []linkLine {
	var list []linkLine
	for i := range links.Back {
		l := &links.Back[i]
		line := linkLine{path: oneLinePath(l.Source), rest: fmt.Sprintf("line %d, %s%s", l.Line, boundedText(l.Kind), whenceInWords(l.Rule, l.Hidden))}
		if l.State != "ok" {
			line.fault = "(" + stateInWords(string(l.State), "") + ")"
			line.rest = fmt.Sprintf("%s %s  %s", written(l.Target, l.Subpath), line.fault, line.rest)
		}
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

// reachedGroups are the notes further away by their distance, each with the notes on the way there.
func reachedGroups(links quarry.NoteLinks, way quarry.Way) []linkGroup {
	sign := map[quarry.Way]string{quarry.WayOut: " → ", quarry.WayBack: " ← "}[way]
	if sign == "" {
		sign = " – "
	}
	via := make(map[string]string, len(links.Reached))
	for _, r := range links.Reached {
		via[r.Path] = r.Via
	}
	var groups []linkGroup
	for i, r := range links.Reached {
		if i == 0 || r.Hops != links.Reached[i-1].Hops {
			groups = append(groups, linkGroup{title: fmt.Sprintf("%s away:", counted(r.Hops, "link"))})
		}
		steps := oneLinePath(r.Via)
		for step, left := via[r.Via], r.Hops-2; step != "" && left > 0; step, left = via[step], left-1 {
			steps = oneLinePath(step) + sign + steps
		}
		group := &groups[len(groups)-1]
		group.lines = append(group.lines, linkLine{from: "  ", path: oneLinePath(r.Path), rest: "via " + steps})
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
		fmt.Fprintf(a.io.Out, "%s%s%s  %s\n", l.from, between, a.style(stylePath, l.path), a.marked(rest, l.fault))
		return
	}
	if isTarget {
		fmt.Fprintln(a.io.Out, cutMiddle(l.from, a.width()))
		l.from = strings.Repeat(" ", indent)
	}
	if l.path == "" {
		a.printMarked(l.from+rest, indent, l.fault)
		return
	}
	path := cutMiddle(l.path, max(a.width()-runewidth.StringWidth(l.from+rest)-2, minWidth))
	if a.fits(l.from + path + "  " + rest) {
		fmt.Fprintf(a.io.Out, "%s%s  %s\n", l.from, a.style(stylePath, path), a.marked(rest, l.fault))
		return
	}
	fmt.Fprintf(a.io.Out, "%s%s\n", l.from, a.style(stylePath, cutMiddle(l.path, a.width()-indent)))
	a.printMarked(strings.Repeat(" ", indent)+rest, indent, l.fault)
}

// marked is a row in which what is dead stands out, or what is doubtful.
func (a *app) marked(row, fault string) string {
	style := styleFault
	switch fault {
	case "", "(" + stateInWords("external", "") + ")":
		return row
	case "(" + stateInWords("ambiguous", "") + ")":
		style = styleMark
	}
	return strings.Replace(row, fault, a.style(style, fault), 1)
}

// printMarked is printWrapped with what is wrong standing out, unless the end of a row parts it.
func (a *app) printMarked(line string, indent int, fault string) {
	for _, row := range a.rows(line, indent) {
		fmt.Fprintln(a.io.Out, a.marked(row, fault))
	}
}

// written is what stands in a link, as people read it.
func written(target, subpath string) string { return boundedText(target + subpath) }

// boundedText is a text of a note in one row, and not longer than a person reads: a link can be as long as a note.
func boundedText(text string) string { return bounded(text, maxShownColumns) }

// bounded is a text in one row, and not wider than so many columns.
func bounded(text string, columns int) string {
	most := utf8.UTFMax * columns // bytes, and more than enough to cut the middle of
	if len(text) > 2*most {
		text = text[:most] + text[len(text)-most:]
	}
	return cutMiddle(oneLinePath(text), columns)
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
