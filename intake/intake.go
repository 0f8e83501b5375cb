// Package intake decides what enters a vault: it scores signals, routes them to domains, and knows which it has seen. It knows
// nothing of the index, of embeddings, files, network or clock: signals and rules in, decisions with their reasons out, always the
// same ones.
package intake

import (
	"time"

	"quarry/internal/draft"
)

// Channel is the way a signal came.
type Channel string

// The channels.
const (
	Feed     Channel = "feed"
	Bookmark Channel = "bookmark"
	Mail     Channel = "mail"
	Page     Channel = "page"
	Capture  Channel = "capture"
	Tool     Channel = "tool"
)

// Signal is something that may enter the vault: an item of a feed, a bookmark, a mail, a page, a capture or a tool's output.
type Signal struct {
	Channel Channel `json:"channel"`
	// Identity is what the source calls it: a guid, a Message-ID. "": its address, else its content tells it from others.
	Identity string `json:"identity,omitempty"`
	// Origin names the source: the address or title of a feed, the List-Id or the sender of a mail, the name of a file.
	Origin     string           `json:"origin"`
	OriginName string           `json:"origin_name,omitempty"` // for people
	Title      string           `json:"title"`
	Address    string           `json:"address,omitempty"` // http or https, without tracking parameters
	Author     string           `json:"author,omitempty"`
	Tags       []string         `json:"tags,omitempty"`
	Created    time.Time        `json:"created"` // UTC; zero: unknown
	Updated    time.Time        `json:"updated,omitzero"`
	Body       string           `json:"body,omitempty"` // Markdown without a title of its own
	Properties []draft.Property `json:"properties,omitempty"`
	// Attachments are named in the body; their bytes are not kept unless asked for.
	Attachments []Attachment `json:"attachments,omitempty"`
}

// Attachment is a file that came with a signal.
type Attachment struct {
	Name    string `json:"name"`
	Content []byte `json:"content,omitempty"`
}

// Decision is what becomes of a signal.
type Decision string

// The decisions; the thresholds of Rules tell them apart.
const (
	Route  Decision = "route"
	Review Decision = "review"
	Drop   Decision = "drop"
)

// Domains are the twelve domains, in the order of their folders' names in the documentation. Rules may add further ones.
var Domains = []string{"ai-tooling", "security", "systems", "programming", "web", "data", "devops", "design", "mobile", "career", "research", "other"}

// Score tells how much a signal is worth to a vault, and why. All figures are from 0 to 1, rounded to two places.
type Score struct {
	Relevance     Dimension `json:"relevance"`
	Actionability Dimension `json:"actionability"`
	Depth         Dimension `json:"depth"`
	Authority     Dimension `json:"authority"`
	Composite     float64   `json:"composite"` // .35, .25, .25 and .15 of the four, unless the rules weigh them otherwise
	Decision      Decision  `json:"decision"`
	Domain        string    `json:"domain"`
	DomainReasons []string  `json:"domain_reasons"`
	// Keywords are the interests and keywords that were found, as the rules write them, in lower case: what feedback is about.
	Keywords []string `json:"keywords,omitempty"`
}

// Dimension is one figure of a score with its reasons in words, the weightiest first.
type Dimension struct {
	Value   float64  `json:"value"`
	Reasons []string `json:"reasons"`
}
