// Package draft writes the text of notes that come from elsewhere: signals and other apps' notes. It is pure.
package draft

import (
	"time"
)

// Note is a note that is to be written. Its texts may be anything: String makes them fit.
type Note struct {
	Title, Type, Domain, Source, Status string // "": left out
	Tags                                []string
	Created, Updated                    time.Time  // the zero time is left out; written in UTC
	Properties                          []Property // further ones, in this order; a name that is taken is left out
	Body                                string     // Markdown
}

// Property is a further property of a note: a text, a list of texts, a number, a truth or a time, which is written in UTC.
type Property struct {
	Name  string
	Value any // string, []string, int, float64, bool or time.Time
}
