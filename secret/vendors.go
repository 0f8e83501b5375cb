package secret

import (
	"bytes"
	"slices"
	"strings"
	"sync"
)

// vendor is a row of the tables of tokens that can be known by a prefix or form that their maker gave them. Where two
// find the same, the upper one names it. The lengths are those that the makers document or that tokens in use have;
// where they vary, the shape is open at the end: a token of an unknown length is withheld too, and no checksum is asked
// for.
type vendor struct {
	name   string                   // as in the marker; several rows may share one
	shapes string                   // forms of the token, see shape; blanks between them
	loose  bool                     // the prefix is one that nothing else has: it may stand right behind a letter
	check  func(secret []byte) bool // nil: notSample. notWords is for prefixes that ordinary names begin with too
	valid  func(secret []byte) bool // overrules check: the token is beyond doubt
}

// vendorRules are the rules of all the tables, the surest first.
var vendorRules = sync.OnceValue(func() []rule {
	return slices.Concat(
		shapeRules(modelVendors), shapeRules(cloudVendors), shapeRules(hostingVendors), shapeRules(chatVendors),
		shapeRules(operationVendors), shapeRules(appVendors), shapeRules(paymentVendors),
		shapeRules(sharedVendors), nearRules(nearVendors),
	)
})

// sharedVendors have a prefix that others have behind their own.
var sharedVendors = []vendor{
	{name: "lob-key", shapes: "(live|test)_(pub_|){h31-35}"},
	{name: "gocardless-token", shapes: "(live|sandbox)_{b40-42}", check: notWords},
	{name: "mollie-key", shapes: "(live|test|access)_{A30}", check: notWords},
	{name: "launchdarkly-key", shapes: "(api|sdk|mob|rel)-{guid}"},
}

// shapeRules makes a rule of each shape.
func shapeRules(table []vendor) []rule {
	rules := make([]rule, 0, 2*len(table))
	for _, row := range table {
		for text := range strings.FieldsSeq(row.shapes) {
			rules = append(rules, row.rule(readShape(text)))
		}
	}
	return rules
}

func (v *vendor) rule(s tokenShape) rule {
	r := rule{
		name: v.name, keywords: s.keywords, pattern: s.pattern, before: s.before, least: s.least, full: s.full,
		loose: v.loose, exact: !s.open, check: v.check,
	}
	if s.split {
		r.least, r.most = 0, s.most+wideMargin
	}
	if v.check != nil {
		r.check = orOfLength(s.lengths, v.check)
	}
	if v.valid != nil {
		r.check = sound(v.valid, r.check)
	}
	return r
}

// wideMargin is what the window of a shape that holds bytes of no token has beside its usual length.
const wideMargin = 64

// sampleWords are what documentation puts in the place of a token, in whole or in part.
var sampleWords = [][]byte{
	[]byte("example"), []byte("xxxxxx"), []byte("******"), []byte("......"), []byte("your-"), []byte("your_"), []byte("placeholder"),
	[]byte("000000000000"),
}

// notStandIn refuses the words of documentation only, for a prefix that leaves no doubt.
func notStandIn(token []byte) bool { return !containsAny(bytes.ToLower(token), sampleWords) }

// notSample refuses what documentation puts in the place of a token.
func notSample(token []byte) bool { return notStandIn(token) && entropy(token) >= 2.5 }

// notWords is for prefixes that ordinary names begin with too: the rest has to be generated.
func notWords(token []byte) bool {
	shape := shapeOf(token)
	isMixed := shape.digits > 0 || min(shape.lower, shape.upper) >= len(token)/6
	body := tokenBody(token)
	return isMixed && notSample(token) && (looksRandom(body) || isScattered(body))
}

// orOfLength makes a check that a token of a documented length passes where it is no word, too: prefix and length tell enough.
func orOfLength(lengths []int, check func([]byte) bool) func([]byte) bool {
	return func(token []byte) bool {
		return check(token) || slices.Contains(lengths, len(token)) && isNoWord(token)
	}
}

func isNoWord(token []byte) bool {
	body := tokenBody(token)
	shape := shapeOf(body)
	return notSample(token) && (shape.digits > 2 || min(shape.lower, shape.upper) > 2) && entropy(body) >= 3 && (wordiness(body) < 0.55 || isHex(body) && shape.digits > 1)
}

// isScattered: small letters, capitals and digits follow each other as they come; even in camelCase they do so less.
func isScattered(value []byte) bool {
	changes := 0
	for i := 1; i < len(value); i++ {
		a, b := value[i-1], value[i]
		changes += boolInt(isLower(a) != isLower(b) || isUpper(a) != isUpper(b))
	}
	return 2*changes >= len(value)
}

// mixed is for prefixes that no name begins with, before words or short values.
func mixed(token []byte) bool {
	shape := shapeOf(tokenBody(token))
	return notSample(token) && (shape.digits > 0 || min(shape.lower, shape.upper) > len(token)/6)
}

// tokenBody is the token without the words that its maker begins it with.
func tokenBody(token []byte) []byte {
	prefix := bytes.LastIndexAny(token[:len(token)/3], "_-.")
	return token[prefix+1:]
}

func containsAny(text []byte, words [][]byte) bool {
	return slices.ContainsFunc(words, func(word []byte) bool { return bytes.Contains(text, word) })
}
