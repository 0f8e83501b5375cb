package joplin

import (
	"path"
	"strconv"
	"strings"
	"time"

	"quarry/convert/export"
)

// item is an item of Joplin as its file has it.
type item struct {
	title, body string
	properties  map[string]string
}

// parseItem parts an item's file: title, body, and from the last blank line on its properties. ok is false where it has no type.
func parseItem(text string) (_ item, ok bool) {
	text = strings.TrimRight(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(strings.TrimPrefix(text, "\ufeff"), "\uFFFD")), "\n ")
	it := item{properties: map[string]string{}}
	properties := text
	if at := strings.LastIndex(text, "\n\n"); at >= 0 {
		properties = text[at+2:]
		it.title, it.body, _ = strings.Cut(text[:at], "\n")
		it.title, it.body = strings.TrimSpace(it.title), strings.Trim(it.body, "\n")
	}
	for line := range strings.SplitSeq(properties, "\n") {
		if name, value, found := strings.Cut(line, ":"); found {
			it.properties[name] = strings.TrimSpace(value)
		}
	}
	return it, it.kind() != ""
}

func (it item) id() string   { return it.properties["id"] }
func (it item) kind() string { return it.properties["type_"] }

// name is what a report calls it.
func (it item) name() string {
	if it.title != "" {
		return it.title
	}
	return it.id()
}

// fileName is the name of a resource, with an extension.
func (it item) fileName(extension string) string {
	name := it.title
	if name == "" {
		name = it.properties["filename"]
	}
	if name == "" {
		name = it.id()
	}
	name = strings.ReplaceAll(name, "/", export.Slash)
	if given := it.properties["file_extension"]; given != "" {
		extension = "." + given
	}
	if path.Ext(name) == "" {
		name += extension
	}
	return name
}

// time is the first of some properties that holds a time; zero where none does. Joplin writes it in words or in milliseconds.
func (it item) time(names ...string) time.Time {
	for _, name := range names {
		value := it.properties[name]
		if milliseconds, err := strconv.ParseInt(value, 10, 64); err == nil && milliseconds > 0 && milliseconds < 1<<48 {
			return time.UnixMilli(milliseconds).UTC()
		}
		if when, err := time.Parse(time.RFC3339Nano, value); err == nil && when.Year() > 1 {
			return when.UTC()
		}
	}
	return time.Time{}
}

// isSet tells whether a property holds more than nothing: not "", not zero in any form.
func isSet(value string) bool { return strings.Trim(value, "0.-") != "" }
