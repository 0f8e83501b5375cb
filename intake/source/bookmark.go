package source

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"

	"quarry/intake"
	"quarry/internal/draft"
	"quarry/internal/markdown"
)

// mostFolders bounds how deep folders of bookmarks lie in each other.
const mostFolders = 64

// bookmark is one of a browser's, before what is the same is joined.
type bookmark struct {
	title, address, description string
	folder, tags                []string
	added                       time.Time
}

// addBookmark takes a bookmark of the web. Of one address it keeps the first title and folder, all tags and the earliest date.
func (r *reader) addBookmark(b bookmark) {
	address := webAddress(b.address)
	if address == "" {
		r.leave(schemeOf(b.address), oneLine(b.title, 100))
		return
	}
	s := intake.Signal{
		Channel: intake.Bookmark, Identity: address, Address: address, Origin: r.batch.Kind, OriginName: r.in.Name,
		Title: oneLine(b.title, maxTitle), Tags: distinct(b.tags), Created: b.added, Body: markdown.FromText(b.description),
	}
	if s.Title == "" {
		s.Title = address
	}
	if folder := folderPath(b.folder); folder != "" {
		s.Properties = []draft.Property{{Name: "folder", Value: folder}}
	}
	at, ok := r.seen[address]
	if !ok {
		r.add(s)
		return
	}
	first := &r.batch.Signals[at]
	first.Tags = distinct(append(first.Tags, s.Tags...))
	if !s.Created.IsZero() && s.Created.Before(first.Created) {
		first.Created = s.Created
	}
	if first.Body == "" {
		first.Body = s.Body
	}
	r.leave("the same address twice in this file", s.Title)
}

// schemeOf is why an address is left out.
func schemeOf(address string) string {
	scheme, _, ok := strings.Cut(strings.TrimSpace(address), ":")
	if !ok || len(scheme) > 20 || strings.IndexFunc(scheme, func(c rune) bool { return c < '-' || c > 'z' }) >= 0 {
		return "no address"
	}
	if scheme = strings.ToLower(scheme); scheme == "http" || scheme == "https" {
		return "an address that is not understood"
	}
	return scheme + ": address"
}

// folderPath joins folders with "/"; one in a name becomes "∕", which looks alike.
func folderPath(folders []string) string {
	var names []string
	for _, name := range folders {
		if name = oneLine(strings.ReplaceAll(name, "/", "∕"), 100); name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, "/")
}

// unixTime is a time of seconds as browsers write it; zero where it is none.
func unixTime(text string) time.Time {
	seconds, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	for err == nil && seconds > 1e11 { // some write milli- or microseconds
		seconds /= 1000
	}
	if err != nil || seconds <= 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

// netscape reads the HTML that browsers export their bookmarks to.
func (r *reader) netscape(text []byte) error {
	r.batch.Kind = "netscape"
	n := &netscapeReader{reader: r, z: html.NewTokenizer(bytes.NewReader(text))}
	n.z.SetMaxBuf(4 << 20)
	for {
		kind := n.z.Next()
		if kind == html.ErrorToken {
			break
		}
		n.token(kind)
		if err := r.ctx.Err(); err != nil {
			return err
		}
	}
	n.flush()
	if err := n.z.Err(); err != nil && !errors.Is(err, io.EOF) {
		r.problem("", "the rest cannot be read: "+err.Error())
	}
	return nil
}

type netscapeReader struct {
	*reader
	z       *html.Tokenizer
	folders []string // open lists; "" is one without a name
	deeper  int      // lists below mostFolders
	heading string   // of the next list
	text    *strings.Builder
	mark    bookmark
	isOpen  bool // a bookmark waits for its description
}

func (n *netscapeReader) token(kind html.TokenType) {
	switch kind {
	case html.TextToken:
		if n.text != nil && n.text.Len() < 64<<10 {
			n.text.Write(n.z.Text())
		}
	case html.StartTagToken, html.SelfClosingTagToken:
		n.start()
	case html.EndTagToken:
		n.end()
	}
}

func (n *netscapeReader) start() {
	name, more := n.z.TagName()
	switch string(name) {
	case "dl":
		n.flush()
		if len(n.folders) < mostFolders {
			n.folders = append(n.folders, n.heading)
		} else {
			n.deeper++
		}
		n.heading = ""
	case "h3":
		n.flush()
		n.heading, n.text = "", &strings.Builder{}
	case "a":
		n.flush()
		n.bookmark(more)
	case "dd":
		n.text = nil
		if n.isOpen {
			n.text = &strings.Builder{}
			n.mark.description = ""
		}
	case "dt", "hr":
		n.flush()
	}
}

func (n *netscapeReader) end() {
	switch name, _ := n.z.TagName(); string(name) {
	case "dl":
		n.flush()
		switch {
		case n.deeper > 0:
			n.deeper--
		case len(n.folders) > 0:
			n.folders = n.folders[:len(n.folders)-1]
		}
	case "h3":
		if n.text != nil {
			n.heading = strings.TrimSpace(n.text.String())
		}
		n.text = nil
	case "a":
		if n.text != nil && n.isOpen {
			n.mark.title = strings.TrimSpace(n.text.String())
		}
		n.text = nil
	}
}

func (n *netscapeReader) bookmark(more bool) {
	n.mark = bookmark{folder: append([]string{}, n.folders...)}
	for more {
		var key, value []byte
		key, value, more = n.z.TagAttr()
		switch string(key) {
		case "href":
			n.mark.address = string(value)
		case "add_date":
			n.mark.added = unixTime(string(value))
		case "tags":
			n.mark.tags = strings.Split(string(value), ",")
		}
	}
	n.isOpen, n.text = true, &strings.Builder{}
}

// flush takes the bookmark that is open; a text that is still read is its description.
func (n *netscapeReader) flush() {
	if n.isOpen {
		if n.text != nil && n.mark.title == "" {
			n.mark.title = strings.TrimSpace(n.text.String())
		} else if n.text != nil {
			n.mark.description = strings.TrimSpace(n.text.String())
		}
		n.addBookmark(n.mark)
	}
	n.isOpen, n.text = false, nil
}
