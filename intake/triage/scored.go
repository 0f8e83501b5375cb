package triage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"quarry/intake"
	"quarry/intake/ledger"
)

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Scored is a signal with its score, which is kept nowhere. Its JSON form is part of the contract.
type Scored struct {
	ID      int64        `json:"id"` // 0: not in the ledger
	Title   string       `json:"title"`
	Address string       `json:"address"`
	Score   intake.Score `json:"score"`
}

// ScoreInputs scores the signals of inputs by the rules as they are now. Nothing is kept.
func (t *Triage) ScoreInputs(ctx context.Context, inputs []Input, channel intake.Channel) ([]Scored, Report, error) {
	report, scored := newReport(), []Scored{}
	reading := reading{t: t, channel: channel, report: &report, root: t.vault.Root(), take: func(_ context.Context, signals []intake.Signal) error {
		for _, signal := range signals {
			clean, err := t.cleanSignal(signal)
			if err != nil {
				return err
			}
			scored = append(scored, Scored{Title: TitleOf(clean), Address: clean.Address, Score: t.scorer.Score(clean)})
		}
		return nil
	}}
	for _, input := range inputs {
		if err := reading.read(ctx, input); err != nil {
			return scored, report, err
		}
	}
	return scored, report, nil
}

// ScoreWaiting scores those that wait to be routed or for the user by the rules as they are now, or with ids these. Nothing is kept.
func (t *Triage) ScoreWaiting(ctx context.Context, ids []int64) ([]Scored, error) {
	query := ledger.Query{States: []ledger.State{ledger.New, ledger.Queued}}
	if len(ids) > 0 {
		query = ledger.Query{IDs: ids}
	}
	entries, err := t.ledger.Entries(ctx, query)
	if err != nil {
		return nil, err
	}
	t.score(entries)
	scored := make([]Scored, 0, len(entries))
	for _, entry := range entries {
		scored = append(scored, Scored{ID: entry.ID, Title: TitleOf(entry.Signal), Address: entry.Signal.Address, Score: *entry.Score})
	}
	return scored, nil
}

// Queue gives what waits for the user, the best first.
func (t *Triage) Queue(ctx context.Context, limit int) ([]ledger.Entry, error) {
	return t.ledger.Entries(ctx, ledger.Query{States: []ledger.State{ledger.Queued}, Best: true, Limit: limit})
}

// Stats is intake in figures. Its JSON form is part of the contract.
type Stats struct {
	Since    time.Time            `json:"since,omitzero"`
	States   map[ledger.State]int `json:"states"` // of all time
	Feeds    int                  `json:"feeds"`
	Accepted int                  `json:"accepted"` // by the user, since then
	Moved    int                  `json:"moved"`
	Dropped  int                  `json:"dropped"`
	Undone   int                  `json:"undone"`
	Months   []ledger.Tally       `json:"months"` // of what came since then
	Channels []ledger.Tally       `json:"channels"`
	Domains  []ledger.Tally       `json:"domains"`
}

// Stats gives the figures since a time; the zero time means all.
func (t *Triage) Stats(ctx context.Context, since time.Time) (Stats, error) {
	stats := Stats{Since: since}
	var err error
	if stats.States, err = t.ledger.Counts(ctx); err != nil {
		return stats, err
	}
	feeds, err := t.ledger.Feeds(ctx)
	if err != nil {
		return stats, err
	}
	stats.Feeds = len(feeds)
	events, err := t.ledger.Events(ctx, ledger.EventQuery{Since: since, ByUser: true})
	if err != nil {
		return stats, err
	}
	counts := map[string]*int{"accept": &stats.Accepted, "move": &stats.Moved, "drop": &stats.Dropped, "undo": &stats.Undone}
	for _, event := range events {
		if count := counts[event.Verb]; count != nil {
			*count++
		}
	}
	for by, tallies := range map[string]*[]ledger.Tally{"month": &stats.Months, "channel": &stats.Channels, "domain": &stats.Domains} {
		if *tallies, err = t.ledger.Tallies(ctx, by, since); err != nil {
			return stats, err
		}
	}
	return stats, nil
}
