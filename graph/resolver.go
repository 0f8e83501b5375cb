package graph

import (
	"path"
	"strings"
	"sync"

	"quarry/graph/internal/likely"
	"quarry/internal/filename"
)

// State tells what became of a link.
type State string

// States of a link.
const (
	// OK: the file is known, and so is the heading or block, where the outline of the file is known.
	OK State = "ok"
	// Unresolved: no file has the name.
	Unresolved State = "unresolved"
	// Ambiguous: several files fit equally well, and the first in byte order was taken.
	Ambiguous State = "ambiguous"
	// Alias: no file has the name, but a note has it as an alias. As in Obsidian, that does not resolve the link.
	Alias State = "alias"
	// External: the target is an address outside the vault.
	External State = "external"
	// HeadingMissing: the file is known, but has no such heading.
	HeadingMissing State = "heading_missing"
	// BlockMissing: the file is known, but has no block of that id.
	BlockMissing State = "block_missing"
)

// Resolution is what a link points to.
type Resolution struct {
	// Path is the file, as spelled in the vault; "" where State is Unresolved, Alias or External, and where it is
	// BlockMissing for a block that was looked for in all notes.
	Path  string
	State State
	// AliasOf is the first note in byte order that has the target as an alias, "" unless State is Alias.
	AliasOf string
}

// Resolver finds the file that a link means, by the names of all files alone, as Obsidian does. It does not change after
// it was made and is safe for concurrent use.
type Resolver struct {
	files    []file
	byKey    map[string]int32       // folded path
	byName   map[string]*candidates // folded last segment
	aliases  map[string]string      // folded alias → the first note that has it
	outlines func(path string) *Outline
	rules    *rules
	pages    *pages            // nil where the rules know none
	blocks   map[string]string // folded block id → the first note that has it
	// hasRelationNames tells that some file or folder is named like a relation, "rel:…".
	hasRelationNames bool
	titles           map[string]string    // by path; for Suggest
	names            func() *likely.Index // made when first asked for
	known            func() *knownFiles   // made when first asked for
	elements         *elements            // nil: not known
}

// NewResolver makes a resolver over the paths of all files of the vault: notes, and attachments where they are to be
// found. Paths are relative to the vault, with slashes; their order and repetitions do not matter.
func NewResolver(paths []string) *Resolver {
	r := &Resolver{files: collect(paths), rules: obsidianRules}
	r.byKey = make(map[string]int32, len(r.files))
	r.byName = make(map[string]*candidates, len(r.files))
	sets := make([]candidates, 0, len(r.files))
	ids := make([]int32, len(r.files))
	for i := range r.files {
		key, id := r.files[i].key, int32(i)
		r.byKey[key], ids[i] = id, id
		name := filename.LastSegment(key)
		r.hasRelationNames = r.hasRelationNames || strings.HasPrefix(key, "rel:") || strings.Contains(key, "/rel:")
		if set := r.byName[name]; set != nil {
			set.files = append(set.files, id)
			continue
		}
		sets = append(sets, candidates{files: ids[i : i+1 : i+1]})
		r.byName[name] = &sets[len(sets)-1]
	}
	for name, set := range r.byName {
		r.build(set, len(name)+1, suffixDepth)
	}
	r.known = sync.OnceValue(func() *knownFiles { return newKnownFiles(r.files) })
	return r.renamed()
}

// renamed forgets what it knew of names, after one of their kinds came in.
func (r *Resolver) renamed() *Resolver {
	r.names = sync.OnceValue(func() *likely.Index { return r.likelyNames() })
	return r
}

// WithAliases gives a resolver that also knows the aliases of notes, by path.
func (r *Resolver) WithAliases(byPath map[string][]string) *Resolver {
	with := *r
	with.aliases = make(map[string]string, len(byPath))
	for note, aliases := range byPath {
		for _, alias := range aliases {
			key := filename.Fold(strings.TrimSpace(alias))
			if first, ok := with.aliases[key]; key != "" && (!ok || note < first) {
				with.aliases[key] = note
			}
		}
	}
	return with.renamed()
}

// WithOutlines gives a resolver that also checks headings and blocks. The function gives the outline of a file, by a path
// as in NewResolver, or nil where it is not known; it is called for each link that has a subpath, and has to be safe for
// concurrent use where the resolver is used so.
func (r *Resolver) WithOutlines(outline func(path string) *Outline) *Resolver {
	with := *r
	with.outlines = outline
	return &with
}

// Resolve finds what a link means: target is its path, decoded and without subpath ("" for the note itself), subpath
// begins with "#" or is "", and source is the path of the note that holds it.
//
// A target with "./" or "../" in front is taken from the folder of the source, one with "/" from the root, and neither is
// looked for elsewhere. Else an exact path from the root wins, even over a file beside the source; then, among the files
// whose path ends with the target at a segment's border, those below the source's folder, the shortest path (in UTF-16
// units), and the first in byte order, which is reported as Ambiguous. Letter case, Unicode composition and no-break
// spaces make no difference; ".md" may be left out.
func (r *Resolver) Resolve(target, subpath, source string) Resolution {
	found, sure := source, true
	if id, ok := strings.CutPrefix(subpath, "#^"); ok && target == "" && r.rules.blocksAnywhere {
		return r.blockAnywhere(id)
	}
	switch {
	case len(target) > filename.MaxBytes:
		found = ""
	case target != "":
		found, sure = r.rules.locate(r, target, source)
	}
	switch {
	case found == "":
		if of, ok := r.aliases[filename.Fold(strings.TrimSpace(target))]; ok {
			return Resolution{State: Alias, AliasOf: of}
		}
		return Resolution{State: Unresolved}
	case subpath != "" && r.outlines != nil:
		if state := r.outlines(found).state(subpath, r.rules); state != OK {
			return Resolution{Path: found, State: state}
		}
	}
	if !sure {
		return Resolution{Path: found, State: Ambiguous}
	}
	return Resolution{Path: found, State: OK}
}

// blockAnywhere finds the note of a block by its id alone.
func (r *Resolver) blockAnywhere(id string) Resolution {
	if of, ok := r.blocks[strings.ToLower(strings.TrimSpace(id))]; ok {
		return Resolution{Path: of, State: OK}
	}
	return Resolution{State: BlockMissing}
}

// locateObsidian works on folded names.
func (r *Resolver) locateObsidian(key, source string) pick {
	set := r.named(&key)
	switch {
	case set == nil:
		return noPick
	case strings.HasPrefix(key, "./"), strings.HasPrefix(key, "../"):
		return r.exact(path.Join(filename.FolderPrefix(source), key))
	case key[0] == '/':
		return r.exact(key[1:])
	}
	if whole := r.exact(key); whole.file >= 0 {
		return whole
	}
	return r.choose(set, key, filename.FolderPrefix(source))
}

// named gives the files that have the last segment of the key as their name: as it stands where it has a dot, else with
// the extension of a note, which is then added to the key.
func (r *Resolver) named(key *string) *candidates {
	name := filename.LastSegment(*key)
	if name == "" {
		return nil
	}
	if strings.IndexByte(name, '.') >= 0 {
		if set := r.byName[name]; set != nil {
			return set
		}
	}
	*key += filename.NoteExtension
	return r.byName[filename.LastSegment(*key)]
}

func (r *Resolver) exact(key string) pick {
	if id, ok := r.byKey[key]; ok {
		return pick{file: id}
	}
	return noPick
}
