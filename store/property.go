package store

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// keyValues are alternatives: values of which a property has one.
type keyValues struct {
	key    string // folded
	values []string
	any    bool // whatever its value is
}

// byKey puts the values of one key together, in the order of the keys.
func byKey(properties []Property) (list []keyValues) {
	for _, p := range properties {
		key := fold(p.Key)
		at := slices.IndexFunc(list, func(kv keyValues) bool { return kv.key == key })
		if at < 0 {
			at = len(list)
			list = append(list, keyValues{key: key})
		}
		if p.Value == "" {
			list[at].any = true
		}
		list[at].values = append(list[at].values, p.Value)
	}
	return list
}

// has tells of a text of the property with the key whether it is one of the values.
func (kv *keyValues) has(text string) bool {
	return slices.ContainsFunc(kv.values, func(value string) bool { return strings.EqualFold(text, value) })
}

// EachProperty visits the properties of a frontmatter, one JSON object, nil for none: each folded key with the texts that its
// values are, none for an empty list or an object. A number, true, false and null count as they are written, a list as its
// items. What is no JSON has no properties. Keys come in no order, those that fold to one another one by one.
func EachProperty(frontmatter []byte, visit func(key string, texts []string)) {
	var values map[string]json.RawMessage
	if len(frontmatter) == 0 || json.Unmarshal(frontmatter, &values) != nil {
		return
	}
	for key, value := range values {
		visit(fold(key), appendTexts(nil, value, true))
	}
}

// appendTexts appends what a JSON value is compared by. Lists in lists are left out.
func appendTexts(texts []string, value json.RawMessage, withLists bool) []string {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return texts
	}
	switch value[0] {
	case '"':
		var text string
		if json.Unmarshal(value, &text) == nil {
			texts = append(texts, text)
		}
	case '[':
		var items []json.RawMessage
		if withLists && json.Unmarshal(value, &items) == nil {
			for _, item := range items {
				texts = appendTexts(texts, item, false)
			}
		}
	case '{':
	default: // a number, true, false, null
		texts = append(texts, string(value))
	}
	return texts
}

// MatchFrontmatter tells whether the properties of a note are as the filter asks: one JSON object, nil for none.
func (m *Matcher) MatchFrontmatter(frontmatter []byte) bool {
	if !m.NeedsFrontmatter() {
		return true
	}
	lower := lowered(frontmatter)
	isAbsent := func(kv keyValues) bool { return !mayHold(lower, kv.key) }
	if slices.ContainsFunc(m.properties, isAbsent) {
		return false
	}
	texts := map[string][]string{}
	EachProperty(frontmatter, func(key string, of []string) { texts[key] = append(texts[key], of...) })
	return m.MatchProperties(func(kv PropertyTest) bool {
		of, isThere := texts[kv.Key()]
		return isThere && (kv.LetsAny() || slices.ContainsFunc(of, kv.Lets))
	})
}

// PropertyTest is what a filter asks of the property with one key.
type PropertyTest struct{ of *keyValues }

// Key is folded as those of EachProperty are.
func (t PropertyTest) Key() string { return t.of.key }

// LetsAny tells that it is enough that the property is there.
func (t PropertyTest) LetsAny() bool { return t.of.any }

// Lets tells of a text of the property, see EachProperty, whether it is one that is looked for.
func (t PropertyTest) Lets(text string) bool { return t.of.has(text) }

// MatchProperties is MatchFrontmatter for who has the properties of notes at hand: passes tells whether the note has the property
// of a test, and whether one of its texts is let through.
func (m *Matcher) MatchProperties(passes func(PropertyTest) bool) bool {
	for i := range m.properties {
		if !passes(PropertyTest{&m.properties[i]}) {
			return false
		}
	}
	for i := range m.without {
		if passes(PropertyTest{&m.without[i]}) {
			return false
		}
	}
	return true
}

// mayHold tells whether a folded key may be in the text of a JSON object, whose ASCII letters are lowered, without reading the object:
// if the key is of plain letters, each of which stands there in no other form than upper or lower case.
func mayHold(lower []byte, key string) bool {
	const kelvin, longS = "\u212a", "\u017f" // fold to k and s
	isOther := func(r rune) bool { return r < ' ' || r >= utf8.RuneSelf || strings.ContainsRune("\"\\/<>&", r) }
	return strings.ContainsFunc(key, isOther) || bytes.Contains(lower, []byte(kelvin)) || bytes.Contains(lower, []byte(longS)) ||
		bytes.Contains(lower, []byte(`\u`)) || bytes.Contains(lower, []byte(strings.ToLower(key)))
}

// lowered is a copy in which the letters of ASCII are lowered, and no others.
func lowered(text []byte) []byte {
	lower := bytes.Clone(text)
	for i, c := range lower {
		if c >= 'A' && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return lower
}
