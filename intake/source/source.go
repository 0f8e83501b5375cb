// Package source reads signals out of bytes: feeds, bookmarks, mails, pages. Nothing is fetched. It is pure and bounded for every
// input; one bad item is reported and never stops the rest.
package source

import (
	"time"

	"quarry/intake"
)

// Input is one file or answer to be read.
type Input struct {
	Name    string    // of the file or address, for reports and for what has no name of its own
	Content []byte    // at most MaxInputBytes
	Now     time.Time // for what has no date of its own
	Address string    // it was fetched from; "": a file
	// ContentType is what the server said of it, whose charset counts where the content names none; "": unknown.
	ContentType string
	// Channel is that of plain text and Markdown: Capture or Tool; "": Tool.
	Channel intake.Channel
	// Attachments tells to keep the bytes of attached files.
	Attachments bool
}

// MaxInputBytes bounds an input: 64 MiB. What is longer is refused before it is read.
const MaxInputBytes = 64 << 20

// Batch is what an input holds.
type Batch struct {
	Kind     string    `json:"kind"` // rss, atom, rdf, jsonfeed, opml, netscape, chrome, firefox, eml, mbox, html, markdown, text
	Title    string    `json:"title,omitempty"`
	Address  string    `json:"address,omitempty"`  // of the page that a feed is of
	Outlines []Outline `json:"outlines,omitempty"` // of an OPML file, which has no signals; of a page the feeds that it names, which nobody asked for
	// Every is how often a feed wants to be asked, 0 where it says nothing.
	Every    time.Duration   `json:"every,omitempty"`
	Signals  []intake.Signal `json:"signals"`  // in the order of the input
	LeftOut  []LeftOut       `json:"left_out"` // by reason
	Problems []Problem       `json:"problems"`
}

// LeftOut counts what was left out on purpose.
type LeftOut struct {
	Reason  string `json:"reason"` // "javascript: address", "seen before in this file"
	Count   int    `json:"count"`
	Example string `json:"example,omitempty"`
}

// Problem is a fault of an input or of one item.
type Problem struct {
	Where  string `json:"where"` // the input's name, and the item's where it has one
	Reason string `json:"reason"`
}
