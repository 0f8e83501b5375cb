package secret_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"quarry/secret"
)

// seeds are texts with secrets, with halves of them, and with what is nearly a marker.
func seeds() [][]byte {
	m := newMaker(1)
	var texts [][]byte
	for _, s := range append(m.vendors(), m.generic()...) {
		half := len(s.secret) / 2
		texts = append(texts, []byte(s.before+s.secret+s.after),
			[]byte("x "+s.before+s.secret[:half]+"\n"+s.secret[half:]+s.after+s.before+s.secret))
	}
	return append(texts, []byte("[REDACTED:a] [REDACTED: \xef\xbc \xe2\x80 \\"), []byte("[REDACTED:a"+m.of(alnum, 50)+"\r]\r\n"))
}

// checkFound holds what a filter finds to what is promised: the spans are ascending, apart and not empty, no line is lost
// or made, UTF-8 stays, and in redacted text nothing is found.
func checkFound(t *testing.T, f *secret.Filter, text []byte) {
	t.Helper()
	spans := f.Find(text)
	at := 0
	for _, span := range spans {
		if span.Start < at || span.End <= span.Start || span.End > len(text) || span.Name == "" {
			t.Fatalf("spans %v of %d bytes", spans, len(text))
		}
		at = span.End
	}
	redacted := secret.Apply(text, spans)
	if again := f.Find(redacted); len(again) > 0 {
		t.Fatalf("in redacted text there is %v: %q", again, redacted)
	}
	checkRedacted(t, string(text), string(redacted))
}

func FuzzFind(f *testing.F) {
	for _, text := range seeds() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkFound(t, nil, text) })
}

// FuzzFilter is for what options change: patterns beside the table, rules that are off, values that are allowed.
func FuzzFilter(f *testing.F) {
	m := newMaker(1)
	options := secret.Options{
		Off: []string{"jwt", "high-entropy", "password"},
		Patterns: []secret.Pattern{
			{Name: "name", Pattern: `(?i)project-x`},
			{Name: "number", Pattern: `(?i)customer[ :]*(\d*)`},
			{Name: "lines", Pattern: `(?s)\[RED.*?end`},
			{Name: "all", Pattern: `.*the `},
			{Name: "words", Pattern: `(?:\w+\s)+token`},
			{Name: "given", Pattern: `[a-z]+-?\d`, Keywords: []string{"abc", "x-9"}},
		},
	}
	for _, s := range append(m.vendors(), m.generic()...) {
		options.Allowed = append(options.Allowed, secret.Hash([]byte(s.secret)))
	}
	filter, err := secret.New(options)
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range append(seeds(), []byte("Project-X, customer: 12 [RED abc1 end the token\nx-9")) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		spans := filter.Find(text)
		redacted := secret.Apply(text, spans)
		if again := filter.Find(redacted); len(again) > 0 {
			t.Fatalf("in redacted text there is %v: %q", again, redacted)
		}
		for _, span := range spans {
			if span.Name == "jwt" || span.Name == "high-entropy" {
				t.Fatalf("%s is off", span.Name)
			}
		}
		if document := filter.RedactJSON(text); !bytes.Equal(filter.RedactJSON(document), document) {
			t.Fatalf("redacting redacted JSON changes %q", document)
		}
	})
}

var anyMarker = regexp.MustCompile(`\[REDACTED:[a-z0-9-]+\]`)

// FuzzWriter writes a text in pieces: no byte is lost but for secrets, and none comes twice.
func FuzzWriter(f *testing.F) {
	for _, text := range seeds() {
		f.Add(text, uint8(7), uint8(3))
		f.Add(bytes.ReplaceAll(text, []byte("\n"), []byte("\r")), uint8(200), uint8(0))
	}
	f.Fuzz(func(t *testing.T, text []byte, size, flush uint8) {
		var out bytes.Buffer
		w := secret.NewWriter(&out, nil)
		for i, rest := 0, text; len(rest) > 0; i++ {
			n := min(len(rest), 1+int(size)*(1+i%3))
			if _, err := w.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			if rest = rest[n:]; flush > 0 && i%int(flush) == 0 {
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "\n"); got < bytes.Count(text, []byte("\n")) {
			t.Fatalf("%d line ends of %d in %q", got, bytes.Count(text, []byte("\n")), out.String())
		}
		rest := text
		for _, c := range anyMarker.ReplaceAll(out.Bytes(), nil) {
			at := bytes.IndexByte(rest, c)
			if at < 0 && c == '\n' {
				at = bytes.IndexByte(rest, '\r') // a lone one in a secret
			}
			if at < 0 {
				t.Fatalf("%q became %q", text, out.String())
			}
			rest = rest[at+1:]
		}
		if len(secret.Find(text)) == 0 && len(anyMarker.FindAll(out.Bytes(), -1)) == 0 && !bytes.Equal(out.Bytes(), text) {
			t.Fatalf("%q became %q", text, out.String())
		}
	})
}
