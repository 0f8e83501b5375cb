package bear

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// maxTags bounds the tags of a note.
const maxTags = 100

var (
	comment = lazyregexp.New(`(?s)<!--.*?-->`)
	width   = lazyregexp.New(`"width"\s*:\s*"?(\d{1,5})`)
	oldMark = lazyregexp.New(`(?m)(^|[^\p{L}\p{N}:])::([^\s:](?:[^:\n]*[^\s:])?)::`)
	// A link or an image, with the comment behind it that says how Bear shows it.
	link    = lazyregexp.New(`(!?)\[((?:[^\[\]\\\n]|\\.|\[(?:[^\[\]\\\n]|\\.)*\])*)\]\((<[^<>\n]*>|(?:[^()\s\\]|\\.|\((?:[^()\s\\]|\\.)*\))*)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?\)(<!--[ \t]*\{[^\n]*?-->)?`)
	oldFile = lazyregexp.New(`\[(image|file):([^\[\]\n]+)\]`)
	wiki    = lazyregexp.New(`\[\[([^\[\]\n]+)\]\]`)
)

// body is a note's text: tags, links, attachments and marks as Obsidian has them.
func (r *reader) body(n *note, text string, tags *[]string) string {
	hidden, code := markdown.HideCode(text)
	hidden = replace(link, hidden, func(m []string) string { return r.link(n, m, code) })
	hidden = replace(oldFile, hidden, func(m []string) string {
		bang := map[string]string{"image": "!", "file": ""}[m[1]]
		if _, ok := r.fileOf(n, m[2]); !ok {
			return m[0]
		}
		return r.link(n, []string{m[0], bang, path.Base(m[2]), m[2], ""}, code)
	})
	hidden = comment.ReplaceAllString(hidden, "")
	hidden = replace(wiki, hidden, func(m []string) string { return r.wiki(n, m[1], code) })
	hidden = oldMark.ReplaceAllString(hidden, "$1==$2==")
	return code.Show(takeTags(hidden, tags))
}

// link is a link or an image: of an attachment, of a note by Bear's own address, or as it is.
func (r *reader) link(n *note, m []string, code *markdown.Code) string {
	isImage, inner, address, comment := m[1] != "", m[2], strings.Trim(m[3], "<>"), m[4]
	if strings.Contains(inner, "](") { // a picture as the text of a link
		inner = replace(link, inner, func(m []string) string { return r.link(n, m, code) })
	}
	whole := m[1] + "[" + inner + strings.TrimSuffix(m[0][len(m[1])+1+len(m[2]):], comment)
	text := code.Show(inner)
	if strings.HasPrefix(address, "bear://") {
		return r.ownAddress(address, text, whole)
	}
	name, ok := r.fileOf(n, address)
	if !ok {
		if isImage && !strings.Contains(address, "://") && address != "" {
			r.into.Problem(n.place, "the attachment %s is not in the export", draft.Line(address))
		}
		return whole
	}
	r.attach(name)
	to := export.Target{ID: "file:" + name, Text: text, IsEmbed: isImage, Otherwise: whole}
	if size := width.FindStringSubmatch(comment); size != nil && isImage {
		to.Size = size[1]
	}
	return r.into.Link(to)
}

// fileOf is the file that an address of a note means.
func (r *reader) fileOf(n *note, address string) (string, bool) {
	if address == "" || strings.Contains(address, "://") || strings.HasPrefix(address, "#") {
		return "", false
	}
	names := []string{address}
	if decoded, err := url.PathUnescape(address); err == nil {
		names = append(names, decoded)
	}
	for _, name := range names {
		for _, place := range []string{path.Join(n.dir, name), path.Join(n.assets, path.Base(name))} {
			if _, ok := r.files[place]; ok && !isText(place) {
				return place, true
			}
		}
	}
	return "", false
}

// ownAddress is a link by the address that Bear opens a note at.
func (r *reader) ownAddress(address, text, whole string) string {
	parsed, err := url.Parse(strings.ReplaceAll(address, `\`, ""))
	if err != nil || !strings.HasSuffix(parsed.Path, "/open-note") {
		return whole
	}
	query := parsed.Query()
	to := export.Target{ID: query.Get("id"), Name: query.Get("title"), Heading: query.Get("header"), Text: text, Otherwise: text}
	switch {
	case to.ID == "" && to.Name == "":
		return whole
	case !r.ids[to.ID] && to.Name != "":
		to.ID = r.titles[to.Name]
	}
	return r.into.Link(to)
}

// wiki is a link "[[note]]", "[[note/heading]]", "[[/heading]]" or one of them with "|text".
func (r *reader) wiki(n *note, inner string, code *markdown.Code) string {
	name, text, _ := strings.Cut(code.Show(inner), "|")
	name, heading := r.part(strings.TrimSpace(name))
	to := export.Target{Name: name, Heading: heading, Text: strings.TrimSpace(text), Otherwise: "[[" + code.Show(inner) + "]]"}
	if to.ID = r.titles[name]; name == "" {
		to.Name, to.ID = n.title, n.id
	}
	return r.into.Link(to)
}

// part tells a note's name from a heading behind it: "a/b" is the heading b of a, unless a note is called so or none is called a.
func (r *reader) part(name string) (title, heading string) {
	plain := strings.ReplaceAll(name, `\/`, "/")
	if r.titles[plain] != "" {
		return plain, ""
	}
	for at := strings.LastIndexByte(name, '/'); at >= 0; at = strings.LastIndexByte(name[:at], '/') {
		before := strings.ReplaceAll(strings.TrimSuffix(name[:at], `\`), `\/`, "/")
		if isEscaped := at > 0 && name[at-1] == '\\'; !isEscaped && (before == "" || r.titles[before] != "") {
			return before, strings.ReplaceAll(name[at+1:], `\/`, "/")
		}
	}
	return plain, ""
}

// takeTags makes the tags of a text valid and collects them. A line of tags alone below the title leaves the text.
func takeTags(text string, tags *[]string) string {
	lines := strings.Split(text, "\n")
	isHead, isTitled := true, false // until a line that is neither the title nor tags
	out := lines[:0]
	for _, line := range lines {
		made, found, rest := tagLine(line)
		switch {
		case isHead && !isTitled && strings.HasPrefix(line, "# "):
			isTitled = true
			*tags = appendNew(*tags, found)
		case isHead && len(found) > 0 && rest == "":
			*tags = appendNew(*tags, found)
			continue
		case isHead && len(found) > 0 && isDigitTags(rest):
			*tags = appendNew(*tags, found)
			isHead = false
			made = rest
		case strings.TrimSpace(line) != "":
			isHead = false
			*tags = appendNew(*tags, found)
		}
		out = append(out, made)
	}
	return strings.Join(out, "\n")
}

func appendNew(tags, found []string) []string {
	for _, tag := range found {
		if len(tags) < maxTags && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags
}

// isDigitTags tells whether a text is nothing but "#2026" and the like, which are no tags.
func isDigitTags(text string) bool {
	for field := range strings.FieldsSeq(text) {
		if strings.Trim(field, "#0123456789") != "" {
			return false
		}
	}
	return true
}

// tagLine is a line with valid tags, the tags, and what is left of it without them.
func tagLine(line string) (made string, found []string, rest string) {
	var out, left strings.Builder
	before := ' '
	for at := 0; at < len(line); {
		r, size := utf8.DecodeRuneInString(line[at:])
		if r == '#' && startsTag(before) && !strings.HasSuffix(line[:at], "](") {
			if name, length := tagAt(line[at:]); length > 0 {
				if tag, ok := draft.Tag(name); ok {
					found = append(found, tag)
					out.WriteString("#" + tag)
					at += length
					before = '#'
					continue
				}
			}
		}
		out.WriteRune(r)
		left.WriteRune(r)
		before = r
		at += size
	}
	return out.String(), found, strings.TrimSpace(left.String())
}

func startsTag(before rune) bool {
	return unicode.IsSpace(before) || strings.ContainsRune("([{,;\"'“„*_~=>", before)
}

// tagAt is the tag that a text begins with, "#one" or "#two words#", and the length of it.
func tagAt(text string) (string, int) {
	body := text[1:]
	first, _ := utf8.DecodeRuneInString(body)
	if body == "" || unicode.IsSpace(first) || first == '#' || !isTagRune(first) {
		return "", 0
	}
	if end := strings.IndexByte(body, '#'); end > 0 && end < 200 {
		last, _ := utf8.DecodeLastRuneInString(body[:end])
		next, _ := utf8.DecodeRuneInString(body[end+1:])
		isClosed := !unicode.IsSpace(last) && (body[end+1:] == "" || unicode.IsSpace(next) || unicode.IsPunct(next) && next != '#')
		if isClosed && strings.ContainsAny(body[:end], " \t") && !strings.ContainsAny(body[:end], "\uE0FE\uE0F0[]()") {
			return body[:end], end + 2
		}
		if isClosed && strings.IndexFunc(body[:end], func(r rune) bool { return !isTagRune(r) }) < 0 {
			return body[:end], end + 2
		}
	}
	end := strings.IndexFunc(body, func(r rune) bool { return !isTagRune(r) })
	if end < 0 {
		end = len(body)
	}
	name := strings.TrimRight(body[:end], "-/.")
	return name, 1 + len(name)
}

func isTagRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("_-/&+@.", r) || r > 0x1F000
}

// replace is a text with what write gives for each match of a pattern.
func replace(pattern *lazyregexp.Regexp, text string, write func(m []string) string) string {
	var b strings.Builder
	at := 0
	for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(text[at:m[0]])
		groups := make([]string, len(m)/2)
		for i := range groups {
			if m[2*i] >= 0 {
				groups[i] = text[m[2*i]:m[2*i+1]]
			}
		}
		b.WriteString(write(groups))
		at = m[1]
	}
	return b.String() + text[at:]
}
