// Package draft writes the text of notes that come from elsewhere, signals and other apps' notes: their frontmatter, their body and the
// names of their files, of whatever it is given. It is pure.
package draft

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"quarry/internal/lazyregexp"
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

// Bounds of a note's frontmatter.
const (
	maxTags       = 100
	maxProperties = 100
	maxItems      = 200 // of a list
)

// String is the note as it stands in its file. Its properties are read back from the frontmatter as they are, by YAML 1.1 and 1.2:
// texts as texts, in the form of Line; a time as 2026-03-05T09:30:00Z. A tag that Obsidian would not take becomes one that it does.
func (n Note) String() string {
	var b strings.Builder
	b.WriteString("---\n")
	used := map[string]bool{"tags": true, "created": true, "updated": true}
	for _, p := range []struct{ name, value string }{{"title", TitleLine(n.Title)}, {"type", Line(n.Type)}, {"domain", Line(n.Domain)}} {
		used[p.name] = true
		writeText(&b, p.name, p.value)
	}
	writeList(&b, "tags", n.tags())
	writeTime(&b, "created", n.Created)
	writeTime(&b, "updated", n.Updated)
	for _, p := range []struct{ name, value string }{{"source", Line(n.Source)}, {"status", Line(n.Status)}} {
		used[p.name] = true
		writeText(&b, p.name, p.value)
	}
	for _, p := range n.Properties[:min(len(n.Properties), maxProperties)] {
		if name := PropertyName(p.Name); name != "" && !used[strings.ToLower(name)] {
			used[strings.ToLower(name)] = true
			writeValue(&b, Scalar(name), p.Value)
		}
	}
	b.WriteString("---\n")
	if body := Text(n.Body); body != "" {
		b.WriteString(body)
		b.WriteByte('\n')
	}
	return b.String()
}

func (n Note) tags() []string {
	var tags []string
	seen := map[string]bool{}
	for _, one := range n.Tags {
		if tag, ok := Tag(one); ok && !seen[strings.ToLower(tag)] && len(tags) < maxTags {
			seen[strings.ToLower(tag)] = true
			tags = append(tags, tag)
		}
	}
	return tags
}

// PropertyName is a name of a property as it is written: one line without ":" at its end, at most 100 characters; "" where nothing is left.
func PropertyName(name string) string { return strings.TrimRight(line(name, maxTag), ": ") }

func writeText(b *strings.Builder, name, value string) {
	if value != "" {
		fmt.Fprintf(b, "%s: %s\n", name, Scalar(value))
	}
}

func writeList(b *strings.Builder, name string, values []string) {
	if len(values) == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n", name)
	for _, value := range values[:min(len(values), maxItems)] {
		fmt.Fprintf(b, "  - %s\n", Scalar(value))
	}
}

func writeTime(b *strings.Builder, name string, when time.Time) {
	if year := when.UTC().Year(); !when.IsZero() && year >= 1 && year <= 9999 {
		fmt.Fprintf(b, "%s: %s\n", name, when.UTC().Format("2006-01-02T15:04:05Z"))
	}
}

func writeValue(b *strings.Builder, name string, value any) {
	switch v := value.(type) {
	case string:
		writeText(b, name, Line(v))
	case []string:
		lines := make([]string, 0, len(v))
		for _, one := range v {
			lines = append(lines, Line(one))
		}
		writeList(b, name, lines)
	case []any: // a list that was kept as JSON
		lines := make([]string, 0, len(v))
		for _, one := range v {
			lines = append(lines, Line(fmt.Sprint(one)))
		}
		writeList(b, name, lines)
	case time.Time:
		writeTime(b, name, v)
	case bool:
		fmt.Fprintf(b, "%s: %t\n", name, v)
	case int:
		fmt.Fprintf(b, "%s: %d\n", name, v)
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			fmt.Fprintf(b, "%s: %s\n", name, strconv.FormatFloat(v, 'f', -1, 64))
		}
	}
}

// most of a file's name, in bytes: what every file system takes, with room for a number and an extension.
const maxFileNameBytes = 120

var reserved = lazyregexp.New(`(?i)^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)`)

// FileName is a title as the name of a file without an extension, or of a folder, that is valid on Linux, macOS and Windows and means
// itself in a wiki-link: case and blanks stay, and what none of them takes becomes "-". "" where nothing is left.
func FileName(title string) string {
	var b strings.Builder
	for _, r := range norm.NFC.String(line(title, maxProperty)) {
		switch {
		case strings.ContainsRune(`\/:*?"<>|#^[]%`, r), unicode.Is(unicode.Co, r):
			r = '-'
		case unicode.IsControl(r) || r == utf8.RuneError:
			continue
		}
		b.WriteRune(r)
	}
	name := strings.Trim(b.String(), " .-")
	if len(name) > maxFileNameBytes {
		end := maxFileNameBytes
		for !utf8.RuneStart(name[end]) {
			end--
		}
		if at := strings.LastIndexByte(name[:end], ' '); at > maxFileNameBytes/2 {
			end = at
		}
		name = strings.TrimRight(name[:end], " .-")
	}
	if reserved.MatchString(name) {
		name = "_" + name
	}
	return name
}
