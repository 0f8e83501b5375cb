package plain

import (
	"net/url"
	"path"
	"strings"

	"quarry/convert/export"
	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

var (
	wikiLink = lazyregexp.New(`(!?)\[\[([^\[\]\n|#^]*)(#[^\[\]\n|]*)?(?:\\?\|([^\[\]\n]*))?\]\]`)
	// inlineLink has a text without brackets, but for one pair, and an address without blanks or in "<…>".
	inlineLink = lazyregexp.New(`(!?)\[((?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]\(\s*(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)`)
	scheme     = lazyregexp.New(`^(?:[A-Za-z][A-Za-z0-9+.-]*:|//)`)
	sizeOnly   = lazyregexp.New(`^\d+(?:x\d+)?$`)
)

// linked is the text of a file with its links to other files of the export.
func (r *reader) linked(file, body string) string {
	hidden, code := markdown.HideCode(body)
	hidden = replaceAll(inlineLink, hidden, func(whole string, m []string) string { return r.inline(file, whole, m) })
	hidden = replaceAll(wikiLink, hidden, func(whole string, m []string) string { return r.wiki(file, whole, m) })
	return code.Show(hidden)
}

func replaceAll(pattern *lazyregexp.Regexp, text string, write func(whole string, groups []string) string) string {
	var b strings.Builder
	last := 0
	for _, at := range pattern.FindAllStringSubmatchIndex(text, -1) {
		groups := make([]string, len(at)/2)
		for i := range groups {
			if at[2*i] >= 0 {
				groups[i] = text[at[2*i]:at[2*i+1]]
			}
		}
		b.WriteString(text[last:at[0]])
		if at[0] > 0 && text[at[0]-1] == '\\' {
			b.WriteString(groups[0])
		} else {
			b.WriteString(write(groups[0], groups))
		}
		last = at[1]
	}
	return b.String() + text[last:]
}

// wiki makes a link of "[[name#part|text]]"; one to a part of the same file stays.
func (r *reader) wiki(file, whole string, m []string) string {
	name := strings.TrimSpace(m[2])
	if name == "" {
		return whole
	}
	to := export.Target{Name: name, Text: strings.TrimSpace(m[4]), IsEmbed: m[1] != "", Otherwise: whole, Written: whole}
	setPart(&to, m[3])
	if found := r.find(file, name); found != "" {
		to.ID = found
	}
	if to.IsEmbed && sizeOnly.MatchString(to.Text) {
		to.Text, to.Size = "", to.Text
	}
	return r.into.Link(to)
}

func setPart(to *export.Target, part string) {
	part = strings.TrimPrefix(part, "#")
	if block, ok := strings.CutPrefix(part, "^"); ok {
		to.Block = block
		return
	}
	if _, block, ok := strings.Cut(part, "#^"); ok {
		to.Block = block
		return
	}
	to.Heading = part
}

// inline makes a link of "[text](address)" where the address is a path.
func (r *reader) inline(file, whole string, m []string) string {
	address := strings.Trim(m[3], "<>")
	if address == "" || address[0] == '#' || scheme.MatchString(address) {
		return whole
	}
	place, part, _ := strings.Cut(address, "#")
	if decoded, err := url.PathUnescape(place); err == nil {
		place = decoded
	}
	if decoded, err := url.PathUnescape(part); err == nil {
		part = decoded
	}
	to := export.Target{Text: m[2], IsEmbed: m[1] != "", Otherwise: whole}
	setPart(&to, part)
	to.ID = r.relative(file, place)
	if to.ID == "" {
		if path.Ext(place) == "" {
			return whole // of a web page, most likely
		}
		to.ID = place
	}
	if to.IsEmbed {
		text, size, ok := strings.Cut(to.Text, "|")
		if ok && sizeOnly.MatchString(strings.TrimSpace(size)) {
			to.Text, to.Size = text, strings.TrimSpace(size)
		}
	}
	return r.into.Link(to)
}

// relative finds the file of a path in a link: from the folder of the note, else from the top; "" where there is none.
func (r *reader) relative(file, place string) string {
	place = strings.ReplaceAll(place, `\`, "/")
	for _, from := range []string{path.Dir(file), "."} {
		whole := strings.ToLower(strings.TrimPrefix(path.Join(from, place), "/"))
		for _, end := range []string{"", ".md", ".markdown"} {
			if found := r.byPath[whole+end]; found != "" {
				return found
			}
		}
	}
	return ""
}

// find gives the file that a name in a wiki-link means: of this path, else with this end of its path, in the folder of the note or
// nearest to the top; "" where there is none.
func (r *reader) find(file, name string) string {
	if found := r.relative(file, name); found != "" && (strings.Contains(name, "/") || r.byPath[strings.ToLower(name)] != "") {
		return found
	}
	key := strings.ToLower(strings.TrimPrefix(name, "/"))
	best := ""
	for _, end := range []string{"", ".md", ".markdown"} {
		for _, one := range r.byName[path.Base(key+end)] {
			if folded := strings.ToLower(one); folded != key+end && !strings.HasSuffix(folded, "/"+key+end) {
				continue
			}
			if path.Dir(one) == path.Dir(file) {
				return one
			}
			if best == "" || strings.Count(one, "/") < strings.Count(best, "/") {
				best = one
			}
		}
	}
	return best
}
