package quarry

import (
	"context"
	"fmt"
	"unicode/utf8"

	"quarry/brief"
	"quarry/search"
)

// DefaultContextTokens is the budget of a context block.
const DefaultContextTokens = 2000

// maxContextTokens is the largest budget: four times the largest note.
const maxContextTokens = 1 << 24

// ContextRequest asks for a block of text about a topic.
type ContextRequest struct {
	Topic     string
	MaxTokens int    // of the whole block, 4 characters a token; 0: DefaultContextTokens; more than 16,777,216 count as that
	Format    string // one of brief.Formats; "": markdown
	Filter    Filter
	All       bool // quotes the nearest passages where nothing relevant was found, too; the block says so
	// HitsAlone leaves out what links lead to from the hits, and where their notes stand.
	HitsAlone bool
}

// ContextAnswer is a block ready for a prompt. Its JSON form is part of the contract.
type ContextAnswer struct {
	Topic   string          `json:"topic"`
	Status  string          `json:"status"` // as of a search: "weak" where the notes may not speak of the topic
	Text    string          `json:"text"`
	Sources []ContextSource `json:"sources"`           // in the order of the block
	Notices []string        `json:"notices,omitempty"` // as of a search, of what needs a run of the index
}

// ContextSource tells where a part of the block comes from.
type ContextSource struct {
	FilePath string     `json:"file_path"`
	Section  string     `json:"section"`
	Stale    bool       `json:"stale,omitempty"`  // the file has changed since it was indexed
	Via      *SearchVia `json:"via,omitempty"`    // the edge that led there, where the topic did not
	Map      string     `json:"map,omitempty"`    // path of the map of content that leads to the note
	Beside   []string   `json:"beside,omitempty"` // paths of notes next to it there
}

// Context searches for a topic and writes what it found as a block for a prompt: the passages, those of the best hits with what goes
// on before and behind them in the same section, then what links lead to, as far as it fits. The block says where the match is weak,
// and quotes nothing where nothing relevant was found. It is never longer than MaxTokens; where not even the best hit fits in, cut,
// it is "", and a notice says so.
func (e *Engine) Context(ctx context.Context, request ContextRequest) (answer ContextAnswer, err error) {
	defer e.clean(&err)
	ctx = withOneLook(ctx)
	if request.MaxTokens <= 0 {
		request.MaxTokens = DefaultContextTokens
	}
	request.MaxTokens = min(request.MaxTokens, maxContextTokens)
	named := request.Filter
	if request.Filter, err = e.filterByLinks(ctx, named); err != nil {
		return ContextAnswer{}, fmt.Errorf("search: %w", e.butSecret(ctx, err))
	}
	v, err := e.searched(ctx)
	if err != nil {
		return ContextAnswer{}, fmt.Errorf("search: %w", err)
	}
	defer v.Close()
	asking, err := e.asking(ctx, v, SearchRequest{
		Query: request.Topic, MaxTokens: foundShare * request.MaxTokens, Filter: request.Filter, All: request.All, Expand: !request.HitsAlone,
		Explain: true,
	})
	if err != nil {
		return ContextAnswer{}, err
	}
	found, err := asking.answer(ctx, nil)
	if err != nil {
		return ContextAnswer{}, err
	}
	if err := asking.tell(ctx, named, nil, &found); err != nil {
		return ContextAnswer{}, err
	}
	block := newBlock(asking, request, &found)
	if err := block.build(ctx); err != nil {
		return ContextAnswer{}, fmt.Errorf("write a context block: %w", err)
	}
	return block.answer(request.MaxTokens), nil
}

// answer is the block with its sources.
func (b *block) answer(tokens int) ContextAnswer {
	answer := ContextAnswer{
		Topic: b.found.Query, Status: string(b.found.Status), Text: b.text(), Sources: []ContextSource{}, Notices: b.found.Notices,
	}
	for i := range b.parts {
		answer.Sources = append(answer.Sources, b.parts[i].source())
	}
	if isTooSmall := len(b.parts) == 0 && len(b.found.Results) > 0; isTooSmall || utf8.RuneCountInString(answer.Text) > b.limit {
		answer.Text = ""
		answer.Notices = append(answer.Notices, fmt.Sprintf("%d tokens are too few for a context block", tokens))
	}
	return answer
}

// Shares of a block's budget.
const (
	foundShare    = 2   // so many times its passages are looked for, since some are left out
	widenedShare  = .25 // for what goes on before and behind the hits, of all together
	placedShare   = .1  // for where notes stand, of all together
	widenedHits   = 3   // the first of the hits
	placedNotes   = 2
	leastWidening = 120 // characters: less says nothing
)

// block is a context block that is being filled.
type block struct {
	*asking
	format string
	frame  brief.Block // without passages
	limit  int         // characters
	widen  int         // characters left for what goes on
	place  int         // characters left for where notes stand
	found  *SearchAnswer

	parts []quoted
}

// quoted is a passage of a block.
type quoted struct {
	brief.Passage
	span
	hit   *SearchResult
	whole brief.Passage // without what was taken in of other passages but for whole ones
}

func newBlock(a *asking, request ContextRequest, found *SearchAnswer) *block {
	limit := request.MaxTokens * search.CharactersPerToken
	return &block{
		asking: a, format: request.Format, limit: limit, found: found,
		widen: int(widenedShare * float64(limit)), place: int(placedShare * float64(limit)),
		frame: brief.Block{Topic: found.Query, Weak: found.Status != StatusOK, Unfit: found.Status == StatusNothingRelevant},
	}
}

// text writes the block. The format was checked before.
func (b *block) text() string {
	frame := b.frame
	frame.Passages = make([]brief.Passage, len(b.parts))
	for i := range b.parts {
		frame.Passages[i] = b.parts[i].Passage
	}
	text, err := brief.Format(b.format, frame)
	if err != nil {
		return ""
	}
	return text
}

func (p *quoted) source() ContextSource {
	s := ContextSource{FilePath: p.FilePath, Section: p.Section, Stale: p.IsStale, Via: p.hit.Via}
	if p.Place != nil {
		s.Map, s.Beside = p.Place.Map, p.Place.Beside
	}
	return s
}

// room is how many characters the block has left.
func (b *block) room() int { return b.limit - utf8.RuneCountInString(b.text()) }

// build fills the block, the hits first, each as a whole where it fits.
func (b *block) build(ctx context.Context) error {
	if _, err := brief.Format(b.format, b.frame); err != nil {
		return err
	}
	for i := range b.found.Results {
		if err := b.add(ctx, &b.found.Results[i], i); err != nil {
			return err
		}
	}
	return nil
}

// add quotes a hit where it fits, the first cut rather than left out.
func (b *block) add(ctx context.Context, hit *SearchResult, rank int) error {
	at, err := b.spanOf(ctx, hit)
	if err != nil || b.isQuoted(at) || b.joinHit(at) {
		return err
	}
	p := quoted{span: at, hit: hit, Passage: brief.Passage{
		FilePath: hit.FilePath, Title: hit.Title, Section: hit.Section, Text: hit.ChunkText, LineStart: hit.LineStart, LineEnd: hit.LineEnd,
		IsStale: hit.Stale,
	}}
	if hit.Via != nil {
		p.Via = &brief.Edge{Path: hit.Via.Path, Kind: hit.Via.Kind, IsBack: hit.Via.Direction == "back"}
	}
	p.whole = p.Passage
	b.parts = append(b.parts, p)
	last := len(b.parts) - 1
	switch isFull := b.room() < 0; {
	case isFull && last == 0:
		b.cut()
		return nil
	case isFull:
		b.parts = b.parts[:last]
		return nil
	case hit.Via != nil:
		return nil
	}
	if rank < placedNotes && b.request.Expand {
		if err := b.addPlace(ctx, last); err != nil {
			return err
		}
	}
	if rank < widenedHits && !hit.Truncated {
		b.widenPart(last)
	}
	return nil
}

// cut shortens the only passage until the block fits; it is left out where nothing of it does.
func (b *block) cut() {
	for over := -b.room(); over > 0; over = -b.room() {
		p := &b.parts[0]
		keep := utf8.RuneCountInString(p.Text) - over
		if keep < search.CharactersPerToken {
			b.parts = nil
			return
		}
		p.Text = search.CutToTokens(p.Text, keep/search.CharactersPerToken)
	}
}
