package health

import (
	"fmt"
	"strings"
	"unicode"
)

// examineHeading tells a heading that was renamed from one that moved.
func (l *linkCheck) examineHeading(w troubledLink) {
	wanted := lastPart(w.link.Subpath)
	missing := fmt.Sprintf("%s has no heading %q", w.link.Resolved, brief(wanted))
	if above := lastPart(strings.TrimSuffix(strings.TrimRight(w.link.Subpath, "#"), "#"+wanted)); above != "" && above != wanted {
		missing += fmt.Sprintf(" below %q", brief(above))
	}
	if len(w.meant) == 0 {
		remedy := "name a heading that it has"
		if w.link.Target != "" {
			remedy += ", or the note alone: " + l.rewritten(w.link, brief(w.link.Target), "")
		}
		l.tell(DeadHeading, w, missing, remedy)
		return
	}
	meant := w.meant[0]
	line := l.line(meant.Path, PlaceOfHeading, meant.Heading)
	where := place(meant.Path, line)
	if meant.Path != w.link.Resolved {
		l.tell(MovedHeading, w, fmt.Sprintf("the heading %q stands no longer in %s, but in %s", brief(wanted), w.link.Resolved, where),
			"write "+l.rewritten(w.link, l.targetOf(w, meant.Path), l.subpathTo(w.link, meant.Heading)), where)
		return
	}
	at := ""
	if line > 0 {
		at = fmt.Sprintf(" (line %d)", line)
	}
	l.tell(DeadHeading, w, missing,
		fmt.Sprintf("likely %q%s is meant: write %s", brief(meant.Heading), at, l.rewritten(w.link, brief(w.link.Target), l.subpathTo(w.link, meant.Heading))))
}

// subpathTo names a heading as the link does now: by its anchor or by its text.
func (l *linkCheck) subpathTo(link *Link, heading string) string {
	if now := lastPart(link.Subpath); l.facts.Customs.HasAnchors || link.Markdown && now == anchor(now) {
		return "#" + anchor(heading)
	}
	return "#" + headingInLink.Replace(heading)
}

// headingInLink leaves out of a heading what would end a link or begin another part of it: marks do not count there.
var headingInLink = strings.NewReplacer("[[", "", "]]", "", "|", " ", "#", " ", "^", " ")

// lastPart is the last heading that a subpath names.
func lastPart(subpath string) string {
	parts := strings.Split(strings.TrimRight(subpath, "#"), "#")
	return strings.TrimSpace(parts[len(parts)-1])
}

// lettersOf is what a text and its anchors have in common, whatever a website makes of the marks and spaces between.
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
func (l *linkCheck) examineBlock(w troubledLink) {
	id := strings.TrimPrefix(lastPart(w.link.Subpath), "^")
	in := w.link.Resolved
	if in == "" {
		in = "the vault"
	}
	message := fmt.Sprintf("%s has no block ^%s", in, brief(id))
	switch {
	case l.facts.Customs.NamesSuffice:
		l.tell(DeadBlock, w, "no block has the id "+brief(id), "the block was deleted, or lies in a note that is not here: take the reference out")
	case len(w.meant) == 1:
		to := w.meant[0]
		where := place(to.Path, l.line(to.Path, PlaceOfBlock, to.Block))
		l.tell(DeadBlock, w, message+"; it stands in "+where, "write "+l.rewritten(w.link, l.targetOf(w, to.Path), "#^"+to.Block), where)
	case w.link.Target == "":
		l.tell(DeadBlock, w, message, fmt.Sprintf("put ^%s at the end of the block that is meant", brief(id)))
	default:
		l.tell(DeadBlock, w, message,
			fmt.Sprintf("put ^%s at the end of the block in %s that is meant, or write %s", brief(id), in, l.rewritten(w.link, brief(w.link.Target), "")))
	}
}
