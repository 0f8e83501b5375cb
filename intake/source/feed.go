package source

import (
	"bytes"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mmcdole/gofeed/atom"
	ext "github.com/mmcdole/gofeed/extensions"
	"github.com/mmcdole/gofeed/rss"

	"quarry/intake"
	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// feedHead is what a feed says of itself.
type feedHead struct {
	title, author string
	base          *url.URL // of its page
}

// feed reads RSS 0.9 to 2.0 and Atom, item by item.
func (r *reader) feed(text []byte) error {
	if len(text) > maxFeedBytes {
		return fmt.Errorf("%w: a feed over %d MiB", ErrTooLarge, maxFeedBytes>>20)
	}
	// The head may go on behind the items, so it is read in a pass of its own, and no more than one item is held at a time.
	all := &feedSplitter{scanner: scanner{text: text}, isHead: true}
	all.split(func(feedItem) bool { return r.ctx.Err() == nil })
	if all.bindings > 2*maxBindings || len(all.root.raw)+len(all.channel.raw) > maxOuterBytes {
		return fmt.Errorf("its outer elements are %w", ErrTooLarge)
	}
	if !all.hasEnd && all.root.kind == openToken {
		r.problem("", "the file ends before the feed does: its whole items are taken")
	}
	isAtom, read := all.itemName == "entry", (*reader).rssItem
	head := feedHead{}
	if isAtom {
		head, read = r.atomHead(all), (*reader).atomItem
	} else {
		head = r.rssHead(all)
	}
	items := 0
	one := &feedSplitter{scanner: scanner{text: text}}
	one.split(func(item feedItem) bool {
		items++
		r.feedItem(item, head, read)
		return r.ctx.Err() == nil && items <= 2*maxSignals
	})
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if len(r.batch.Signals) == 0 && items > 0 && len(r.batch.LeftOut) == 0 && len(r.batch.Problems) > 0 {
		return fmt.Errorf("none of %d items could be read: %w: %s", items, ErrDamaged, r.batch.Problems[0].Reason)
	}
	return nil
}

func (r *reader) feedItem(item feedItem, head feedHead, read func(*reader, feedItem, feedHead) (intake.Signal, error)) {
	name := titleOf(string(firstText(item.start)))
	if item.fault != "" {
		reason := item.fault
		if item.cut {
			reason += ": it is left out"
		}
		r.problem(name, reason)
	}
	if item.cut {
		return
	}
	signal, err := read(r, item, head)
	if err != nil {
		r.problem(name, "the item cannot be read: "+err.Error())
		return
	}
	if signal.Title == "" && signal.Body == "" && signal.Address == "" {
		r.leave("an item without title, text and address", name)
		return
	}
	r.addItem(signal, head)
}

// addItem takes an item of a feed, of any format.
func (r *reader) addItem(signal intake.Signal, head feedHead) {
	signal.Channel = intake.Feed
	signal.OriginName = head.title
	if signal.Origin = r.in.Address; signal.Origin == "" {
		if signal.Origin = head.title; head.base != nil {
			signal.Origin = head.base.String()
		}
	}
	if signal.Title == "" {
		if signal.Title = firstSentence(signal.Body); signal.Title == "" {
			signal.Title = signal.Address
		}
	}
	r.add(signal)
}

// firstText is what stands before the next tag.
func firstText(text []byte) []byte {
	text = bytes.TrimPrefix(bytes.TrimSpace(text), []byte("<![CDATA["))
	if at := bytes.Index(text, []byte("</")); at >= 0 {
		text = text[:at]
	}
	return text
}

func (r *reader) rssHead(s *feedSplitter) feedHead {
	r.batch.Kind = "rss"
	if strings.EqualFold(localName(s.root.name), "rdf") {
		r.batch.Kind = "rdf"
	}
	feed, err := (&rss.Parser{}).Parse(bytes.NewReader(s.headFeed()))
	if err != nil {
		r.problem("", "what the feed says of itself cannot be read: "+err.Error())
		return feedHead{base: baseOf(r.in.Address)}
	}
	head := feedHead{title: titleOf(feed.Title), base: baseOf(append(feed.Links, r.in.Address)...)}
	r.setHead(head)
	if minutes, err := strconv.Atoi(strings.TrimSpace(feed.TTL)); err == nil {
		r.batch.Every = boundedEvery(time.Duration(minutes) * time.Minute)
	}
	if every := updatePeriod(feed.Extensions); every > 0 && r.batch.Every == 0 {
		r.batch.Every = every
	}
	return head
}

func (r *reader) atomHead(s *feedSplitter) feedHead {
	r.batch.Kind = "atom"
	feed, err := (&atom.Parser{}).Parse(bytes.NewReader(s.headFeed()))
	if err != nil {
		r.problem("", "what the feed says of itself cannot be read: "+err.Error())
		return feedHead{base: baseOf(r.in.Address)}
	}
	var page, self string
	for _, link := range feed.Links {
		switch {
		case link.Rel == "alternate" && page == "":
			page = link.Href
		case link.Rel == "self":
			self = link.Href
		}
	}
	head := feedHead{title: titleOf(feed.Title), author: peopleOf(feed.Authors), base: baseOf(page, r.in.Address, self)}
	if parsed, err := url.Parse(page); err == nil && page != "" && !parsed.IsAbs() && head.base != nil {
		head.base = head.base.ResolveReference(parsed)
	}
	r.setHead(head)
	r.batch.Every = updatePeriod(feed.Extensions)
	return head
}

func (r *reader) setHead(head feedHead) {
	r.batch.Title = head.title
	if head.base != nil {
		r.batch.Address = head.base.String()
	}
}

// boundedEvery keeps what a feed asks for between five minutes and thirty days, 0 stays.
func boundedEvery(every time.Duration) time.Duration {
	if every <= 0 {
		return 0
	}
	return min(max(every, 5*time.Minute), 30*24*time.Hour)
}

// updatePeriod is the interval of the syndication module: a period parted by a frequency.
func updatePeriod(extensions ext.Extensions) time.Duration {
	period, frequency := extensionText(extensions, "sy", "updatePeriod"), 1
	if n, err := strconv.Atoi(extensionText(extensions, "sy", "updateFrequency")); err == nil && n > 0 {
		frequency = n
	}
	day := 24 * time.Hour
	every := map[string]time.Duration{"hourly": time.Hour, "daily": day, "weekly": 7 * day, "monthly": 30 * day, "yearly": 365 * day}[strings.ToLower(period)]
	return boundedEvery(every / time.Duration(frequency))
}

func extensionText(extensions ext.Extensions, space, name string) string {
	for _, e := range extensions[space][name] {
		if value := strings.TrimSpace(e.Value); value != "" {
			return value
		}
	}
	return ""
}

func (r *reader) rssItem(item feedItem, head feedHead) (intake.Signal, error) {
	feed, err := (&rss.Parser{}).Parse(bytes.NewReader(item.feed))
	if err != nil {
		return intake.Signal{}, err
	}
	if len(feed.Items) != 1 {
		return intake.Signal{}, ErrDamaged
	}
	it := feed.Items[0]
	s := intake.Signal{Title: titleOf(it.Title), Author: authorOf(it.Author)}
	s.Address = r.rssAddress(it, head)
	if it.GUID != nil {
		s.Identity = oneLine(it.GUID.Value, 1000)
	}
	dates := []string{it.PubDate}
	for _, category := range it.Categories {
		s.Tags = append(s.Tags, titleOf(category.Value))
	}
	var description string
	if dc := it.DublinCoreExt; dc != nil {
		if len(dc.Creator) > 0 {
			s.Author = titleOf(strings.Join(dc.Creator, ", "))
		}
		for _, subject := range dc.Subject {
			s.Tags = append(s.Tags, titleOf(subject))
		}
		dates = append(dates, dc.Date...)
		if len(dc.Description) > 0 {
			description = dc.Description[0]
		}
	}
	if s.Author == "" {
		s.Author = authorOf(extensionText(it.Extensions, "itunes", "author"))
	}
	s.Tags = distinct(s.Tags)
	s.Created = r.firstDate(nameOf(s), append(dates, extensionText(it.Extensions, "atom", "published"))...)
	s.Updated = after(s.Created, r.firstDate(nameOf(s), extensionText(it.Extensions, "dcterms", "modified"), extensionText(it.Extensions, "atom", "updated")))
	s.Body = r.body(nameOf(s), baseFor(s.Address, head), it.Content, it.Description, description, mediaText(it.Extensions), extensionText(it.Extensions, "itunes", "summary"))
	for _, enclosure := range it.Enclosures {
		s.Body += enclosed(head.base, enclosure.URL)
	}
	return s, nil
}

// rssAddress is where an item is read: its link, else its guid.
func (r *reader) rssAddress(it *rss.Item, head feedHead) string {
	links := append([]string{extensionText(it.Extensions, "feedburner", "origLink"), it.Link}, it.Links...)
	for _, link := range it.Extensions["atom"]["link"] {
		if rel := link.Attrs["rel"]; rel == "" || rel == "alternate" {
			links = append(links, link.Attrs["href"])
		}
	}
	if it.GUID != nil && !strings.EqualFold(it.GUID.IsPermalink, "false") && webAddress(it.GUID.Value) != "" {
		links = append(links, it.GUID.Value)
	}
	for _, link := range links {
		if link != "" {
			if address := resolved(head.base, link); address != "" {
				return address
			}
		}
	}
	return ""
}

func (r *reader) atomItem(item feedItem, head feedHead) (intake.Signal, error) {
	feed, err := (&atom.Parser{}).Parse(bytes.NewReader(item.feed))
	if err != nil {
		return intake.Signal{}, err
	}
	if len(feed.Entries) != 1 {
		return intake.Signal{}, ErrDamaged
	}
	e := feed.Entries[0]
	s := intake.Signal{Identity: oneLine(e.ID, 1000), Title: atomTitle(e.Title, item.titleType), Author: peopleOf(e.Authors)}
	s.Address = resolved(head.base, pageLink(e.Links))
	if link := extensionText(e.Extensions, "feedburner", "origLink"); link != "" && webAddress(link) != "" {
		s.Address = webAddress(link)
	}
	if s.Author == "" && e.Source != nil {
		s.Author = peopleOf(e.Source.Authors)
	}
	if s.Author == "" {
		s.Author = head.author
	}
	for _, category := range e.Categories {
		term := category.Term
		if term == "" || webAddress(term) != "" {
			term = category.Label
		}
		s.Tags = append(s.Tags, titleOf(term))
	}
	s.Tags = distinct(s.Tags)
	s.Created = r.firstDate(nameOf(s), e.Published, e.Updated)
	if e.Published != "" {
		s.Updated = after(s.Created, r.firstDate(nameOf(s), e.Updated))
	}
	s.Body = r.atomBody(e, item, nameOf(s), baseFor(s.Address, head))
	for _, link := range e.Links {
		if link.Rel == "enclosure" {
			s.Body += enclosed(head.base, link.Href)
		}
	}
	return s, nil
}

func atomTitle(title, kind string) string {
	if strings.Contains(kind, "html") {
		return plainOf(title)
	}
	return oneLine(title, maxTitle)
}

// pageLink is the link to an entry's page, best to one of HTML.
func pageLink(links []*atom.Link) string {
	best, found := "", 0
	for _, link := range links {
		worth := 1
		switch {
		case link.Rel != "alternate" || link.Href == "":
			continue
		case strings.Contains(link.Type, "html"):
			worth = 3
		case link.Type == "":
			worth = 2
		}
		if worth > found {
			best, found = link.Href, worth
		}
	}
	return best
}

func (r *reader) atomBody(e *atom.Entry, item feedItem, name string, base *url.URL) string {
	if e.Content != nil && strings.TrimSpace(e.Content.Value) != "" {
		if kind := strings.ToLower(e.Content.Type); strings.Contains(kind, "html") {
			return r.fromHTML(name, e.Content.Value, base)
		} else if kind == "" || strings.HasPrefix(kind, "text") {
			return markdown.FromText(e.Content.Value)
		}
		r.leave("content that is no text: "+oneLine(e.Content.Type, 60), name)
	}
	body := ""
	switch {
	case strings.TrimSpace(e.Summary) == "":
		body = r.body(name, base, mediaText(e.Extensions))
	case strings.Contains(item.textType, "html"):
		body = r.fromHTML(name, e.Summary, base)
	default:
		body = markdown.FromText(e.Summary)
	}
	if e.Content != nil && e.Content.Src != "" {
		body += enclosed(base, e.Content.Src)
	}
	return body
}

// mediaText is the description of the media module, where video sites put their text.
func mediaText(extensions ext.Extensions) string {
	media := extensions["media"]
	for _, group := range media["group"] {
		for _, description := range group.Children["description"] {
			if description.Value != "" {
				return description.Value
			}
		}
	}
	for _, description := range media["description"] {
		if description.Value != "" {
			return description.Value
		}
	}
	return ""
}

// body is the Markdown of the first of some texts that says anything; each may be HTML or plain.
func (r *reader) body(name string, base *url.URL, texts ...string) string {
	for _, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		body := ""
		if looksHTML(text) {
			body = r.fromHTML(name, text, base)
		} else {
			body = markdown.FromText(unescapeXML(text))
		}
		if body != "" {
			return body
		}
	}
	return ""
}

// nameOf is a signal in a report.
func nameOf(s intake.Signal) string {
	for _, name := range []string{s.Title, s.Identity, s.Address} {
		if name != "" {
			return name
		}
	}
	return ""
}

func baseFor(address string, head feedHead) *url.URL {
	if base := baseOf(address); base != nil {
		return base
	}
	return head.base
}

// firstDate is the first of some dates; one that is not understood is reported.
func (r *reader) firstDate(name string, dates ...string) time.Time {
	for _, date := range dates {
		if date = strings.TrimSpace(date); date == "" {
			continue
		}
		if when, ok := parseDate(date); ok {
			return when
		}
		r.problem(name, fmt.Sprintf("the date %q is not understood", oneLine(date, 60)))
	}
	return time.Time{}
}

// after is a time of change, zero where it tells nothing.
func after(created, updated time.Time) time.Time {
	if updated.After(created) && !created.IsZero() {
		return updated
	}
	return time.Time{}
}

var addressAndName = lazyregexp.New(`^[^\s@()<>]+@[^\s@()<>]+\s*\((.+)\)$|^(.+?)\s*[(<][^\s@()<>]+@[^\s@()<>]+[)>]$`)

// authorOf is the name in "name@example.org (Name)" and the like, all of it where it has no such form.
func authorOf(text string) string {
	text = titleOf(text)
	if m := addressAndName.FindStringSubmatch(text); m != nil {
		return strings.Trim(m[1]+m[2], ` "`)
	}
	return text
}

func peopleOf(people []*atom.Person) string {
	var names []string
	for _, person := range people {
		name := titleOf(person.Name)
		if name == "" {
			name = oneLine(person.Email, 100)
		}
		names = append(names, name)
	}
	return strings.Join(distinct(names), ", ")
}

// enclosed is a line for a file that an item has beside its text.
func enclosed(base *url.URL, address string) string {
	address = resolved(base, address)
	if address == "" {
		return ""
	}
	name := address
	if parsed, err := url.Parse(address); err == nil {
		if last := path.Base(parsed.Path); last != "." && last != "/" {
			name = last
		}
	}
	return "\n\n[" + markdown.Escape(oneLine(name, 100)) + "](" + strings.NewReplacer("(", "%28", ")", "%29", " ", "%20", "<", "%3C", ">", "%3E").Replace(address) + ")"
}

var pixelAddress = lazyregexp.New(`(?i)(?:^https?://(?:[^/]*\.)?(?:pixel|open|opens|track|tracking|stats|beacon|analytics)\.[^/]+/)|/(?:pixel|open|opens|track|beacon|spacer|blank|transparent|o|p|t|b|1x1|wf/open)(?:\.(?:gif|png|php|aspx?))(?:[?/]|$)|/(?:wf/open|track/open|_/stat|e/o)(?:[?/]|$)`)

// isPixel knows pictures by their address that are there to be counted; what has a description is a picture.
func isPixel(address, alternative string) bool {
	return alternative == "" && pixelAddress.MatchString(address[:min(len(address), maxAddress)])
}

// fromHTML is the Markdown of an item's HTML; a fault of it is reported, and its text is kept.
func (r *reader) fromHTML(name, source string, base *url.URL) string {
	return r.convert(name, source, markdown.Options{Base: base, TopHeading: 2})
}

func (r *reader) convert(name, source string, options markdown.Options) string {
	if options.Image == nil {
		options.Image = func(address, alternative string) (string, bool) { return "", isPixel(address, alternative) }
	}
	body, lost, err := markdown.FromHTML(source, options)
	if err != nil {
		r.problem(name, "its HTML cannot be read, its text is kept: "+err.Error())
		return markdown.FromText(plainOf(source))
	}
	for _, what := range slices.Sorted(maps.Keys(lost)) {
		r.leaveMany(what, name, lost[what])
	}
	return body
}
