package secret_test

import (
	"testing"

	"quarry/secret"
)

// checkSpans holds spans to what Find promises of them.
func checkSpans(t *testing.T, text []byte, spans []secret.Span) {
	t.Helper()
	at := 0
	for _, span := range spans {
		if span.Start < at || span.End <= span.Start || span.End > len(text) {
			t.Fatalf("spans %v of %d bytes", spans, len(text))
		}
		at = span.End
	}
}

func FuzzFind(f *testing.F) {
	m := newMaker(1)
	for _, s := range append(m.vendors(), m.generic()...) {
		f.Add([]byte(s.before + s.secret + s.after))
		f.Add([]byte("x " + s.before + s.secret[:len(s.secret)/2] + "\n" + s.secret[len(s.secret)/2:] + s.after + s.before + s.secret))
	}
	f.Add([]byte("[REDACTED:a] [REDACTED: \xef\xbc \xe2\x80 \\"))
	f.Fuzz(func(t *testing.T, text []byte) {
		spans := secret.Find(text)
		checkSpans(t, text, spans)
		checkRedacted(t, string(text), string(secret.Apply(text, spans)))
	})
}
