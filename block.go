package quarry

import (
	"context"
	"errors"
	"time"
)

// BlockConfig names a block of context that sessions begin with.
type BlockConfig struct {
	Name      string // letters, digits, "-" and "_"
	Query     string // as of a search
	Filter    FilterSpec
	MaxTokens int           // of the block, 4 characters a token; 0: DefaultBlockTokens
	TTL       time.Duration // after which it is built anew; 0: DefaultBlockTTL
}

// Defaults of blocks.
const (
	DefaultBlockTokens = 1500
	DefaultBlockTTL    = 24 * time.Hour
)

// SessionBudget shares the tokens out that a session has for context.
type SessionBudget struct {
	System, Blocks, Search, Conversation int // tokens of 4 characters; 0: that of DefaultSessionBudget
}

// DefaultSessionBudget is 8,000 tokens.
func DefaultSessionBudget() SessionBudget {
	return SessionBudget{System: 1500, Blocks: 3000, Search: 2000, Conversation: 1500}
}

// Block is a block of context, or what there is to tell of it. Its JSON form is part of the contract.
type Block struct {
	Name      string          `json:"name"`
	Query     string          `json:"query"`
	State     string          `json:"state"` // fresh, expired, changed (a note, the index or the settings), missing
	Status    string          `json:"status"`
	Tokens    int             `json:"tokens"`
	MaxTokens int             `json:"max_tokens"`
	Text      string          `json:"text"`
	Sources   []ContextSource `json:"sources"`
	Notices   []string        `json:"notices,omitempty"`
}

// Session is what a session starts with: the blocks in the order of the configuration, as many as the budget has room for.
type Session struct {
	Text    string        `json:"text"`
	Tokens  int           `json:"tokens"`
	Budget  SessionBudget `json:"budget"`
	Blocks  []Block       `json:"blocks"` // without their text
	LeftOut []string      `json:"left_out"`
	Notices []string      `json:"notices,omitempty"`
}

// Blocks tells of all blocks of the configuration, without building any.
func (e *Engine) Blocks(ctx context.Context) (_ []Block, err error) {
	defer e.clean(&err)
	return nil, errors.ErrUnsupported
}

// Block gives a block as it is kept, or builds it where it is missing, expired or changed, or where refresh is true.
func (e *Engine) Block(ctx context.Context, name string, refresh bool) (_ Block, err error) {
	defer e.clean(&err)
	return Block{}, errors.ErrUnsupported
}

// Session gives what a session starts with.
func (e *Engine) Session(ctx context.Context) (_ Session, err error) {
	defer e.clean(&err)
	return Session{}, errors.ErrUnsupported
}
