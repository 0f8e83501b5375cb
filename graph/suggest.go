package graph

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"quarry/graph/internal/likely"
	"quarry/internal/dialect"
	"quarry/internal/filename"
	"quarry/internal/spelling"
	"quarry/store"
)

// Suggestion is what a dead link may mean: a file, or a heading or a block of a note.
type Suggestion struct {
	Path    string
	Heading string // as written, "" if the whole file is meant or a block
	Block   string // id without "^", "" if the whole file is meant or a heading
	// Share is how much of two headings is common, 0 to 1: Dice's coefficient (1945) of the pairs of letters; 1 for a heading
	// that stands in another note now. 0 for files and blocks.
	Share float64
}

// Address is how a link names it by its path: "a.md", "a.md#Heading", "a.md#^block".
func (s Suggestion) Address() string {
	switch {
	case s.Heading != "":
		return s.Path + "#" + s.Heading
	case s.Block != "":
		return s.Path + "#^" + s.Block
	}
	return s.Path
}

// Search is where SuggestAll looks for what dead links may mean.
type Search struct {
	// Outlines are those of all notes, by path. They are read once, if a link misses a heading or a block. nil: such links get no
	// suggestions.
	Outlines iter.Seq2[store.OutlineOf, error]
	// Linked tells whether a link leads from one note to the other. A heading of one word is taken to have moved between such
	// notes alone. nil: none are linked.
	Linked func(from, to string) bool
	Limit  int // of the suggestions for one link
}

// Bounds of the work of one SuggestAll, which takes two seconds at most; beyond, there are no more guesses of that kind.
const (
	maxHeadings    = 2000      // of a note that are compared
	maxHeadingPair = 1_000_000 // headings that are compared with those that links name
	maxPartBytes   = 512       // of a heading that are compared
	maxAlikes      = 64        // headings that may be suggested
)

// Likeness of headings.
const (
	surelyAlike    = .8  // from here on a heading of the note goes before one of another note
	alike          = .5  // from here on headings are alike
	shareBelowBest = .15 // what is further below the best is left out
	minPartOfText  = 4   // letters from which on a part of a heading says something
)

// Suggest lists the files that a dead link may have meant, likeliest first, at most limit, by the names of files, the aliases
// and the titles that the resolver knows: who has the target as an alias; the name in another folder; the same day, letters or
// words written in another way; else a name that is one edit away for 5 to 8 letters, two up to 14, three above, numbers alike,
// or the only one that differs by a number in front. A target with the extension of other files means one of these, one with that
// of a web page may mean a note, and what follows a question mark may be no part of the name. The source itself is never among
// them, nor is a note called by its day, week or month unless the target is one. Rather than guessing it names none; never nil.
// The first call reads all names; the work of each is bounded.
func (r *Resolver) Suggest(target, source string, limit int) []string {
	paths := r.suggestedFiles(target, filename.FolderPrefix(source), likely.NewBudget())
	paths = slices.DeleteFunc(paths, func(path string) bool { return path == source })
	return paths[:max(min(len(paths), limit), 0)]
}

// suggestedFiles lists what a target in a folder may mean, the source, too.
func (r *Resolver) suggestedFiles(target, folder string, work *likely.Budget) []string {
	paths := r.names().Files(target, folder, work)
	isDated := func(file string) bool { return filename.IsNote(file) && IsDated(filename.Stem(file)) }
	if !slices.ContainsFunc(paths, isDated) || namesDay(target) {
		return paths
	}
	return slices.DeleteFunc(paths, isDated)
}

// namesDay tells of a target that is a day, a week or a month, in any way of writing; as a web page, too.
func namesDay(target string) bool {
	name, _, _ := strings.Cut(strings.TrimSpace(noteNamed(target)), "?")
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".html"), ".htm")
	_, isDay := dialect.ParseDay(name)
	return isDay || IsDated(name)
}

// likelyNames makes the index of what files are called.
func (r *Resolver) likelyNames() *likely.Index {
	files := make([]likely.File, len(r.files))
	for i := range r.files {
		files[i] = likely.File{Path: r.files[i].path, Key: r.files[i].key, Title: r.titles[r.files[i].path]}
	}
	aliases := make([]likely.Alias, 0, len(r.aliases))
	for _, alias := range slices.Sorted(maps.Keys(r.aliases)) {
		if of := r.exact(filename.Fold(r.aliases[alias])); of.file >= 0 {
			aliases = append(aliases, likely.Alias{Name: alias, File: int(of.file)})
		}
	}
	return likely.New(files, aliases, r.rules.pages)
}

// SuggestAll lists what each of some links may mean, the likeliest first, each address once; nil for links that are not dead.
// For files it is what Suggest names; a link that names no attachment means notes alone. For a heading: one of its note that is
// surely alike, the same heading of another note, where no more than Limit have it and it may have moved, and others of its note
// that are alike. For a block: the notes that have it, where they are no more than Limit. It fails only where the outlines or
// the context do. The work is bounded, whatever the links are.
func (r *Resolver) SuggestAll(ctx context.Context, links []Backlink, in Search) ([][]Suggestion, error) {
	all := make([][]Suggestion, len(links))
	if err := r.suggestFiles(ctx, links, all, in.Limit); err != nil {
		return nil, err
	}
	p := newParts(links, in)
	if err := p.read(); err != nil {
		return nil, err
	}
	return all, p.suggest(ctx, links, all)
}

// suggestFiles looks each target up once from each folder.
func (r *Resolver) suggestFiles(ctx context.Context, links []Backlink, all [][]Suggestion, limit int) error {
	type place struct{ target, folder string }
	known := map[place][]string{}
	work := likely.NewBudget()
	for i := range links {
		link := &links[i]
		if link.Fault != NoNote && link.Fault != NoAttachment && link.Fault != AliasOnly {
			continue
		}
		at := place{link.Target, filename.FolderPrefix(link.Source)}
		list, ok := known[at]
		if !ok {
			if err := ctx.Err(); err != nil {
				return err
			}
			list = r.suggestedFiles(at.target, at.folder, work)
			if link.Fault != NoAttachment {
				list = slices.DeleteFunc(list, func(file string) bool { return !filename.IsNote(file) })
			}
			list = list[:min(len(list), limit+1)] // one of them may be the source
			known[at] = list
		}
		for _, file := range list {
			if file != link.Source && len(all[i]) < limit {
				all[i] = append(all[i], Suggestion{Path: file})
			}
		}
	}
	return nil
}

// parts are the headings and blocks that links miss, and where the like of them stand.
type parts struct {
	search   Search
	missed   map[string][]int           // links that miss a heading, by the note that lacks it
	headings map[string][]store.Heading // of these notes
	moved    map[string][]Suggestion    // by PlainHeading
	blocks   map[string][]Suggestion    // by id in lower case
	compared int
}

func newParts(links []Backlink, in Search) *parts {
	p := &parts{in, map[string][]int{}, map[string][]store.Heading{}, map[string][]Suggestion{}, map[string][]Suggestion{}, 0}
	for i := range links {
		switch link := &links[i]; link.Fault {
		case NoHeading:
			if link.Resolved == nil {
				continue
			}
			p.missed[*link.Resolved] = append(p.missed[*link.Resolved], i)
			p.moved[PlainHeading(lastPart(link.Subpath))] = nil
		case NoBlock:
			p.blocks[blockID(link.Subpath)] = nil
		}
	}
	return p
}

func blockID(subpath string) string {
	return strings.ToLower(strings.TrimSpace(subpath[strings.LastIndexByte(subpath, '^')+1:]))
}

// read goes through the outlines once.
func (p *parts) read() error {
	if len(p.missed)+len(p.blocks) == 0 || p.search.Outlines == nil {
		return nil
	}
	for of, err := range p.search.Outlines {
		if err != nil {
			return err
		}
		if p.missed[of.Path] != nil {
			p.headings[of.Path] = of.Headings[:min(len(of.Headings), maxHeadings)]
		}
		if IsTemplate(of.Path) {
			continue
		}
		for _, heading := range of.Headings {
			p.add(p.moved, PlainHeading(heading.Text), Suggestion{Path: of.Path, Heading: heading.Text, Share: 1})
		}
		for _, id := range of.BlockIDs {
			p.add(p.blocks, strings.ToLower(id), Suggestion{Path: of.Path, Block: id})
		}
	}
	return nil
}

// add takes one place of each note to a list that is wanted, and one more than may be suggested besides that of the note itself.
func (p *parts) add(lists map[string][]Suggestion, key string, s Suggestion) {
	list, ok := lists[key]
	if ok && key != "" && len(list) <= p.search.Limit+1 && (len(list) == 0 || list[len(list)-1].Path != s.Path) {
		lists[key] = append(list, s)
	}
}

func (p *parts) suggest(ctx context.Context, links []Backlink, all [][]Suggestion) error {
	for i := range links {
		if links[i].Fault == NoBlock {
			all[i] = p.elsewhere(p.blocks[blockID(links[i].Subpath)], "")
		}
	}
	paths := make([]string, 0, len(p.missed))
	for path := range p.missed {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		of, known := newAlikes(p.headings[path]), map[string][]Suggestion{}
		for _, i := range p.missed[path] {
			wanted := lastPart(links[i].Subpath)
			list, ok := known[wanted]
			if !ok {
				list = p.headingsLike(path, wanted, of)
				known[wanted] = list
			}
			all[i] = slices.Clone(list)
		}
	}
	return nil
}

// elsewhere leaves out what is of one note, and all where there is too much of it.
func (p *parts) elsewhere(list []Suggestion, path string) []Suggestion {
	list = slices.DeleteFunc(slices.Clone(list), func(s Suggestion) bool { return s.Path == path })
	if len(list) > p.search.Limit {
		return nil
	}
	return list
}

// headingsLike lists what may be meant by a heading that a note lacks.
func (p *parts) headingsLike(path, wanted string, of *alikes) []Suggestion {
	key := PlainHeading(wanted)
	moved := p.elsewhere(p.moved[key], path)
	if !strings.ContainsAny(key, " -") {
		moved = slices.DeleteFunc(moved, func(s Suggestion) bool {
			return p.search.Linked == nil || !p.search.Linked(path, s.Path) && !p.search.Linked(s.Path, path)
		})
	}
	var near []Suggestion
	if p.compared < maxHeadingPair {
		p.compared += len(of.headings)
		near = of.like(path, key)
	}
	list := append(moved, near...)
	slices.SortStableFunc(list, func(a, b Suggestion) int { return cmp.Compare(rankOf(a, path), rankOf(b, path)) })
	return list[:min(len(list), p.search.Limit)]
}

// rankOf orders headings that are surely alike before those that moved, and these before others.
func rankOf(s Suggestion, path string) int {
	switch {
	case s.Path == path && s.Share >= surelyAlike:
		return 0
	case s.Path != path:
		return 1
	}
	return 2
}

// alikes are the headings of a note, made ready to be compared.
type alikes struct {
	headings []store.Heading
	plain    []string
	pairs    []spelling.Pairs
}

func newAlikes(headings []store.Heading) *alikes {
	a := &alikes{headings, make([]string, len(headings)), make([]spelling.Pairs, len(headings))}
	for i := range headings {
		a.plain[i] = comparable(PlainHeading(headings[i].Text))
		a.pairs[i] = spelling.PairsOf(strings.ReplaceAll(a.plain[i], "-", " "))
	}
	return a
}

// comparable is what of a heading is compared.
func comparable(plain string) string {
	return strings.ToValidUTF8(plain[:min(len(plain), maxPartBytes)], "")
}

// like lists the headings that are most like one, each text once: one is a part of the other, or most letter pairs are the same.
func (a *alikes) like(path, key string) []Suggestion {
	key = comparable(key)
	wanted := spelling.PairsOf(strings.ReplaceAll(key, "-", " "))
	var found []Suggestion
	best := 0.0
	for i := range a.headings {
		share := wanted.Likeness(a.pairs[i])
		if min(len(key), len(a.plain[i])) >= minPartOfText && (strings.Contains(a.plain[i], key) || strings.Contains(key, a.plain[i])) {
			share = max(share, alike)
		}
		if share >= alike && share >= best-shareBelowBest {
			best = max(best, share)
			found = append(found, Suggestion{Path: path, Heading: a.headings[i].Text, Share: share})
		}
	}
	slices.SortStableFunc(found, func(a, b Suggestion) int { return cmp.Compare(b.Share, a.Share) })
	kept := found[:0]
	for _, s := range found {
		if s.Share >= best-shareBelowBest && !slices.ContainsFunc(kept, func(k Suggestion) bool { return k.Heading == s.Heading }) {
			kept = append(kept, s)
		}
		if len(kept) == maxAlikes {
			break
		}
	}
	return kept
}
