package source

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Outline is a feed of a list of feeds.
type Outline struct {
	Title   string   `json:"title"`            // its address where it has none
	Address string   `json:"address"`          // of the feed, http or https
	Page    string   `json:"page,omitempty"`   // of the site, http or https
	Folder  []string `json:"folder,omitempty"` // from the outermost inwards
	Tags    []string `json:"tags,omitempty"`
}

// Bounds of a list of feeds.
const (
	maxOPMLBytes = 16 << 20
	maxOutlines  = 10_000
)

// ReadOPML reads a list of feeds, in its order, each address once: the first title and folder count. Errors match ErrUnknown,
// ErrDoctype, ErrTooLarge or ErrDamaged; of a cut list the feeds before the cut are there.
func ReadOPML(content []byte) ([]Outline, error) {
	outlines, _, err := readOPML(toUTF8(content[:min(len(content), maxOPMLBytes+1)], ""), func(string, string) {})
	if err != nil {
		return nil, fmt.Errorf("read OPML: %w", err)
	}
	return outlines, nil
}

// opml reads a list of feeds that is given as an input.
func (r *reader) opml(text []byte) error {
	r.batch.Kind = "opml"
	outlines, title, err := readOPML(text, r.leave)
	if err != nil {
		return err
	}
	r.batch.Title, r.batch.Outlines = title, outlines
	return nil
}

// readOPML gives what it leaves out, with its reason, to a function.
func readOPML(text []byte, leave func(reason, example string)) (outlines []Outline, title string, _ error) {
	if len(text) > maxOPMLBytes {
		return nil, "", fmt.Errorf("%w: a list of feeds over %d MiB", ErrTooLarge, maxOPMLBytes>>20)
	}
	root, hasDoctype := rootOf(text)
	switch {
	case !strings.EqualFold(localName(root), "opml"):
		return nil, "", fmt.Errorf("it is no OPML: %w", ErrUnknown)
	case hasDoctype:
		return nil, "", ErrDoctype
	}
	o := &outliner{scanner: scanner{text: text}, leave: leave, seen: map[string]bool{}}
	o.read()
	if len(o.outlines) == 0 && o.count > 0 && len(o.open) > 0 {
		return nil, "", fmt.Errorf("it has no feed and no end: %w", ErrDamaged)
	}
	return o.outlines, o.title, nil
}

type outliner struct {
	scanner
	leave    func(reason, example string)
	seen     map[string]bool
	open     []string // outlines: the name of a folder, "" for a feed
	deeper   int      // outlines below mostFolders
	title    string
	outlines []Outline
	count    int
}

func (o *outliner) read() {
	for {
		t := o.next()
		name := strings.ToLower(localName(t.name))
		switch {
		case t.kind == noToken:
			return
		case name == "outline" && t.kind == closeToken:
			if o.deeper > 0 {
				o.deeper--
			} else if len(o.open) > 0 {
				o.open = o.open[:len(o.open)-1]
			}
		case name == "outline":
			o.count++
			o.outline(t)
		case name == "title" && t.kind == openToken && o.title == "":
			if inner := o.next(); inner.kind == textToken || inner.kind == cdataToken {
				o.title = titleOf(string(inner.raw))
			}
		}
	}
}

func (o *outliner) outline(t token) {
	values := map[string]string{}
	for key, value := range attributes(t.raw) {
		if key = strings.ToLower(key); values[key] == "" && len(values) < 100 {
			values[key] = strings.TrimSpace(unescapeXML(value))
		}
	}
	title := oneLine(values["title"], maxTitle)
	if title == "" {
		title = oneLine(values["text"], maxTitle)
	}
	address, isFeed := values["xmlurl"], values["xmlurl"] != ""
	if isFeed {
		o.feed(title, address, values)
	} else if values["url"] != "" || values["htmlurl"] != "" {
		o.leave("an outline that is no feed", title)
	}
	if t.kind != openToken {
		return
	}
	switch {
	case len(o.open) >= mostFolders:
		o.deeper++
	case isFeed:
		o.open = append(o.open, "")
	default:
		o.open = append(o.open, title)
	}
}

func (o *outliner) feed(title, address string, values map[string]string) {
	if rest, ok := strings.CutPrefix(address, "feed:"); ok { // feed://… and feed:https://…
		if address = rest; strings.HasPrefix(rest, "//") {
			address = "https:" + rest
		}
	}
	web := webAddress(address)
	switch {
	case web == "":
		o.leave(schemeOf(address), title)
		return
	case o.seen[web]:
		o.leave("the same address twice in this file", title)
		return
	case len(o.outlines) >= maxOutlines:
		o.leave(fmt.Sprintf("more than %d feeds", maxOutlines), title)
		return
	}
	o.seen[web] = true
	one := Outline{Title: title, Address: web, Page: webAddress(values["htmlurl"])}
	if one.Title == "" {
		one.Title = web
	}
	for _, name := range o.open {
		if name != "" {
			one.Folder = append(one.Folder, name)
		}
	}
	for tag := range strings.SplitSeq(values["category"], ",") {
		one.Tags = append(one.Tags, strings.Trim(strings.TrimSpace(tag), "/"))
	}
	one.Tags = distinct(one.Tags)
	o.outlines = append(o.outlines, one)
}

// WriteOPML writes a list of feeds as OPML 2.0, in the order given; feeds that follow each other in one folder share it. ReadOPML
// gives the same list back, but for feeds whose address is no web address or is there twice.
func WriteOPML(outlines []Outline) []byte {
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n  <head>\n    <title>Feeds</title>\n  </head>\n  <body>\n")
	var open []string
	for _, one := range outlines {
		same := 0
		for same < len(open) && same < len(one.Folder) && open[same] == one.Folder[same] {
			same++
		}
		for len(open) > same {
			open = open[:len(open)-1]
			indent(&b, len(open))
			b.WriteString("</outline>\n")
		}
		for _, name := range one.Folder[same:] {
			indent(&b, len(open))
			writeOutline(&b, "text", name, "title", name)
			b.WriteString(">\n")
			open = append(open, name)
		}
		indent(&b, len(open))
		writeOutline(&b, "type", "rss", "text", one.Title, "title", one.Title, "xmlUrl", one.Address, "htmlUrl", one.Page, "category", strings.Join(one.Tags, ","))
		b.WriteString("/>\n")
	}
	for i := range slices.Backward(open) {
		indent(&b, i)
		b.WriteString("</outline>\n")
	}
	b.WriteString("  </body>\n</opml>\n")
	return b.Bytes()
}

func indent(b *bytes.Buffer, depth int) { b.WriteString(strings.Repeat("  ", depth+2)) }

// writeOutline writes a start tag without its end, of names and values that are not empty.
func writeOutline(b *bytes.Buffer, pairs ...string) {
	b.WriteString("<outline")
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			var text bytes.Buffer
			writeEscaped(&text, []byte(oneLine(pair[1], maxAddress)))
			fmt.Fprintf(b, ` %s="%s"`, pair[0], strings.NewReplacer(`"`, "&quot;", ">", "&gt;").Replace(text.String()))
		}
	}
}
