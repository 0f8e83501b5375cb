package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"quarry/internal/keep"
)

func memoryIn(t *testing.T, name string) memory {
	t.Helper()
	return memory{folder: keep.Folder{Dir: filepath.Join(t.TempDir(), "sessions")}, name: name, now: time.Now()}
}

// What is claimed is one's until it is withdrawn, and of more than are kept the oldest are forgotten.
func TestClaim(t *testing.T) {
	m := memoryIn(t, "a.json")
	if got := m.claim([]string{"1", "2"}); !got["1"] || !got["2"] {
		t.Errorf("%v", got)
	}
	if got := m.claim([]string{"2", "3"}); got["2"] || !got["3"] {
		t.Errorf("%v", got)
	}
	m.withdraw([]string{"2", "4"})
	if _, known := m.fresh(nil, 0); !slices.Equal(known, []string{"1", "3"}) {
		t.Errorf("%q", known)
	}
	for i := range maxGiven {
		m.claim([]string{fmt.Sprint("later", i)})
	}
	if fresh, known := m.fresh([]string{"1", "3"}, 1); len(known) != maxGiven || !fresh["1"] || fresh["3"] {
		t.Errorf("%d known, fresh %v", len(known), fresh)
	}
	m.now = m.now.Add(2 * sessionExpiry)
	if fresh, known := m.fresh([]string{"later399"}, 1); len(known) != 0 || !fresh["later399"] {
		t.Errorf("%d known after its time", len(known))
	}
}

// Sessions that are old or too many go when a new one gets its first passage; what is no file stays.
func TestPrune(t *testing.T) {
	m := memoryIn(t, "new.json")
	if err := os.MkdirAll(filepath.Join(m.folder.Dir, "folder.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range maxSessions + 50 {
		name := fmt.Sprintf("%d.json", i)
		if err := m.folder.Write(name, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		age := time.Duration(i) * time.Minute
		if i < 10 {
			age = sessionExpiry + time.Hour
		}
		if err := os.Chtimes(filepath.Join(m.folder.Dir, name), time.Time{}, m.now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	m.claim([]string{"1"})
	names, err := m.folder.Names()
	if err != nil || len(names) != maxSessions || !slices.Contains(names, "new.json") || !slices.Contains(names, "10.json") || slices.Contains(names, "9.json") || slices.Contains(names, "249.json") {
		t.Errorf("%d files: %q, %v", len(names), names, err)
	}
	if _, err := os.Stat(filepath.Join(m.folder.Dir, "folder.json")); err != nil {
		t.Error(err)
	}
}
