package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"quarry/internal/date"
	"quarry/store"
)

// ErrUnknownNote is what Searcher.ByLinks fails with where a filter names a note that is not there: such a filter selects
// nothing, which the answer says.
var ErrUnknownNote = errors.New("there is no such note")

// condition says which passages may be in the answer. nil: all of them. Nothing is negated but at the leaves.
type condition struct {
	kind   conditionKind
	parts  []*condition // of allOf and anyOf
	filter store.Filter // of a selection: one kind of value
	terms  []store.Term // of holding: all Must, or one MustNot
}

type conditionKind int

const (
	allOf conditionKind = iota
	anyOf
	selection
	holding
)

// conditions makes them of a query.
type conditions struct {
	searcher Searcher
	words    int // looked for by holding, at most maxTerms
	notices  []string
	readable []string     // what is asked for, but for phrases that every passage has to hold, which are among the terms
	asked    store.Filter // the values of wanted filters, each as it is written
}

// ofQuery gives what a whole query asks for.
func (c *conditions) ofQuery(ctx context.Context, query *node) (*condition, error) {
	nodes := byKind(query.together())
	parts, err := c.ofEach(ctx, nodes, false, false)
	for i, part := range parts {
		if part != nil && (nodes[i].kind != phraseNode || nodes[i].not) {
			c.readable = append(c.readable, nodes[i].String())
		}
	}
	return both(parts), err
}

// of gives what a part of a query asks for. Where it is excluded, not is set. Words ask for nothing, they only count, unless
// strict is set: where words decide all of them do.
func (c *conditions) of(ctx context.Context, n *node, not, strict bool) (*condition, error) {
	strict = strict || n.not
	not = not != n.not
	switch n.kind {
	case allNode:
		parts, err := c.ofEach(ctx, byKind(n.children), not, strict)
		if not {
			return either(parts), err
		}
		return both(parts), err
	case anyNode:
		return c.ofAlternatives(ctx, n.children, not, strict)
	case textNode:
		if !strict {
			return nil, nil
		}
		return c.holds(n.text, not), nil
	case phraseNode:
		return c.holds(n.text, not), nil
	}
	return c.selects(ctx, n, not)
}

func (c *conditions) ofEach(ctx context.Context, nodes []*node, not, strict bool) ([]*condition, error) {
	parts := make([]*condition, 0, len(nodes))
	for _, n := range nodes {
		part, err := c.of(ctx, n, not, strict)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// ofAlternatives lets words decide where they stand beside alternatives that do: kiln OR tag:pottery.
func (c *conditions) ofAlternatives(ctx context.Context, nodes []*node, not, strict bool) (*condition, error) {
	parts, err := c.ofEach(ctx, nodes, not, strict)
	if err != nil {
		return nil, err
	}
	if not {
		return both(parts), nil
	}
	isFree := !slices.ContainsFunc(parts, func(part *condition) bool { return part != nil })
	if strict || isFree {
		return either(parts), nil
	}
	for i, part := range parts {
		if part != nil {
			continue
		}
		if parts[i], err = c.of(ctx, nodes[i], not, true); err != nil {
			return nil, err
		}
	}
	return either(parts), nil
}

// byKind makes alternatives of the filters of one kind.
func byKind(nodes []*node) []*node {
	var out []*node
	at := map[string]int{}
	for _, n := range nodes {
		if n.kind != filterNode || n.not {
			out = append(out, n)
			continue
		}
		first, ok := at[strings.ToLower(n.key)]
		if !ok {
			at[strings.ToLower(n.key)] = len(out)
			out = append(out, n)
			continue
		}
		if out[first].kind == filterNode {
			out[first] = &node{kind: anyNode, children: []*node{out[first]}}
		}
		out[first].children = append(out[first].children, n)
	}
	return out
}

// both joins conditions that all count.
func both(parts []*condition) *condition {
	parts = slices.DeleteFunc(parts, func(part *condition) bool { return part == nil })
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return &condition{kind: allOf, parts: parts}
}

// either joins alternatives.
func either(parts []*condition) *condition {
	if len(parts) == 0 || slices.Contains(parts, nil) {
		return nil
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &condition{kind: anyOf, parts: parts}
}

// holds asks for words side by side. Parts of different scripts stand in columns of their own: all are asked for.
func (c *conditions) holds(text string, not bool) *condition {
	var parts []*condition
	together := &condition{kind: holding}
	for _, term := range phraseTerms(strings.ToLower(text)) {
		if c.words == maxTerms {
			break
		}
		c.words++
		if not {
			parts = append(parts, &condition{kind: holding, terms: []store.Term{{Text: term.indexed, Occur: store.MustNot}}})
		}
		together.terms = append(together.terms, store.Term{Text: term.indexed, Occur: store.Must})
	}
	switch {
	case len(together.terms) == 0:
		return nil
	case not:
		return either(parts)
	}
	return together
}

// selects asks for what a filter does.
func (c *conditions) selects(ctx context.Context, n *node, not bool) (*condition, error) {
	out := &condition{kind: selection}
	f := &out.filter
	if isDated(n.key) {
		return c.dated(n, not)
	}
	if n.key == "links-to" || n.key == "linked-by" {
		return c.linked(ctx, n, not)
	}
	if name, isProperty := strings.CutPrefix(n.key, "["); isProperty {
		list := &f.Properties
		if not {
			list = &f.NotProperties
		}
		*list = []store.Property{{Key: name, Value: n.text}}
		return out, nil
	}
	key, value := n.key, n.text
	if strings.ContainsAny(value, "*?") {
		switch key {
		case "path":
			key = "glob"
		case "file":
			key, value = "glob", "**/"+value
		}
	}
	wanted, excluded := listOf(f, key)
	if not {
		wanted = excluded
	} else {
		asked, _ := listOf(&c.asked, key)
		*asked = append(*asked, value)
	}
	*wanted = spellings(value)
	return out, nil
}

// listOf gives the lists of a filter that an operator fills.
func listOf(f *store.Filter, key string) (wanted, excluded *[]string) {
	switch key {
	case "tag":
		return &f.Tags, &f.NotTags
	case "type":
		return &f.Types, &f.NotTypes
	case "status":
		return &f.Statuses, &f.NotStatuses
	case "domain":
		return &f.Domains, &f.NotDomains
	case "folder":
		return &f.Folders, &f.NotFolders
	case "glob":
		return &f.Globs, &f.NotGlobs
	case "path":
		return &f.Paths, &f.NotPaths
	case "file":
		return &f.Files, &f.NotFiles
	case "title":
		return &f.Titles, &f.NotTitles
	default: // section
		return &f.Sections, &f.NotSections
	}
}

// spellings are those of a text with accents: as one character, or as two.
func spellings(text string) []string {
	list := []string{text}
	for _, form := range []norm.Form{norm.NFC, norm.NFD} {
		if other := form.String(text); !slices.Contains(list, other) {
			list = append(list, other)
		}
	}
	return list
}

// day reads a date; relative ones count from Today.
func (s Searcher) day(text string) (date.Span, bool) {
	today, err := time.Parse(time.DateOnly, s.Today)
	if err != nil {
		today = time.Time{}
	}
	return date.Parse(text, today)
}

// dated asks for days, and notes on the part of the query which was meant.
func (c *conditions) dated(n *node, not bool) (*condition, error) {
	span, ok := c.searcher.day(n.text)
	if !ok { // in brackets: since:(a b)
		c.notices = append(c.notices, fmt.Sprintf("%s:%s is no date and was left out", n.key, n.text))
		return nil, nil
	}
	f, day := store.Filter{}, span.First
	switch {
	case n.key == "since" && not:
		f.Until = span.First.AddDate(0, 0, -1).Format(time.DateOnly)
	case n.key == "since":
		f.Since = span.First.Format(time.DateOnly)
	case not:
		f.Since, day = span.Last.AddDate(0, 0, 1).Format(time.DateOnly), span.Last
	default:
		f.Until, day = span.Last.Format(time.DateOnly), span.Last
	}
	if meant := day.Format(time.DateOnly); meant != n.text {
		n.meant = meant
	}
	return &condition{kind: selection, filter: f}, nil
}

// linked asks for the notes around another.
func (c *conditions) linked(ctx context.Context, n *node, not bool) (*condition, error) {
	named := store.Filter{LinksTo: []string{n.text}}
	if n.key == "linked-by" {
		named = store.Filter{LinkedBy: []string{n.text}}
	}
	if c.searcher.ByLinks == nil {
		c.notices = append(c.notices, fmt.Sprintf("%s was left out: links are not known here", n))
		return nil, nil
	}
	found, err := c.searcher.ByLinks(ctx, named)
	if errors.Is(err, ErrUnknownNote) {
		c.notices = append(c.notices, fmt.Sprintf("%s names no note", n))
		found, err = store.Filter{Among: map[string]bool{}}, nil
	}
	if err != nil {
		return nil, err
	}
	if not {
		found.Among, found.Without = nil, found.Among
	}
	return &condition{kind: selection, filter: found}, nil
}
