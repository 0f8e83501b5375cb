package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"quarry/intake"
)

// State is what a signal is now.
type State string

// The states.
const (
	New       State = "new"       // waits to be scored
	Queued    State = "queued"    // waits for the user
	Routed    State = "routed"    // is a note
	Dropped   State = "dropped"   // kept here alone
	Duplicate State = "duplicate" // of another, nearly the same
)

// States are all of them.
var States = []State{New, Queued, Routed, Dropped, Duplicate}

// Entry is a signal as the ledger knows it. Its texts hold no secret.
type Entry struct {
	ID          int64         `json:"id"`
	State       State         `json:"state"`
	Domain      string        `json:"domain"` // "": not scored yet
	Path        string        `json:"path"`   // of its note, "" where there is none
	Hash        string        `json:"-"`      // SHA-256 of the note as it was written, in hex
	Mark        string        `json:"-"`      // names the signal in its note: 16 hex digits
	DuplicateOf int64         `json:"duplicate_of,omitempty"`
	Seen        time.Time     `json:"seen"`
	Changed     time.Time     `json:"changed"`
	Signal      intake.Signal `json:"signal"`
	Score       *intake.Score `json:"score"` // nil: not scored yet
}

// Query says which entries are meant. The zero value means all, in the order of their numbers.
type Query struct {
	States []State
	IDs    []int64
	After  int64     // numbers above it alone
	Since  time.Time // changed then or later; zero: whenever
	Limit  int       // 0: all
	// Best asks for the highest composite first; After means nothing then.
	Best bool
	// Newest asks for the last changed first.
	Newest bool
}

// Entries gives entries.
func (l *Ledger) Entries(ctx context.Context, query Query) ([]Entry, error) {
	return entries(ctx, l.db, query)
}

// Entries gives entries as they are in the transaction.
func (c *Change) Entries(query Query) ([]Entry, error) { return entries(c.ctx, c.tx, query) }

// Entry gives one; the error matches ErrUnknown.
func (c *Change) Entry(id int64) (Entry, error) {
	found, err := c.Entries(Query{IDs: []int64{id}})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("signal %d: %w", id, ErrUnknown)
	}
	if err != nil {
		return Entry{}, err
	}
	return found[0], nil
}

func (q Query) where() (string, []any) {
	var parts []string
	var arguments []any
	list := func(column string, count int) {
		parts = append(parts, column+" IN ("+strings.TrimSuffix(strings.Repeat("?,", count), ",")+")")
	}
	if len(q.States) > 0 {
		list("state", len(q.States))
		for _, state := range q.States {
			arguments = append(arguments, string(state))
		}
	}
	if len(q.IDs) > 0 {
		list("id", len(q.IDs))
		for _, id := range q.IDs {
			arguments = append(arguments, id)
		}
	}
	if q.After > 0 {
		parts, arguments = append(parts, "id > ?"), append(arguments, q.After)
	}
	if !q.Since.IsZero() {
		parts, arguments = append(parts, "changed_at >= ?"), append(arguments, q.Since.Unix())
	}
	text := ""
	if len(parts) > 0 {
		text = " WHERE " + strings.Join(parts, " AND ")
	}
	switch {
	case q.Best:
		text += " ORDER BY composite DESC, id"
	case q.Newest:
		text += " ORDER BY changed_at DESC, id DESC"
	default:
		text += " ORDER BY id"
	}
	if q.Limit > 0 {
		text += fmt.Sprintf(" LIMIT %d", q.Limit)
	}
	return text, arguments
}

func entries(ctx context.Context, from querier, query Query) (found []Entry, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("read the ledger: %w", err)
		}
	}()
	where, arguments := query.where()
	rows, err := from.QueryContext(ctx, "SELECT id, mark, state, domain, note_path, note_hash, coalesce(duplicate_of, 0), seen_at, changed_at, signal, score FROM signals"+where, arguments...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	found = []Entry{}
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, rows.Err()
}

func scan(rows *sql.Rows) (Entry, error) {
	var one Entry
	var seen, changed int64
	var signal, score string
	if err := rows.Scan(&one.ID, &one.Mark, &one.State, &one.Domain, &one.Path, &one.Hash, &one.DuplicateOf, &seen, &changed, &signal, &score); err != nil {
		return one, err
	}
	one.Seen, one.Changed = moment(seen), moment(changed)
	if err := json.Unmarshal([]byte(signal), &one.Signal); err != nil {
		return one, fmt.Errorf("signal %d: %w", one.ID, err)
	}
	if score != "" {
		one.Score = &intake.Score{}
		if err := json.Unmarshal([]byte(score), one.Score); err != nil {
			return one, fmt.Errorf("score of signal %d: %w", one.ID, err)
		}
	}
	return one, nil
}

func moment(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

func seconds(when time.Time) int64 {
	if when.IsZero() {
		return 0
	}
	return when.Unix()
}
