package source

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"quarry/intake"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// maxTextBytes bounds a file of text or Markdown.
const maxTextBytes = 8 << 20

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

var markdownMark = lazyregexp.New("(?m)^(?:#{1,6} +\\S|```|~~~|[-*+] +\\S|\\d{1,3}\\. +\\S|> |\\|.+\\||---$)|\\[[^\\]\n]+\\]\\([^)\\s]+\\)|\\[\\[[^\\]\n]+\\]\\]|\\*\\*\\S|^---\n")

// text reads a file of Markdown, of a tool, a clipper or a hand, or of plain text, as one signal. Markdown is kept as it is.
func (r *reader) text(content []byte) error {
	if len(content) > maxTextBytes {
		return fmt.Errorf("%w: a text over %d MiB", ErrTooLarge, maxTextBytes>>20)
	}
	text := strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(valid(content))))
	if text == "" {
		return fmt.Errorf("it is empty: %w", ErrUnknown)
	}
	s := intake.Signal{Channel: r.in.Channel, Origin: r.in.Name, Address: webAddress(r.in.Address)}
	if s.Channel == "" {
		s.Channel = intake.Tool
	}
	fields, body := frontmatter(text)
	if len(fields) > 0 || markdownMark.MatchString(body) {
		r.batch.Kind = "markdown"
		r.fromFields(&s, fields)
		s.Body = withoutTitle(body, &s)
	} else {
		r.batch.Kind = "text"
		s.Body = markdown.FromText(body)
	}
	if s.Title == "" {
		s.Title = firstSentence(s.Body)
	}
	if s.Title == "" && s.Body == "" {
		return fmt.Errorf("it has no text: %w", ErrUnknown)
	}
	s.Identity = s.Address
	r.batch.Title = s.Title
	r.add(s)
	return nil
}

// fromFields takes what a frontmatter says; one that names a page of the web is of that page, as clippers write it.
func (r *reader) fromFields(s *intake.Signal, fields map[string][]string) {
	first := func(names ...string) string {
		for _, name := range names {
			if len(fields[name]) > 0 {
				return fields[name][0]
			}
		}
		return ""
	}
	s.Title = oneLine(first("title"), maxTitle)
	for _, name := range []string{"source", "url", "link"} {
		if address := webAddress(first(name)); address != "" && s.Address == "" {
			s.Address = address
			if s.Channel == intake.Tool {
				s.Channel = intake.Page
			}
			s.Origin = baseOf(address).Hostname()
		}
	}
	var authors []string
	for _, author := range append(fields["author"], fields["authors"]...) {
		authors = append(authors, strings.Trim(author, "[]"))
	}
	s.Author = strings.Join(distinct(authors), ", ")
	s.Tags = distinct(slices.Concat(fields["tags"], fields["tag"], fields["keywords"]))
	s.Created = r.firstDate(s.Title, first("published"), first("created", "date"))
	s.Updated = after(s.Created, r.firstDate(s.Title, first("updated", "modified")))
	if description := oneLine(first("description"), 400); description != "" {
		s.Properties = append(s.Properties, draft.Property{Name: "description", Value: description})
	}
}

var fieldLine = lazyregexp.New(`^([A-Za-z][\w -]{0,40}):(?:[ \t]+(.*))?$`)

// frontmatter reads the plain fields of a YAML frontmatter, texts and lists of texts, and the text behind it. What has another form is
// not taken; a text that only begins with "---" has none.
func frontmatter(text string) (fields map[string][]string, body string) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, text
	}
	block, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		if block, ok = strings.CutSuffix(rest, "\n---"); !ok {
			return nil, text
		}
		body = ""
	}
	fields = map[string][]string{}
	name := ""
	for line := range strings.SplitSeq(block, "\n") {
		item := strings.TrimSpace(line)
		if m := fieldLine.FindStringSubmatch(line); m != nil {
			name = strings.ToLower(m[1])
			fields[name] = append(fields[name], values(m[2])...)
		} else if value, isItem := strings.CutPrefix(item, "- "); isItem && name != "" {
			fields[name] = append(fields[name], values(value)...)
		} else if item != "" && !strings.HasPrefix(item, "#") && line == strings.TrimLeft(line, " \t") {
			return nil, text // no frontmatter
		}
	}
	return fields, strings.TrimSpace(body)
}

// values are the texts of a field: one, or those of a list in brackets.
func values(text string) []string {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") && !strings.HasPrefix(inner, "[") {
		var list []string
		for value := range strings.SplitSeq(strings.TrimSuffix(inner, "]"), ",") {
			list = append(list, values(value)...)
		}
		return list
	}
	if len(text) >= 2 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		text = strings.NewReplacer(`\"`, `"`, `\\`, `\`, "''", "'").Replace(text[1 : len(text)-1])
	} else if at := strings.Index(text, " #"); at >= 0 {
		text = strings.TrimSpace(text[:at])
	}
	if text == "" || text == "null" || text == "~" || text == "|" || text == ">" {
		return nil
	}
	return []string{text}
}
