package graph

import (
	"quarry/internal/dialect"
	"quarry/internal/filename"
)

// rules are what a dialect decides of links.
type rules struct {
	// locate finds the file of a target that is not empty, "" if there is none; sure is false where a rule of ours decided.
	locate func(r *Resolver, target, source string) (found string, sure bool)
	// part looks up a subpath that is not empty: OK, HeadingMissing or BlockMissing.
	part func(o *Outline, subpath string) State

	pages          bool // notes are pages, known by their titles and days, too
	blocksAnywhere bool // a block is named without its note, by an empty target
	destinations   bool // a Markdown destination is a path from the folder of its source
	folderNotes    bool // a folder is named for the note that stands for it
	tagNotes       bool // tags and users are notes that nobody has to write
}

// obsidianRules are those of every dialect that is not known, too.
var obsidianRules = &rules{locate: byKey((*Resolver).locateObsidian), part: (*Outline).chainState}

var rulesOf = map[dialect.Dialect]*rules{
	dialect.Logseq:  {locate: (*Resolver).locatePage, part: (*Outline).chainState, pages: true, blocksAnywhere: true},
	dialect.Foam:    {locate: byKey((*Resolver).locateFoam), part: (*Outline).chainOrSlugState, destinations: true, folderNotes: true},
	dialect.Dendron: {locate: byKey((*Resolver).locateDendron), part: (*Outline).rangeState, tagNotes: true},
}

// WithDialect gives a resolver by the rules of the app that the vault is written for; an unknown one is Obsidian's. titles
// are those of notes, by path; only Logseq and Suggest look at them.
//
// Logseq: a target is the name of a page: its title, its file name decoded, the day of a journal, or an alias. "((id))", an
// empty target with the subpath "#^id", is looked for in the blocks of all notes: see WithBlocks. What has an extension is
// also a path from the source's folder or from the root.
//
// Foam: what begins with "/", "./" or "../" is a path, as is every Markdown destination; all else is the end of a path at a
// segment's border. ".md" may be left out, a folder stands for its index.md or README.md, and of several files the first in
// the order of folded paths is taken, as Ambiguous.
//
// Dendron: a target is the dotted name of a note in any folder, those of the source's folder first; else a path from the
// source's folder or from the root. Names with "*" mean no single note, and stay Unresolved. Which vault of a workspace a
// link names ("dendron://vault/note") is not told here: package note keeps the name of the note alone.
func (r *Resolver) WithDialect(d dialect.Dialect, titles map[string]string) *Resolver {
	with := *r
	with.rules, with.pages, with.titles = obsidianRules, nil, titles
	if of, ok := rulesOf[d]; ok {
		with.rules = of
	}
	if with.rules.pages {
		with.pages = newPages(r.files, titles)
	}
	return with.renamed()
}

// NeedsBlocks tells whether links of the dialect name blocks without their notes, which resolve with WithBlocks alone.
func (r *Resolver) NeedsBlocks() bool { return r.rules.blocksAnywhere }

// byKey makes a rule for targets out of one for folded names.
func byKey(locate func(r *Resolver, key, source string) pick) func(*Resolver, string, string) (string, bool) {
	return func(r *Resolver, target, source string) (string, bool) {
		return r.spelled(locate(r, filename.Fold(target), filename.Fold(source)), target)
	}
}
