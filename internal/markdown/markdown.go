// Package markdown makes Markdown of what is not: HTML and plain text. What it gives shows a reader what the source showed, holds no
// HTML, no script, no address that runs or loads anything, and no wiki-link, tag or emphasis that was only text. It is pure, and
// bounded in time and memory for every input.
package markdown

import "net/url"

// Options of FromHTML.
type Options struct {
	// Base resolves relative links and images; nil leaves them as they are.
	Base *url.URL
	// TopHeading is the level of the highest heading of the result, 1 to 6; lower ones keep their distance. 0 keeps levels.
	TopHeading int
	// Link, if set, gives the Markdown of a link, or ok false for the usual form. Text is Markdown already.
	Link func(address, text string) (markdown string, ok bool)
	// Image, if set, does so for an image; address may be a data: URI.
	Image func(address, alternative string) (markdown string, ok bool)
}

// Lost counts what a conversion left out, by reason, for a report.
type Lost map[string]int

// FromHTML is the Markdown of an HTML document or fragment.
func FromHTML(html string, options Options) (string, Lost, error) { return fromHTML(html, options) }

// FromText is the Markdown that shows a plain text as it is: its lines and paragraphs, with all that Markdown and Obsidian would take
// for more escaped. Addresses of the web stay addresses.
func FromText(text string) string { return fromText(text) }

// Escape is FromText for a piece within a line.
func Escape(text string) string { return escape(text) }
