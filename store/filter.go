package store

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Matcher is a filter made ready to test many notes. It is safe for concurrent use.
type Matcher struct {
	filter     Filter
	globs      [][]string // segments, folded
	notGlobs   [][]string
	properties []keyValues // wanted, each key once
	without    []keyValues
	held       held
}

// NewMatcher makes the filter ready.
func NewMatcher(f Filter) *Matcher {
	m := &Matcher{filter: f, globs: splitGlobs(f.Globs), notGlobs: splitGlobs(f.NotGlobs)}
	m.filter.Tags, m.filter.NotTags = withoutHash(f.Tags), withoutHash(f.NotTags)
	m.filter.Folders, m.filter.NotFolders = trimmedFolders(f.Folders), trimmedFolders(f.NotFolders)
	m.properties, m.without = byKey(f.Properties), byKey(f.NotProperties)
	m.held = newHeld(&f)
	return m
}

// NeedsFrontmatter tells whether Match looks at Note.Frontmatter.
func (m *Matcher) NeedsFrontmatter() bool { return len(m.properties)+len(m.without) > 0 }

// Match tells whether the filter lets the note through: none where Filter.Check fails. It looks at the path, Updated and the file's date, Type,
// Status and Domain, and at the tags, the title with the aliases and the frontmatter if it needs them. See NeedsSections for what
// is asked of passages beside.
func (m *Matcher) Match(n *Note) bool { return m.MatchFacts(n) && m.MatchFrontmatter(n.Frontmatter) }

// MatchFacts is Match without the frontmatter.
func (m *Matcher) MatchFacts(n *Note) bool {
	f := &m.filter
	return !m.filter.namesLinks() && (f.Among == nil || f.Among[n.Path]) && !f.Without[n.Path] && among(f.Types, n.Type) && among(f.Statuses, n.Status) && among(f.Domains, n.Domain) &&
		!in(f.NotTypes, n.Type) && !in(f.NotStatuses, n.Status) && !in(f.NotDomains, n.Domain) &&
		(len(f.Tags) == 0 || hasTag(f.Tags, n.Tags)) && !hasTag(f.NotTags, n.Tags) &&
		(len(f.Folders) == 0 || isBelow(f.Folders, n.Path)) && !isBelow(f.NotFolders, n.Path) &&
		m.matchGlobs(n.Path) && m.matchDate(n) && m.held.match(n) &&
		(!f.ExcludeArchived || !strings.EqualFold(n.Status, "archived"))
}

func among(wanted []string, value string) bool { return len(wanted) == 0 || in(wanted, value) }

func in(list []string, value string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, value) })
}

func withoutHash(tags []string) []string {
	out := make([]string, len(tags))
	for i, t := range tags {
		out[i] = strings.TrimSuffix(strings.TrimPrefix(t, "#"), "/")
	}
	return out
}

// hasTag tells whether one of the tags is a wanted one or nested below one.
func hasTag(wanted, tags []string) bool {
	for _, w := range wanted {
		for _, t := range tags {
			if rest, ok := cutPrefixFold(t, w); ok && (rest == "" || rest[0] == '/') {
				return true
			}
		}
	}
	return false
}

func trimmedFolders(folders []string) []string {
	out := make([]string, len(folders))
	for i, f := range folders {
		out[i] = strings.Trim(strings.TrimPrefix(f, "./"), "/")
	}
	return out
}

func isBelow(folders []string, path string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		rest, ok := cutPrefixFold(path, folder)
		return ok && (folder == "" || strings.HasPrefix(rest, "/"))
	})
}

// cutPrefixFold is strings.CutPrefix without regard to case.
func cutPrefixFold(s, prefix string) (rest string, ok bool) {
	for prefix != "" {
		a, sizeA := utf8.DecodeRuneInString(s)
		b, sizeB := utf8.DecodeRuneInString(prefix)
		if sizeA == 0 || a != b && foldRune(a) != foldRune(b) {
			return s, false
		}
		s, prefix = s[sizeA:], prefix[sizeB:]
	}
	return s, true
}

// foldRune gives one representative of the runes that strings.EqualFold takes for the same.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf && r != 'K' && r != 'k' && r != 'S' && r != 's' { // these two have a third form beyond ASCII
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return least
}

func fold(s string) string { return strings.Map(foldRune, s) }

func splitGlobs(globs []string) [][]string {
	var out [][]string
	for _, g := range globs {
		segments := strings.Split(strings.TrimPrefix(strings.TrimPrefix(fold(g), "./"), "/"), "/")
		out = append(out, slices.CompactFunc(segments, func(a, b string) bool { return a == "**" && b == "**" }))
	}
	return out
}

func (m *Matcher) matchGlobs(path string) bool {
	if len(m.globs)+len(m.notGlobs) == 0 {
		return true
	}
	segments := strings.Split(fold(path), "/")
	matches := func(glob []string) bool { return matchSegments(glob, segments) }
	return (len(m.globs) == 0 || slices.ContainsFunc(m.globs, matches)) && !slices.ContainsFunc(m.notGlobs, matches)
}

// matchSegments matches a path with a pattern, segment by segment; "**" stands for any number of them, none included.
// Going back to the last "**" alone is enough, so that the time is bounded by the product of the lengths.
func matchSegments(glob, path []string) bool {
	g, p, star, from := 0, 0, -1, 0
	for p < len(path) {
		switch {
		case g < len(glob) && glob[g] == "**":
			star, from = g, p
			g++
		case g < len(glob) && matchSegment(glob[g], path[p]):
			g++
			p++
		case star >= 0:
			from++
			g, p = star+1, from
		default:
			return false
		}
	}
	for g < len(glob) && glob[g] == "**" {
		g++
	}
	return g == len(glob)
}

// matchSegment matches one segment: "*" is any text, "?" one character.
func matchSegment(glob, text string) bool {
	g, t, star, from := 0, 0, -1, 0
	for t < len(text) {
		_, size := utf8.DecodeRuneInString(text[t:])
		switch {
		case g < len(glob) && glob[g] == '*':
			star, from = g, t
			g++
		case g < len(glob) && glob[g] == '?':
			g++
			t += size
		case g < len(glob) && strings.HasPrefix(glob[g:], text[t:t+size]):
			g += size
			t += size
		case star >= 0:
			_, size := utf8.DecodeRuneInString(text[from:])
			from += size
			g, t = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(glob[g:], "*") == ""
}

// matchDate compares dates as texts; a note whose date cannot be read counts with its file's date.
func (m *Matcher) matchDate(n *Note) bool {
	if m.filter.Since == "" && m.filter.Until == "" {
		return true
	}
	day := DayOf(n)
	return (m.filter.Since == "" || day >= m.filter.Since) && (m.filter.Until == "" || day <= m.filter.Until)
}

// DayOf gives the day of a note's last change as 2006-01-02: what Updated begins with, else the file's date in UTC.
func DayOf(n *Note) string {
	if isDay(n.Updated) {
		return n.Updated[:len(time.DateOnly)]
	}
	return time.Unix(0, n.ModifiedNanoseconds).UTC().Format(time.DateOnly)
}

// isDay tells whether s begins with a date of the form 2006-01-02.
func isDay(s string) bool {
	if len(s) < len(time.DateOnly) {
		return false
	}
	for i, c := range []byte(s[:len(time.DateOnly)]) {
		if i == 4 || i == 7 {
			if c != '-' {
				return false
			}
		} else if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
