package health

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"quarry/graph"
	"quarry/internal/spelling"
)

// written is what a note links to, with how often it does.
type written struct {
	source int // position of the note
	link   *Link
	times  int
}

// links looks at all links. What one note says several times is told once, of the first line.
func (e *Examination) links() {
	if !e.selection.hasAny(DeadLink, AliasLink, AmbiguousLink, AddressInBrackets, DeadHeading, MovedHeading, DeadBlock, DeadAttachment, SiteLinks) {
		return
	}
	l := newLinkCheck(e)
	for i := range e.facts.Notes {
		for _, w := range l.once(i) {
			l.examine(w)
		}
	}
	isSite := l.tellSites()
	if !isSite {
		for _, w := range l.anchored {
			l.tellHeading(w)
		}
	}
	l.tellWanted()
	l.tellAttachments()
}

// linkCheck looks at links one by one and keeps what is told of many.
type linkCheck struct {
	*Examination
	files     map[string][]string // folded last segment → paths of all files of that name
	folders   map[string]bool     // folded
	filetypes map[string]bool     // extensions of files that are no notes, in lower case, with the dot
	outlines  *outlines
	wanted    map[string][]written // folded target → links to a note that nobody has written
	sites     map[string][]written // first folder of an address → links
	anchored  []written            // Markdown links to a heading that is not there
	lost      []written            // links to attachments that are not there
	compared  int                  // headings with those that links name
	followed  int                  // links that lead to a note
	attached  int                  // links that lead to another file
}

func newLinkCheck(e *Examination) *linkCheck {
	l := &linkCheck{
		Examination: e, files: map[string][]string{}, folders: map[string]bool{}, filetypes: map[string]bool{},
		wanted: map[string][]written{}, sites: map[string][]written{},
	}
	for _, extension := range attachmentTypes {
		l.filetypes[extension] = true
	}
	add := func(file string) {
		key := strings.ToLower(file)
		l.files[path.Base(key)] = append(l.files[path.Base(key)], file)
		for folder := path.Dir(key); folder != "." && !l.folders[folder]; folder = path.Dir(folder) {
			l.folders[folder] = true
		}
	}
	for i := range e.facts.Notes {
		add(e.facts.Notes[i].Path)
	}
	for _, file := range e.facts.Files {
		add(file)
		if extension := strings.ToLower(path.Ext(file)); len(extension) > 1 && !isNoteExtension(extension) {
			l.filetypes[extension] = true
		}
	}
	l.outlines = newOutlines(e)
	return l
}

// once gives the links of a note that are for readers, each target once, in reading order.
func (l *linkCheck) once(of int) []written {
	var list []written
	at := map[[2]string]int{}
	for k := range l.facts.Notes[of].Links {
		link := &l.facts.Notes[of].Links[k]
		if link.Hidden || isPlaceholder(link) {
			continue
		}
		key := [2]string{link.Target, link.Subpath}
		if link.External {
			key[1] += "\n" // an address is no target
		}
		if i, ok := at[key]; ok {
			list[i].times++
			continue
		}
		at[key] = len(list)
		list = append(list, written{of, link, 1})
	}
	return list
}

// isPlaceholder tells of a target that a template is to fill in, or that has no word in it.
func isPlaceholder(link *Link) bool {
	target := link.Target + link.Subpath
	return strings.Contains(target, "{{") || strings.Contains(target, "<%") || strings.Contains(target, "${") ||
		lettersOf(link.Target) == "" && lettersOf(link.Subpath) == "" || link.Target != "" && strings.HasPrefix(link.Target, "|")
}

func (l *linkCheck) examine(w written) {
	if _, isNote := l.at[w.link.Resolved]; isNote {
		l.followed++
	} else if w.link.Resolved != "" {
		l.attached++
	}
	switch w.link.State {
	case graph.External:
		l.examineAddress(w)
	case graph.Unresolved:
		l.examineDead(w)
	case graph.Alias:
		l.tell(AliasLink, w, fmt.Sprintf("%s is only an alias of %s: no app follows it", shown(w.link), w.link.AliasOf),
			"write "+l.brackets(linkName(w.link.AliasOf), w.link.Target), w.link.AliasOf)
	case graph.Ambiguous:
		l.examineAmbiguous(w)
	case graph.HeadingMissing:
		l.examineHeading(w)
	case graph.BlockMissing:
		l.examineBlock(w)
	case graph.OK:
	}
}

// tell adds a finding of a link.
func (l *linkCheck) tell(check string, w written, message, remedy string, related ...string) {
	l.tellAs("", check, w, message, remedy, related...)
}

func (l *linkCheck) tellAs(severity Severity, check string, w written, message, remedy string, related ...string) {
	if w.times > 1 {
		message += fmt.Sprintf(" (%d times in this note)", w.times)
	}
	l.add(Finding{
		Check: check, Severity: severity, Path: l.facts.Notes[w.source].Path, Line: w.link.Line,
		Message: message, Remedy: remedy, Related: related,
	})
}

// examineAddress finds [[https://…]], which an app takes for the name of a note.
func (l *linkCheck) examineAddress(w written) {
	if w.link.Markdown || w.link.FromField || w.link.Embed || !l.roles[w.source].isNote || !strings.Contains(w.link.Target, "://") {
		return
	}
	text := w.link.Display
	if text == "" || text == w.link.Target {
		text = "text"
	}
	l.tell(AddressInBrackets, w, shown(w.link)+" is an address: in brackets it is taken for the name of a note",
		fmt.Sprintf("write [%s](%s)", text, w.link.Target))
}

func (l *linkCheck) examineDead(w written) {
	link, source := w.link, l.facts.Notes[w.source].Path
	target := strings.ReplaceAll(link.Target, `\`, "/")
	switch {
	case l.isFolder(target, source), leavesVault(target, source), l.facts.Customs.TextFirst && isTagNote(target):
		return
	case strings.HasPrefix(target, "/") && !l.folders[strings.ToLower(firstFolder(target))] && !l.filetypes[strings.ToLower(path.Ext(target))]:
		l.sites[firstFolder(target)] = append(l.sites[firstFolder(target)], w)
		return
	case l.filetypes[strings.ToLower(path.Ext(target))]:
		l.lost = append(l.lost, w)
		return
	}
	near := l.suggest(w)
	isWrittenAsPath := link.Markdown || isNoteExtension(strings.ToLower(path.Ext(target)))
	switch {
	case link.Markdown && isAddressWithoutScheme(target):
		l.tell(DeadLink, w, link.Target+" is an address without https:// and is taken for a file", fmt.Sprintf("write [%s](https://%s)", link.Display, link.Target))
	case len(near) > 0 && l.facts.Customs.NamesSuffice && !link.Markdown:
		l.tellAs(Notice, DeadLink, w, "no note is called "+link.Target, l.likeliest(w, near), near...)
	case len(near) > 0:
		l.tell(DeadLink, w, "no note is called "+link.Target, l.likeliest(w, near), near...)
	case isWrittenAsPath:
		l.tell(DeadLink, w, "there is no file "+link.Target, "write the note, or take the link away")
	case !l.facts.Customs.NamesSuffice:
		key := strings.ToLower(link.Target)
		l.wanted[key] = append(l.wanted[key], w)
	}
}

// suggest names the notes that a link may have meant. Notes of a day are a day apart and no slips of each other.
func (l *linkCheck) suggest(w written) []string {
	if l.facts.Suggest == nil {
		return nil
	}
	return slices.DeleteFunc(l.facts.Suggest(w.link.Target, l.facts.Notes[w.source].Path), func(file string) bool {
		at, isNote := l.at[file]
		return !isNote || l.roles[at].isDaily && !datedName.MatchString(stemOf(w.link.Target+".md")) || !l.isNearInOrder(w.link.Target, file)
	})
}

// isNearInOrder tells, where names have an order, whether two of them differ by a slip within one part, or by where the last part
// stands: that "topic.seeds" and "topic.users" have most letters in common says nothing.
func (l *linkCheck) isNearInOrder(target, file string) bool {
	mark := l.facts.Customs.Nesting
	if mark == "" || !strings.Contains(target, mark) {
		return true
	}
	a, b := strings.Split(strings.ToLower(target), mark), strings.Split(strings.ToLower(stemOf(file)), mark)
	if len(a) != len(b) {
		return a[len(a)-1] == b[len(b)-1]
	}
	for i := range a {
		if a[i] != b[i] && spelling.Distance(a[i], b[i]) > 1 && singular(a[i]) != singular(b[i]) {
			return false
		}
	}
	return true
}

// isTagNote tells of the note of a tag in Dendron, which nobody has to write.
func isTagNote(target string) bool {
	return strings.HasPrefix(target, "tags.") || strings.HasPrefix(target, "user.")
}

// likeliest says which note may be meant.
func (l *linkCheck) likeliest(w written, near []string) string {
	remedy := fmt.Sprintf("likely %s is meant: write %s", near[0], l.rewritten(w.link, l.targetOf(w, near[0])+w.link.Subpath))
	if len(near) > 1 {
		remedy += "; or " + strings.Join(near[1:], ", ")
	}
	return remedy
}

// rewritten is a link with another target.
func (l *linkCheck) rewritten(link *Link, target string) string {
	if link.Markdown {
		return fmt.Sprintf("[%s](%s)", link.Display, strings.ReplaceAll(target, " ", "%20"))
	}
	text := link.Display
	if text == link.Target || text == link.Target+link.Subpath || text == link.Target+" > "+strings.TrimPrefix(link.Subpath, "#") {
		text = "" // an app shows it so by itself
	}
	if link.Embed {
		return "!" + l.brackets(target, text)
	}
	return l.brackets(target, text)
}

// brackets is a link to a target, with a text if there is one.
func (l *linkCheck) brackets(target, text string) string {
	switch {
	case text == "":
		return "[[" + target + "]]"
	case l.facts.Customs.TextFirst:
		return "[[" + text + "|" + target + "]]"
	}
	return "[[" + target + "|" + text + "]]"
}

// manyWanted is the share of links to unwritten notes from which on the vault's custom is to link to what may be written.
const manyWanted = .1

// tellWanted tells of notes that links name and nobody has written, each name once: not all of them are mistakes.
func (l *linkCheck) tellWanted() {
	severity := Notice
	if float64(len(l.wanted)) > manyWanted*float64(l.followed) {
		severity = Hint
	}
	for _, links := range l.wanted {
		var sources []string
		for _, w := range links {
			sources = append(sources, place(l.facts.Notes[w.source].Path, w.link.Line))
		}
		message := "there is no note " + links[0].link.Target
		if len(links) > 1 {
			message += fmt.Sprintf(", which %d notes link to", len(links))
		}
		l.tellAs(severity, DeadLink, links[0], message, fmt.Sprintf("write the note %s.md, or take the brackets away", linkName(links[0].link.Target)), sources[1:]...)
	}
}

// tellSites tells once of each first folder that no file has and links begin with: they were made for a website. Where these are
// more than all others, so are the anchors of headings, which the website makes by rules of its own.
func (l *linkCheck) tellSites() (isSite bool) {
	all := 0
	for _, links := range l.sites {
		all += len(links)
	}
	isSite = all > l.followed
	for first, links := range l.sites {
		notes := map[int]bool{}
		times := 0
		for _, w := range links {
			notes[w.source] = true
			times += w.times
		}
		l.tell(SiteLinks, written{links[0].source, links[0].link, 1},
			fmt.Sprintf("%s in %s to /%s/…, which is no folder of the vault: addresses of a website", counted(times, "link", "links"), counted(len(notes), "note", "notes"), first),
			"nothing if the notes are made for that website; else write the links as paths of the vault")
	}
	return isSite
}

// examineAmbiguous names the files that fit.
func (l *linkCheck) examineAmbiguous(w written) {
	fitting := slices.DeleteFunc(slices.Clone(l.named(w.link.Target)), func(file string) bool { return file == w.link.Resolved })
	l.tell(AmbiguousLink, w, fmt.Sprintf("%s fits %s as well as %s", shown(w.link), w.link.Resolved, listed(fitting, 3)),
		fmt.Sprintf("write the path: %s", l.rewritten(w.link, linkPath(w.link.Resolved)+w.link.Subpath)), fitting...)
}

// named are the files whose path ends with a target.
func (l *linkCheck) named(target string) []string {
	key := strings.ToLower(strings.TrimPrefix(target, "/"))
	var fitting []string
	for _, whole := range []string{key, key + ".md"} {
		for _, file := range l.files[path.Base(whole)] {
			if folded := strings.ToLower(file); folded == whole || strings.HasSuffix(folded, "/"+whole) {
				fitting = append(fitting, file)
			}
		}
	}
	slices.Sort(fitting)
	return fitting
}
