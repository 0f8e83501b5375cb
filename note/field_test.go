package note_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFieldsWithoutSpace holds that a key which begins its line needs no space behind the colons, and that names with
// colons in prose are no fields.
func TestFieldsWithoutSpace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"key::value\n", "key=value"},
		{"key::#tag\n", "key=#tag"},
		{"Due-date::2031-01-31\na_b/c::1 2\n", "due-date=2031-01-31; a_b/c=1 2"},
		{"- a::b\n  1. c::d\n> e::f\n> - g::h\n", "a=b; c=d; e=f; g=h"},
		{"**a**::b\n_c_::d\n", "a=b; c=d"},
		{"a:: b\nc::\n\nd::[[e]]\nf::\"g\"\n", "a=b; c=; d=[[e]]; f=\"g\""},
		{"clé::été\n钥匙::值\n", "clé=été; 钥匙=值"},
		{"See [x::y] here\n", "x=y"},

		{"use std::vector here\n", ""},
		{"see a::b\n", ""},
		{"std::chrono::seconds x\n", ""},
		{"(std) vec::x\n`std::vector`\n", ""},
		{"\"a::b\" c\n", ""},
		{"a:::b\n:::note\n::a\n", ""},
		{"![[Note#a::b]] [[c::d]]\n", ""},
		{"- [ ] a::b\n", ""},
	} {
		var got []string
		for _, f := range parse(c.text).Fields {
			got = append(got, f.Key+"="+f.Value)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}
