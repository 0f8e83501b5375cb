package note

import (
	"sort"
	"strings"
)

// addWikiLink adds the link whose "[[" stands at and whose inner text ends at end. start is the "!" of an embed.
func (c *scanner) addWikiLink(start, at, end int) bool {
	parse := parseWikiText
	if c.cell {
		parse = parseWikiCell
	}
	link, ok := parse(c.slice(at+2, end))
	if !ok {
		return false
	}
	link.Embed = start < at
	c.add(link, start, end+2)
	return true
}

// addMarkdownLink adds a link with its text and destination. An empty destination is none.
func (c *scanner) addMarkdownLink(start, end int, shown, place Range) {
	link := Link{Display: c.slice(shown.Start, shown.End), Markdown: true, Embed: c.text[start] == '!'}
	if place.Start < 0 {
		link.setDestination(c.source, c.source.slice(c.base-place.Start-1, c.base+place.End))
	} else {
		link.setDestination(c.source, c.slice(place.Start, place.End))
	}
	c.add(link, start, end)
}

func (c *scanner) addAutolink(start, end int) {
	address := c.slice(start+1, end-1)
	c.add(Link{Target: address, Display: address, Markdown: true, External: true}, start, end)
}

func (c *scanner) add(link Link, start, end int) {
	c.quiet = append(c.quiet, Range{start, end})
	if len(c.note.Links) >= maxFacts {
		return
	}
	link.Raw = c.slice(start, end)
	link.Hidden = c.hidden
	link.Line, link.Column, link.Offset = c.source.place(c.raw(start))
	c.note.Links = append(c.note.Links, link)
	c.linkRanges = append(c.linkRanges, Range{start, end})
}

// relate gives a relation to the plain links that lie within a part of text. settle has put the links in order.
func (c *scanner) relate(within Range, relation string) {
	first := sort.Search(len(c.linkRanges), func(i int) bool { return c.linkRanges[i].Start >= within.Start })
	for i := first; i < len(c.linkRanges) && c.linkRanges[i].End <= within.End; i++ {
		if link := &c.note.Links[c.firstLink+i]; link.Relation == "" {
			link.Relation = relation
		}
	}
}

// settle puts what scan has found in order of place: a link around an image is found after the image.
func (c *scanner) settle() {
	c.quiet = mergeRanges(c.quiet)
	if !sort.IsSorted(byPlace{c}) {
		sort.Stable(byPlace{c})
	}
}

// byPlace sorts the links of a block, with their ranges.
type byPlace struct{ *scanner }

func (b byPlace) Len() int { return len(b.linkRanges) }
func (b byPlace) Less(i, j int) bool {
	return b.linkRanges[i].Start < b.linkRanges[j].Start
}

func (b byPlace) Swap(i, j int) {
	links := b.note.Links[b.firstLink:]
	links[i], links[j] = links[j], links[i]
	b.linkRanges[i], b.linkRanges[j] = b.linkRanges[j], b.linkRanges[i]
}

// relationLine reads "rel: NAME [[A]] [[B]] (context)". Any other tail leaves every link on the line plain.
func (c *scanner) relationLine(start, end int) {
	line := c.text[start:end]
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "rel:")
	if !ok {
		return
	}
	rest = strings.TrimLeft(rest, " \t")
	name := relationName(rest)
	if name == "" || !onlyLinks(rest[len(name):]) {
		return
	}
	c.relateByName(Range{start, end}, len(line)-len(rest)+start, name)
}

// relateByName is relate with a name that stands at a place in the text.
func (c *scanner) relateByName(within Range, at int, name string) {
	c.relate(within, strings.ToLower(c.slice(at, at+len(name))))
}

// edgeTitle reads "NAME: [[A]] [[B]]", the title of an edge callout.
func (c *scanner) edgeTitle(start, end int) {
	title := strings.TrimLeft(c.text[start:end], " \t")
	name := relationName(title)
	if rest, ok := strings.CutPrefix(title[len(name):], ":"); ok && name != "" && onlyLinks(rest) {
		c.relateByName(Range{start, end}, end-len(title), name)
	}
}

// onlyLinks tells whether a text is one or more wiki-links, and behind them at most one text in parentheses.
func onlyLinks(text string) bool {
	count := 0
	for {
		text = strings.TrimSpace(text)
		if !strings.HasPrefix(text, "[[") {
			break
		}
		end := wikiEnd(text, 0)
		if end < 0 {
			return false
		}
		text = text[end+2:]
		count++
	}
	return count > 0 && (text == "" || text[0] == '(' && text[len(text)-1] == ')')
}
