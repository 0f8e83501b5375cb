package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	readability "codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"quarry/intake"
	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// Bounds of a page.
const (
	maxPageBytes    = 8 << 20
	maxPageElements = 100_000
)

// page reads an HTML file as one article.
func (r *reader) page(text []byte) error {
	r.batch.Kind = "html"
	if len(text) > maxPageBytes {
		return fmt.Errorf("%w: a page over %d MiB", ErrTooLarge, maxPageBytes>>20)
	}
	root, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	about := aboutPage(root)
	address, base := r.pageAddress(about, text)
	s := intake.Signal{Channel: intake.Page, Address: address, Identity: address, Origin: r.in.Name}
	if base != nil {
		s.Origin = base.Hostname()
	}
	s.Title, s.Author, s.OriginName = about.first("og:title", "twitter:title", "dc.title", "title"), about.first("author", "article:author", "dc.creator", "byl"), about.first("og:site_name", "application-name")
	s.Title = withoutSite(s.Title, about.first("h1"))
	feeds := feedsOf(root, base, s.Title)
	s.Body = r.article(root, base, &s)
	if s.Title == "" {
		if s.Title = firstSentence(s.Body); s.Title == "" {
			s.Title = address
		}
	}
	if webAddress(s.Author) != "" { // some name a profile
		s.Author = ""
	}
	s.Created = r.firstDate(s.Title, about.first("article:published_time", "datepublished", "date", "dc.date", "dc.date.issued", "dcterms.created", "pubdate", "parsely-pub-date", "time"))
	s.Updated = after(s.Created, r.firstDate(s.Title, about.first("article:modified_time", "datemodified", "og:updated_time", "dcterms.modified")))
	s.Tags = distinct(append(about.all["article:tag"], strings.Split(about.first("keywords"), ",")...))
	if s.Body == "" && s.Title == "" {
		return fmt.Errorf("it has no text: %w", ErrUnknown)
	}
	r.batch.Title, r.batch.Address, r.batch.Outlines = s.Title, address, feeds
	r.add(s)
	return nil
}

// feedsOf are the feeds that a page names in its head.
func feedsOf(root *html.Node, base *url.URL, title string) []Outline {
	var feeds []Outline
	for n := range root.Descendants() {
		if n.DataAtom != atom.Link || !slices.Contains(strings.Fields(strings.ToLower(attributeIn(n, "rel"))), "alternate") {
			continue
		}
		kind := strings.ToLower(attributeIn(n, "type"))
		isFeed := kind == "application/rss+xml" || kind == "application/atom+xml" || kind == "application/feed+json" || kind == "application/rdf+xml"
		if address := resolved(base, attributeIn(n, "href")); isFeed && address != "" && len(feeds) < 20 {
			one := Outline{Title: oneLine(attributeIn(n, "title"), maxTitle), Address: address}
			if one.Title == "" {
				one.Title = title
			}
			if base != nil {
				one.Page = webAddress(base.String())
			}
			feeds = append(feeds, one)
		}
	}
	return feeds
}

// article is the text of a page without what is around it; its title and author where the page does not name them.
func (r *reader) article(root *html.Node, base *url.URL, s *intake.Signal) string {
	elements := 0
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			elements++
		}
	}
	options := markdown.Options{Base: base, TopHeading: 2}
	whole := render(root)
	if elements > maxPageElements {
		r.problem(s.Title, fmt.Sprintf("the page has more than %d elements: all of its text is taken", maxPageElements))
		return r.convert(s.Title, whole, options)
	}
	parser := readability.NewParser()
	parser.CharThresholds = 250
	parser.KeepClasses = true // they name the language of code
	article, err := parser.ParseAndMutate(root, base)
	if err != nil || article.Node == nil {
		return withoutTitle(r.convert(s.Title, whole, options), s)
	}
	if s.Title == "" {
		s.Title = oneLine(article.Title(), maxTitle)
	}
	if s.Author == "" {
		s.Author = oneLine(article.Byline(), 200)
	}
	if s.OriginName == "" {
		s.OriginName = oneLine(article.SiteName(), 200)
	}
	return withoutTitle(r.convert(s.Title, render(article.Node), options), s)
}

func render(n *html.Node) string {
	var b strings.Builder
	_ = html.Render(&b, n) // a Builder takes everything; what cannot be rendered is left out
	return b.String()
}

var firstHeading = lazyregexp.New(`^#{1,6} +(.+)(?:\n|$)`)

// withoutTitle is a body without a first heading that says what the title says. A title that the page hangs its site's name on is
// that of the heading.
func withoutTitle(body string, s *intake.Signal) string {
	m := firstHeading.FindStringSubmatch(body)
	if m == nil {
		return body
	}
	heading := firstSentenceless(m[1])
	if s.Title != "" && !strings.EqualFold(heading, withoutSite(s.Title, heading)) {
		return body
	}
	s.Title = heading
	return strings.TrimSpace(body[len(m[0]):])
}

// withoutSite is a title without the site's name that stands before or behind the page's own heading.
func withoutSite(title, heading string) string {
	if len(heading) >= 4 && (strings.HasPrefix(title, heading+" ") || strings.HasSuffix(title, " "+heading)) {
		return heading
	}
	return title
}

// firstSentenceless is a line of Markdown as a reader sees it, whole.
func firstSentenceless(line string) string {
	line = markdownLink.ReplaceAllString(line, "$1")
	return oneLine(escapedSign.ReplaceAllString(marks.Replace(line), "$1"), maxTitle)
}

// pageAddress is where a page is from: where it was fetched, what it says of itself, or what a browser wrote on saving it.
func (r *reader) pageAddress(about pageFacts, text []byte) (string, *url.URL) {
	fetched, own := webAddress(r.in.Address), about.first("canonical", "og:url")
	if m := savedFrom.FindSubmatch(text[:min(len(text), 4096)]); m != nil && fetched == "" {
		fetched = webAddress(string(m[1]))
	}
	base := baseOf(fetched, own, about.first("base"))
	own = resolved(base, own)
	// A page that was fetched speaks for its own site alone.
	if own != "" && (fetched == "" || sameSite(own, fetched)) {
		return own, baseOf(fetched, own)
	}
	return fetched, base
}

var savedFrom = lazyregexp.New(`<!--[^>]{0,40}?saved (?:from url=\(\d+\)|with SingleFile\s+url:\s*)\s*(https?://[^\s<>"]+)`)

func sameSite(a, b string) bool {
	one, two := baseOf(a), baseOf(b)
	return one != nil && two != nil && strings.EqualFold(strings.TrimPrefix(one.Hostname(), "www."), strings.TrimPrefix(two.Hostname(), "www."))
}

// pageFacts are what the head of a page says of it, by name in lower case.
type pageFacts struct{ all map[string][]string }

func (f pageFacts) add(name, value string) {
	if value = oneLine(value, 2*maxAddress); value != "" && len(f.all[name]) < maxTags {
		f.all[name] = append(f.all[name], value)
	}
}

func (f pageFacts) first(names ...string) string {
	for _, name := range names {
		if len(f.all[name]) > 0 {
			return f.all[name][0]
		}
	}
	return ""
}

func aboutPage(root *html.Node) pageFacts {
	facts := pageFacts{map[string][]string{}}
	for n := range root.Descendants() {
		switch n.DataAtom {
		case atom.Meta:
			for _, key := range []string{"property", "name", "itemprop"} {
				if name := strings.ToLower(attributeIn(n, key)); name != "" && len(facts.all) < 500 {
					facts.add(name, attributeIn(n, "content"))
				}
			}
		case atom.Title:
			if n.Namespace == "" && n.FirstChild != nil {
				facts.add("title", n.FirstChild.Data)
			}
		case atom.H1:
			if len(facts.all["h1"]) == 0 {
				facts.add("h1", oneLine(textOf(n), maxTitle))
			}
		case atom.Base:
			facts.add("base", attributeIn(n, "href"))
		case atom.Link:
			if strings.EqualFold(attributeIn(n, "rel"), "canonical") {
				facts.add("canonical", attributeIn(n, "href"))
			}
		case atom.Time:
			facts.add("time", attributeIn(n, "datetime"))
		case atom.Script:
			if strings.EqualFold(attributeIn(n, "type"), "application/ld+json") && n.FirstChild != nil {
				facts.linkedData(n.FirstChild.Data)
			}
		}
	}
	return facts
}

// linkedData takes dates and authors out of JSON-LD.
func (f pageFacts) linkedData(text string) {
	var value any
	if len(text) > 1<<20 || json.Unmarshal([]byte(text), &value) != nil {
		return
	}
	f.thing(value, 0)
}

func (f pageFacts) thing(value any, depth int) {
	switch v := value.(type) {
	case []any:
		for _, one := range v[:min(len(v), 50)] {
			if depth < 4 {
				f.thing(one, depth+1)
			}
		}
	case map[string]any:
		for _, name := range []string{"datePublished", "dateModified"} {
			if text, ok := v[name].(string); ok {
				f.add(strings.ToLower(name), text)
			}
		}
		f.people(v["author"])
		if graph, ok := v["@graph"]; ok && depth < 4 {
			f.thing(graph, depth+1)
		}
	}
}

func (f pageFacts) people(value any) {
	switch v := value.(type) {
	case string:
		f.add("author", v)
	case map[string]any:
		if name, ok := v["name"].(string); ok {
			f.add("author", name)
		}
	case []any:
		for _, one := range v[:min(len(v), 5)] {
			if _, isList := one.([]any); !isList {
				f.people(one)
			}
		}
	}
}
