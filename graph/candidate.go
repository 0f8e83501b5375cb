package graph

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf16"

	"quarry/internal/filename"
)

// file is a path of the vault, or several that differ only by case.
type file struct {
	path   string   // the first in byte order
	others []string // further spellings, in byte order
	key    string   // folded
	units  int      // length of the path in UTF-16 units
}

// maxSpellings is how many spellings of one path are looked at; no vault of people has so many.
const maxSpellings = 64

// spelling picks the path that is written exactly like the target, byte by byte or else letter by letter, else the first
// in byte order; sure is false where several differ from it only by case.
func (f *file) spelling(target string) (path string, sure bool) {
	if len(f.others) == 0 {
		return f.path, true
	}
	bytewise := func(name string) string { return name }
	for _, form := range [...]func(string) string{bytewise, filename.Clean} {
		if isWrittenAs(form(f.path), form(target)) {
			return f.path, true
		}
		for _, path := range f.others[:min(len(f.others), maxSpellings)] {
			if isWrittenAs(form(path), form(target)) {
				return path, true
			}
		}
	}
	return f.path, false
}

// isWrittenAs tells whether a path ends with the target; the extension of a note may be left out.
func isWrittenAs(path, target string) bool {
	target = strings.TrimLeft(target, "./")
	return strings.HasSuffix(path, target) || strings.HasSuffix(path[:len(path)-min(len(path), len(filename.NoteExtension))], target)
}

// pick is the best of some candidates: file is an index, -1 for none; tied tells that only the alphabet decided.
type pick struct {
	file int32
	tied bool
}

var noPick = pick{file: -1}

// prefer joins the best of two disjoint sets of candidates: the shorter path, then the first in byte order.
func (r *Resolver) prefer(a, b pick) pick {
	switch {
	case a.file < 0:
		return b
	case b.file < 0:
		return a
	}
	one, two := &r.files[a.file], &r.files[b.file]
	switch {
	case one.units < two.units:
		return a
	case two.units < one.units:
		return b
	case one.path < two.path:
		return pick{a.file, true}
	}
	return pick{b.file, true}
}

// Limits of the index over files that share a name: thousands of "index.md" must not make each link a scan.
const (
	scanFiles   = 32 // candidates up to this number are looked at one by one
	suffixDepth = 16 // folders above the name by which larger sets are split
	// maxScanned is how many files are looked at for a link that names more folders than the sets are split by: the first
	// in order, those below the source's folder before others.
	maxScanned = 1024
)

// candidates are files whose paths end alike, sorted by key.
type candidates struct {
	files []int32
	// best is a tree of picks over files, each node the best of its two children (leaves in the second half), and
	// byFolder the candidates by the folder next above the shared ending. Both only above scanFiles.
	best     []pick
	byFolder map[string]*candidates
}

// build fills in the index of a large set; shared is the number of bytes of the ending that all keys have in common,
// from the slash on.
func (r *Resolver) build(c *candidates, shared, depth int) {
	if len(c.files) <= scanFiles {
		return
	}
	n := len(c.files)
	c.best = make([]pick, 2*n)
	for i, f := range c.files {
		c.best[n+i] = pick{file: f}
	}
	for i := n - 1; i > 0; i-- {
		c.best[i] = r.prefer(c.best[2*i], c.best[2*i+1])
	}
	if depth == 0 {
		return
	}
	c.byFolder = map[string]*candidates{}
	for _, f := range c.files {
		key := r.files[f].key
		if len(key) < shared { // it lies in the root
			continue
		}
		folder := filename.LastSegment(key[:len(key)-shared])
		below := c.byFolder[folder]
		if below == nil {
			below = &candidates{}
			c.byFolder[folder] = below
		}
		below.files = append(below.files, f)
	}
	for folder, below := range c.byFolder {
		r.build(below, shared+len(folder)+1, depth-1)
	}
}

// below narrows the candidates to those under the folders that ending names, as far as they are indexed by folder; nil if
// there are none. rest is the place of the last slash of ending that was not looked at, -1 if all of them have the ending.
func (c *candidates) below(ending string) (narrowed *candidates, rest int) {
	rest = strings.LastIndexByte(ending, '/')
	for ; rest >= 0 && c.byFolder != nil; rest = strings.LastIndexByte(ending[:rest], '/') {
		c = c.byFolder[filename.LastSegment(ending[:rest])]
		if c == nil {
			return nil, rest
		}
	}
	return c, rest
}

// choose picks among the candidates whose key ends with ending: those below the folder prefix first.
func (r *Resolver) choose(c *candidates, ending, prefix string) pick {
	c, rest := c.below(ending)
	if c == nil {
		return noPick
	}
	if rest < 0 && c.best != nil { // all of them have the ending
		if near := r.bestInFolder(c, prefix); near.file >= 0 {
			return near
		}
		return c.best[1]
	}
	low, high := r.inFolder(c, prefix)
	if near := r.scan(c.files[low:high], ending); near.file >= 0 {
		return near
	}
	return r.scan(c.files, ending)
}

// scan picks among files one by one.
func (r *Resolver) scan(files []int32, ending string) pick {
	found := noPick
	for _, f := range files[:min(len(files), maxScanned)] {
		if endsAtSegment(r.files[f].key, ending) {
			found = r.prefer(found, pick{file: f})
		}
	}
	return found
}

// inFolder gives the range of the candidates below a folder, which stand side by side.
func (r *Resolver) inFolder(c *candidates, prefix string) (low, high int) {
	n := len(c.files)
	low = sort.Search(n, func(i int) bool { return r.files[c.files[i]].key >= prefix })
	high = low + sort.Search(n-low, func(i int) bool { return !strings.HasPrefix(r.files[c.files[low+i]].key, prefix) })
	return low, high
}

// bestInFolder picks among the candidates below a folder by the tree.
func (r *Resolver) bestInFolder(c *candidates, prefix string) pick {
	n := len(c.files)
	low, high := r.inFolder(c, prefix)
	best := noPick
	for low, high = low+n, high+n; low < high; low, high = low/2, high/2 {
		if low%2 == 1 {
			best = r.prefer(best, c.best[low])
			low++
		}
		if high%2 == 1 {
			high--
			best = r.prefer(best, c.best[high])
		}
	}
	return best
}

// endsAtSegment tells whether the path ends with whole segments equal to ending.
func endsAtSegment(key, ending string) bool {
	rest, ok := strings.CutSuffix(key, ending)
	return ok && (rest == "" || rest[len(rest)-1] == '/')
}

// collect makes files of paths, those that differ only by case in one, sorted by key.
func collect(paths []string) []file {
	files := make([]file, 0, len(paths))
	for _, path := range paths {
		files = append(files, file{path: path, key: filename.Fold(path), units: utf16Units(path)})
	}
	slices.SortFunc(files, func(a, b file) int {
		if order := strings.Compare(a.key, b.key); order != 0 {
			return order
		}
		return strings.Compare(a.path, b.path)
	})
	merged := files[:0]
	for _, f := range files {
		last := len(merged) - 1
		switch {
		case last < 0 || merged[last].key != f.key:
			merged = append(merged, f)
		case f.path != merged[last].path && (len(merged[last].others) == 0 || f.path != merged[last].others[len(merged[last].others)-1]):
			merged[last].others = append(merged[last].others, f.path)
		}
	}
	return merged
}

// utf16Units counts as JavaScript's length does, by which Obsidian finds the shortest path.
func utf16Units(s string) int {
	units := 0
	for _, r := range s {
		units += utf16.RuneLen(r)
	}
	return units
}
