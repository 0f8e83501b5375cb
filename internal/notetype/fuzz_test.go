package notetype_test

import (
	"strings"
	"testing"

	"quarry/internal/notetype"
)

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample), "concept", "short")
	f.Add([]byte("default: &a {chunk_profile: x}\ntypes: {moc: *a, MOC: {<<: *a}}\n"), "moc", "0.5")
	f.Add([]byte("types:\n- [\n"), "", "[]")
	f.Add([]byte("\ufeff\r\n---\n...\n---\nversion: 1\n"), "a", "é")
	f.Add([]byte("default:\n  edge_defaults: a_Token\ntypes: {b_token: {edge_defaults: [token, x]}, c: {}}\n"), "Token", "x")
	f.Add([]byte("? {a: b}\n: c\n"), "\x00", "\xff")
	f.Fuzz(func(t *testing.T, raw []byte, name, property string) {
		types, problems, err := notetype.Parse(raw, usual)
		if err != nil {
			t.Fatal(err)
		}
		last := 0
		for _, p := range problems {
			if p.Line < max(last, 1) || p.Message == "" || strings.Contains(p.Message, "\n") {
				t.Errorf("problem %+v behind line %d", p, last)
			}
			last = p.Line
		}
		again, err := notetype.Decode(types.Encode())
		if err != nil || again.Encode() != types.Encode() || again.Passages() != types.Passages() {
			t.Errorf("%s became %v, %v", types.Encode(), again, err)
		}
		for _, properties := range []map[string]any{nil, {"chunk_profile": property, "edge_defaults": property, "retriever_weight": property}} {
			got, complaints := types.Of(name, properties)
			if got.RetrieverWeight < 0 || got.RetrieverWeight > notetype.MaxWeight || len(got.EdgeDefaults) > 16 || len(complaints) > 3 {
				t.Errorf("%+v %q", got, complaints)
			}
		}
		checkWithout(t, raw, name)
	})
}

// checkWithout holds that a text does not get into the types where it is taken for a secret.
func checkWithout(t *testing.T, raw []byte, hidden string) {
	t.Helper()
	isPlain := func(c rune) bool { return c >= ' ' && c < 0x7f && c != '\\' && c != '\'' }
	hidden = strings.ToLower(hidden)
	all := string(raw) + hidden
	if len(hidden) < 3 || strings.ContainsFunc(all, func(c rune) bool { return c != '\n' && !isPlain(c) }) {
		return // YAML and the key of a type can make it of something else
	}
	types, _, err := notetype.ParseRedacted(raw, nil, func(text []byte) (found []notetype.Stretch) {
		for at := 0; ; at += len(hidden) {
			next := strings.Index(strings.ToLower(string(text[at:])), hidden)
			if next < 0 {
				return found
			}
			at += next
			found = append(found, notetype.Stretch{at, at + len(hidden)})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(types.Names(), "") {
		if got, _ := types.Of(name, nil); strings.Contains(name+"\n"+strings.Join(got.EdgeDefaults, "\n"), hidden) {
			t.Errorf("%q: %+v hold %q", name, got, hidden)
		}
	}
}
