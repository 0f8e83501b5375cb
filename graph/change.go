package graph

import (
	"slices"
	"strings"

	"quarry/internal/filename"
	"quarry/store"
)

// PathsDecide tells whether links go by the paths of files alone. If not (Logseq), what stands in any note may change where
// the links of others lead, and MayChange says yes to all.
func (r *Resolver) PathsDecide() bool { return !r.rules.pages && !r.rules.blocksAnywhere }

// MayChange tells which notes have links that may lead elsewhere after files came or went: changed has the paths of all of
// them, notes and others, under both names where one was renamed, and where a file became a note or ceased to be one. The
// resolver may be that before or after the change; the links are of notes that kept their paths. The function is safe for
// concurrent use, misses no link, and says yes to few that lead where they led. Without changed it says no to all; where
// PathsDecide does not hold, it always says yes.
func (r *Resolver) MayChange(changed []string) func(links []store.Link) bool {
	if r.PathsDecide() && len(changed) == 0 {
		return func([]store.Link) bool { return false }
	}
	mayMean := r.mayMean(changed...)
	return func(links []store.Link) bool { return !r.PathsDecide() || slices.ContainsFunc(links, mayMean) }
}

// mayMean tells of links that may lead to some files; it says yes to all where more than paths decides.
func (r *Resolver) mayMean(files ...string) func(store.Link) bool {
	if !r.PathsDecide() {
		return func(store.Link) bool { return true }
	}
	return newChange(files, r.rules.folderNotes).mayMean
}

// change is a set of files that came or went, as links name them.
type change struct {
	names     map[string]bool // folded last segments, of notes without extension, too
	lengths   [64]bool        // of names in bytes, the last for all that are longer
	relations bool            // some of them are named like relations
	all       bool            // some of them stand for their folders
}

func newChange(paths []string, folders bool) *change {
	c := &change{names: make(map[string]bool, 2*len(paths))}
	for _, path := range paths {
		key := filename.Fold(path)
		name := filename.LastSegment(key)
		c.add(name)
		if stem, ok := strings.CutSuffix(name, filename.NoteExtension); ok {
			c.add(stem)
		}
		c.relations = c.relations || strings.HasPrefix(key, "rel:") || strings.Contains(key, "/rel:")
		c.all = c.all || folders && slices.Contains(folderNotes[:], name)
	}
	return c
}

func (c *change) add(name string) {
	c.names[name] = true
	c.lengths[min(len(name), len(c.lengths)-1)] = true
}

// mayMean tells that a link may lead to one of the files. A name that its segments' dots lead away from counts as any.
func (c *change) mayMean(link store.Link) bool {
	if link.External || link.Target == "" {
		return false
	}
	if c.all || c.relations && link.RelationInside {
		return true
	}
	name, anyName := lastName(link.Target)
	if anyName || c.has(name) {
		return true
	}
	if !link.RelationInside {
		return false
	}
	name, anyName = lastName("rel:" + link.Relation + " " + link.Target)
	return anyName || c.has(name)
}

// lastName is the name of the file that a target means, folded but for ASCII's capitals; anyName tells that the target's dots
// lead to one of another name.
func lastName(target string) (name string, anyName bool) {
	if !filename.IsASCII(target) {
		target = filename.Fold(target)
	}
	target = strings.TrimRight(target, `/\`)
	name = target[strings.LastIndexAny(target, `/\`)+1:]
	return name, name == "" || name == "." || name == ".."
}

func (c *change) has(name string) bool {
	return c.lengths[min(len(name), len(c.lengths)-1)] && c.names[strings.ToLower(name)]
}
