package secret

import (
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
		name: v.name, keywords: s.keywords, pattern: s.pattern, before: s.before, least: s.least, full: s.full, lengths: append(slices.Clone(s.lengths), s.shortest),
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
