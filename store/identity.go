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

// PathID is the NoteID of a note that declares none: its path without ".md". Other extensions stay: a.md and a.markdown are
// two notes.
func PathID(path string) string {
	if base, ok := strings.CutSuffix(path, ".md"); ok {
		return base
	}
	return path
}

// Identify sets NoteID and DocID of all notes of an index, each looked at beside the others.
func Identify(notes []*Note) {
	declared := map[string]int{}
	digests := make([]string, len(notes))
	order := make([]int, len(notes))
	for i, n := range notes {
		declared[n.DeclaredID]++
		digests[i], order[i] = PathDigest(n.Path), i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(digests[a], digests[b]) })
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
		n.NoteID = PathID(n.Path)
		if n.DeclaredID != "" && declared[n.DeclaredID] == 1 {
			n.NoteID = n.DeclaredID
		}
	}
}

// IsDocIDPrefix tells whether s, without the "#", can be the beginning of a DocID: hex digits, at least six.
func IsDocIDPrefix(s string) bool {
	return len(s) >= MinDocIDDigits && len(s) <= 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}

// Order compares two notes of a list; ties go by path. A date that is missing comes last.
func (s Sort) Order(a, b *Note) int {
	c := 0
	switch s {
	case ByUpdated:
		c = cmp.Compare(dateKey(b, b.Updated, true), dateKey(a, a.Updated, true))
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
