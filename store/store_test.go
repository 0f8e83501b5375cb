package store_test

import (
	"math/rand/v2"
	"path"
	"strings"
	"testing"
	"time"

	"quarry/store"
)

func TestSet(t *testing.T) {
	var all *store.Set
	if !all.Has(7) || !all.AnyWithin(3, 4) || all.Len() != 0 {
		t.Error("a nil set is not everything")
	}
	random := rand.New(rand.NewPCG(1, 1))
	set, want := &store.Set{}, map[store.PassageID]bool{}
	for range 60 {
		id := store.PassageID(random.IntN(2000))
		set.Add(id)
		want[id] = true
	}
	set.AddRange(640, 130)
	for id := store.PassageID(640); id < 770; id++ {
		want[id] = true
	}
	if set.Len() != len(want) {
		t.Errorf("%d ids, want %d", set.Len(), len(want))
	}
	for first := store.PassageID(-70); first < 2200; first += 3 {
		end, any := first+store.PassageID(random.IntN(200)), false
		for id := first; id < end; id++ {
			any = any || want[id]
		}
		if set.Has(first) != want[first] || set.AnyWithin(first, end) != any {
			t.Fatalf("%d to %d: has %v, any within %v", first, end, set.Has(first), set.AnyWithin(first, end))
		}
	}
}

// TestGlobs compares with path.Match where the two agree on the meaning.
func TestGlobs(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	letters := func(alphabet string, length int) string {
		var b strings.Builder
		for range random.IntN(length) {
			b.WriteByte(alphabet[random.IntN(len(alphabet))])
		}
		return b.String()
	}
	matched := 0
	for range 200000 {
		glob, name := letters("ab*?/", 7), letters("ab/", 7)
		if strings.Contains(glob, "**") || strings.HasPrefix(glob, "/") || strings.HasPrefix(name, "/") || glob == "" {
			continue
		}
		want, err := path.Match(glob, name)
		if err != nil {
			t.Fatal(err)
		}
		if got := matches(glob, name); got != want {
			t.Fatalf("%q on %q is %v", glob, name, got)
		}
		if want {
			matched++
		}
	}
	if matched < 1000 {
		t.Errorf("only %d matches were tried", matched)
	}
}

func matches(glob, name string) bool {
	return store.NewMatcher(store.Filter{Globs: []string{glob}}).Match(&store.Note{File: store.File{Path: name}})
}

func TestHostileGlobs(t *testing.T) {
	start := time.Now()
	for glob, name := range map[string]string{
		strings.Repeat("*a", 2000) + "b":   strings.Repeat("a", 20000),
		strings.Repeat("**/a/", 500) + "b": strings.Repeat("a/", 5000) + "c",
		"\xff*?":                           "\xff\xfe\xfd",
	} {
		matches(glob, name)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

// TestNoteIDsDiffer: no two notes have the same id, whatever they declare.
func TestNoteIDsDiffer(t *testing.T) {
	random := rand.New(rand.NewPCG(81, 82))
	names := []string{"a", "b", "a.md", "b.md", "a.md.md", "a.canvas", "a.canvas.md", "b.markdown", "c"}
	for range 5000 {
		var notes []*store.Note
		for _, i := range random.Perm(len(names))[:random.IntN(len(names))] {
			n := &store.Note{File: store.File{Path: names[i]}}
			if random.IntN(2) == 0 {
				n.DeclaredID = names[random.IntN(len(names))]
			}
			notes = append(notes, n)
		}
		store.Identify(notes)
		seen := map[string]bool{}
		for _, n := range notes {
			isOwn := n.NoteID == n.DeclaredID || n.NoteID == n.Path || n.NoteID+".md" == n.Path
			if seen[n.NoteID] || !isOwn {
				t.Fatalf("the id of %s, which declares %q, is %s", n.Path, n.DeclaredID, n.NoteID)
			}
			seen[n.NoteID] = true
		}
	}
}

func TestIdentify(t *testing.T) {
	notes := []*store.Note{{File: store.File{Path: "a.md"}}, {File: store.File{Path: "b.txt"}}, {File: store.File{Path: "a.markdown"}}}
	store.Identify(notes)
	if notes[0].NoteID != "a" || notes[2].NoteID != "a.markdown" || notes[1].NoteID != "b.txt" || notes[0].DocID != store.PathDigest("a.md")[:6] {
		t.Errorf("%+v %+v", notes[0], notes[1])
	}
	for address, want := range map[string]bool{
		"abcdef": true, "ABCDEF": false, "abcde": false, "abcdeg": false, strings.Repeat("0", 64): true, strings.Repeat("0", 65): false,
	} {
		if store.IsDocIDPrefix(address) != want {
			t.Errorf("%q", address)
		}
	}
}
