package quarry

import (
	"context"

	"quarry/brief"
)

// DefaultContextTokens is the budget of a context block.
const DefaultContextTokens = 2000

// ContextRequest asks for a block of text about a topic.
type ContextRequest struct {
	Topic     string
	MaxTokens int    // of the passages, 4 characters a token; 0: DefaultContextTokens
	Format    string // one of brief.Formats; "": markdown
	Filter    Filter
}

// ContextAnswer is a block ready for a prompt. Its JSON form is part of the contract.
type ContextAnswer struct {
	Topic   string          `json:"topic"`
	Status  string          `json:"status"` // as of a search: "weak" where the notes may not speak of the topic
	Text    string          `json:"text"`
	Sources []ContextSource `json:"sources"`
	Notices []string        `json:"notices,omitempty"` // as of a search, of what needs a run of the index
}

// ContextSource tells where a part of the block comes from.
type ContextSource struct {
	FilePath string `json:"file_path"`
	Section  string `json:"section"`
}

// Context searches for a topic and writes what it found as a block for a prompt.
func (e *Engine) Context(ctx context.Context, request ContextRequest) (answer ContextAnswer, err error) {
	defer e.clean(&err)
	if request.MaxTokens <= 0 {
		request.MaxTokens = DefaultContextTokens
	}
	found, err := e.Search(ctx, SearchRequest{Query: request.Topic, MaxTokens: request.MaxTokens, Filter: request.Filter})
	if err != nil {
		return ContextAnswer{}, err
	}
	answer = ContextAnswer{Topic: found.Query, Status: string(found.Status), Sources: []ContextSource{}, Notices: found.Notices}
	var passages []brief.Passage
	for _, r := range found.Results {
		passages = append(passages, brief.Passage{
			FilePath: r.FilePath, Title: r.Title, Section: r.Section, Text: r.ChunkText, LineStart: r.LineStart, LineEnd: r.LineEnd,
		})
		answer.Sources = append(answer.Sources, ContextSource{FilePath: r.FilePath, Section: r.Section})
	}
	answer.Text, err = brief.Format(request.Format, brief.Block{Topic: found.Query, Weak: found.Status != StatusOK, Passages: passages})
	return answer, err
}
