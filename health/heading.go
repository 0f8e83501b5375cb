package health

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"quarry/graph"
	"quarry/store"
)

// maxSameHeading is up to how many notes of one heading a link may have meant one of them; a heading of more says nothing.
const maxSameHeading = 1

// outlines finds notes by what stands in them.
type outlines struct {
	*Examination
	headings map[string][]int // PlainHeading → positions of the notes that have it
	blocks   map[string][]int // lower case → positions of the notes
}

func newOutlines(e *Examination) *outlines {
	o := &outlines{e, map[string][]int{}, map[string][]int{}}
	for i := range e.facts.Notes {
		if e.roles[i].isTemplate {
			continue
		}
		for _, heading := range e.facts.Notes[i].Headings {
			key := graph.PlainHeading(heading.Text)
			if list := o.headings[key]; len(list) == 0 || list[len(list)-1] != i {
				o.headings[key] = append(list, i)
			}
		}
		for _, id := range e.facts.Notes[i].BlockIDs {
			o.blocks[strings.ToLower(id)] = append(o.blocks[strings.ToLower(id)], i)
		}
	}
	return o
}

// examineHeading tells a heading that was renamed from one that moved.
func (l *linkCheck) examineHeading(w written) {
	at, ok := l.at[w.link.Resolved]
	switch {
	case !ok, l.hasAnchor(at, lastPart(w.link.Subpath)):
	case w.link.Markdown && l.isAnchor(at, w.link.Subpath):
	case w.link.Markdown:
		l.anchored = append(l.anchored, w)
	default:
		l.tellHeading(w)
	}
}

// tellHeading names the likeliest heading.
func (l *linkCheck) tellHeading(w written) {
	at := l.at[w.link.Resolved]
	wanted := lastPart(w.link.Subpath)
	key := graph.PlainHeading(wanted)
	near, likeness := "", 0.0
	if list := l.facts.Notes[at].Headings; l.compared < maxAllCompared {
		l.compared += min(len(list), maxCompared)
		near, likeness = nearestHeading(list, key)
	}
	moved := slices.DeleteFunc(slices.Clone(l.outlines.headings[key]), func(i int) bool { return i == at || !l.mayHaveMoved(key, at, i) })
	switch {
	case len(moved) > 0 && len(moved) <= maxSameHeading && likeness < surelyAlike:
		to := l.facts.Notes[moved[0]].Path
		where := place(to, l.line(to, PlaceOfHeading, key))
		l.tell(MovedHeading, w, fmt.Sprintf("the heading %q stands no longer in %s, but in %s", wanted, w.link.Resolved, where),
			"write "+l.rewritten(w.link, linkName(to)+l.subpathTo(w.link, wanted)), where)
	case near != "":
		where := place(w.link.Resolved, l.line(w.link.Resolved, PlaceOfHeading, graph.PlainHeading(near)))
		l.tell(DeadHeading, w, fmt.Sprintf("%s has no heading %q", w.link.Resolved, wanted),
			fmt.Sprintf("likely %q is meant: write %s", near, l.rewritten(w.link, w.link.Target+l.subpathTo(w.link, near))), where)
	default:
		remedy := "name a heading that it has"
		if w.link.Target != "" {
			remedy += ", or the note alone: " + l.rewritten(w.link, w.link.Target)
		}
		l.tell(DeadHeading, w, fmt.Sprintf("%s has no heading %q", w.link.Resolved, wanted), remedy, l.headingsOf(at)...)
	}
}

// mayHaveMoved tells whether a heading of one note is likely that of another: it has several words, or the notes are linked.
func (l *linkCheck) mayHaveMoved(key string, from, to int) bool {
	return strings.ContainsAny(key, " -") || l.isLinked(from, to) || l.isLinked(to, from)
}

// subpathTo names a heading as the link does now: by its anchor or by its text.
func (l *linkCheck) subpathTo(link *Link, heading string) string {
	if now := lastPart(link.Subpath); l.facts.Customs.HasAnchors || link.Markdown && now == anchor(now) {
		return "#" + anchor(heading)
	}
	return "#" + heading
}

// hasAnchor tells of an anchor that a note has written as HTML.
func (l *linkCheck) hasAnchor(at int, name string) bool {
	return l.content != nil && slices.Contains(l.content[at].anchors, name)
}

// headingsOf are the first headings of a note, with their lines.
func (l *linkCheck) headingsOf(at int) []string {
	var list []string
	for _, heading := range l.facts.Notes[at].Headings[:min(len(l.facts.Notes[at].Headings), maxNamedHeadings)] {
		list = append(list, l.facts.Notes[at].Path+"#"+heading.Text)
	}
	return list
}

const maxNamedHeadings = 5

// lastPart is the last heading that a subpath names.
func lastPart(subpath string) string {
	parts := strings.Split(strings.TrimRight(subpath, "#"), "#")
	return strings.TrimSpace(parts[len(parts)-1])
}

// Shares of letter pairs (Dice's coefficient) from which headings are alike.
const (
	surelyAlike = .8
	alike       = .5
)

// nearestHeading finds the heading that is most like another, "" where none is: one is a part of the other, or most letter
// pairs are the same.
func nearestHeading(headings []store.Heading, key string) (text string, likeness float64) {
	wanted := pairsOf(strings.ReplaceAll(key, "-", " "))
	for _, heading := range headings[:min(len(headings), maxCompared)] {
		plain := graph.PlainHeading(heading.Text)
		share := dice(wanted, pairsOf(strings.ReplaceAll(plain, "-", " ")))
		if len(key) >= minPartBytes && len(plain) >= minPartBytes && (strings.Contains(plain, key) || strings.Contains(key, plain)) {
			share = max(share, alike)
		}
		if share >= alike && share > likeness {
			text, likeness = heading.Text, share
		}
	}
	return text, likeness
}

const (
	maxCompared    = 2000    // headings of a note that are compared
	maxAllCompared = 200_000 // headings that are compared in all, which takes half a second
	minPartBytes   = 4       // from which length on a part of a heading says something
)

// isAnchor tells whether a subpath is the anchor of a heading as websites write it: "#how-tokens-rotate".
func (l *linkCheck) isAnchor(at int, subpath string) bool {
	wanted := lettersOf(lastPart(subpath))
	return slices.ContainsFunc(l.facts.Notes[at].Headings, func(h store.Heading) bool {
		is := lettersOf(h.Text)
		return is == wanted || is != "" && strings.HasPrefix(wanted, is) && strings.Trim(wanted[len(is):], "0123456789") == "" // of equal headings
	})
}

// lettersOf is what a heading and its anchors have in common, whatever a website makes of the marks and spaces between.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// anchor writes a heading as GitHub does: lower case, letters, digits, hyphens and underscores, each space a hyphen.
func anchor(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '-':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(text))
}

// examineBlock names the note that has the block now.
func (l *linkCheck) examineBlock(w written) {
	id := strings.TrimPrefix(lastPart(w.link.Subpath), "^")
	var now []string
	for _, i := range l.outlines.blocks[strings.ToLower(id)] {
		if to := l.facts.Notes[i].Path; to != w.link.Resolved {
			now = append(now, place(to, l.line(to, PlaceOfBlock, id)))
		}
	}
	in := w.link.Resolved
	if in == "" {
		in = "the vault"
	}
	message := fmt.Sprintf("%s has no block ^%s", in, id)
	switch {
	case l.facts.Customs.NamesSuffice:
		l.tell(DeadBlock, w, "no block has the id "+id, "the block was deleted, or lies in a note that is not here: take the reference out")
	case len(now) == 1:
		name, _, _ := strings.Cut(now[0], ":")
		l.tell(DeadBlock, w, message+"; it stands in "+now[0], "write "+l.rewritten(w.link, linkName(name)+"#^"+id), now...)
	case w.link.Target == "":
		l.tell(DeadBlock, w, message, fmt.Sprintf("put ^%s at the end of the block that is meant", id), now...)
	default:
		l.tell(DeadBlock, w, message, fmt.Sprintf("put ^%s at the end of the block in %s that is meant, or write %s", id, in, l.rewritten(w.link, w.link.Target)), now...)
	}
}
