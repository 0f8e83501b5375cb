package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"quarry/internal/steering"
)

// A document comes out the same however it is parted, and holds nothing that steers.
func TestStream(t *testing.T) {
	document, err := json.Marshal(map[string]any{
		"a": []any{}, "b": []any{1, "x\"\\[{,:}]", map[string]any{}, map[string]any{"ü 学": nil, "\u202e": "\u009b\U000E0041", "": "\\"}}, "c": "\x1b",
	})
	if err != nil {
		t.Fatal(err)
	}
	document = append(document, '\n')
	var indented bytes.Buffer
	if err := json.Indent(&indented, document, "", "  "); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name       string
		isTerminal bool
		want       string
	}{{"pipe", false, string(steering.EscapeJSON(document))}, {"terminal", true, string(steering.EscapeJSON(indented.Bytes()))}} {
		for size := 1; size <= len(document); size++ {
			a, out, _ := newPage()
			a.io.OutTerminal = test.isTerminal
			s := a.document()
			writePieces(t, s, document, size)
			if out.String() != test.want {
				t.Fatalf("%s, pieces of %d: got\n%s\nwant\n%s", test.name, size, out, test.want)
			}
		}
	}
	for size := 1; size < 9; size++ {
		a, out, _ := newPage()
		writePieces(t, a.picture(), []byte("a\x1b[2m\u202eü学\U000E0041\t\n\xff.\xe5"), size)
		if want := "a\ufffd[2m\ufffdü学\ufffd\t\n\ufffd.\ufffd"; out.String() != want {
			t.Errorf("pieces of %d: %q, want %q", size, out, want)
		}
	}
}

func writePieces(t *testing.T, s *stream, document []byte, size int) {
	t.Helper()
	for len(document) > 0 {
		count := min(size, len(document))
		if n, err := s.Write(bytes.Clone(document[:count])); n != count || err != nil {
			t.Fatalf("%d written, %v", n, err)
		}
		document = document[count:]
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
}

// What cannot be written ends the document.
func TestStreamBreaks(t *testing.T) {
	a, _, _ := newPage()
	a.out.to.err = bytes.ErrTooLarge
	if _, err := a.document().Write([]byte("{}")); err == nil {
		t.Error("a document was written to nobody")
	}
	if long := strings.Repeat("x", 3); wholeCharacters([]byte(long+"\xe5\xad")) != 3 || wholeCharacters([]byte(long+"学")) != 6 || wholeCharacters([]byte("\xad\xad\xad\xad\xad")) != 5 {
		t.Error("characters are parted")
	}
}
