package secret_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quarry/secret"
)

func TestOff(t *testing.T) {
	m := newMaker(51)
	token := "gh" + "p_" + m.of(alnum, 36)
	random := "x" + m.of(base64, 61) + "y7"
	f, err := secret.New(secret.Options{Off: []string{"github-token", "high-entropy"}})
	if err != nil {
		t.Fatal(err)
	}
	text := "a " + token + " b\n\n" + random + "\n"
	if got, counts := f.Redact(text); got != text {
		t.Errorf("%v in %q", counts, got)
	}
	other := "glpat" + "-" + m.of(alnum, 20)
	if got, _ := f.Redact(other); got != secret.Marker("gitlab-token") {
		t.Errorf("another rule is off too: %q", got)
	}
}

func TestAllowed(t *testing.T) {
	m := newMaker(52)
	token, other := "gh"+"p_"+m.of(alnum, 36), "gh"+"p_"+m.of(alnum, 36)
	word := "blue" + "Kettle#42"
	f, err := secret.New(secret.Options{Allowed: []string{secret.Hash([]byte(token)), strings.ToUpper(secret.Hash([]byte(word)))}})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ text, want string }{
		{"a " + token + " b " + other, "a " + token + " b " + secret.Marker("github-token")},
		{"token = \"" + token + "\"", "token = \"" + token + "\""},
		{"password: " + word + "\nhttps://ann:" + word + "@git.local/", "password: " + word + "\nhttps://ann:" + word + "@git.local/"},
		{"password: " + word + "x", "password: " + secret.Marker("password")},
		{"{\"password\": \"" + word + "\"}", "{\"password\": \"" + word + "\"}"},
	} {
		got, _ := f.Redact(row.text)
		if got != row.want {
			t.Errorf("%q", got)
		}
		if again, _ := f.Redact(got); again != got {
			t.Errorf("again %q", again)
		}
	}
	if got := f.RedactJSON([]byte(`{"a":"` + token + `"}`)); !strings.Contains(string(got), token) {
		t.Errorf("JSON: %s", got)
	}
}

func TestNilFilter(t *testing.T) {
	token := "gh" + "p_" + newMaker(53).of(alnum, 36)
	for name, f := range map[string]*secret.Filter{"nil": nil, "zero": {}, "default": secret.Default()} {
		if got, counts := f.Redact(token); got != secret.Marker("github-token") || len(counts) != 1 {
			t.Errorf("%s: %q", name, got)
		}
		if got := f.RedactJSON([]byte(`"` + token + `"`)); string(got) != `"`+secret.Marker("github-token")+`"` {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestOptionErrors(t *testing.T) {
	word := "blue" + "Kettle#42"
	pattern := func(text string, keywords ...string) secret.Options {
		return secret.Options{Patterns: []secret.Pattern{{Name: "mine", Pattern: text, Keywords: keywords}}}
	}
	named := func(name string) secret.Options {
		return secret.Options{Patterns: []secret.Pattern{{Name: "good", Pattern: "acme"}, {Name: name, Pattern: "acme"}}}
	}
	for _, row := range []struct {
		options secret.Options
		want    secret.OptionError // but for the hint
	}{
		{pattern(word + "("), secret.OptionError{Option: "patterns", Field: "pattern", Name: "mine", Problem: "no regular expression of RE2, missing closing )"}},
		{pattern("e"), secret.OptionError{Option: "patterns", Field: "pattern", Name: "mine", Problem: "no text of 3 bytes or more that every match holds"}},
		{pattern("(?:acme)*"), secret.OptionError{Option: "patterns", Field: "pattern", Name: "mine", Problem: "matches the empty text"}},
		{pattern(""), secret.OptionError{Option: "patterns", Field: "pattern", Name: "mine", Problem: "matches the empty text"}},
		{pattern(`acme\z`), secret.OptionError{Option: "patterns", Field: "pattern", Name: "mine", Problem: "asks for the start or end of the text"}},
		{pattern(strings.Repeat("a", 501)), secret.OptionError{Option: "patterns", Field: "pattern", Name: "mine", Problem: "too long"}},
		{pattern(`acme(?:\w{20}-?){49}`), secret.OptionError{Option: "patterns", Field: "pattern", Name: "mine", Problem: "too large"}},
		{pattern(`\d+`, "12"), secret.OptionError{Option: "patterns", Field: "keywords", Name: "mine", Problem: "a keyword cannot be used"}},
		{named("Mine " + word), secret.OptionError{Option: "patterns", Index: 1, Field: "name", Problem: "not a name for a marker"}},
		{named(""), secret.OptionError{Option: "patterns", Index: 1, Field: "name", Problem: "not a name for a marker"}},
		{named("github-token"), secret.OptionError{Option: "patterns", Index: 1, Field: "name", Name: "github-token", Problem: "the name of a rule of the table"}},
		{named(secret.Unscanned), secret.OptionError{Option: "patterns", Index: 1, Field: "name", Name: secret.Unscanned, Problem: "the name of a rule of the table"}},
		{secret.Options{Off: []string{"jwt", word}}, secret.OptionError{Option: "off", Index: 1, Problem: "no rule has this name"}},
		{secret.Options{Allowed: []string{word}}, secret.OptionError{Option: "allow", Problem: "no SHA-256"}},
		{secret.Options{Patterns: slices.Repeat([]secret.Pattern{{Name: "mine", Pattern: "acme"}}, 70)}, secret.OptionError{Option: "patterns", Index: 64, Problem: "more than 64 patterns"}},
	} {
		f, err := secret.New(row.options)
		got := new(secret.OptionError)
		if f != nil || !errors.As(err, &got) {
			t.Errorf("want %q: %v", row.want.Problem, err)
			continue
		}
		hint := got.Hint
		if got.Hint = ""; *got != row.want || hint == "" {
			t.Errorf("got %+v, want %+v", *got, row.want)
		}
		if strings.Contains(fmt.Sprint(err), word) {
			t.Errorf("%q tells a value", err)
		}
	}
	_, err := secret.New(secret.Options{Off: []string{"githubtoken"}, Allowed: []string{""}})
	if text := fmt.Sprint(err); !strings.Contains(text, "github-token") || !strings.Contains(text, "allow, entry 1") {
		t.Errorf("not all faults, or no near name: %q", text)
	}
}

func TestNames(t *testing.T) {
	names := secret.Names()
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) || len(names) < 80 {
		t.Errorf("names %q", names)
	}
	m := newMaker(54)
	for _, s := range append(m.vendors(), m.generic()...) {
		if !slices.Contains(names, s.rule) {
			t.Errorf("%s is not among them", s.rule)
		}
	}
	for _, name := range names {
		// What a name finds must be known as a marker.
		if text := "password: " + secret.Marker(name); len(secret.Find([]byte(text))) > 0 || name == secret.Unscanned {
			t.Errorf("%q cannot be the name of a marker", name)
		}
	}
}

func TestHash(t *testing.T) {
	if got := secret.Hash([]byte("abc")); got != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" { // of FIPS 180-2, appendix B
		t.Error(got)
	}
}
