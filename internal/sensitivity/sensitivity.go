// Package sensitivity tells how freely a note may be handed out, by the folder it lies in and by what its properties say.
// It knows neither files nor the index.
package sensitivity

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// Class is how freely a note may be handed out. A greater one is stricter.
type Class uint8

// Classes, in order.
const (
	Public   Class = iota // to anybody
	Internal              // to the owner and to the tools that the owner connects; what a note is that says nothing
	Private               // to the owner's own commands alone: never over MCP, hooks or HTTP
	Secret                // to nobody: never indexed
)

var classNames = [...]string{"public", "internal", "private", "secret"}

// String is the class's name: public, internal, private or secret.
func (c Class) String() string { return classNames[min(c, Secret)] }

// Parse reads the name of a class, in any letter case, with blanks around it.
func Parse(name string) (Class, bool) {
	at := slices.Index(classNames[:], keyForm(name))
	return Class(max(at, 0)), at >= 0 //nolint:gosec // four names
}

// DefaultProperty is the frontmatter key that names a note's class where a configuration names none.
const DefaultProperty = "sensitivity"

// Config says where classes come from. The zero value takes the property "sensitivity" alone.
type Config struct {
	// Property is the frontmatter key, dotted where it is nested; "": that of the configuration before, else DefaultProperty.
	Property string
	Default  string            // class of a note that neither folder nor property puts into one; "": internal
	Folders  map[string]string // folder below the vault → class, for all below it; the deepest that holds a note counts
	// Names are further names of classes, such as "confidential" → "private", for the property, Default and Folders. Those of
	// the configurations before are known, too.
	Names map[string]string
}

// Rules decide about notes. They are safe for concurrent use; nil is as New of nothing.
type Rules struct{ sets []ruleSet }

// ruleSet is what one configuration says by itself.
type ruleSet struct {
	folders    map[string]Class // canonical
	spelled    map[string]string
	lengths    []bool // by number of bytes: whether a name in folders has so many
	fallback   Class
	isFallback bool // fallback was asked for
	key        string
	names      map[string]Class // in key form
	statement  *regexp.Regexp   // the key in a text, and what follows it; nil where it can be in none
}

var defaultRules = sync.OnceValue(func() *Rules {
	return &Rules{sets: []ruleSet{{key: DefaultProperty, names: builtInNames(), statement: statementOf(DefaultProperty)}}}
})

func builtInNames() map[string]Class {
	names := map[string]Class{}
	for i, name := range classNames {
		names[name] = Class(i) //nolint:gosec // four names
	}
	return names
}

// New makes rules of several configurations, the most trusted first. Each decides about a note by itself, and the strictest
// of what they say counts: a later one can make a note stricter than those before have it, and never laxer. One that says
// nothing of a note has no part in that, and where none says anything the note is Internal. What a class is called by itself
// cannot be made to mean a laxer one. The error is a *ConfigError.
func New(configs ...Config) (*Rules, error) {
	if len(configs) == 0 {
		return defaultRules(), nil
	}
	r := &Rules{}
	before := ruleSet{key: DefaultProperty, names: builtInNames()}
	for _, config := range configs {
		set, err := newRuleSet(config, before)
		if err != nil {
			return nil, err
		}
		r.sets = append(r.sets, set)
		before = set
	}
	return r, nil
}

// ConfigError tells which entry of a Config cannot be used, and why.
type ConfigError struct {
	Option string // as settings call it: "default", "folders" or "names"
	Entry  string // the folder or the name; "" for the default
	Cause  error
}

// Error says it in one line.
func (e *ConfigError) Error() string {
	if e.Entry == "" {
		return e.Option + ": " + e.Cause.Error()
	}
	return fmt.Sprintf("%s: %q: %v", e.Option, e.Entry, e.Cause)
}

// Unwrap gives the cause.
func (e *ConfigError) Unwrap() error { return e.Cause }

func newRuleSet(config Config, before ruleSet) (ruleSet, error) {
	set := ruleSet{
		folders: map[string]Class{}, spelled: map[string]string{}, names: maps.Clone(before.names),
		key: cmp.Or(keyForm(config.Property), before.key),
	}
	set.statement = statementOf(set.lastKey())
	if err := set.addNames(config.Names); err != nil {
		return set, err
	}
	if config.Default != "" {
		class, err := set.classOf(config.Default)
		if err != nil {
			return set, &ConfigError{"default", "", err}
		}
		set.fallback, set.isFallback = class, true
	}
	for _, folder := range slices.Sorted(maps.Keys(config.Folders)) {
		place, err := folderPath(folder)
		class, classErr := set.classOf(config.Folders[folder])
		if err = cmp.Or(err, classErr); err != nil {
			return set, &ConfigError{"folders", folder, err}
		}
		set.folders[place] = max(set.folders[place], class) // two spellings of one folder
		set.spelled[place] = cmp.Or(set.spelled[place], folder)
		set.lengths = append(set.lengths, make([]bool, max(len(place)+1-len(set.lengths), 0))...)
		set.lengths[len(place)] = true
	}
	return set, nil
}

func (s *ruleSet) addNames(names map[string]string) error {
	own := map[string]Class{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		class, ok := Parse(names[name])
		itself, isClass := Parse(name)
		var err error
		switch {
		case !ok:
			err = noClass(names[name], nil)
		case keyForm(name) == "":
			err = errors.New("a class needs a name")
		case isClass && class < itself:
			err = fmt.Errorf("it is the name of a class, which cannot mean a laxer one (%s)", class)
		}
		if err != nil {
			return &ConfigError{"names", name, err}
		}
		own[keyForm(name)] = max(own[keyForm(name)], class) // two spellings of one name
	}
	maps.Copy(s.names, own)
	return nil
}

// classOf is the class that a name means.
func (s *ruleSet) classOf(name string) (Class, error) {
	class, ok := s.names[canonical(name)]
	if !ok {
		return 0, noClass(name, s.names)
	}
	return class, nil
}

func noClass(name string, known map[string]Class) error {
	names := classNames[:]
	for _, own := range slices.Sorted(maps.Keys(known)) {
		if !slices.Contains(names, own) {
			names = append(slices.Clip(names), own)
		}
	}
	return fmt.Errorf("there is no class %q (there are %s)", name, strings.Join(names, ", "))
}

// folderPath brings a folder to the form in which paths are compared. Patterns are refused: taken by the letter they would
// protect nothing.
func folderPath(folder string) (string, error) {
	place := strings.Trim(path.Clean(strings.ReplaceAll(strings.TrimSpace(folder), `\`, "/")), "/")
	switch {
	case strings.TrimSpace(folder) == "":
		return "", errors.New(`a folder needs a name ("." is the whole vault)`)
	case strings.ContainsAny(place, "*?["):
		return "", errors.New("it is a pattern: name a folder, which stands for all below it")
	case place == ".." || strings.HasPrefix(place, "../"):
		return "", errors.New("it lies outside of the vault")
	}
	if place == "" {
		place = "."
	}
	return canonical(place), nil
}

// canonical is the form in which names are compared: composed accents, no letter case, no blanks around, and none of the
// characters without width that HFS+ takes no notice of. It is so on every system: names that the file system holds apart
// are at worst too strict.
func canonical(name string) string {
	switch isPlain, isASCII := looksOf(name); { // most are, and there may be many
	case isPlain:
		return name
	case isASCII:
		return strings.ToLower(strings.TrimSpace(name))
	}
	seen := norm.NFC.String(strings.TrimSpace(strings.Map(withoutWidth, name)))
	return norm.NFC.String(strings.ToLower(strings.ToUpper(seen)))
}

// withoutWidth drops, for strings.Map, the characters that nobody sees.
func withoutWidth(r rune) rune {
	if r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F || r == 0xFEFF {
		return -1
	}
	return r
}

// keyForm is the form in which keys and names of classes are compared: as paths are, and letters of full width, as keyboards of
// East Asia write them, are those of ASCII, and what nobody sees within a word counts for nothing.
func keyForm(name string) string { return canonical(plainWidth(name)) }

// plainWidth brings the letters of a text to their plain width and drops what is not seen; it is never longer than the text.
func plainWidth(text string) string {
	if _, isASCII := looksOf(text); isASCII {
		return text
	}
	return width.Fold.String(strings.Map(withoutMark, text))
}

// withoutMark drops, for strings.Map, soft hyphens, joiners and selectors of variants.
func withoutMark(r rune) rune {
	if r == 0x00AD || r == 0x034F || r == 0x061C || r == 0x180E || r >= 0xFE00 && r <= 0xFE0F {
		return -1
	}
	return withoutWidth(r)
}

// looksOf tells whether a name is ASCII, and whether it is plain besides: in its canonical form already.
func looksOf(name string) (isPlain, isASCII bool) {
	isPlain = name == "" || name[0] > ' ' && name[len(name)-1] > ' '
	for i := range len(name) {
		c := name[i]
		if c >= 0x80 {
			return false, false
		}
		if 'A' <= c && c <= 'Z' {
			isPlain = false
		}
	}
	return isPlain, true
}

func (r *Rules) orDefault() *Rules {
	if r == nil {
		return defaultRules()
	}
	return r
}

// OfPath is the strictest class that the folders alone give a file, which lies at path below the vault; ok tells whether
// any folder of the rules holds it.
func (r *Rules) OfPath(path string) (class Class, ok bool) {
	for _, set := range r.orDefault().sets {
		if own, found := set.ofPath(path); found {
			class, ok = max(class, own), true
		}
	}
	return class, ok
}

// ofPath is the class of the deepest folder that holds a path.
func (s *ruleSet) ofPath(path string) (Class, bool) {
	if len(s.folders) == 0 {
		return 0, false
	}
	path = canonical(path)
	for {
		if len(path) < len(s.lengths) && s.lengths[len(path)] { // no other is among them, and there may be many to ask about
			if class, ok := s.folders[path]; ok {
				return class, true
			}
		}
		slash := strings.LastIndexByte(path, '/')
		if slash < 0 {
			class, ok := s.folders["."]
			return class, ok
		}
		path = path[:slash]
	}
}

// Unmatched gives the folders of the rules, as they are spelled there, that hold none of some paths below the vault. The
// whole vault is no such folder.
func (r *Rules) Unmatched(paths iter.Seq[string]) []string {
	missing := map[string]string{}
	for _, set := range r.orDefault().sets {
		maps.Copy(missing, set.spelled)
	}
	delete(missing, ".")
	if len(missing) == 0 {
		return nil
	}
	for path := range paths {
		path = canonical(path)
		for end := len(path); end >= 0 && len(missing) > 0; end = strings.LastIndexByte(path[:end], '/') {
			delete(missing, path[:end])
		}
	}
	return slices.Sorted(maps.Values(missing))
}

// HasSecret tells whether any folder, or what says nothing, is of the class Secret.
func (r *Rules) HasSecret() bool {
	for _, set := range r.orDefault().sets {
		if set.fallback == Secret {
			return true
		}
		for _, class := range set.folders {
			if class == Secret {
				return true
			}
		}
	}
	return false
}

// Of is the class of a note, by its path and by what Declared gave: declared is the name of a class, "" where
// the properties say nothing.
func (r *Rules) Of(path, declared string) Class {
	var own Class
	isOwn := declared != ""
	if isOwn {
		own = Private // a name of no class
		if class, ok := Parse(declared); ok {
			own = class
		}
	}
	class, said := own, isOwn
	for _, set := range r.orDefault().sets {
		if folder, ok := set.ofPath(path); ok {
			class, said = max(class, folder), true
		} else if !isOwn && set.isFallback {
			class, said = max(class, set.fallback), true
		}
	}
	if !said {
		return Internal
	}
	return class
}
