package note_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"quarry/note"
	"quarry/secret"
)

// TestPeriodicSecrets holds that the start of a secret over and over, up to files of 16 MB, is read in linear time, whatever
// comes of it, and that nothing longer than the start itself comes out where it was found.
func TestPeriodicSecrets(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large files")
	}
	const small, large = 2 << 20, 8 << 20
	starts := []string{"ghp" + "_", "sk" + "-", "AK" + "IA", "-----BEG" + "IN", "password: x1", "ey" + "J", "password: \"x1\n"}
	for _, start := range starts {
		for _, name := range []string{"a.md", "a.canvas", "a.yaml"} {
			t.Run(name+" "+start, func(t *testing.T) {
				took := map[int]time.Duration{small: time.Hour, large: time.Hour}
				for range 4 { // the least counts: other work on the machine is no matter of ours
					for _, size := range []int{small, large} {
						raw := repeated(name, start, size)
						begin := time.Now()
						n := note.Reader{}.Read(name, raw)
						took[size] = min(took[size], time.Since(begin))
						checkWithheld(t, n, start)
					}
					if took[large] < time.Second {
						break
					}
				}
				if took[large] > 2*time.Second || took[large] > time.Second && took[large] > 8*took[small] {
					t.Errorf("%v for 2 MB, %v for 8 MB", took[small], took[large])
				}
			})
		}
	}
}

// repeated gives a file of about so many bytes that holds a text over and over.
func repeated(name, text string, size int) []byte {
	if name == "a.canvas" {
		text = strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(text)
		return []byte(`{"nodes":[{"type":"text","text":"` + strings.Repeat(text, size/len(text)) + `"}]}`)
	}
	return []byte("# " + strings.Repeat(text, size/len(text)))
}

func checkWithheld(t *testing.T, n *note.Note, start string) {
	t.Helper()
	if len(n.Redactions) == 0 {
		return
	}
	walk(reflect.ValueOf(n), func(text string) {
		if strings.Contains(text, strings.Repeat(start, 2)) {
			t.Errorf("%.100q of %d bytes holds what was found", text, len(text))
		}
	})
}

// TestLongSecretsAlike holds that of many long values that differ only at their ends each is found, and that a text which nearly
// is one of them everywhere takes no long time: it is withheld.
func TestLongSecretsAlike(t *testing.T) {
	for name, c := range map[string]struct{ head, want string }{
		"words":    {manyWords(2000), "x [REDACTED:planted]z"},
		"periodic": {strings.Repeat("pq", 1000), "[REDACTED:unscanned]"},
	} {
		t.Run(name, func(t *testing.T) {
			var text strings.Builder
			var spans []secret.Span
			for i := range 1000 {
				start := text.Len()
				fmt.Fprintf(&text, "%sr%ds", c.head, i)
				spans = append(spans, secret.Span{Start: start, End: text.Len(), Name: "planted"})
				text.WriteString("\n\n")
			}
			text.WriteString("[a](x%20" + c.head + "%72%37%73z) [b](x%20" + strings.Repeat(c.head, 100) + ")\n")
			begin := time.Now()
			n := note.Parse("a.md", []byte(text.String()), spans)
			if took := time.Since(begin); took > 2*time.Second {
				t.Errorf("took %v", took)
			}
			if len(n.Links) != 2 || n.Links[0].Target != c.want {
				t.Errorf("links %.500q", fmt.Sprint(n.Links))
			}
		})
	}
}

func manyWords(size int) string {
	var text strings.Builder
	for i := 0; text.Len() < size; i++ {
		fmt.Fprintf(&text, "w%do", i*i)
	}
	return text.String()
}

// TestKnownSecretsOverlap holds that values are found longest first, where they overlap, of one byte and at the end.
func TestKnownSecretsOverlap(t *testing.T) {
	for _, c := range []struct {
		values []string
		link   string
		want   string
	}{
		{[]string{"ab", "abcd", "abq"}, "%2Dabcd%2Dabce", "-[REDACTED:planted]-[REDACTED:planted]ce"},
		{[]string{"abc", "cde"}, "abcde%2D", "[REDACTED:planted]-"},
		{[]string{"z"}, "%2Dz", "-[REDACTED:planted]"},
		{[]string{"ab"}, "%2Dab%2Da", "-[REDACTED:planted]-a"},
		{[]string{"a", "ab", "abc", "b"}, "%2Dxab%2Dabcb", "-x[REDACTED:planted]-[REDACTED:planted][REDACTED:planted]"},
	} {
		text := "[t](" + c.link + ")\n\n"
		var spans []secret.Span
		for _, value := range c.values {
			spans = append(spans, secret.Span{Start: len(text), End: len(text) + len(value), Name: "planted"})
			text += value + "\n\n"
		}
		n := note.Parse("x.md", []byte(text), spans)
		if len(n.Links) != 1 || n.Links[0].Target != c.want {
			t.Errorf("%q in %q: %+v, want %q", c.values, c.link, n.Links, c.want)
		}
	}
}
