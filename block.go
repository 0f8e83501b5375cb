package quarry

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"quarry/search"
)

// BlockConfig names a block of context that sessions begin with.
type BlockConfig struct {
	Name      string // letters, digits, "-" and "_", at most 64
	Query     string // as of a search
	Filter    FilterSpec
	MaxTokens int           // of the block, 4 characters a token; 0: DefaultBlockTokens. No block gets more than SessionBudget.Blocks
	TTL       time.Duration // after which it is built anew; 0: DefaultBlockTTL
}

// Defaults and bounds of blocks.
const (
	DefaultBlockTokens = 1500
	DefaultBlockTTL    = 24 * time.Hour
	MinBlockTokens     = 50
	MaxBlockTokens     = 100_000
	MaxBlocks          = 64
)

// SessionBudget shares the tokens out that a session has for context.
type SessionBudget struct {
	// Tokens of 4 characters; 0: those of DefaultSessionBudget.
	System       int `json:"system"`
	Blocks       int `json:"blocks"`
	Search       int `json:"search"`
	Conversation int `json:"conversation"`
}

// DefaultSessionBudget is 8,000 tokens.
func DefaultSessionBudget() SessionBudget {
	return SessionBudget{System: 1500, Blocks: 3000, Search: 2000, Conversation: 1500}
}

// States of a block.
const (
	BlockFresh   = "fresh"   // the kept text counts
	BlockExpired = "expired" // its time is over
	BlockChanged = "changed" // a note that it was made of, the settings or the day that its filters count from
	BlockMissing = "missing" // nothing is kept; of a block that was built now a notice tells why
	BlockEmpty   = "empty"   // the notes had nothing that fits its query when it was built; it is built each time that it is asked for
)

// Block is a block of context, or what there is to tell of it. Its JSON form is part of the contract.
type Block struct {
	Name      string          `json:"name"`
	Query     string          `json:"query"`
	State     string          `json:"state"`  // one of the states of a block; of what Block gives it is that of now
	Status    string          `json:"status"` // as of a search, "" where nothing is kept that counts
	Tokens    int             `json:"tokens"` // of the text
	MaxTokens int             `json:"max_tokens"`
	Built     string          `json:"built,omitempty"` // 2026-03-05T09:12:00Z, of a text that is kept
	TTLHours  float64         `json:"ttl_hours"`
	Text      string          `json:"text"`
	Sources   []ContextSource `json:"sources"`
	Notices   []string        `json:"notices,omitempty"`
}

// Session is what a session starts with: the blocks in the order of the configuration, as many as the budget has room for. The same
// notes give the same bytes.
type Session struct {
	Text    string        `json:"text"`
	Tokens  int           `json:"tokens"`
	Budget  SessionBudget `json:"budget"`
	Blocks  []Block       `json:"blocks"`   // those of the text, without theirs and the time they were built
	LeftOut []string      `json:"left_out"` // names of those that have no room or nothing to say; the notices tell why
	Notices []string      `json:"notices,omitempty"`
}

// ErrNoBlock tells that the configuration has no block of this name.
var ErrNoBlock = errors.New("there is no such block")

// isBlockName tells whether a block can be called so: 1 to 64 letters, digits, "-" and "_".
func isBlockName(name string) bool {
	const known = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
	return name != "" && len(name) <= 64 && strings.Trim(name, known) == ""
}

// checkBlocks tells what is wrong with the blocks of a configuration.
func checkBlocks(blocks []BlockConfig, budget SessionBudget) error {
	if len(blocks) > MaxBlocks {
		return fmt.Errorf("there are %d blocks, and %d are the most", len(blocks), MaxBlocks)
	}
	if min(budget.System, budget.Blocks, budget.Search, budget.Conversation) < 0 {
		return errors.New("a budget cannot be negative")
	}
	seen := map[string]bool{}
	for _, b := range blocks {
		switch {
		case !isBlockName(b.Name):
			return fmt.Errorf("%q is no name of a block", b.Name)
		case seen[b.Name]:
			return fmt.Errorf("there are two blocks %q", b.Name)
		case strings.TrimSpace(b.Query) == "":
			return fmt.Errorf("the block %q has no query", b.Name)
		case b.MaxTokens < 0 || b.MaxTokens > MaxBlockTokens || b.TTL < 0:
			return fmt.Errorf("the bounds of the block %q are out of range", b.Name)
		}
		seen[b.Name] = true
	}
	return nil
}

// Blocks tells of all blocks of the configuration, without their texts and without building any. It needs no index.
func (e *Engine) Blocks(ctx context.Context) (_ []Block, err error) {
	defer e.clean(&err)
	blocks := make([]Block, 0, len(e.config.Blocks))
	for _, config := range e.config.Blocks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		kept, state := e.keptBlock(ctx, config)
		block := e.newBlockOf(config, state)
		if state == BlockFresh {
			kept.fill(&block)
			block.Text = ""
		}
		blocks = append(blocks, block)
	}
	return blocks, nil
}

// Block gives a block as it is kept, or builds it where it is missing, expired or changed, or where refresh is true. What is kept of
// it counts while its time is not over, the settings are the same, and every note that it was made of is there with the same content
// and for the audience to see. Without an index a block that has to be built is ErrNoIndex; an unknown name is ErrNoBlock.
func (e *Engine) Block(ctx context.Context, name string, refresh bool) (_ Block, err error) {
	defer e.clean(&err)
	for _, config := range e.config.Blocks {
		if config.Name == name {
			return e.blockOf(ctx, config, refresh)
		}
	}
	return Block{}, fmt.Errorf("block %q: %w", name, ErrNoBlock)
}

func (e *Engine) blockOf(ctx context.Context, config BlockConfig, refresh bool) (Block, error) {
	block := e.newBlockOf(config, BlockFresh)
	kept, state := e.keptBlock(ctx, config)
	if refresh || state != BlockFresh {
		var err error
		var notices []string
		if kept, notices, err = e.buildBlock(ctx, config); err != nil {
			return Block{}, fmt.Errorf("block %q: %w", config.Name, err)
		}
		block.Notices = notices
		switch {
		case len(kept.Sources) == 0:
			block.State = BlockEmpty
		case kept.Built.IsZero():
			block.State = BlockMissing
			if len(notices) == 0 {
				block.Notices = []string{"the block could not be kept, and is built each time"}
			}
		}
	}
	kept.fill(&block)
	return block, nil
}

// newBlockOf is a block without what is kept of it.
func (e *Engine) newBlockOf(config BlockConfig, state string) Block {
	return Block{
		Name: config.Name, Query: e.shown(config.Query), State: state, MaxTokens: e.blockTokens(config), TTLHours: ttlOf(config).Hours(), Sources: []ContextSource{},
	}
}

func (e *Engine) sessionBudget() SessionBudget {
	budget, fallback := e.config.Session, DefaultSessionBudget()
	for _, one := range []struct {
		value    *int
		fallback int
	}{{&budget.System, fallback.System}, {&budget.Blocks, fallback.Blocks}, {&budget.Search, fallback.Search}, {&budget.Conversation, fallback.Conversation}} {
		if *one.value == 0 {
			*one.value = one.fallback
		}
	}
	return budget
}

// blockTokens bounds a block: one that is larger than the budget of all could never be given.
func (e *Engine) blockTokens(config BlockConfig) int {
	tokens := config.MaxTokens
	if tokens == 0 {
		tokens = DefaultBlockTokens
	}
	return min(tokens, e.sessionBudget().Blocks)
}

func ttlOf(config BlockConfig) time.Duration {
	if config.TTL == 0 {
		return DefaultBlockTTL
	}
	return config.TTL
}

// blockGap stands between the blocks of a session.
const blockGap = "\n"

// Session gives what a session starts with: blocks that fit as a whole, in the order of the configuration. One that does not fit is
// left out, and those behind it that do are taken; so is one of which the notes have nothing to say. Without an index a block that
// is not kept is left out, which is no error.
func (e *Engine) Session(ctx context.Context) (_ Session, err error) {
	defer e.clean(&err)
	session := Session{Budget: e.sessionBudget(), Blocks: []Block{}, LeftOut: []string{}}
	room := session.Budget.Blocks * search.CharactersPerToken
	var text strings.Builder
	leave := func(name, why string) {
		session.LeftOut = append(session.LeftOut, name)
		session.Notices = append(session.Notices, fmt.Sprintf("the block %q is left out: %s", name, why))
	}
	for _, config := range e.config.Blocks {
		block, err := e.blockOf(ctx, config, false)
		if ctx.Err() != nil {
			return Session{}, ctx.Err()
		}
		length := utf8.RuneCountInString(block.Text)
		if text.Len() > 0 {
			length += len(blockGap)
		}
		switch {
		case errors.Is(err, ErrNoIndex):
			leave(config.Name, "there is no index yet, which `quarry index` makes")
			continue
		case err != nil:
			e.clean(&err)
			leave(config.Name, err.Error())
			continue
		case len(block.Sources) == 0:
			leave(config.Name, "the notes have nothing that fits its query")
			continue
		case length > room:
			leave(config.Name, fmt.Sprintf("its %d tokens are more than the budget has left", block.Tokens))
			continue
		case text.Len() > 0:
			text.WriteString(blockGap)
		}
		text.WriteString(block.Text)
		room -= length
		block.Text, block.Built = "", ""
		session.Notices = append(session.Notices, block.Notices...)
		session.Blocks = append(session.Blocks, block)
	}
	session.Text = text.String()
	session.Tokens = tokensOf(session.Text)
	return session, nil
}

// tokensOf counts tokens of 4 characters, a part of one as a whole.
func tokensOf(text string) int {
	return (utf8.RuneCountInString(text) + search.CharactersPerToken - 1) / search.CharactersPerToken
}
