package health

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"quarry/graph"
)

// maxSuggestions is how many files or headings a finding names that may be meant.
const maxSuggestions = 3

// suggest asks what all links may mean that something is wrong with.
func (e *Examination) suggest(ctx context.Context) error {
	if e.facts.Suggest == nil || !e.selection.hasAny(DeadLink, DeadAttachment, DeadHeading, MovedHeading, DeadBlock) {
		return nil
	}
	var asked []graph.Backlink
	var troubled []*troubledLink
	for i := range e.said {
		for k := range e.said[i].troubled {
			w := &e.said[i].troubled[k]
			if w.link.Fault.IsDead() && w.relation == "" {
				link := graph.Link{
					Target: w.link.Target, Subpath: w.link.Subpath, State: w.link.State,
					Line: w.link.Line, Fault: w.link.Fault, Resolved: &w.link.Resolved,
				}
				asked, troubled = append(asked, graph.Backlink{Source: e.facts.Notes[i].Path, Link: link}), append(troubled, w)
			}
		}
	}
	linked := func(from, to string) bool {
		a, isNote := e.at[from]
		b, isOther := e.at[to]
		return isNote && isOther && e.isLinked(a, b)
	}
	answers, err := e.facts.Suggest(ctx, asked, linked, maxSuggestions)
	if err != nil {
		return err
	}
	for i, w := range troubled {
		w.meant = answers[i]
	}
	return nil
}

// links looks at all links. What one note says several times is told once, of the first line.
func (e *Examination) links(ctx context.Context) {
	l := &linkCheck{Examination: e, wanted: map[string][]troubledLink{}, sites: map[string][]troubledLink{}, fitting: map[string]fitting{}}
	for i := range until(ctx, e.said) {
		for _, w := range until(ctx, e.said[i].troubled) {
			l.examine(w)
		}
	}
	l.tellSites()
	l.tellWanted()
	l.tellAttachments()
}

// linkCheck looks at links one by one and keeps what is told of many.
type linkCheck struct {
	*Examination
	wanted  map[string][]troubledLink // folded target → links to a note that nobody has written
	sites   map[string][]troubledLink // first folder of an address → links
	lost    []troubledLink            // links to attachments that are not there
	fitting map[string]fitting        // folded target of ambiguous links → files
}

func (l *linkCheck) examine(w troubledLink) {
	switch w.link.Fault {
	case graph.NoNote:
		l.examineDead(w)
	case graph.NoAttachment:
		l.lost = append(l.lost, w)
	case graph.AliasOnly:
		l.tell(AliasLink, w, fmt.Sprintf("%s is only an alias of %s: no app follows it", shown(w.link), w.link.AliasOf),
			"write "+l.brackets(linkName(w.link.AliasOf), w.link.Target), w.link.AliasOf)
	case graph.NoHeading:
		if !w.link.IsAnchor || !l.tally.IsSite() {
			l.examineHeading(w)
		}
	case graph.NoBlock:
		l.examineBlock(w)
	case graph.SiteAddress:
		first, _, _ := strings.Cut(strings.TrimLeft(w.link.Target, "/"), "/")
		l.sites[first] = append(l.sites[first], w)
	case graph.Sound, graph.NotNeeded:
		switch w.link.State {
		case graph.Ambiguous:
			l.examineAmbiguous(w)
		case graph.External:
			l.examineAddress(w)
		case graph.OK, graph.Unresolved, graph.Alias, graph.HeadingMissing, graph.BlockMissing:
		}
	}
}

// tell adds a finding of a link.
func (l *linkCheck) tell(check string, w troubledLink, message, remedy string, related ...string) {
	l.tellAs("", check, w, message, remedy, related...)
}

func (l *linkCheck) tellAs(severity Severity, check string, w troubledLink, message, remedy string, related ...string) {
	if w.times > 1 {
		message += fmt.Sprintf(" (%d times in this note)", w.times)
	}
	l.add(Finding{
		Check: check, Severity: severity, Path: l.facts.Notes[w.source].Path, Line: w.link.Line,
		Message: message, Remedy: remedy, Related: related,
	})
}

// examineAddress finds [[https://…]], which an app takes for the name of a note.
func (l *linkCheck) examineAddress(w troubledLink) {
	text := w.link.Display
	if text == "" || text == w.link.Target {
		text = "text"
	}
	l.tell(AddressInBrackets, w, shown(w.link)+" is an address: in brackets it is taken for the name of a note",
		fmt.Sprintf("write [%s](%s)", brief(text), brief(w.link.Target)))
}

func (l *linkCheck) examineDead(w troubledLink) {
	target := strings.ReplaceAll(w.link.Target, `\`, "/")
	isWrittenAsPath := w.link.Markdown || isNoteFile(target)
	near := w.near()
	switch {
	case w.relation != "":
	case w.link.Markdown && isAddressWithoutScheme(target):
		l.tell(DeadLink, w, brief(w.link.Target)+" is an address without https:// and is taken for a file",
			fmt.Sprintf("write [%s](https://%s)", brief(w.link.Display), brief(w.link.Target)))
	case len(near) > 0 && l.facts.Customs.NamesSuffice && !w.link.Markdown:
		l.tellAs(Notice, DeadLink, w, "no note is called "+named(w.link.Target), l.likeliest(w, near), near...)
	case len(near) > 0:
		l.tell(DeadLink, w, "no note is called "+named(w.link.Target), l.likeliest(w, near), near...)
	case isWrittenAsPath:
		l.tell(DeadLink, w, "there is no file "+named(w.link.Target), "write the note, or take the link away")
	case !l.facts.Customs.NamesSuffice:
		key := strings.ToLower(w.link.Target)
		l.wanted[key] = append(l.wanted[key], w)
	}
}

// near names the files that a link may have meant.
func (w *troubledLink) near() []string {
	files := make([]string, len(w.meant))
	for i := range w.meant {
		files[i] = w.meant[i].Path
	}
	return files
}

// likeliest says which file may be meant.
func (l *linkCheck) likeliest(w troubledLink, near []string) string {
	remedy := fmt.Sprintf("likely %s is meant: write %s", near[0], l.rewritten(w.link, l.targetOf(w, near[0]), w.link.Subpath))
	if len(near) > 1 {
		remedy += "; or " + strings.Join(near[1:], ", ")
	}
	return remedy
}

// rewritten is a link with another target. Files have names of a bounded length, subpaths have not.
func (l *linkCheck) rewritten(link *Link, file, subpath string) string {
	mark, subpath := "", brief(subpath)
	if link.Embed {
		mark = "!"
	}
	if link.Markdown {
		return fmt.Sprintf("%s[%s](%s)", mark, brief(link.Display), destinationOf(file, subpath))
	}
	text := link.Display
	if text == file || text == link.Target || text == link.Target+link.Subpath || text == link.Target+" > "+strings.TrimPrefix(link.Subpath, "#") {
		text = "" // an app shows it so by itself
	}
	return mark + l.brackets(file+subpath, text)
}

// destinationOf writes a path as the destination of a Markdown link. The subpath begins with "#", or is "".
func destinationOf(file, subpath string) string {
	if subpath == "" {
		return destination.Replace(file)
	}
	return destination.Replace(file) + "#" + destination.Replace(subpath[1:])
}

// destination encodes what would end a destination or begin another part of it.
var destination = strings.NewReplacer("%", "%25", " ", "%20", "(", "%28", ")", "%29", "#", "%23", "?", "%3F", "<", "%3C", ">", "%3E", `\`, "%5C")

// brackets is a link to a target, with a text if there is one.
func (l *linkCheck) brackets(target, text string) string {
	return brackets(target, brief(text), l.facts.Customs.TextFirst)
}

func brackets(target, text string, textFirst bool) string {
	switch {
	case text == "":
		return "[[" + target + "]]"
	case textFirst:
		return "[[" + text + "|" + target + "]]"
	}
	return "[[" + target + "|" + text + "]]"
}

// manyWanted is the share of links to unwritten notes from which on the vault's custom is to link to what may be written.
const manyWanted = .1

// tellWanted tells of notes that links name and nobody has written, each name once: not all of them are mistakes.
func (l *linkCheck) tellWanted() {
	severity := Notice
	if float64(len(l.wanted)) > manyWanted*float64(l.followed()) {
		severity = Hint
	}
	groups := make([][]troubledLink, 0, len(l.wanted))
	for _, links := range l.wanted {
		groups = append(groups, links)
	}
	slices.SortFunc(groups, func(a, b []troubledLink) int {
		return cmp.Or(
			cmp.Compare(a[0].source, b[0].source),
			cmp.Compare(a[0].link.Line, b[0].link.Line),
			strings.Compare(a[0].link.Target, b[0].link.Target),
		)
	})
	for _, links := range groups {
		var sources []string
		for _, w := range links[1:min(len(links), maxRelated+1)] {
			sources = append(sources, place(l.facts.Notes[w.source].Path, w.link.Line))
		}
		message := "there is no note " + named(links[0].link.Target)
		if len(links) > 1 {
			message += fmt.Sprintf(", which %d notes link to", len(links))
		}
		l.tellAs(severity, DeadLink, links[0], message,
			fmt.Sprintf("write the note %s.md, or take the brackets away", brief(linkName(links[0].link.Target))), sources...)
	}
}

// followed counts the links between notes, each pair once.
func (e *Examination) followed() int {
	count := 0
	for i := range e.said {
		count += len(e.said[i].targets)
	}
	return count
}

// tellSites tells once of each first folder that no file has and links begin with: they were made for a website.
func (l *linkCheck) tellSites() {
	for _, first := range sortedKeys(l.sites) {
		links := l.sites[first]
		notes, times := map[int]bool{}, 0
		for _, w := range links {
			notes[w.source] = true
			times += w.times
		}
		l.tell(SiteLinks, troubledLink{source: links[0].source, link: links[0].link, times: 1},
			fmt.Sprintf("%s in %s to /%s/…, which is no folder of the vault: addresses of a website",
				counted(times, "link", "links"), counted(len(notes), "note", "notes"), brief(first)),
			"nothing if the notes are made for that website; else write the links as paths of the vault")
	}
}

// examineAmbiguous names the files that fit.
func (l *linkCheck) examineAmbiguous(w troubledLink) {
	key := strings.ToLower(w.link.Target)
	fit, ok := l.fitting[key]
	if !ok {
		fit = l.files().fitting(key)
		l.fitting[key] = fit
	}
	others := fit.but(w.link.Resolved, w.link.Target)
	l.tell(AmbiguousLink, w, fmt.Sprintf("%s fits %s as well as %s", shown(w.link), w.link.Resolved, listedOf(others.paths, others.count, 3)),
		fmt.Sprintf("write the path: %s", l.rewritten(w.link, linkPath(w.link.Resolved), w.link.Subpath)), others.paths...)
}
