package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quarry/chunk"
	"quarry/graph"
	"quarry/index"
	"quarry/note"
	"quarry/search"
	"quarry/store"
)

// Excerpt is a note or a part of one, redacted. Its JSON form is part of the contract.
type Excerpt struct {
	FilePath  string `json:"file_path"`
	Section   string `json:"section"` // the heading asked for, "" for a whole note or lines
	LineStart int    `json:"line_start"`
	LineEnd   int    `json:"line_end"`
	Text      string `json:"text"`
	Truncated bool   `json:"truncated"`
}

// MaxExcerpts is how many notes a glob gives at most.
const MaxExcerpts = 100

// linesAddress is "path:FROM:COUNT", or "path:LINE" as search prints it.
var linesAddress = regexp.MustCompile(`(?s)^(.*?):(\d{1,9})(?::(\d{1,9}))?$`)

// passageAddress is the end of a passage's id.
var passageAddress = regexp.MustCompile(`^c(\d{2,6})$`)

// Read gives what the addresses name, as it lies on disk now: a path ("a/b.md", "a/b", or a note's name), a section of it
// ("a/b.md#Heading", "#H1#H2"), a block ("a/b.md#^id"), a passage ("a/b#c03"), lines ("a/b.md:10:20" is 20 lines from line 10, "a/b.md:10" all of the section from
// line 10 on), a "#docid", or a glob ("a/*.md", "a/**"). "[[…]]" around an address is taken off. maxTokens bounds all texts together, 4 characters a token; 0: no bound.
func (e *Engine) Read(ctx context.Context, addresses []string, maxTokens int) ([]Excerpt, error) {
	out := []Excerpt{}
	for _, address := range addresses {
		excerpts, err := e.readOne(ctx, address)
		if err != nil {
			return nil, err
		}
		out = append(out, excerpts...)
	}
	if maxTokens > 0 {
		cutExcerpts(out, maxTokens)
	}
	return out, nil
}

func cutExcerpts(list []Excerpt, left int) {
	for i := range list {
		tokens := search.Tokens(list[i].Text)
		if tokens > left {
			list[i].Text, list[i].Truncated = search.CutToTokens(list[i].Text, left), true
			tokens = left
		}
		left -= tokens
	}
}

func (e *Engine) readOne(ctx context.Context, address string) ([]Excerpt, error) {
	if !e.has(ctx, address) {
		address = withoutBrackets(address)
	}
	if strings.HasPrefix(address, "#") {
		return e.readDocID(ctx, address)
	}
	if found, ok, err := e.locate(ctx, address); err != nil {
		return nil, err
	} else if ok {
		return e.excerpt(ctx, found, func(n *note.Note) (Excerpt, error) { return lines(n, 1, len(n.LineOffsets)), nil })
	}
	if m := linesAddress.FindStringSubmatch(address); m != nil {
		return e.readPart(ctx, m[1], func(n *note.Note) (Excerpt, error) { return linesOf(n, m[2], m[3]) })
	}
	if strings.Contains(address, "#") {
		return e.readSubpath(ctx, address)
	}
	if strings.ContainsAny(address, "*?[") {
		return e.readGlob(ctx, address)
	}
	return nil, e.notFound(ctx, address)
}

// has tells that a note has just this name, with or without ".md".
func (e *Engine) has(ctx context.Context, name string) bool {
	for _, candidate := range []string{name, name + ".md"} {
		if _, err := e.vault.Stat(ctx, candidate); err == nil {
			return true
		}
	}
	return false
}

// maxHashes bounds how many "#" in the name of a note an address with a subpath may hold.
const maxHashes = 8

// readSubpath reads a part of a note. The subpath begins at the first "#", or at a later one where the note's name has
// some of its own.
func (e *Engine) readSubpath(ctx context.Context, address string) ([]Excerpt, error) {
	name, sub, _ := strings.Cut(address, "#")
	found, err := e.readPart(ctx, name, func(n *note.Note) (Excerpt, error) { return part(n, "#"+sub) })
	for range maxHashes {
		more, rest, ok := strings.Cut(sub, "#")
		if !ok || !errors.Is(err, ErrNotFound) {
			break
		}
		name, sub = name+"#"+more, rest
		if e.has(ctx, name) {
			return e.readPart(ctx, name, func(n *note.Note) (Excerpt, error) { return part(n, "#"+sub) })
		}
	}
	return found, err
}

// withoutBrackets is a link's text as it stands in a note, without brackets and display text.
func withoutBrackets(address string) string {
	inner, ok := strings.CutPrefix(address, "[[")
	if !ok || !strings.HasSuffix(inner, "]]") {
		return address
	}
	target, _, _ := strings.Cut(strings.TrimSuffix(inner, "]]"), "|")
	return target
}

// linesOf cuts count lines from line from on, or, without a count, up to the next heading.
func linesOf(n *note.Note, from, count string) (Excerpt, error) {
	first, err := strconv.Atoi(from)
	if err != nil || first < 1 || first > len(n.LineOffsets) {
		return Excerpt{}, fmt.Errorf("read %s:%s: the note has %d lines: %w", n.Path, from, len(n.LineOffsets), ErrNoPart)
	}
	if count != "" {
		wanted, err := strconv.Atoi(count)
		if err != nil || wanted < 1 {
			return Excerpt{}, fmt.Errorf("read %s: %q is no number of lines", n.Path, count)
		}
		return lines(n, first, first+wanted-1), nil
	}
	last := len(n.LineOffsets)
	for _, h := range n.Headings {
		if h.Line > first {
			last = h.Line - 1
			break
		}
	}
	return lines(n, first, last), nil
}

func (e *Engine) readPart(ctx context.Context, name string, cut func(*note.Note) (Excerpt, error)) ([]Excerpt, error) {
	found, ok, err := e.locate(ctx, name)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, e.notFound(ctx, name)
	}
	return e.excerpt(ctx, found, cut)
}

func (e *Engine) excerpt(ctx context.Context, path string, cut func(*note.Note) (Excerpt, error)) ([]Excerpt, error) {
	parsed, err := e.parseAt(ctx, path)
	if err != nil {
		return nil, err
	}
	excerpt, err := cut(parsed)
	if err != nil {
		return nil, err
	}
	return []Excerpt{excerpt}, nil
}

// locate finds the file that a path or a name means: as it stands, with ".md", as a link of that text would resolve, which
// takes all compositions of an accent for one, and at last as the title or alias of one indexed note.
func (e *Engine) locate(ctx context.Context, name string) (string, bool, error) {
	if name == "" || name != strings.ToValidUTF8(name, "") {
		return "", false, nil
	}
	var unreadable error
	for _, candidate := range []string{path.Clean(name), path.Clean(name) + ".md"} {
		_, err := e.vault.Stat(ctx, candidate)
		if err == nil && !e.vault.Ignored(candidate) {
			return candidate, true, nil
		}
		if err != nil && !isGone(err) && !errors.Is(err, fs.ErrInvalid) {
			unreadable = cmp.Or(unreadable, e.explainRead(candidate, err))
		}
	}
	if real, ok := e.realPath(ctx, name); ok && real != name {
		return real, true, nil
	}
	paths, err := e.paths(ctx)
	if err != nil {
		return "", false, err
	}
	if resolution := graph.NewResolver(paths).WithDialect(e.dialect(ctx), nil).Resolve(name, "", ""); resolution.Path != "" {
		return resolution.Path, true, nil
	}
	if found := e.byTitle(ctx, name); found != "" {
		return found, true, nil
	}
	return "", false, unreadable
}

// byTitle finds the one indexed note that has the title or the alias, "" where there is none, or more than one.
func (e *Engine) byTitle(ctx context.Context, title string) string {
	snapshot, err := e.snapshot(ctx)
	if err != nil {
		return "" // without an index nobody knows titles
	}
	defer snapshot.Close()
	notes, err := snapshot.Notes(ctx, store.NoteQuery{})
	if err != nil {
		e.logger.Warn("look for a title", "error", err)
		return ""
	}
	found := ""
	for i := range notes {
		n := &notes[i]
		isMeant := func(name string) bool { return graph.SameName(name, title) }
		if !isMeant(n.Title) && !slices.ContainsFunc(n.Aliases, isMeant) {
			continue
		}
		if found != "" {
			return ""
		}
		found = n.Path
	}
	if real, ok := e.realPath(ctx, found); ok && found != "" && !e.vault.Ignored(real) {
		return real
	}
	return ""
}

// paths lists the vault's notes as they lie on disk.
func (e *Engine) paths(ctx context.Context) ([]string, error) {
	listing, _, err := e.scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("scan the vault: %w", err)
	}
	paths := make([]string, len(listing.Files))
	for i, file := range listing.Files {
		paths[i] = file.Path
	}
	return paths, nil
}

func (e *Engine) readDocID(ctx context.Context, address string) ([]Excerpt, error) {
	snapshot, err := e.snapshot(ctx)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", address, err)
	}
	defer snapshot.Close()
	stored, ok, err := snapshot.Note(ctx, strings.ToLower(address))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", address, err)
	}
	if !ok {
		return nil, fmt.Errorf("read %s: %w", address, ErrNotFound)
	}
	real, ok := e.realPath(ctx, stored.Path)
	if !ok || e.vault.Ignored(real) {
		return nil, fmt.Errorf("read %s: %w", address, ErrNotFound)
	}
	return e.excerpt(ctx, real, func(n *note.Note) (Excerpt, error) { return lines(n, 1, len(n.LineOffsets)), nil })
}

func (e *Engine) readGlob(ctx context.Context, pattern string) ([]Excerpt, error) {
	paths, err := e.paths(ctx)
	if err != nil {
		return nil, err
	}
	out := []Excerpt{}
	if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	matcher := store.NewMatcher(store.Filter{Globs: []string{pattern}})
	for _, p := range paths {
		if len(out) == MaxExcerpts || !matcher.Match(&store.Note{File: store.File{Path: p}}) {
			continue
		}
		excerpts, err := e.excerpt(ctx, p, func(n *note.Note) (Excerpt, error) { return lines(n, 1, len(n.LineOffsets)), nil })
		if err != nil {
			return nil, err
		}
		out = append(out, excerpts...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("read %s: %w that matches", pattern, ErrNotFound)
	}
	return out, nil
}

// notFound names the notes whose names come nearest.
func (e *Engine) notFound(ctx context.Context, name string) error {
	shown := index.StoredPath(name)
	if name == "" {
		return errors.New("read: the address is empty")
	}
	if _, err := e.vault.Stat(ctx, name); err == nil && e.vault.Ignored(name) {
		return fmt.Errorf("read %s: the ignore rules leave it out: %w", shown, ErrNotFound)
	}
	paths, err := e.paths(ctx)
	if err != nil {
		return fmt.Errorf("read %s: %w", shown, ErrNotFound)
	}
	if near := nearest(name, paths); near != "" {
		return fmt.Errorf("read %s: %w; did you mean %s?", shown, ErrNotFound, index.StoredPath(near))
	}
	return fmt.Errorf("read %s: %w", shown, ErrNotFound)
}

// nearest is the path whose file name shares most letter pairs with the name asked for (Dice's coefficient, above .4).
func nearest(name string, paths []string) string {
	best, bestShare := "", 0.4
	wanted := letterPairs(strings.TrimSuffix(path.Base(name), ".md"))
	for _, p := range paths {
		have := letterPairs(strings.TrimSuffix(path.Base(p), ".md"))
		common := 0
		for pair := range wanted {
			if have[pair] {
				common++
			}
		}
		if share := 2 * float64(common) / float64(len(wanted)+len(have)); share > bestShare {
			best, bestShare = p, share
		}
	}
	return best
}

func letterPairs(s string) map[[2]rune]bool {
	pairs := map[[2]rune]bool{}
	previous := ' '
	for i, r := range strings.ToLower(s) {
		if i > 200 {
			break
		}
		pairs[[2]rune{previous, r}] = true
		previous = r
	}
	return pairs
}

// lines cuts lines from..to out of a note, both 1-based, to inclusive, held within the note.
func lines(n *note.Note, from, to int) Excerpt {
	count := len(n.LineOffsets)
	from, to = max(from, 1), min(to, count)
	if to == count && to > 1 && n.LineOffsets[count-1] == len(n.Text) {
		to-- // what follows the last line break is no line
	}
	e := Excerpt{FilePath: n.Path, LineStart: from, LineEnd: max(to, from)}
	if from > to || count == 0 {
		return e
	}
	end := len(n.Text)
	if to < count {
		end = n.LineOffsets[to]
	}
	e.Text = n.Text[n.LineOffsets[from-1]:end]
	return e
}

// part cuts a section or a block out of a note.
func part(n *note.Note, subpath string) (Excerpt, error) {
	if id, ok := strings.CutPrefix(subpath, "#^"); ok {
		for _, b := range n.Blocks {
			if strings.EqualFold(b.ID, id) {
				return lines(n, b.Line, b.LineEnd), nil
			}
		}
		return Excerpt{}, fmt.Errorf("read %s%s: %w", n.Path, subpath, errNoBlock)
	}
	if excerpt, ok := passage(n, subpath[1:]); ok {
		return excerpt, nil
	}
	from, to := 0, len(n.Headings)
	var found *note.Heading
	for _, wanted := range strings.Split(subpath[1:], "#") {
		at := -1
		for i := from; i < to && at < 0; i++ {
			if graph.PlainHeading(n.Headings[i].Text) == graph.PlainHeading(wanted) {
				at = i
			}
		}
		if at < 0 {
			return Excerpt{}, fmt.Errorf("read %s%s: %w; it has %s", n.Path, subpath, errNoHeading, headingsOf(n))
		}
		found = &n.Headings[at]
		from = at + 1
		for i := from; i < to; i++ {
			if n.Headings[i].Level <= found.Level {
				to = i
			}
		}
	}
	last := len(n.LineOffsets)
	if to < len(n.Headings) {
		last = n.Headings[to].Line - 1
	}
	excerpt := lines(n, found.Line, last)
	excerpt.Section = found.Text
	return excerpt, nil
}

var (
	errNoHeading = &partError{"the note has no such heading"}
	errNoBlock   = &partError{"the note has no such block"}
)

// partError tells that a note is there, but not the part of it that was asked for.
type partError struct{ text string }

func (e *partError) Error() string { return e.text }
func (e *partError) Unwrap() error { return ErrNoPart }

// shownHeadings is how many headings an error names.
const shownHeadings = 8

func headingsOf(n *note.Note) string {
	var names []string
	for i, h := range n.Headings {
		if i == shownHeadings {
			names = append(names, "…")
			break
		}
		names = append(names, strconv.Quote(h.Text))
	}
	if len(names) == 0 {
		return "no headings"
	}
	return strings.Join(names, ", ")
}

// passage cuts out the passage that a chunk id names, unless the note has a heading of that text.
func passage(n *note.Note, name string) (Excerpt, bool) {
	m := passageAddress.FindStringSubmatch(name)
	if m == nil {
		return Excerpt{}, false
	}
	for _, h := range n.Headings {
		if graph.PlainHeading(h.Text) == name {
			return Excerpt{}, false
		}
	}
	wanted, err := strconv.Atoi(m[1])
	pieces := chunk.Split(n, chunk.ByHeading)
	if err != nil || wanted >= len(pieces) {
		return Excerpt{}, false
	}
	excerpt := lines(n, pieces[wanted].LineStart, pieces[wanted].LineEnd)
	if len(n.Fragments) > 0 {
		excerpt.Text = pieces[wanted].Text // in a canvas or a file of data the lines are no text
	}
	excerpt.Section = pieces[wanted].Section
	return excerpt, true
}
