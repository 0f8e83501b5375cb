package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"quarry/graph"
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
	// Notices tell what bears on whether this is what was meant: other notes that are called so.
	Notices []string `json:"notices,omitempty"`
}

// MaxExcerpts is how many notes a glob gives at most.
const MaxExcerpts = 100

// linesAddress is "path:FROM:COUNT", or "path:LINE" as search prints it.
var linesAddress = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^(.*?):(\d{1,9})(?::(\d{1,9}))?$`) })

// passageAddress is the end of a passage's id.
var passageAddress = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^c(\d{2,6})$`) })

// Read gives what the addresses name, as it lies on disk now: a path ("a/b.md", "a/b", or a note's name), a section of it
// ("a/b.md#Heading", "#H1#H2"), a block ("a/b.md#^id"), a passage ("a/b#c03"), lines ("a/b.md:10:20" is 20 lines from line 10,
// "a/b.md:10" all of the section from line 10 on), a "#docid", or a glob ("a/*.md", "a/**"). "[[…]]" around an address is taken off.
// maxTokens bounds all texts together, 4 characters a token; 0: no bound.
func (e *Engine) Read(ctx context.Context, addresses []string, maxTokens int) (_ []Excerpt, err error) {
	defer e.clean(&err)
	ctx = withOneLook(ctx)
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
		return e.excerptBy(ctx, address, found, func(n *note.Note) (Excerpt, error) { return lines(n, 1, len(n.LineOffsets)), nil })
	}
	if m := linesAddress().FindStringSubmatch(address); m != nil {
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
		if e.isThere(ctx, candidate) == nil {
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
	found, err := e.readPart(ctx, name, func(n *note.Note) (Excerpt, error) { return e.partOf(ctx, n, "#"+sub) })
	for range maxHashes {
		more, rest, ok := strings.Cut(sub, "#")
		if !ok || !errors.Is(err, ErrNotFound) {
			break
		}
		name, sub = name+"#"+more, rest
		if e.has(ctx, name) {
			return e.readPart(ctx, name, func(n *note.Note) (Excerpt, error) { return e.partOf(ctx, n, "#"+sub) })
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
			return Excerpt{}, fmt.Errorf("read %s: %q is no number of lines: %w", n.Path, count, ErrNoPart)
		}
		return lines(n, first, first+wanted-1), nil
	}
	return lines(n, first, linesToHeading(n, first)), nil
}

func (e *Engine) readPart(ctx context.Context, name string, cut func(*note.Note) (Excerpt, error)) ([]Excerpt, error) {
	found, ok, err := e.locate(ctx, name)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, e.notFound(ctx, name)
	}
	return e.excerptBy(ctx, name, found, cut)
}

// excerptBy is excerpt of a note that was found by a name, with what there is to say of the name.
func (e *Engine) excerptBy(ctx context.Context, name, path string, cut func(*note.Note) (Excerpt, error)) ([]Excerpt, error) {
	excerpts, err := e.excerpt(ctx, path, cut)
	if err != nil || !isBareName(withoutBrackets(name)) {
		return excerpts, err
	}
	v, err := e.snapshot(ctx)
	if err != nil { // nobody knows what else is there
		return excerpts, nil //nolint:nilerr // a note can be read without an index
	}
	defer v.Close()
	if excerpts[0].Notices, err = (&finder{engine: e, view: v}).noticesOfName(ctx, name, excerpts[0].FilePath); err != nil {
		e.warn("look for other notes of the name", err)
	}
	return excerpts, nil
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
// takes all compositions of an accent for one, and at last as the title or alias of an indexed note. A title that several
// notes have is an ErrSeveral.
func (e *Engine) locate(ctx context.Context, name string) (string, bool, error) {
	if name == "" || name != strings.ToValidUTF8(name, "") {
		return "", false, nil
	}
	var unreadable error
	for _, candidate := range []string{path.Clean(name), path.Clean(name) + ".md"} {
		err := e.isThere(ctx, candidate)
		if err == nil && !e.vault.Ignored(candidate) {
			return candidate, true, nil
		}
		if errors.Is(err, ErrSecret) {
			return "", false, fmt.Errorf("read %s: %w", e.stored(candidate), err)
		}
		if err != nil && !isGone(err) && !errors.Is(err, ErrNotFound) && !errors.Is(err, fs.ErrInvalid) {
			unreadable = cmp.Or(unreadable, e.explainRead(candidate, err))
		}
	}
	if real, ok := e.realNames(ctx)(name); ok && real != name && e.isThere(ctx, real) == nil {
		return real, true, nil
	}
	names, err := e.lists(ctx)
	if err != nil {
		return "", false, err
	}
	if resolution := graph.NewResolver(names.notes).WithDialect(e.dialect(ctx), nil).Resolve(name, "", ""); resolution.Path != "" {
		return resolution.Path, true, nil
	}
	if long := longNamed(names.notes, name, e.dialect(ctx)); long != "" {
		return long, true, nil
	}
	if found, err := e.byTitle(ctx, name); found != "" || err != nil {
		return found, err == nil, err
	}
	return "", false, unreadable
}

func (e *Engine) readDocID(ctx context.Context, address string) ([]Excerpt, error) {
	stored, ok, err := e.indexedNote(ctx, strings.ToLower(address))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", address, err)
	}
	if !ok {
		return nil, fmt.Errorf("read %s: %w", address, ErrNotFound)
	}
	real, ok := e.realNames(ctx)(stored.Path)
	if !ok || e.vault.Ignored(real) {
		return nil, fmt.Errorf("read %s: %w", address, ErrNotFound)
	}
	found, err := e.excerpt(ctx, real, func(n *note.Note) (Excerpt, error) { return lines(n, 1, len(n.LineOffsets)), nil })
	if errors.Is(err, ErrNotFound) && !errors.Is(err, ErrSecret) { // in the words of the address: the path may be none of the caller's business
		err = fmt.Errorf("read %s: %w", address, ErrNotFound)
	}
	return found, err
}

func (e *Engine) indexedNote(ctx context.Context, address string) (store.Note, bool, error) {
	snapshot, err := e.snapshot(ctx)
	if err != nil {
		return store.Note{}, false, err
	}
	defer snapshot.Close()
	return snapshot.Note(ctx, address)
}

func (e *Engine) readGlob(ctx context.Context, pattern string) ([]Excerpt, error) {
	names, err := e.lists(ctx)
	if err != nil {
		return nil, err
	}
	out := []Excerpt{}
	if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	matcher := store.NewMatcher(store.Filter{Globs: []string{pattern}})
	for _, p := range names.notes {
		if len(out) == MaxExcerpts || !matcher.Match(&store.Note{File: store.File{Path: p}}) {
			continue
		}
		excerpts, err := e.excerpt(ctx, p, func(n *note.Note) (Excerpt, error) { return lines(n, 1, len(n.LineOffsets)), nil })
		if errors.Is(err, ErrNotFound) { // it went away, or is not to be seen
			continue
		}
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
