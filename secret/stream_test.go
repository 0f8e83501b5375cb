package secret_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"quarry/secret"
)

func TestWriter(t *testing.T) {
	m := newMaker(41)
	token, marker := "gh"+"p_"+m.of(alnum, 36), secret.Marker("github-token")
	key := "-----BEGIN " + "PRIVATE KEY-----\n" + m.of(base64, 64) + "\n" + m.of(base64, 64) + "\n-----END " + "PRIVATE KEY-----"
	for _, row := range []struct {
		name   string
		writes []string
		before string // what went on before Flush
		after  string
	}{
		{"lines", []string{"one\ntw", "o\n", "three"}, "one\ntwo\n", "one\ntwo\nthree"},
		{"token", []string{"a " + token + " b\n"}, "a " + marker + " b\n", "a " + marker + " b\n"},
		{"token in two writes", []string{"a " + token[:9], token[9:] + " b\n"}, "a " + marker + " b\n", "a " + marker + " b\n"},
		{"token on two lines", []string{"a " + token[:20] + "\n", token[20:] + " b\n"}, "", "a " + marker + "\n b\n"},
		{"beginning of a token", []string{"a\nb " + token[:20] + "\n"}, "a\n", "a\nb " + token[:20] + "\n"},
		{"key", []string{"a\n", key[:40] + "\n", key[40:60], key[60:] + "\nb\n"}, "a\n" + secret.Marker("private-key"), ""},
		{"progress", []string{"\r10 %", "\r20 %", "\r30 % done"}, "\r10 %\r20 %\r30 % done", "\r10 %\r20 %\r30 % done"},
		{"progress with a token", []string{"\rat ", token, " 10 %\r"}, "\rat " + marker + " 10 %\r", "\rat " + marker + " 10 %\r"},
		{"CRLF in two writes", []string{"a\r", "\nb\r\n"}, "a\r\nb\r\n", "a\r\nb\r\n"},
		{"a table", []string{"| user | password |\n| --- | --- |\n", "| ann | blue" + "Kettle42 |\n"}, "| user | password |\n| --- | --- |\n| ann | " + secret.Marker("password") + " |\n", ""},
		{"a prompt", []string{"Go on? "}, "", "Go on? "},
	} {
		var out bytes.Buffer
		w := secret.NewWriter(&out, nil)
		for _, text := range row.writes {
			if n, err := w.Write([]byte(text)); n != len(text) || err != nil {
				t.Fatalf("%s: %d, %v", row.name, n, err)
			}
		}
		if got := out.String(); !strings.HasPrefix(got, row.before) || row.after != "" && got != row.before {
			t.Errorf("%s: before Flush %q, want %q", row.name, got, row.before)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); row.after != "" && got != row.after {
			t.Errorf("%s: %q, want %q", row.name, got, row.after)
		}
	}
}

// TestWriterAfterFlush: what is written behind a flushed line is looked at together with it.
func TestWriterAfterFlush(t *testing.T) {
	var out bytes.Buffer
	w := secret.NewWriter(&out, nil)
	word := "blue" + "Kettle#42"
	for _, text := range []string{"password: ", word, "\n"} {
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if want := "password: " + secret.Marker("password") + "\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// TestWriterBounded: lines without an end go on, and no byte is lost.
func TestWriterBounded(t *testing.T) {
	m := newMaker(43)
	token := "gh" + "p_" + m.of(alnum, 36)
	var text strings.Builder
	for text.Len() < 1<<20 {
		text.WriteString(strings.Repeat("word ", m.IntN(500)))
		text.WriteString(token + " ")
	}
	var out bytes.Buffer
	w := secret.NewWriter(&out, nil)
	for rest := text.String(); rest != ""; {
		size := min(len(rest), 1+m.IntN(50_000))
		if _, err := w.Write([]byte(rest[:size])); err != nil {
			t.Fatal(err)
		}
		rest = rest[size:]
		if done := len(text.String()) - len(rest); rest != "" && out.Len()+64<<10 < done/2 {
			t.Fatalf("of %d bytes %d went on", done, out.Len())
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if want, _ := secret.Redact(text.String()); out.String() != want {
		t.Error("the stream is not what the text is")
	}
}

func TestWriterError(t *testing.T) {
	fault := errors.New("no space")
	w := secret.NewWriter(failing{fault}, nil)
	if n, err := w.Write([]byte("a\n")); n != 0 || !errors.Is(err, fault) {
		t.Errorf("%d, %v", n, err)
	}
	if err := w.Flush(); !errors.Is(err, fault) {
		t.Errorf("Flush: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
