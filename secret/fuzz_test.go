package secret_test

import (
	"bytes"
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
