package search

import (
	"context"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

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
	Selected      *int     `json:"selected"` // passages the filters let through, null without filters of the request's own
	Timings       []Timing `json:"timings"`

	notices []string
	within  *store.Set
	ceiling float64 // the most BM25 that a passage made of nothing but the query would have
	absent  []string
}

// PlanTerm is a word of the query with the number of passages that hold it.
type PlanTerm struct {
	Text      string  `json:"text"`
	Frequency int     `json:"frequency"`
	IDF       float64 `json:"idf"` // ln((N-n+.5)/(n+.5)), floored, as FTS5 computes it
}

// Timing is how long a stage took.
type Timing struct {
	Stage        string  `json:"stage"`
	Milliseconds float64 `json:"milliseconds"`
}

func (s Searcher) plan(ctx context.Context, request Request, passages int) (*Plan, error) {
	p := &Plan{
		Mode: request.Mode, Fusion: "rrf", Terms: []PlanTerm{}, Dropped: []PlanTerm{},
		LexicalWeight: 1, VectorWeight: 1, K: fusionK, Depth: max(legLimit, request.Limit), Passages: passages,
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
	words, notices := splitQuery(request.Query)
	p.notices = append(p.notices, notices...)
	if p.Mode == Vector || len(words) == 0 {
		return p, nil
	}
	frequencies, err := s.Snapshot.Frequencies(ctx, words)
	if err != nil {
		return nil, err
	}
	p.weigh(words, frequencies)
	return p, nil
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

// weigh sorts the words into those that tell passages apart and those that are everywhere.
func (p *Plan) weigh(words []string, frequencies []int) {
	var rare, common []PlanTerm
	for i, word := range words {
		n, all := float64(frequencies[i]), float64(p.Passages)
		term := PlanTerm{Text: word, Frequency: frequencies[i], IDF: math.Max(math.Log((all-n+.5)/(n+.5)), idfFloor)}
		if n > float64(commonShare*all) {
			common = append(common, term)
		} else {
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
		if term.Frequency == 0 {
			p.absent = append(p.absent, term.Text)
		}
	}
}

func anyFound(terms []PlanTerm) bool {
	for _, t := range terms {
		if t.Frequency > 0 {
			return true
		}
	}
	return false
}

// splitQuery gives the distinct words of a query, lower-cased, in order: runs of letters, digits, marks and private-use
// characters, which is where the full-text index cuts too. Everything else separates.
func splitQuery(query string) (words, notices []string) {
	seen := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(query), func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Co)
	}) {
		if seen[word] {
			continue
		}
		if len(words) == maxTerms {
			return words, append(notices, fmt.Sprintf("only the first %d words of the query were used", maxTerms))
		}
		seen[word] = true
		words = append(words, word)
	}
	return words, notices
}

// cutQuery keeps the first bytes of a query, whole characters, without what no index holds.
func cutQuery(query string) string {
	if len(query) > maxQueryBytes {
		cut := maxQueryBytes
		for cut > 0 && !utf8.RuneStart(query[cut]) {
			cut--
		}
		query = query[:cut]
	}
	return validText(query)
}

// validText replaces invalid UTF-8 and drops NULs, which no index holds.
func validText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", " ")
}
