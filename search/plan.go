package search

import (
	"context"
	"math"
	"slices"

	"quarry/store"
)

const (
	maxQueryBytes = 4 << 10
	maxTerms      = 64
	// legLimit is how many passages each leg brings (SPEC of the fusion: top 30).
	legLimit = 30
	// Terms in more than this share of the passages are left out where others remain: half the work for .001 nDCG,
	// measured on 14 sets (docs/benchmarks.md).
	commonShare = 0.5
	// FTS5 floors the idf of a term in half of all passages or more at this value.
	idfFloor = 1e-6
	// k1 + 1 of BM25: a term's contribution is at most this times its idf.
	bm25Ceiling = 2.2
)

// columnWeights are the weights of text, section and heading context in BM25. The title stands in the context alone, and
// people ask for titles: +.03 nDCG@10 of words alone on the example vault against 1, .5, .3, and within .003 elsewhere.
var columnWeights = store.Weights{
	store.ColumnText: 1, store.ColumnSection: 1, store.ColumnContext: 2, store.ColumnAliases: 2, store.ColumnIndexText: 1,
	store.ColumnPairs: 1, store.ColumnCharacters: .3,
}

// Plan is how a query was understood, for the explanation.
type Plan struct {
	Mode    Mode       `json:"mode"`
	Fusion  string     `json:"fusion"`
	Terms   []PlanTerm `json:"terms"`
	Dropped []PlanTerm `json:"dropped"` // too common to tell passages apart
	// Weights of the two legs in the fusion, and its constant k.
	LexicalWeight float64  `json:"lexical_weight"`
	VectorWeight  float64  `json:"vector_weight"`
	K             int      `json:"k"`
	Depth         int      `json:"depth"` // passages asked of each leg
	Passages      int      `json:"passages"`
	Selected      *int     `json:"selected"` // passages that filters and quoted phrases let through, null without any of the request's own
	Timings       []Timing `json:"timings"`
	Form          Form     `json:"form"`        // what the score is the sum of; the order is, too, unless ranks are fused
	Intent        string   `json:"intent"`      // identifier, question or mixed
	AsksNewest    bool     `json:"asks_newest"` // it asks for the newest, or for the state of things
	Filters       []string `json:"filters"`     // what the operators in the query asked for, one a line

	notices     []string
	within      *store.Set // of the passages that may be in the answer, nil: all
	ceiling     float64    // the most BM25 that a passage made of nothing but the query would have
	absent      []string
	text        string       // what is embedded: words and phrases, without operators and what is excluded
	filterOnly  bool         // there are no words: the notes are listed, newest first
	identifiers []store.Term // of ColumnIdentifiers: what store.Identifiers makes of the words of the query
}

// PlanTerm is a word of the query, or words side by side, with the number of passages that hold it.
type PlanTerm struct {
	Text      string  `json:"text"`
	Frequency int     `json:"frequency"`
	IDF       float64 `json:"idf"`                // ln((N-n+.5)/(n+.5)), floored, as FTS5 computes it
	Phrase    bool    `json:"phrase,omitempty"`   // several words, side by side
	Required  bool    `json:"required,omitempty"` // it was in quotes: passages without it are left out of both legs

	indexed string // as the index has it
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
func (t PlanTerm) isJoined() bool { return t.Phrase && !t.Required }

// Timing is how long a stage took.
type Timing struct {
	Stage        string  `json:"stage"`
	Milliseconds float64 `json:"milliseconds"`
}

func (s Searcher) plan(ctx context.Context, request Request, passages int) (*Plan, error) {
	p := &Plan{
		Mode: request.Mode, Fusion: "rrf", Terms: []PlanTerm{}, Dropped: []PlanTerm{},
		LexicalWeight: 1, VectorWeight: 1, K: fusionK, Depth: max(legLimit, request.Limit), Passages: passages,
		Filters: []string{}, text: request.Query,
	}
	if s.Embedder == nil && p.Mode != Lexical {
		p.Mode = Lexical
		p.notices = append(p.notices, "no embedding model: keyword search alone")
	}
	if !request.Filter.IsEmpty() {
		within, err := s.Snapshot.Select(ctx, request.Filter)
		if err != nil {
			return nil, err
		}
		p.within = within
		p.Selected = countSelected(request.Filter, within, passages)
	}
	terms, notices := parseQuery(request.Query)
	p.notices = append(p.notices, notices...)
	if err := s.require(ctx, p, terms); err != nil {
		return nil, err
	}
	if p.Mode == Vector || len(terms) == 0 {
		return p, nil
	}
	words := make([]string, len(terms))
	for i, t := range terms {
		words[i] = t.indexed
	}
	frequencies, err := s.Snapshot.Frequencies(ctx, words, nil)
	if err != nil {
		return nil, err
	}
	p.weigh(terms, frequencies)
	return p, nil
}

// require lets only passages through that hold what the query wants there.
func (s Searcher) require(ctx context.Context, p *Plan, terms []queryTerm) error {
	var required []store.Term
	for _, t := range terms {
		if t.required {
			required = append(required, store.Term{Text: t.indexed, Occur: store.Must})
		}
	}
	if len(required) == 0 {
		return nil
	}
	holding, err := s.Snapshot.Holding(ctx, required)
	if err != nil {
		return err
	}
	p.within = store.Intersect(p.within, holding)
	selected := p.within.Len()
	p.Selected = &selected
	return nil
}

// countSelected is nil where nothing but the archive is left out, as it always is.
func countSelected(filter store.Filter, within *store.Set, passages int) *int {
	filter.ExcludeArchived = false
	if filter.IsEmpty() {
		return nil
	}
	if within != nil {
		passages = within.Len()
	}
	return &passages
}

// weigh sorts the terms into those that tell passages apart and those that are everywhere. Words that are joined are found
// by themselves too: where they stand nowhere together, that tells nothing.
func (p *Plan) weigh(terms []queryTerm, frequencies []int) {
	var rare, common []PlanTerm
	for i, t := range terms {
		n, all := float64(frequencies[i]), float64(p.Passages)
		term := PlanTerm{
			Text: t.text, Frequency: frequencies[i], IDF: math.Max(math.Log((all-n+.5)/(n+.5)), idfFloor),
			Phrase: t.phrase, Required: t.required, indexed: t.indexed,
		}
		switch {
		case term.isJoined() && n == 0:
		case n > float64(commonShare*all) && !t.required:
			common = append(common, term)
		default:
			rare = append(rare, term)
		}
	}
	if !anyFound(rare) { // words that are nowhere do not carry the query
		rare, common = append(rare, common...), nil
	}
	p.Terms, p.Dropped = append(p.Terms, rare...), append(p.Dropped, common...)
	// Words that are nowhere count too: where the rare word of a query is missing, the rest proves little.
	for _, term := range p.Terms {
		p.ceiling += float64(bm25Ceiling * term.IDF) // rounded, or some processors would fuse product and sum
	}
	p.absent = absentFrom(terms, frequencies)
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
		if frequencies[i] > 0 || t.phrase && !t.required {
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
