// Package markdown makes Markdown of what is not: HTML and plain text. What it gives shows a reader what the source showed, holds no
// HTML but <br> in cells, no script, no address that runs or is loaded from within, and no wiki-link, tag or emphasis that was only
// text. It is pure, and bounded in time and memory for every input.
package markdown

import (
	"errors"
	"net/url"

	"golang.org/x/net/html"
)

// Options of FromHTML.
type Options struct {
	// Base resolves relative links and images; nil leaves them as they are.
	Base *url.URL
	// TopHeading is the level of the highest heading of the result, 1 to 6; lower ones keep their distance. 0 keeps levels.
	TopHeading int
	// IsMail takes tables without a header for layout, as mails have them, and leaves out what a mail does not show.
	IsMail bool
	// Prepare, if set, changes the document before anything else is done with it.
	Prepare func(root *html.Node)
	// Link, if set, gives the Markdown of a link, or ok false for the usual form. The address is resolved, of any scheme; text is
	// Markdown already, of one line.
	Link func(address, text string) (markdown string, ok bool)
	// Image, if set, does so for an image; address may be a data: URI.
	Image func(address, alternative string) (markdown string, ok bool)
}

// Lost counts what a conversion left out, by what it was, for a report: "script", "picture inside the text", "address that runs".
type Lost map[string]int

// MaxHTMLBytes bounds a document.
const MaxHTMLBytes = 32 << 20

// ErrTooLarge tells that a document is over MaxHTMLBytes.
var ErrTooLarge = errors.New("the HTML is too large")

// FromHTML is the Markdown of an HTML document or fragment, without a blank line around it. Errors match ErrTooLarge, or say that
// elements lie deeper in each other than any browser takes.
func FromHTML(document string, options Options) (string, Lost, error) {
	if len(document) > MaxHTMLBytes {
		return "", nil, ErrTooLarge
	}
	return fromHTML(document, options)
}

// FromText is the Markdown that shows a plain text as it is: its lines and paragraphs, with all that Markdown and Obsidian would take
// for more escaped. Lines that began with ">" stay quotations. Addresses of the web stay addresses.
func FromText(text string) string { return fromText(text) }

// Escape is FromText for a piece within a line.
func Escape(text string) string { return escape(text) }
