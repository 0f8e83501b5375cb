package search

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quarry/store"
)

const (
	maxQueryBytes = 4 << 10
	maxTerms      = 64
	// Terms in more than this share of the passages are left out where others remain: half the work for .001 nDCG, measured on 14
	// sets (docs/benchmarks.md). In a small index that saves nothing, and a word that is in a fifth of it can be what is asked for.
	commonShare      = 0.2
	commonShareSmall = 0.5
	smallIndex       = 500 // passages
	// A query of fewer other words than this keeps those that are in up to half of the passages: they save little, and can be what is
	// asked for ("how to delete a vault").
	fewTerms = 3
	// FTS5 floors the idf of a term in half of all passages or more at this value.
	idfFloor = 1e-6
	// k1 + 1 of BM25: a term's contribution is at most this times its idf.
	bm25Ceiling = 2.2
)

// columnWeights are the weights of text, section and heading context in BM25. The title stands in the context alone, and
// people ask for titles: +.03 nDCG@10 of words alone on the example vault against 1, .5, .3, and within .003 elsewhere.
// Identifiers: with .3 a word of the query finds the parts of camelCase, +.003 and +.004 nDCG@10 on two vaults of code, 0 on
// others; 1 loses .014 on one. What Identifiers makes of the query is no further term here: -.004 and -.018.
var columnWeights = store.Weights{
	store.ColumnText: 1, store.ColumnSection: 1, store.ColumnContext: 2, store.ColumnAliases: 2, store.ColumnIndexText: 1,
	store.ColumnPairs: 1, store.ColumnCharacters: .3, store.ColumnIdentifiers: .3,
}

// Plan is how a query was understood, for the explanation.
type Plan struct {
	Mode    Mode       `json:"mode"`
	Fusion  string     `json:"fusion"`  // "sum" or "rrf"
	Terms   []PlanTerm `json:"terms"`   // that are looked for, at most maxTerms
	Dropped []PlanTerm `json:"dropped"` // that tell passages apart too little, see Reason
	// Weights of the two legs where ranks are fused, 0 or more, and the constant k, 1 or more. Where scores are added 0, in JSON null.
	LexicalWeight float64  `json:"lexical_weight"`
	VectorWeight  float64  `json:"vector_weight"`
	K             int      `json:"k"`
	Depth         int      `json:"depth"`    // passages asked of each leg
	Passages      int      `json:"passages"` // of the index
	Selected      *int     `json:"selected"` // passages that filters and quoted phrases let through, nil without any of the request's own
	Timings       []Timing `json:"timings"`
	Form          Form     `json:"form"`        // what the score is the sum of; the order is, too, unless ranks are fused
	Intent        string   `json:"intent"`      // identifier, question or mixed
	AsksNewest    bool     `json:"asks_newest"` // it asks for the newest, or for the state of things
	Filters       []string `json:"filters"`     // what the operators in the query asked for, one a line

	notices     []string
	asked       store.Filter // see Answer.Asked
	within      *store.Set   // of the passages that may be in the answer, nil: all
	ceiling     float64      // the most BM25 that a passage made of nothing but the query would have
	text        string       // what is embedded: words and phrases, without operators and what is excluded
	content     string       // of text what is no function word; all of it where that is nothing
	wordless    bool         // all its words are function words
	filterOnly  bool         // there are no words: the notes are listed, newest first
	without     *store.Set   // passages that hold excluded words, where notes are listed
	tokens      []uint16     // of the model, distinct, rising; nil where it gives none
	identifiers []store.Term // of ColumnIdentifiers: what store.Identifiers makes of the words of the query
}

// PlanTerm is a word of the query, or words side by side, with the number of passages that hold it.
type PlanTerm struct {
	Text      string  `json:"text"`
	Frequency int     `json:"frequency"`          // passages, of all in the index
	IDF       float64 `json:"idf"`                // ln((N-n+.5)/(n+.5)), floored, as FTS5 computes it
	Phrase    bool    `json:"phrase,omitempty"`   // several words, side by side
	Required  bool    `json:"required,omitempty"` // it was in quotes: passages without it are left out of both legs
	Reason    string  `json:"reason,omitempty"`   // why it was dropped, in words; "" of what was not
	Times     int     `json:"times,omitempty"`    // that it counts, of a word of a pattern; 0: once

	indexed string // as the index has it
	quoted  bool
}

// MarshalJSON leaves out what only counts where ranks are fused.
func (p *Plan) MarshalJSON() ([]byte, error) {
	type fields Plan
	out := struct {
		*fields
		LexicalWeight *float64 `json:"lexical_weight"`
		VectorWeight  *float64 `json:"vector_weight"`
		K             *int     `json:"k"`
	}{fields: (*fields)(p)}
	if p.Fusion == string(RRF) {
		out.LexicalWeight, out.VectorWeight, out.K = &p.LexicalWeight, &p.VectorWeight, &p.K
	}
	return json.Marshal(out)
}

// words gives the words of the terms.
func (p *Plan) words() []string {
	var list []string
	for _, t := range p.Terms {
		for _, w := range wordsOf(t.Text) {
			if word := t.Text[w.start:w.end]; !t.isJoined() && !slices.Contains(list, word) {
				list = append(list, word)
			}
		}
	}
	return list
}

// isJoined tells of words that are in the list by themselves too.
func (t PlanTerm) isJoined() bool { return t.Phrase && !t.quoted }

// Timing is how long a stage took.
type Timing struct {
	Stage        string  `json:"stage"`
	Milliseconds float64 `json:"milliseconds"`
}

func (s Searcher) plan(ctx context.Context, request Request, passages int) (*Plan, error) {
	p := &Plan{
		Mode: request.Mode, Terms: []PlanTerm{}, Dropped: []PlanTerm{}, Passages: passages, Filters: []string{},
	}
	if s.Embedder == nil && p.Mode != Lexical {
		p.Mode = Lexical
		p.notices = append(p.notices, "no embedding model: keyword search alone")
	}
	written, isRedacted := withoutMarkers(request.Query)
	if isRedacted {
		p.notices = append(p.notices, "what looks like a secret in the query is not looked for")
	}
	query := parseLanguage(written, func(text string) bool {
		_, ok := s.day(text)
		return ok
	})
	p.text, p.identifiers = wantedText(query.root)
	functions := functionsOf(p.text)
	p.content = functions.without(p.text)
	terms, notices := termsOf(query.root, functions)
	p.notices = slices.Concat(p.notices, query.notices, notices)
	if query.includesArchived {
		request.Filter.ExcludeArchived = false
	}
	isNarrowed, err := s.narrow(ctx, p, query.root, request.Filter)
	if err != nil {
		return nil, err
	}
	p.filterOnly = len(terms) == 0 && isNarrowed && request.Like == ""
	if p.filterOnly {
		p.without, err = s.excluding(ctx, query.root)
		return p, err
	}
	if p.Mode == Vector || len(terms) == 0 {
		return p, nil
	}
	return p, s.weighTerms(ctx, p, terms)
}

// narrow lets only passages through that the filters of the request and the operators of the query do. It tells whether there are
// any, but for the archive, which is always left out.
func (s Searcher) narrow(ctx context.Context, p *Plan, query *node, filter store.Filter) (bool, error) {
	c := conditions{searcher: s}
	asked, err := c.ofQuery(ctx, query)
	if err != nil {
		return false, err
	}
	p.notices = append(p.notices, c.notices...)
	p.Filters, p.asked = append(p.Filters, c.readable...), c.asked
	sets := selecting{snapshot: s.Snapshot, known: map[string]*store.Set{}}
	if p.within, err = sets.set(ctx, asked, filter); err != nil {
		return false, err
	}
	if sets.isCut {
		p.notices = append(p.notices, fmt.Sprintf("the query has more than %d groups of filters: the others were left out", maxSelections))
	}
	filter.ExcludeArchived = false
	if asked == nil && filter.IsEmpty() {
		return false, nil
	}
	selected := p.Passages
	if p.within != nil {
		selected = p.within.Len()
	}
	p.Selected = &selected
	if selected == 0 && len(p.Filters) > 0 {
		// What else the request filters by is told by who asked.
		text := "no passage passes the filters: "
		if filter.Without = nil; !filter.IsEmpty() {
			text = "no passage passes the filters together with "
		}
		p.notices = append(p.notices, text+strings.Join(p.Filters, ", "))
	}
	return true, nil
}

// wantedText is what of a query has a meaning, and the identifiers in it.
func wantedText(query *node) (text string, identifiers []store.Term) {
	var parts []string
	seen := map[string]bool{}
	query.eachWanted(true, func(leaf *node, _ bool) {
		parts = append(parts, leaf.text)
		for _, word := range strings.Fields(leaf.text) {
			for _, identifier := range store.Identifiers(word) {
				if !seen[identifier] && len(identifiers) < maxTerms {
					seen[identifier] = true
					identifiers = append(identifiers, store.Term{Text: identifier})
				}
			}
		}
	})
	return strings.Join(parts, " "), identifiers
}

// weighTerms looks the terms up and weighs them. Two of one stem are one.
func (s Searcher) weighTerms(ctx context.Context, p *Plan, terms []queryTerm) error {
	words := make([]string, len(terms))
	for i, t := range terms {
		words[i] = t.indexed
	}
	stems, err := s.Snapshot.Words(ctx, words)
	if err != nil {
		return err
	}
	terms = distinctStems(terms, stems)
	words = words[:len(terms)]
	for i, t := range terms {
		words[i] = t.indexed
	}
	frequencies, err := s.Snapshot.Frequencies(ctx, words, nil)
	if err != nil {
		return err
	}
	terms, frequencies = spelt(terms, frequencies)
	terms, frequencies, err = s.together(ctx, terms, frequencies)
	if err != nil {
		return err
	}
	p.weigh(terms, frequencies)
	if absent := absentFrom(terms, frequencies); len(absent) > 0 {
		p.notices = append(p.notices, "in no note: "+strings.Join(absent, ", "))
	}
	return nil
}

// distinctStems keeps the first of the terms that the index takes for the same.
func distinctStems(list []queryTerm, stems [][]string) []queryTerm {
	distinct := terms{at: map[string]int{}}
	for i, t := range list {
		key := strings.Join(stems[i], " ")
		if key == "" {
			key = t.indexed
		}
		distinct.addAs(key, t)
	}
	return distinct.list
}

// Reasons to drop a term.
const (
	reasonFunction = "function word"
	reasonCommon   = "in many passages"
)

// weigh sorts the terms into those that are looked for and those that are dropped: function words where there are others, and what is
// everywhere where that leaves others that are found. Words that are joined are found by themselves too: where they stand nowhere
// together, that tells nothing.
func (p *Plan) weigh(terms []queryTerm, frequencies []int) {
	common := mostCommon(p.Passages)
	var content, functions []PlanTerm
	for i, t := range terms {
		term := PlanTerm{
			Text: t.text, Frequency: frequencies[i], IDF: idf(frequencies[i], p.Passages),
			Phrase: t.phrase, Required: t.required, indexed: t.indexed, quoted: t.quoted,
		}
		switch {
		case term.isJoined() && term.Frequency == 0:
		case !t.quoted && (t.function || t.mayBeFunction && term.Frequency > common):
			functions = append(functions, term)
		default:
			content = append(content, term)
		}
	}
	if p.wordless = content == nil && functions != nil; p.wordless { // to be or not to be
		p.chooseRare(functions, common)
	} else {
		p.chooseRare(content, common)
		p.drop(functions, reasonFunction)
	}
	for _, term := range p.Terms {
		// Words that are nowhere count too: where the rare word of a query is missing, the rest proves little. A function word
		// that is everywhere proves nothing.
		if !p.wordless || term.IDF > idfFloor {
			p.ceiling += float64(bm25Ceiling * term.IDF) // rounded, or some processors would fuse product and sum
		}
	}
}

// mostCommon is in how many of so many passages a word may be that tells them apart.
func mostCommon(passages int) int {
	if passages < smallIndex {
		return int(commonShareSmall * float64(passages))
	}
	return int(commonShare * float64(passages))
}

// chooseRare takes those of the terms that are in no more passages than so many; where those are few, also what is in up to half of
// the passages, and where they are nowhere, all.
func (p *Plan) chooseRare(terms []PlanTerm, most int) {
	isCommon := func(t PlanTerm) bool { return t.Frequency > most && !t.quoted }
	rare := slices.DeleteFunc(slices.Clone(terms), isCommon)
	if len(rare) < fewTerms {
		most = max(most, int(commonShareSmall*float64(p.Passages)))
		rare = slices.DeleteFunc(slices.Clone(terms), isCommon)
	}
	common := slices.DeleteFunc(slices.Clone(terms), func(t PlanTerm) bool { return !isCommon(t) })
	if !anyFound(rare) {
		rare, common = append(rare, common...), nil
	}
	p.Terms = append(p.Terms, rare...)
	p.drop(common, reasonCommon)
}

func (p *Plan) drop(terms []PlanTerm, reason string) {
	for _, t := range terms {
		t.Reason = reason
		p.Dropped = append(p.Dropped, t)
	}
}

// idf is ln((N-n+.5)/(n+.5)), floored, as FTS5 has it; rounded, so that it is the same whichever way a processor takes logarithms.
func idf(frequency, passages int) float64 {
	n, all := float64(frequency), float64(passages)
	return max(round(math.Log((all-n+.5)/(n+.5)), idfFloor), idfFloor)
}

// absentFrom gives what is in no passage, as it was written: a word, or what was written in a script without spaces if
// none of its pieces is found.
func absentFrom(terms []queryTerm, frequencies []int) []string {
	known := map[string]bool{} // told already, or in some passage
	for i, t := range terms {
		for _, run := range t.runs {
			known[run] = known[run] || frequencies[i] > 0
		}
	}
	var absent []string
	for i, t := range terms {
		if frequencies[i] > 0 || t.phrase && !t.quoted || t.function && !t.quoted || isLetter(t.text) {
			continue
		}
		written := t.runs
		if written == nil {
			written = []string{t.text}
		}
		for _, w := range written {
			if !known[w] {
				absent = append(absent, w)
				known[w] = true
			}
		}
	}
	return absent
}

func anyFound(terms []PlanTerm) bool {
	for _, t := range terms {
		if t.Frequency > 0 && !t.isJoined() {
			return true
		}
	}
	return false
}

// isLetter tells of a single letter of a script with spaces: the c of C++ names nothing by itself.
func isLetter(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size == len(text) && unicode.IsLetter(r) && store.Segment(text) == nil
}
