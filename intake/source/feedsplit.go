package source

import (
	"bytes"
	"strings"

	"quarry/internal/lazyregexp"
)

// Bounds of a feed.
const (
	maxFeedBytes  = 32 << 20
	maxItemBytes  = 4 << 20
	maxHeadBytes  = 1 << 20
	maxChildTags  = 500        // of an element that is no text
	maxChildBytes = 256 << 10  // likewise
	maxOuterBytes = 16 << 10   // of the tags around an item, which are read with each
	maxBindings   = 64         // of namespaces on the outer elements
	maxWork       = 20_000_000 // bindings looked at, over the whole feed
)

// feedSplitter cuts an XML feed into its head and its items, each a small feed of its own.
type feedSplitter struct {
	scanner
	root, channel token
	itemName      string // local: item or entry
	head          bytes.Buffer
	bindings      int
	work          int
	item          feedItem
	body          bytes.Buffer // of the item
	isOpen        bool         // an item
	take          func(feedItem) bool
	isHead        bool // items are passed over
	hasEnd        bool // of the whole
	stopped       bool
}

// feedItem is what is known of an item before it is read.
type feedItem struct {
	feed      []byte // a whole feed with this item alone
	titleType string // of Atom: text, html or xhtml
	textType  string // of its summary
	start     []byte // of its text as it stands, for reports
	fault     string // "": whole
	cut       bool   // the file ends in it
}

// split gives each item to take until it says no.
func (s *feedSplitter) split(take func(feedItem) bool) {
	s.take = take
	for !s.stopped {
		t := s.next()
		switch t.kind {
		case noToken:
			s.close(true)
			return
		case openToken, emptyToken:
			s.open(t)
		case closeToken:
			s.hasEnd = s.hasEnd || strings.EqualFold(t.name, s.root.name)
			if s.isOpen {
				s.end(t)
			}
		}
	}
}

func (s *feedSplitter) open(t token) {
	name := strings.ToLower(localName(t.name))
	switch {
	case s.root.kind == noToken:
		s.root = t
		s.itemName = "item"
		if name == "feed" {
			s.itemName = "entry"
		}
		s.bindings = bindings(t.raw)
	case name == "channel" && s.itemName == "item" && !s.isOpen:
		if s.channel.kind == noToken {
			s.channel = t
			s.bindings += bindings(t.raw)
		}
	case name == s.itemName && s.isOurs(t.name):
		s.close(false) // one that was never ended
		if t.kind == openToken {
			s.isOpen = true
			s.item = feedItem{}
			s.body.Reset()
			s.body.Write(cleanTag(t.raw))
		}
	case s.isOpen:
		s.item.note(name, t.raw)
		if len(s.item.start) == 0 && (name == "title" || name == "id" || name == "guid" || name == "link") {
			s.item.start = s.text[s.at:min(len(s.text), s.at+200)]
		}
		s.child(&s.body, maxItemBytes, t)
	default:
		s.child(&s.head, maxHeadBytes, t)
	}
}

// isOurs tells whether an element is an item of this format, not one of an extension that is named alike.
func (s *feedSplitter) isOurs(name string) bool {
	prefix := prefixOf(name)
	return prefix == "" || prefix == prefixOf(s.root.name) || strings.EqualFold(prefix, "rss") || strings.EqualFold(prefix, "atom")
}

func (s *feedSplitter) end(t token) {
	switch name := strings.ToLower(localName(t.name)); {
	case name == s.itemName && s.isOurs(t.name):
		s.item.fault = ""
		s.finish()
	case name == "channel" || name == "rss" || name == "rdf" || name == "feed":
		s.close(false)
	}
}

// close ends an item that has no end of its own.
func (s *feedSplitter) close(isCut bool) {
	if !s.isOpen {
		return
	}
	s.item.fault, s.item.cut = "the item has no end", isCut
	s.finish()
}

func (s *feedSplitter) finish() {
	s.isOpen = false
	if s.body.Len() > maxItemBytes {
		s.item.fault, s.item.cut = "the item is too large", true
	} else if !s.isHead {
		s.item.feed = s.wrap(s.body.Bytes(), closing(tagName(s.body.Bytes())))
	}
	s.work += len(s.item.feed) / 32
	if s.work > maxWork {
		s.item.fault, s.item.cut, s.stopped = "the feed has too many namespaces", true, true
	}
	if !s.take(s.item) {
		s.stopped = true
	}
}

func (i *feedItem) note(name string, tag []byte) {
	switch name {
	case "title":
		i.titleType = strings.ToLower(attributeOf(tag, "type"))
	case "summary":
		i.textType = strings.ToLower(attributeOf(tag, "type"))
	}
}

// wrap puts the outer elements around a piece.
func (s *feedSplitter) wrap(inner []byte, end string) []byte {
	var b bytes.Buffer
	b.Write(startTag(s.root.raw))
	if s.itemName == "item" {
		if s.channel.kind == noToken {
			b.WriteString("<channel>")
		} else {
			b.Write(startTag(s.channel.raw))
		}
	}
	b.Write(inner)
	b.WriteString(end)
	if s.itemName == "item" {
		if s.channel.kind == noToken {
			b.WriteString("</channel>")
		} else {
			b.WriteString(closing(s.channel.name))
		}
	}
	b.WriteString(closing(s.root.name))
	return b.Bytes()
}

// headFeed is the feed without its items.
func (s *feedSplitter) headFeed() []byte { return s.wrap(s.head.Bytes(), "") }

// textual are the elements that hold text; tags in them are text too, however they are written.
var textual = map[string]bool{"title": true, "description": true, "encoded": true, "content": true, "summary": true, "subtitle": true, "tagline": true, "rights": true}

var (
	typeXHTML = lazyregexp.New(`(?i)(\btype\s*=\s*["'])\s*(?:application/xhtml\+xml|xhtml)\s*(["'])`)
	modeOf03  = lazyregexp.New(`(?i)\smode\s*=\s*["'](?:escaped|xml)["']`) // of Atom 0.3; what is left means the same here
)

// child writes one element below the item or the head, up to a bound; what is in it does not nest afterwards, or is small.
func (s *feedSplitter) child(b *bytes.Buffer, mostBytes int, t token) {
	start, isText := b.Len(), textual[strings.ToLower(localName(t.name))] && !strings.EqualFold(prefixOf(t.name), "media")
	if t.kind == emptyToken {
		s.write(b, cleanTag(t.raw))
	} else if isText {
		tag := typeXHTML.ReplaceAll(modeOf03.ReplaceAll(t.raw, nil), []byte("${1}html${2}"))
		s.write(b, cleanTag(tag))
		s.inner(b, mostBytes, t.name, typeXHTML.Match(t.raw))
		b.WriteString(closing(t.name))
	} else {
		s.nested(b, mostBytes, t)
		if b.Len()-start > maxChildBytes {
			b.Truncate(start)
		}
	}
	if b.Len() > mostBytes && b == &s.head {
		b.Truncate(start)
	}
}

func (s *feedSplitter) write(b *bytes.Buffer, tag []byte) {
	s.work += s.bindings + bindings(tag)
	b.Write(tag)
}

// inner writes what is in an element of text up to its end, or to that of its item.
func (s *feedSplitter) inner(b *bytes.Buffer, mostBytes int, name string, isXHTML bool) {
	var once bytes.Buffer
	depth := 0
	for {
		before := s.at
		t := s.next()
		if t.kind == noToken || s.isBorder(t) {
			s.at = before
			return
		}
		switch {
		case strings.EqualFold(t.name, name) && t.kind == openToken:
			depth++
		case strings.EqualFold(t.name, name) && t.kind == closeToken:
			if depth--; depth < 0 {
				return
			}
		}
		if b.Len() > mostBytes {
			continue
		}
		switch {
		case t.kind == markToken || t.kind == doctypeMark:
		case t.kind == cdataToken && isXHTML:
			once.Reset()
			writeEscaped(&once, t.raw)
			writeEscaped(b, once.Bytes())
		case t.kind == textToken && !isXHTML:
			writeText(b, t.raw)
		default:
			writeEscaped(b, t.raw)
		}
	}
}

// isBorder tells whether a tag begins or ends an item or the feed, so that what is open there has no end.
func (s *feedSplitter) isBorder(t token) bool {
	if t.kind != openToken && t.kind != closeToken && t.kind != emptyToken || !s.isOurs(t.name) {
		return false
	}
	switch name := strings.ToLower(localName(t.name)); name {
	case s.itemName:
		return true
	case "channel", "rss", "rdf", "feed":
		return t.kind == closeToken
	}
	return false
}

// nested writes an element with what is in it, as long as that is little.
func (s *feedSplitter) nested(b *bytes.Buffer, mostBytes int, t token) {
	var open []string
	tags, start := 0, b.Len()
	for {
		fits := tags <= maxChildTags && b.Len() <= mostBytes && b.Len()-start <= maxChildBytes
		switch t.kind {
		case openToken:
			if tags++; fits {
				open = append(open, t.name)
				s.write(b, cleanTag(t.raw))
			}
		case emptyToken:
			if tags++; fits {
				s.write(b, cleanTag(t.raw))
			}
		case closeToken:
			if at := lastIndex(open, t.name); at >= 0 {
				for i := len(open) - 1; i >= at; i-- {
					b.WriteString(closing(open[i]))
				}
				open = open[:at]
			}
		case textToken:
			if fits {
				writeText(b, t.raw)
			}
		case cdataToken:
			if fits {
				writeEscaped(b, t.raw)
			}
		}
		if len(open) == 0 {
			return
		}
		before := s.at
		if t = s.next(); t.kind == noToken || s.isBorder(t) {
			s.at = before
			for i := len(open) - 1; i >= 0; i-- {
				b.WriteString(closing(open[i]))
			}
			return
		}
	}
}

func lastIndex(names []string, name string) int {
	for i := len(names) - 1; i >= 0 && i >= len(names)-64; i-- {
		if names[i] == name {
			return i
		}
	}
	return -1
}

// cleanTag is a start tag with attributes in quotes and without what XML lacks; it never ends itself.
func cleanTag(raw []byte) []byte {
	isEmpty := bytes.HasSuffix(raw, []byte("/>"))
	var b bytes.Buffer
	b.WriteByte('<')
	b.WriteString(tagName(raw))
	seen := map[string]bool{}
	bound := 0
	for key, value := range attributes(raw) {
		if isName(key) && !seen[key] && len(seen) < 100 {
			seen[key] = true
			if strings.HasPrefix(key, "xmlns") {
				if bound++; bound > maxBindings {
					continue
				}
			}
			b.WriteByte(' ')
			b.WriteString(key)
			b.WriteString(`="`)
			var text bytes.Buffer
			writeText(&text, []byte(value))
			b.Write(bytes.ReplaceAll(text.Bytes(), []byte(`"`), []byte("&quot;")))
			b.WriteByte('"')
		}
	}
	if isEmpty {
		b.WriteByte('/')
	}
	b.WriteByte('>')
	return b.Bytes()
}

// startTag is cleanTag without the "/" of one that ends itself.
func startTag(raw []byte) []byte {
	tag := cleanTag(raw)
	if bytes.HasSuffix(tag, []byte("/>")) {
		tag = append(tag[:len(tag)-2], '>')
	}
	return tag
}

func tagName(raw []byte) string {
	end := 1
	for end < len(raw) && isNameByte(raw[end], end == 1) {
		end++
	}
	return string(raw[min(1, len(raw)):end])
}

func isName(text string) bool {
	for i := range len(text) {
		if !isNameByte(text[i], i == 0) {
			return false
		}
	}
	return text != "" && strings.Count(text, ":") <= 1 && text[len(text)-1] != ':'
}

func bindings(tag []byte) int { return 1 + min(bytes.Count(tag, []byte("xmlns")), maxBindings) }
