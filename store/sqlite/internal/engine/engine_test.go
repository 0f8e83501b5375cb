package engine_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/store/sqlite/internal/engine"
)

func open(t *testing.T) *engine.Conn {
	t.Helper()
	c, err := engine.Open(filepath.Join(t.TempDir(), "a.db"), false, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func TestValuesSurvive(t *testing.T) {
	c := open(t)
	if err := c.Script("CREATE TABLE t(a INTEGER, b REAL, c TEXT, d BLOB, e)"); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("long\x00é", 5000)
	for range 3 { // the arena grows between the rounds
		if err := c.Exec("INSERT INTO t VALUES(?,?,?,?,?)", int64(1)<<40, 2.5, long, []byte{0, 255}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Exec("INSERT INTO t VALUES(?,?,?,?,?)", int64(-1), 0.0, "", []byte{}, []byte(nil)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Prepare("SELECT a,b,c,d,e,typeof(c),typeof(d) FROM t ORDER BY rowid")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if more, err := s.Step(); !more || err != nil {
			t.Fatal(more, err)
		}
		a, b, text, blob := int64(1<<40), 2.5, long, []byte{0, 255}
		if i == 3 {
			a, b, text, blob = -1, 0, "", []byte{}
		}
		if s.Int(0) != a || s.Float(1) != b || s.Text(2) != text || !cmp.Equal(s.Blob(3), blob) || !s.IsNull(4) || s.Blob(4) != nil {
			t.Errorf("row %d: %d %v %d bytes %v", i, s.Int(0), s.Float(1), len(s.Text(2)), s.Blob(3))
		}
		if s.Text(5) != "text" || s.Text(6) != "blob" {
			t.Errorf("row %d: types %s %s", i, s.Text(5), s.Text(6))
		}
	}
	if more, err := s.Step(); more || err != nil {
		t.Fatal(more, err)
	}
}

func TestErrors(t *testing.T) {
	c := open(t)
	var failure *engine.Error
	if err := c.Exec("SELECT absent"); !errors.As(err, &failure) || !strings.Contains(err.Error(), "no such column") {
		t.Errorf("got %v", err)
	}
	_, err := engine.Open(filepath.Join(t.TempDir(), "none.db"), true, false)
	if !errors.As(err, &failure) || failure.Code != engine.CantOpen {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := engine.Open("a\x00b", false, true); !errors.As(err, &failure) {
		t.Errorf("NUL in the name: %v", err)
	}
}

func TestTokens(t *testing.T) {
	c := open(t)
	for text, want := range map[string][]string{
		"":                         nil,
		" -- \x00":                 nil,
		"Kiln, glaze_2 C++ don't":  {"kiln", "glaze", "2", "c", "don", "t"},
		"Ünïcode ÄÖ naïve":         {"unicod", "ao", "naiv"},
		"陶器 kiln":                  {"陶器", "kiln"},
		"Firing fired fires":       {"fire", "fire", "fire"},
		"a\x00b":                   {"a", "b"},
		strings.Repeat("Ⱥ ", 1000): repeat("ⱥ", 1000),
		strings.Repeat("z", 3000):  {strings.Repeat("z", 3000)},
		"\xff\xfe kiln \xc3":       nil, // checked below: invalid bytes never fail
	} {
		got, err := c.Tokens(text)
		if err != nil {
			t.Errorf("%.20q: %v", text, err)
		}
		if want != nil && !cmp.Equal(got, want) {
			t.Errorf("%.20q: %.60q, want %.60q", text, got, want)
		}
	}
}

func repeat(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

func FuzzTokens(f *testing.F) {
	for _, seed := range []string{"Kiln don't", "\xff\xc3(", "ȺȾ", "\x00"} {
		f.Add(seed)
	}
	c, err := engine.Open(":memory:", false, true)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := c.Tokens(text); err != nil {
			t.Fatal(err)
		}
	})
}
