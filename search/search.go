// Package search is the read path. A query is planned (words, phrases, operators and filters), asked of the lexical and the vector
// leg at once, ranked by what each says of each passage, and the best passages are cut to a budget. An answer tells how surely the
// notes speak of the query at all, and its explanation how each passage came by its place. The package knows nothing of SQL or of
// files, and needs no clock.
package search

import (
	"context"
	"fmt"
	"slices"

	"quarry/embedding"
	"quarry/store"
)

// Mode says which legs are asked.
type Mode string

// Modes of a search.
const (
	Hybrid  Mode = "hybrid"
	Lexical Mode = "lexical"
	Vector  Mode = "vector"
)

// Status tells what kind of answer this is.
type Status string

// Kinds of answer. NothingRelevant: passages are near, and all so far off that they are listed with Request.All alone.
const (
	OK              Status = "ok"
	Weak            Status = "weak"
	NothingRelevant Status = "nothing_relevant"
	NoResults       Status = "no_results"
	EmptyIndex      Status = "empty_index"
)

// Defaults of a request.
const (
	DefaultLimit     = 10
	DefaultMaxTokens = 4000
	// MaxLimit is the most passages that a request gets.
	MaxLimit = 10000
	// CharactersPerToken is the rule of thumb by which budgets are counted.
	CharactersPerToken = 4
)

// Request is one search.
type Request struct {
	Query     string
	Mode      Mode         // "": Hybrid
	Limit     int          // passages at most; 0: DefaultLimit
	MaxTokens int          // over all passages, CharactersPerToken characters a token; 0: DefaultMaxTokens
	MinScore  float64      // leaves out passages whose Score is lower, 0 to 1
	Filter    store.Filter // acts inside both legs
	Explain   bool         // fills Explain and Plan
	Fusion    Fusion       // "": that of the Settings
	All       bool         // lists passages whose Score is under Settings.Nothing, too, where these can be told
	// Expand lists notes, too, that links join to the best hits, behind these: see Result.Via.
	Expand bool
	// NoHints leaves out of the notices what takes a look of its own: whether archived notes match better, what each filter leaves, and how
	// many files changed since they were indexed, for which the whole vault is looked at. For callers who have no time for that.
	NoHints bool
	// Like is the address of a note, or of a part of it ("Note#Heading"): passages near to it are looked for, without its own.
	// Query may be empty then, else its filters count, and its words add to those of the note. The engine alone knows addresses.
	Like string
}

// Presence is what became of a hit's file since it was indexed.
type Presence int

// Presences of a file.
const (
	Fresh    Presence = iota
	Stale             // it changed
	Gone              // it is no longer there: its hits are left out, which the answer says
	Withheld          // it is not to be seen: its hits are left out
)

// Answer is the outcome of a search. Its JSON form is part of the contract.
type Answer struct {
	Query   string   `json:"query"`
	Status  Status   `json:"status"`
	Mode    Mode     `json:"mode"`
	Results []Result `json:"results"`
	Notices []string `json:"notices"`
	Plan    *Plan    `json:"plan,omitempty"`
	// Terms are the words that were looked for, distinct, those of quoted phrases one by one; those left out as too common are
	// not among them. Of words in scripts without spaces, outside of quotes, they are pairs of characters.
	Terms []string `json:"-"`
	// Asked holds the values of the filters that operators of the query want, each as it is written.
	Asked store.Filter `json:"-"`

	best float64 // the highest confidence of all that was ranked and is there, listed or not; 0 where there is nothing
}

// Result is one passage of an answer.
type Result struct {
	FilePath    string   `json:"file_path"`
	Title       string   `json:"title"`
	Section     string   `json:"section"`
	HeadingPath []string `json:"heading_path"`
	ChunkID     string   `json:"chunk_id"`
	DocID       string   `json:"docid"`
	ChunkText   string   `json:"chunk_text"`
	Truncated   bool     `json:"truncated"`
	LineStart   int      `json:"line_start"` // 1-based, in the file
	LineEnd     int      `json:"line_end"`   // inclusive
	// Score, 0 to 1: how surely the vault speaks of this at all, as this passage or one behind it in the ranking shows, so that it
	// never rises down the list. It knows topics, and is not the probability of a right answer. The order is by another number, and
	// what the passage shows by itself is its confidence, see Explain.
	Score float64 `json:"score"`
	// RRFScore is the reciprocal rank fusion of the two ranks, k = 60 and weights 1, whatever the order is by.
	RRFScore float64  `json:"rrf_score"`
	BM25Rank *int     `json:"bm25_rank"` // 1-based, nil where the lexical leg did not bring it
	VecRank  *int     `json:"vec_rank"`
	Type     string   `json:"type"`
	Tags     []string `json:"tags"`
	Updated  string   `json:"updated"`
	Source   string   `json:"source"`
	Stale    bool     `json:"stale"`
	// Duplicates are the paths of other notes, by path, that say the same in a passage which was left out, maxDuplicates at most.
	Duplicates []string `json:"duplicates,omitempty"`
	Via        *Via     `json:"via,omitempty"` // how links brought it that the query did not
	Explain    *Explain `json:"explain,omitempty"`
}

// Via is the edge by which Request.Expand came to a result.
type Via struct {
	Path      string `json:"path"`      // of the hit it is joined to
	Kind      string `json:"kind"`      // of the edge, in the words of package graph
	Direction string `json:"direction"` // "out": the hit links to it; "back": it links to the hit
}

// Searcher wires a search. It is safe for concurrent use if its parts are.
type Searcher struct {
	Snapshot store.Snapshot
	Embedder embedding.Embedder // nil: keyword search alone, which the answer says
	// Presence looks at a hit's file, by the path in the index, once in a search; nil: all are fresh. It is called concurrently, as is
	// Redact.
	Presence func(store.File) Presence
	// Redact takes secrets out of the texts of a result, before they are cut: half of one is no longer known; nil: none are in.
	Redact func(text string) string
	// ChunkID names a passage, from its note's id and its index.
	ChunkID func(noteID string, index int) string
	// Settings of the ranking; nil: DefaultSettings.
	Settings *Settings
	// Today is what relative dates of a query count from, 2006-01-02; "": such dates are text.
	Today string
	// ByLinks puts sets of notes into the place of the names in a filter of the query; nil: such filters are text.
	ByLinks func(context.Context, store.Filter) (store.Filter, error)
	// Now measures the stages for Explain, in seconds on any scale; nil: no timings.
	Now func() float64
}

// way is how a request is understood, what is fetched for it, and by what that is ordered.
type way struct {
	plan     func(ctx context.Context, request Request, passages int) (*Plan, error)
	retrieve func(ctx context.Context, request Request, plan *Plan) ([]candidate, error)
	rank     func(ctx context.Context, plan *Plan, candidates []candidate) ([]candidate, error)
}

// Search answers a request. No query string is an error; ctx ends it early.
func (s Searcher) Search(ctx context.Context, request Request) (Answer, error) {
	return s.answer(ctx, request, way{
		plan: func(ctx context.Context, request Request, passages int) (*Plan, error) {
			plan, err := s.plan(ctx, request, passages)
			if err == nil {
				s.understand(request, plan)
			}
			return plan, err
		},
		retrieve: s.retrieve,
		rank:     s.rank,
	})
}

// answer goes a way from the request to the results.
func (s Searcher) answer(ctx context.Context, request Request, by way) (Answer, error) {
	long := len(request.Query) > maxQueryBytes
	request = request.withDefaults()
	clock := newStopwatch(s.Now)
	answer := Answer{Query: request.Query, Mode: request.Mode, Results: []Result{}, Notices: []string{}}
	if long {
		answer.notice("the query was cut to its first %d bytes", maxQueryBytes)
	}
	notes, passages, err := s.Snapshot.Counts(ctx)
	if err != nil {
		return answer, fmt.Errorf("search: %w", err)
	}
	if passages == 0 {
		answer.Status = EmptyIndex
		answer.notice("the index holds no passages (%d notes)", notes)
		return answer, nil
	}
	plan, err := by.plan(ctx, request, passages)
	if err != nil {
		return answer, fmt.Errorf("plan the search: %w", err)
	}
	answer.Mode, answer.Notices = plan.Mode, append(answer.Notices, plan.notices...)
	answer.Terms, answer.Asked = plan.words(), plan.asked
	clock.lap("plan")
	if plan, err = s.find(ctx, request, by, plan, &answer, clock); err != nil {
		return answer, err
	}
	answer.judge(request, plan, s.settings())
	if request.Explain {
		plan.Timings = clock.laps
		answer.Plan = plan
	}
	return answer, nil
}

// find fills the answer. Where copies leave less of a leg than there is room for, all is asked once more as if each leg brought more,
// so that the answer is that of the deeper question. The plan is that of the last one.
func (s Searcher) find(ctx context.Context, request Request, by way, asked *Plan, answer *Answer, clock *stopwatch) (*Plan, error) {
	begun, depth := *answer, asked.Depth
	for {
		plan := *asked
		plan.Depth = depth
		*answer = begun
		answer.Results, answer.Notices = []Result{}, slices.Clone(begun.Notices)
		candidates, err := by.retrieve(ctx, request, &plan)
		if err != nil {
			return nil, fmt.Errorf("search: %w", err)
		}
		clock.lap("retrieve")
		if candidates, err = by.rank(ctx, &plan, candidates); err != nil {
			return nil, fmt.Errorf("rank what was found: %w", err)
		}
		clock.lap("rank")
		isShort, err := s.fill(ctx, request, &plan, candidates, answer)
		if err != nil {
			return nil, fmt.Errorf("search: %w", err)
		}
		clock.lap("fill")
		if !isShort || depth >= maxLegDepth {
			return &plan, nil
		}
		depth = min(depthStep*depth, maxLegDepth)
	}
}

func (r Request) withDefaults() Request {
	if r.Mode == "" {
		r.Mode = Hybrid
	}
	if r.Limit <= 0 {
		r.Limit = DefaultLimit
	}
	r.Limit = min(r.Limit, MaxLimit)
	r.Query = cutQuery(r.Query)
	if r.MaxTokens <= 0 {
		r.MaxTokens = DefaultMaxTokens
	}
	return r
}

func (a *Answer) notice(format string, values ...any) {
	a.Notices = append(a.Notices, fmt.Sprintf(format, values...))
}

// stopwatch takes the time of the stages for an explanation.
type stopwatch struct {
	now  func() float64
	last float64
	laps []Timing
}

func newStopwatch(now func() float64) *stopwatch {
	w := &stopwatch{now: now}
	if now != nil {
		w.last = now()
	}
	return w
}

// lap notes how long a stage took, all times together that it was gone through.
func (w *stopwatch) lap(stage string) {
	if w.now == nil {
		return
	}
	t := w.now()
	spent := (t - w.last) * 1000
	w.last = t
	for i := range w.laps {
		if w.laps[i].Stage == stage {
			w.laps[i].Milliseconds += spent
			return
		}
	}
	w.laps = append(w.laps, Timing{Stage: stage, Milliseconds: spent})
}
