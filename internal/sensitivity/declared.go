package sensitivity

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Said is all of a note that may tell its class.
type Said struct {
	Properties map[string]any // as they were written: texts, lists and mappings
	Fields     []Field        // keys with a value in any other place, such as inline fields
	// Doubtful is text that may hold properties but could not be read as such: every place counts where the property's name
	// stands before a colon or an equals sign, whatever the lines are a part of.
	Doubtful string
}

// Field is a key with its value.
type Field struct{ Key, Value string }

// Declaration is what a note says of itself.
type Declaration struct {
	Class Class
	Made  bool // it says something
	// Unknown is a value that is the name of no class, which makes the note Private at least; "" if there is none.
	Unknown string
	Empty   bool // the property is there and has no value, which makes the note Private at least
}

// Name is that of the class, "" where none was declared: what Of takes.
func (d Declaration) Name() string {
	if !d.Made {
		return ""
	}
	return d.Class.String()
}

// and is the stricter of two declarations.
func (d Declaration) and(other Declaration) Declaration {
	if d.Unknown == "" {
		d.Unknown = other.Unknown
	}
	d.Empty = d.Empty || other.Empty
	if other.Made {
		d.Class, d.Made = max(d.Class, other.Class), true
	}
	return d
}

// Declared is what a note says of its class, the strictest of several. Each configuration is asked by itself, with its own
// property and its own names, and one whose property the note does not have says what its default is. A property is found in
// any letter case, and, where its name has dots, within mappings, too. What is no name of a class, and a property without a
// value, makes the note Private, or Secret where one of its words says so. Time is linear in the size of what is said.
func (r *Rules) Declared(said Said) Declaration {
	r = r.orDefault()
	said.Doubtful = folded(said.Doubtful)
	var all Declaration
	var silent Class // the strictest default of those that the note says nothing to
	for i := range r.sets {
		set := &r.sets[i]
		own := set.declared(said)
		if all = all.and(own); !own.Made && set.isFallback {
			silent = max(silent, set.fallback)
		}
	}
	if all.Made {
		all.Class = max(all.Class, silent)
	}
	return all
}

func (s *ruleSet) declared(said Said) Declaration {
	var d Declaration
	for _, value := range valuesOf(said.Properties, s.key) {
		d = d.and(s.read(value))
	}
	for _, field := range said.Fields {
		if keyForm(field.Key) == s.key {
			d = d.and(s.named(strings.Trim(field.Value, " \t\"'`")))
		}
	}
	return d.and(s.stated(said.Doubtful))
}

// maxDepth bounds how deep a dotted name is followed.
const maxDepth = 16

// valuesOf gives what stands under a name, which may be a key with dots or a way through mappings.
func valuesOf(properties map[string]any, name string) []any {
	var values []any
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		own := keyForm(key)
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

func (s *ruleSet) read(value any) Declaration {
	switch v := value.(type) {
	case nil:
		return s.named("")
	case []any:
		var d Declaration
		for _, item := range v {
			if own := s.read(item); !own.Empty {
				d = d.and(own)
			}
		}
		if !d.Made {
			return s.named("")
		}
		return d
	case map[string]any:
		return Declaration{Class: Private, Made: true, Unknown: "several values under names of their own"}
	case string:
		return s.named(v)
	}
	return s.named(fmt.Sprint(value))
}

// named is what a text declares that should be the name of a class.
func (s *ruleSet) named(text string) Declaration {
	text = strings.TrimSpace(text)
	switch class, ok := s.names[keyForm(text)]; {
	case ok:
		return Declaration{Class: class, Made: true}
	case keyForm(text) == "":
		return Declaration{Class: Private, Made: true, Empty: true}
	}
	strictest, _ := s.words(text)
	return Declaration{Class: max(Private, strictest), Made: true, Unknown: text}
}

// words gives the strictest class that a word of a text names, and whether it is made of such words alone.
func (s *ruleSet) words(text string) (strictest Class, isAll bool) {
	isAll = true
	words := strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_' && r != '-' })
	for word := range words {
		class, ok := s.names[keyForm(word)]
		strictest, isAll = max(strictest, class), isAll && ok
	}
	return strictest, isAll && text != ""
}

// maxStatements bounds what of a text that is all statements is looked at.
const maxStatements = 1000

// stated looks for the property in a folded text. What is behind it up to the end of the line has to be names of classes
// alone.
func (s *ruleSet) stated(text string) Declaration {
	var d Declaration
	if s.statement == nil || !strings.Contains(text, s.lastKey()) {
		return d
	}
	statements := s.statement.FindAllStringSubmatch(text, maxStatements)
	if len(statements) == maxStatements {
		d = Declaration{Class: Private, Made: true}
	}
	for _, found := range statements {
		class, isAll := s.words(found[1])
		if !isAll {
			class = max(class, Private)
		}
		d = d.and(Declaration{Class: class, Made: true})
	}
	return d
}

// statementOf finds the name of a property where a value may follow it; nil for a name that is no UTF-8.
func statementOf(key string) *regexp.Regexp {
	statement, err := regexp.Compile(`(?:^|[^\pL\pN_-])` + regexp.QuoteMeta(key) + `["'\]\\]*[ \t]*[:=]+[ \t"'\[\\]*([^\r\n]*[\pL\pN_-])?`)
	if err != nil {
		return nil
	}
	return statement
}

func (s *ruleSet) lastKey() string { return s.key[strings.LastIndexByte(s.key, '.')+1:] }

// Line is where a text first names a property of the rules, 1-based; 0 where it does not.
func (r *Rules) Line(text string) int {
	text = folded(text)
	first := -1
	for _, set := range r.orDefault().sets {
		if set.statement == nil {
			continue
		}
		if at := set.statement.FindStringIndex(text); at != nil && (first < 0 || at[0] < first) {
			first = at[0]
			if text[first] == '\n' {
				first++
			}
		}
	}
	return strings.Count(text[:max(first, 0)], "\n") + min(first+1, 1)
}

// folded is a text in the form in which names are compared, line by line.
func folded(text string) string {
	if _, isASCII := looksOf(text); isASCII {
		return strings.ToLower(text)
	}
	seen := norm.NFC.String(plainWidth(text))
	return norm.NFC.String(strings.ToLower(strings.ToUpper(seen)))
}

// Hash identifies the rules.
func (r *Rules) Hash() string {
	r = r.orDefault()
	type part struct {
		Fallback string
		Folders  map[string]Class
	}
	parts := []any{r.Reading()}
	for _, set := range r.sets {
		parts = append(parts, part{set.fallbackName(), set.folders})
	}
	return hashOf(parts)
}

// Reading identifies what of the rules decides about Declared: where it changes, what is known of notes says nothing any more,
// and they have to be read anew. Configurations of one property and the same names count once, since a note says the same to
// all of them.
func (r *Rules) Reading() string {
	type part struct {
		Key, Fallback string
		Names         map[string]Class
	}
	groups := r.orDefault().groups()
	parts := []any{declaredVersion}
	for _, set := range groups {
		own := part{Key: set.key, Names: set.names}
		if len(groups) > 1 || set.fallback == Secret { // it may stand in what a note declares, or keep notes out
			own.Fallback = set.fallbackName()
		}
		parts = append(parts, own)
	}
	return hashOf(parts)
}

// groups are the sets that a note may answer in different ways, each with the strictest default of those that it stands for.
func (r *Rules) groups() []ruleSet {
	var groups []ruleSet
	for _, set := range r.sets {
		at := slices.IndexFunc(groups, func(g ruleSet) bool { return g.key == set.key && maps.Equal(g.names, set.names) })
		if at < 0 {
			groups = append(groups, set)
			continue
		}
		groups[at].fallback = max(groups[at].fallback, set.fallback)
		groups[at].isFallback = groups[at].isFallback || set.isFallback
	}
	return groups
}

// declaredVersion changes when the same note declares something else by the same rules.
const declaredVersion = "3"

func (s *ruleSet) fallbackName() string {
	if !s.isFallback {
		return ""
	}
	return s.fallback.String()
}

func hashOf(parts []any) string {
	encoded, err := json.Marshal(parts)
	if err != nil {
		panic(err) //nolint:forbidigo // a mistake of the programmer: the parts are texts and numbers alone
	}
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:])
}
