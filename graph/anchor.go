package graph

import (
	"strings"
	"sync"
	"unicode"

	"quarry/internal/lazyregexp"
)

// WithTexts gives a resolver whose Judge also knows the elements of HTML that notes have. texts gives the texts of a note by
// its path, in any pieces of whole lines; it is asked for the notes alone of which a link misses a heading, once for each, and
// has to be safe for concurrent use where the resolver is used so.
func (r *Resolver) WithTexts(texts func(path string) []string) *Resolver {
	with := *r
	with.elements = &elements{texts: texts, known: map[string]map[string]bool{}}
	return &with
}

// elements are the names of elements of HTML, by note.
type elements struct {
	texts func(path string) []string
	mu    sync.Mutex
	known map[string]map[string]bool
}

// isElement tells whether a note has an element of HTML that the last part of a subpath names.
func (r *Resolver) isElement(path, subpath string) bool {
	if r.elements == nil || path == "" {
		return false
	}
	r.elements.mu.Lock()
	defer r.elements.mu.Unlock()
	names, ok := r.elements.known[path]
	if !ok {
		names = map[string]bool{}
		for _, text := range r.elements.texts(path) {
			addElements(names, text)
		}
		r.elements.known[path] = names
	}
	return names[lastPart(subpath)]
}

// maxElements bounds the elements that are kept of a note.
const maxElements = 10_000

// namedElement is what a link can name of an element: <a id="x">, <h2 id=x>, <a name='x'>, and {#x} behind a heading.
var namedElement = lazyregexp.New(`(?i)<[a-z][^<>]*\s(?:id|name)\s*=\s*["']?([^\s"'<>]+)|\{#([^\s{}]+)\}`)

func addElements(names map[string]bool, text string) {
	if !strings.Contains(text, "{#") && (!strings.Contains(text, "<") || !strings.Contains(text, "=")) {
		return
	}
	for _, found := range namedElement.FindAllStringSubmatch(text, max(maxElements-len(names), 0)) {
		names[found[1]+found[2]] = true
	}
}

// maxTwinDigits is how many digits a website puts behind the anchor of one of several equal headings.
const maxTwinDigits = 10

// hasAnchor tells whether a name is the anchor of a heading as some website writes it: "#how-tokens-rotate",
// "#how_tokens_rotate-1".
func (o *Outline) hasAnchor(name string) bool {
	if o == nil {
		return false
	}
	wanted, have := lettersOf(name), o.letters()
	if have[wanted] {
		return true
	}
	for range maxTwinDigits {
		short := strings.TrimSuffix(wanted, digitAtEnd(wanted))
		if short == wanted || short == "" {
			return false
		}
		if wanted = short; have[wanted] {
			return true
		}
	}
	return false
}

// digitAtEnd is the last character if it is a digit of ASCII.
func digitAtEnd(text string) string {
	if text == "" || text[len(text)-1] < '0' || text[len(text)-1] > '9' {
		return ""
	}
	return text[len(text)-1:]
}

// lettersOf is what a heading and its anchors have in common, whatever a website makes of the marks and spaces between.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if isLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
