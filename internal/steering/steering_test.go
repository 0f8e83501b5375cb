package steering_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"

	"quarry/internal/steering"
)

func TestIs(t *testing.T) {
	for _, r := range "\x00\x1b\t\n\r\x7f\u0085\u009b\u061c\u200e\u200f\u202e\u2028\u2029\u2066\U000E0041\U000E007F" {
		if !steering.Is(r) {
			t.Errorf("%U does not steer", r)
		}
	}
	for _, r := range "aé学 \u00a0\u200b\u200d\ufffd\U0001F600\U000E0100" {
		if steering.Is(r) {
			t.Errorf("%U steers", r)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"a\tb\nc":                  "a\tb\nc",
		"a\x1b[2Jb\r\nc":           "a\ufffd[2Jb\ufffd\nc",
		"\u202eabc\u2028\xff学":     "\ufffdabc\ufffd\ufffd学",
		"tag \U000E0041\U000E007F": "tag \ufffd\ufffd",
	} {
		if got := steering.Plain(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A document means the same as before, and holds nothing that steers.
func TestEscapeJSON(t *testing.T) {
	for _, text := range []string{"", "plain ü 学 \U0001F600", "a\u202eb\u009b\x7f\u2028\U000E0041\U000E007Fend\x1b\n", "\u202e"} {
		var document []byte
		document, err := json.Marshal(map[string]string{text: text})
		if err != nil {
			t.Fatal(err)
		}
		escaped := steering.EscapeJSON(document)
		var back map[string]string
		if err := json.Unmarshal(escaped, &back); err != nil || back[text] != text {
			t.Errorf("%q: %v, %q", text, err, back)
		}
		for _, r := range string(escaped) {
			if steering.Is(r) {
				t.Errorf("%q: %U stands in %s", text, r, escaped)
			}
		}
	}
	if got := string(steering.EscapeJSON([]byte("{\n\t\"a\": 1\n}\n"))); got != "{\n\t\"a\": 1\n}\n" {
		t.Errorf("%q", got)
	}
}

// A character that steers is found wherever it stands.
func TestEscapeJSONAtAnyPlace(t *testing.T) {
	for _, steers := range []string{"\x7f", "\u009b", "\u202e", "\U000E0041"} {
		for before := range 20 {
			for after := range 20 {
				text := strings.Repeat("~", before) + steers + strings.Repeat("ü", after)
				if got := string(steering.EscapeJSON([]byte(text))); strings.Contains(got, steers) || len(got) != before+2*after+6*utf16Length(steers) {
					t.Fatalf("%q: %q", text, got)
				}
			}
		}
	}
}

func utf16Length(text string) int { return len(utf16.Encode([]rune(text))) }
