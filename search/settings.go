package search

// Fusion says how the two legs become one ranking.
type Fusion string

// Fusions.
const (
	Sum Fusion = "sum" // scores are added
	RRF Fusion = "rrf" // ranks are fused: the sum over the legs of weight / (k + rank)
)

// fusionK damps the difference between the first ranks (Cormack, Clarke and Büttcher 2009: 60).
const fusionK = 60

// fusedDepth is how many passages each leg brings at least where ranks are fused.
const fusedDepth = 30

// Settings are what a user may change of the ranking. DefaultSettings are the measured ones; the zero value is none. A Searcher only
// reads them, from several goroutines at once.
type Settings struct {
	Fusion Fusion
	// K, LexicalWeight, VectorWeight and Depth are those of RRF: its constant, 1 or more, the weights of the legs (0 or more, one of
	// them not 0, before the intent of a query changes them), and the passages asked of each leg, 1 or more.
	K                           int
	LexicalWeight, VectorWeight float64
	Depth                       int
	// An answer whose best score is under Weak is weak, under Nothing it has nothing relevant. 0 to 1, Nothing at most Weak.
	Weak, Nothing float64
	// PerNote is how many passages of one note may stand before those of others that are nearly as good; 0: any number.
	PerNote int
	Signals Signals
}

// Signals are the full amounts that each may add to a score of Sum, or take off, 0 to 1; 0 turns one off. Tag and Links are off by
// default: no set showed that they help. Decay, Status, TypeWeight and Shallow cost no set anything, and are what notes say of
// themselves. Half-lives are more than 0 days.
type Signals struct {
	Title      float64 // all words of the query are in the title or an alias: the first passage gets the square of their share of it
	Identifier float64 // identifiers of the query are in the passage
	Tag        float64 // a word of the query is a tag of the note
	Decay      float64 // old notes lose it, by half-life, in queries that ask for the newest or the state of things
	Links      float64 // PageRank
	TypeWeight float64 // how much retriever_weight counts, 1 in full
	Status     float64 // archived notes lose it, drafts half of it
	Shallow    float64 // a passage of little but the words of the query loses this share of its score at most, to stand behind a deep one
	// HalfLifeDays are by note type; "" is for those that are not named.
	HalfLifeDays map[string]float64
}

// DefaultSettings are those that were measured (docs/benchmarks.md). Each call gives its own.
func DefaultSettings() Settings {
	return Settings{
		Fusion: Sum, K: fusionK, LexicalWeight: 1, VectorWeight: 1, Depth: fusedDepth, Weak: goodConfidence, Nothing: 0.1, PerNote: 1,
		Signals: Signals{
			Title: .3, Identifier: .3, Decay: .3, TypeWeight: 1, Status: .1, Shallow: .45, HalfLifeDays: map[string]float64{"": 180},
		},
	}
}

func (s Searcher) settings() Settings {
	if s.Settings == nil {
		return DefaultSettings()
	}
	return *s.Settings
}
