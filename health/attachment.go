package health

import (
	"fmt"
	"path"
	"strings"
)

// isNoteFile tells of a name that is one of a note by its extension.
func isNoteFile(file string) bool {
	extension := strings.ToLower(path.Ext(file))
	return extension == ".md" || extension == ".markdown"
}

// Where nearly all attachments are missing they lie elsewhere, and one finding says so.
const (
	minElsewhere      = 20 // links to attachments
	minElsewhereShare = .8 // of them that lead nowhere
)

// tellAttachments tells of links to attachments that are not there.
func (l *linkCheck) tellAttachments() {
	times := 0
	for _, w := range l.lost {
		times += w.times
	}
	if times < minElsewhere || float64(len(l.lost)) < minElsewhereShare*float64(len(l.lost)+l.attached) {
		for _, w := range l.lost {
			l.tellAttachment(w)
		}
		return
	}
	notes := map[int]bool{}
	for _, w := range l.lost {
		notes[w.source] = true
	}
	first := l.lost[0]
	l.tell(DeadAttachment, troubledLink{source: first.source, link: first.link, times: 1},
		fmt.Sprintf("%d pictures and other files that %s name are not in the vault, such as %s", len(l.lost),
			counted(len(notes), "note", "notes"), named(first.link.Target)),
		"put the folder of attachments into the vault; or nothing if they are kept elsewhere")
}

// tellAttachment names the file that may be meant.
func (l *linkCheck) tellAttachment(w troubledLink) {
	var near []string
	for _, meant := range w.meant {
		near = append(near, meant.Path)
	}
	remedy := "put the file there, or take the link away"
	if len(near) > 0 {
		remedy = l.likeliest(w, near[:1])
	}
	what := "a link to"
	if w.link.Embed {
		what = "an embed of"
	}
	l.tell(DeadAttachment, w, fmt.Sprintf("%s %s, and there is no such file", what, named(w.link.Target)), remedy, near...)
}

// targetOf is how a link of a note names a file: in Markdown by the way from its folder, in brackets by its name.
func (l *linkCheck) targetOf(w troubledLink, file string) string {
	switch {
	case w.link.Markdown:
		return relativePath(path.Dir(l.facts.Notes[w.source].Path), file)
	case l.files().count(path.Base(file)) > 1:
		return linkPath(file)
	}
	return linkName(file)
}

// relativePath is the way from a folder to a file.
func relativePath(folder, file string) string {
	from, to := strings.Split(folder, "/"), strings.Split(file, "/")
	if folder == "." {
		from = nil
	}
	for len(from) > 0 && len(to) > 1 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	return strings.Repeat("../", len(from)) + strings.Join(to, "/")
}

// isAddressWithoutScheme tells of a destination that begins with the name of a host: "example.org/page".
func isAddressWithoutScheme(target string) bool {
	host, _, hasPath := strings.Cut(target, "/")
	return strings.HasPrefix(host, "www.") || hasPath && hostName().MatchString(host)
}

var hostName = lazy(`^([a-z0-9-]+\.)+[a-z]{2,}$`)

// linkName is how a link names a file: by its name alone, without the extension of a note.
func linkName(file string) string { return path.Base(linkPath(file)) }

// linkPath is how a link names a file by its path.
func linkPath(file string) string { return strings.TrimSuffix(file, ".md") }

// shown is a link as a reader knows it.
func shown(link *Link) string {
	if link.Markdown {
		return fmt.Sprintf("(%s)", brief(link.Target+link.Subpath))
	}
	return fmt.Sprintf("[[%s]]", brief(link.Target+link.Subpath))
}
