package vault

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// IgnoreFile is the name of the file at the vault root that lists, in gitignore syntax, what is never to be indexed.
const IgnoreFile = ".indexignore"

const (
	maxIgnoreBytes  = 1 << 20
	maxIgnoreRules  = 10_000
	maxPatternBytes = 4096 // longer than any path that it could name
)

// defaultIgnore is left out unless a line of .indexignore with "!" names it. Letters stand for both cases.
const defaultIgnore = `
.*
node_modules/
templates/
07-templates/
attachments/
08-attachments/
`

var defaultRules, _ = parseRules([]byte(defaultIgnore), true)

// errIgnoreRules: rules that cannot be kept in full. Dropping some of them would let in what is to stay out.
var errIgnoreRules = errors.New("the rules cannot be kept")

// rule is one line of gitignore syntax.
type rule struct {
	negative   bool // "!": brings back
	folderOnly bool // ends with "/"
	nameOnly   bool // without another slash: the pattern is for the name, at any depth
	suffix     bool // "*" and literal text: wild is not used
	literal    string
	wild       glob // what comes after literal; empty if nothing
	never      bool // cannot match
	names      byte // see lifts
}

// parseRules reads lines as git does: a byte order mark, comments, CRLF, escaped and trailing blanks. It fails where a
// rule would be lost.
func parseRules(text []byte, fold bool) ([]rule, error) {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) || bytes.IndexByte(text, 0) >= 0 {
		return nil, fmt.Errorf("%w: this is not UTF-8 text", errIgnoreRules)
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	var rules []rule
	number := 0 // of the line
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		number++
		line = bytes.TrimSuffix(line, []byte("\r"))
		switch {
		case len(line) == 0 || line[0] == '#':
			continue
		case len(line) > maxPatternBytes:
			return nil, fmt.Errorf("%w: line %d is longer than %d bytes", errIgnoreRules, number, maxPatternBytes)
		case len(rules) == maxIgnoreRules:
			return nil, fmt.Errorf("%w: more than %d rules", errIgnoreRules, maxIgnoreRules)
		}
		rules = append(rules, parseRule(canonical(trimBlanks(string(line)), fold), fold))
	}
	return rules, nil
}

// trimBlanks cuts off the blanks at the end that no backslash protects.
func trimBlanks(line string) string {
	blanks := -1
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			if blanks < 0 {
				blanks = i
			}
			continue
		case '\\':
			if i++; i == len(line) {
				return line
			}
		}
		blanks = -1
	}
	if blanks >= 0 {
		return line[:blanks]
	}
	return line
}

func parseRule(pattern string, fold bool) rule {
	var r rule
	if r.negative = strings.HasPrefix(pattern, "!"); r.negative {
		pattern = pattern[1:]
	}
	if r.folderOnly = strings.HasSuffix(pattern, "/"); r.folderOnly {
		pattern = pattern[:len(pattern)-1]
	}
	r.nameOnly = strings.IndexByte(pattern, '/') < 0
	r.names = namedBy(baseName(pattern))
	if !r.nameOnly {
		pattern = strings.TrimPrefix(pattern, "/")
	}
	wild := strings.IndexFunc(pattern, func(c rune) bool { return c < 128 && isWild(byte(c)) })
	switch {
	case wild < 0:
		r.literal = pattern
	case r.nameOnly && wild == 0 && pattern[0] == '*' && !strings.ContainsAny(pattern[1:], `*?[\`):
		r.suffix, r.literal = true, pattern[1:]
	default:
		tokens, ok := parseGlob(pattern[wild:], fold)
		r.literal, r.wild, r.never = pattern[:wild], tokens, !ok
	}
	return r
}

// matches tells whether the rule speaks of this entry. The path is canonical.
func (r *rule) matches(path string, folder bool) bool {
	if r.never || r.folderOnly && !folder {
		return false
	}
	if r.nameOnly {
		path = baseName(path)
	}
	if r.suffix {
		return strings.HasSuffix(path, r.literal)
	}
	if !strings.HasPrefix(path, r.literal) {
		return false
	}
	if rest := path[len(r.literal):]; len(r.wild) > 0 {
		return r.wild.match(rest)
	}
	return path == r.literal && path != ""
}

// ignoreRules are the person's rules above the built-in ones; in each list the last that matches decides.
type ignoreRules struct {
	person   []rule
	defaults []rule
	fold     bool
}

// ignores decides about one entry of a folder that is itself not ignored.
func (r *ignoreRules) ignores(path string, folder bool) bool {
	path = canonical(path, r.fold)
	byDefault := lastMatch(r.defaults, path, folder) != nil
	for i := len(r.person) - 1; i >= 0; i-- {
		rule := &r.person[i]
		if !rule.matches(path, folder) {
			continue
		}
		if !rule.negative {
			return true
		}
		if !byDefault || rule.lifts(baseName(path)) {
			return false
		}
	}
	return byDefault
}

func lastMatch(rules []rule, path string, folder bool) *rule {
	// The built-in names are compared without case on every system.
	path = canonical(path, true)
	for i := len(rules) - 1; i >= 0; i-- {
		if rules[i].matches(path, folder) {
			return &rules[i]
		}
	}
	return nil
}

// lifts tells whether a "!" rule means a thing that is left out by default. A pattern such as "!*/", which people write
// to let all folders in, is not to bring .trash and templates back: it has to name them, and a dot-name by its dot.
func (r *rule) lifts(name string) bool {
	return r.names != 0 && (r.names == '.') == strings.HasPrefix(name, ".")
}

// namedBy is '.' for the pattern of a dot-name, 'a' for one with some letter or digit, 0 for wildcards alone.
func namedBy(pattern string) byte {
	pattern = strings.TrimPrefix(pattern, `\`)
	if strings.HasPrefix(pattern, ".") {
		return '.'
	}
	for i := range len(pattern) {
		if isAlnum(pattern[i]) || pattern[i] >= 128 {
			return 'a'
		}
	}
	return 0
}

// canonical brings a path to the form in which names are compared: as it is, or without case and with composed accents.
func canonical(path string, fold bool) string {
	if !fold {
		return path
	}
	return strings.ToLower(norm.NFC.String(path))
}

// SetDefaults puts lines in gitignore syntax beside the built-in rules, in place of those of an earlier call: like them
// they hold unless a line of .indexignore with "!" names what they leave out, and letters stand for both cases. It tells
// whether the lines are others than before, so that a listing is out of date. Where they cannot be kept, none of them is.
func (v *Vault) SetDefaults(lines []string) (changed bool, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if slices.Equal(lines, v.moreLines) {
		return false, nil
	}
	rules, err := parseRules([]byte(strings.Join(lines, "\n")), true)
	if err != nil {
		return false, fmt.Errorf("ignore rules of the vault's app: %w", err)
	}
	v.moreLines, v.moreDefaults = slices.Clone(lines), rules
	current := *v.rules.Load()
	current.defaults = v.defaults()
	v.rules.Store(&current)
	return true, nil
}

func (v *Vault) defaults() []rule { return slices.Concat(defaultRules, v.moreDefaults) }

// loadRules reads .indexignore anew.
func (v *Vault) loadRules() error {
	content, err := v.readIgnoreFile()
	if err != nil {
		return &RootError{Dir: v.dir, Err: fmt.Errorf("read %s: %w", IgnoreFile, plainCause(err))}
	}
	person, err := parseRules(content, foldsCase)
	if err != nil {
		return &RootError{Dir: v.dir, Err: fmt.Errorf("read %s: %w", IgnoreFile, err)}
	}
	person = append(person, v.extra...)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.rules.Store(&ignoreRules{person: person, defaults: v.defaults(), fold: foldsCase})
	return nil
}

func (v *Vault) readIgnoreFile() ([]byte, error) {
	content, _, err := readFrom(v.root, IgnoreFile, maxIgnoreBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return content, err
}

// Ignored tells whether a file of this path is kept out by rule: by the ignore rules (those of the last Scan) on it or a
// folder above it, the allow-list, its extension, or because it is no path inside the vault. The file need not exist.
func (v *Vault) Ignored(path string) bool {
	return checkPath(path) != nil || !v.extensions[extension(path)] || v.keptOut(path)
}

func (v *Vault) keptOut(path string) bool {
	if !v.allows(path, false) {
		return true
	}
	rules := v.rules.Load()
	for i := range len(path) {
		if path[i] == '/' && rules.ignores(path[:i], true) {
			return true
		}
	}
	return rules.ignores(path, false)
}

// allows applies the allow-list: what lies in one of its folders, and the folders on the way to one.
func (v *Vault) allows(path string, folder bool) bool {
	if len(v.folders) == 0 {
		return true
	}
	path = canonical(path, foldsCase)
	for _, allowed := range v.folders {
		if strings.HasPrefix(path, allowed+"/") || folder && (path == allowed || strings.HasPrefix(allowed, path+"/")) {
			return true
		}
	}
	return false
}
