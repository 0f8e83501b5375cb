package sensitivity

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Declaration is what a note says of itself.
type Declaration struct {
	Class   Class
	Made    bool   // it says something
	Unknown string // the value that is the name of no class, which makes it Private; "" if there is none
}

// Name is that of the class, "" where none was declared: what Of takes.
func (d Declaration) Name() string {
	if !d.Made {
		return ""
	}
	return d.Class.String()
}

// And is the stricter of two declarations.
func (d Declaration) And(other Declaration) Declaration {
	if d.Unknown == "" {
		d.Unknown = other.Unknown
	}
	if other.Made {
		d.Class, d.Made = max(d.Class, other.Class), true
	}
	return d
}

// Declared reads the properties of a note, as they were written: texts, lists and mappings. A property is found in any
// letter case, and, where its name has dots, within mappings; of several values the strictest counts. A value that is no
// class's name makes the note Private. An empty one says nothing.
func (r *Rules) Declared(properties map[string]any) Declaration {
	r = r.orDefault()
	var d Declaration
	said := map[string]bool{}
	for _, key := range r.keys {
		for _, value := range valuesOf(properties, key) {
			own := r.read(value)
			d, said[key] = d.And(own), said[key] || own.Made
		}
	}
	if !d.Made {
		return d
	}
	for _, set := range r.sets { // what another configuration's property says does not lift the default of this one
		if !said[set.key] && set.isFallback {
			d.Class = max(d.Class, set.fallback)
		}
	}
	return d
}

// maxDepth bounds how deep a dotted name is followed.
const maxDepth = 16

// valuesOf gives what stands under a name, which may be a key with dots or a way through mappings.
func valuesOf(properties map[string]any, name string) []any {
	var values []any
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		own := canonical(key)
		if own == name {
			values = append(values, properties[key])
			continue
		}
		rest, ok := strings.CutPrefix(name, own+".")
		inner, isMapping := properties[key].(map[string]any)
		if ok && isMapping && strings.Count(rest, ".") < maxDepth {
			values = append(values, valuesOf(inner, rest)...)
		}
	}
	return values
}

func (r *Rules) read(value any) Declaration {
	switch v := value.(type) {
	case nil:
		return Declaration{}
	case []any:
		var d Declaration
		for _, item := range v {
			d = d.And(r.read(item))
		}
		return d
	case map[string]any:
		return Declaration{Class: Private, Made: true, Unknown: "several values under names of their own"}
	case string:
		return r.named(v)
	}
	return r.named(fmt.Sprint(value))
}

// named is what one name of a class declares.
func (r *Rules) named(name string) Declaration {
	name = strings.TrimSpace(name)
	if name == "" {
		return Declaration{}
	}
	if class, ok := r.names[canonical(name)]; ok {
		return Declaration{Class: class, Made: true}
	}
	return Declaration{Class: Private, Made: true, Unknown: name}
}

// Named is what a text outside of the properties declares under a key, be it an inline field or a key of a file of data:
// nothing where the key is no name of the rules' property, or the value none of a class.
func (r *Rules) Named(key, value string) Declaration {
	r = r.orDefault()
	if slices.Contains(r.keys, canonical(key)) {
		if d := r.named(strings.Trim(value, " \t\"'")); d.Unknown == "" {
			return d
		}
	}
	return Declaration{}
}

// Stated looks for the property in a text that could not be read as properties: every place counts where its name stands
// before a colon or an equals sign, whatever the lines are a part of. What is behind it may be no name of a class, and
// then the note is Private, without an Unknown.
func (r *Rules) Stated(text string) Declaration {
	r = r.orDefault()
	text = norm.NFC.String(text)
	var d Declaration
	for _, key := range r.keys {
		key = key[strings.LastIndexByte(key, '.')+1:]
		statement, err := regexp.Compile(`(?i)(?:^|[^\pL\pN_-])` + regexp.QuoteMeta(key) + `["'\]\\]*[ \t]*[:=][:= \t"'\[\\]*([\pL\pN_-]*)`)
		if err != nil { // a key that is no UTF-8
			continue
		}
		statements := statement.FindAllStringSubmatch(text, maxStatements)
		if len(statements) == maxStatements {
			d = d.And(Declaration{Class: Private, Made: true})
		}
		for _, found := range statements {
			own := r.named(found[1])
			if !own.Made || own.Unknown != "" {
				own = Declaration{Class: Private, Made: true}
			}
			d = d.And(own)
		}
	}
	return d
}

// maxStatements bounds what of a text that is all statements is looked at.
const maxStatements = 1000

// Hash identifies the rules.
func (r *Rules) Hash() string {
	r = r.orDefault()
	parts := []string{r.Reading()}
	for _, set := range r.sets {
		parts = append(parts, fmt.Sprint(set.key, set.isFallback, set.fallback))
		for _, folder := range slices.Sorted(maps.Keys(set.folders)) {
			parts = append(parts, folder+"="+set.folders[folder].String())
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x01")))
	return hex.EncodeToString(sum[:])
}

// Reading identifies what of the rules decides about Declared: where it changes, notes have to be read anew.
func (r *Rules) Reading() string {
	r = r.orDefault()
	parts := slices.Clone(r.keys)
	for _, name := range slices.Sorted(maps.Keys(r.names)) {
		parts = append(parts, name+"="+r.names[name].String())
	}
	for _, set := range r.sets {
		if set.isFallback && (len(r.keys) > 1 || set.fallback == Secret) { // a note that says nothing may have to go
			parts = append(parts, set.key+":"+set.fallback.String())
		}
	}
	return strings.Join(parts, "\x00")
}
