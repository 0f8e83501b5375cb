package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// MinDocIDDigits is the least length of a DocID, and of a prefix by which Snapshot.Note finds one.
const MinDocIDDigits = 6

// PathDigest is the hex SHA-256 of a path, of which a DocID is the beginning.
func PathDigest(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:])
}

// DocIDAmong cuts a digest to the shortest prefix that neither neighbour in the order of all digests shares. A neighbour
// that is not there is "".
func DocIDAmong(digest, before, after string) string {
	n := max(MinDocIDDigits, 1+sharedPrefix(digest, before), 1+sharedPrefix(digest, after))
	return digest[:min(n, len(digest))]
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// PathID is the NoteID of most notes that declare none: the path without ".md". Other extensions stay: a.md and a.markdown
// are two notes.
func PathID(path string) string {
	if base, ok := strings.CutSuffix(path, ".md"); ok {
		return base
	}
	return path
}

// Others tells what NoteIDBeside has to know of the notes of an index beside the one in question.
type Others struct {
	Declared func(id string) bool   // whether another declares the id
	HasPath  func(path string) bool // whether there is a note of this path, which is not that of the one
}

// NoteIDBeside gives the NoteID of a note. No two notes of an index get the same: what one declares counts if no other
// declares it and it is no other's path, with ".md" or without; and a path keeps its ".md" where that without is another's.
func NoteIDBeside(path, declaredID string, others Others) string {
	isOther := func(name string) bool { return name != path && others.HasPath(name) }
	if declaredID != "" && !isOther(declaredID) && !isOther(declaredID+".md") && !others.Declared(declaredID) {
		return declaredID
	}
	if id := PathID(path); !isOther(id) {
		return id
	}
	return path
}

// Identify sets NoteID and DocID of all notes of an index, each looked at beside the others.
func Identify(notes []*Note) {
	declared, paths := make(map[string]int), make(map[string]bool, len(notes))
	digests := make([]string, len(notes))
	order := make([]int, len(notes))
	for i, n := range notes {
		declared[n.DeclaredID]++
		paths[n.Path] = true
		digests[i], order[i] = PathDigest(n.Path), i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(digests[a], digests[b]) })
	others := Others{func(id string) bool { return declared[id] > 1 }, func(path string) bool { return paths[path] }}
	for rank, i := range order {
		before, after := "", ""
		if rank > 0 {
			before = digests[order[rank-1]]
		}
		if rank+1 < len(order) {
			after = digests[order[rank+1]]
		}
		n := notes[i]
		n.DocID = DocIDAmong(digests[i], before, after)
		n.NoteID = NoteIDBeside(n.Path, n.DeclaredID, others)
	}
}

// IsDocIDPrefix tells whether s, without the "#", can be the beginning of a DocID: hex digits, at least six.
func IsDocIDPrefix(s string) bool {
	return len(s) >= MinDocIDDigits && len(s) <= 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}

// Order compares two notes of a list; ties go by path, those of one day by the time of the file before. A date that is missing comes
// last.
func (s Sort) Order(a, b *Note) int {
	c := 0
	switch s {
	case ByUpdated:
		c = cmp.Or(cmp.Compare(dateKey(b, b.Updated, true), dateKey(a, a.Updated, true)), cmp.Compare(b.ModifiedNanoseconds, a.ModifiedNanoseconds))
	case ByCreated:
		c = cmp.Compare(dateKey(b, b.Created, false), dateKey(a, a.Created, false))
	case ByTitle:
		c = cmp.Or(cmp.Compare(fold(a.Title), fold(b.Title)), cmp.Compare(a.Title, b.Title))
	}
	return cmp.Or(c, cmp.Compare(a.Path, b.Path))
}

func dateKey(n *Note, written string, orFile bool) string {
	switch {
	case isDay(written):
		return written
	case orFile:
		return DayOf(n)
	default:
		return ""
	}
}
