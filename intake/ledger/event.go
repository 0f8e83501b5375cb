package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"quarry/intake"
)

// Event is a change of a signal.
type Event struct {
	ID           int64     `json:"id"`
	At           time.Time `json:"at"`
	Signal       int64     `json:"signal"` // 0: of none
	Title        string    `json:"title"`
	Verb         string    `json:"verb"` // route, queue, drop, accept, move, undo, forget
	ByUser       bool      `json:"by_user"`
	StateBefore  State     `json:"state_before"`
	StateAfter   State     `json:"state_after"`
	DomainBefore string    `json:"domain_before"`
	DomainAfter  string    `json:"domain_after"`
	Detail       string    `json:"detail"`
	Undone       bool      `json:"undone"`
	// Feedback is what was learnt by it and can be unlearnt; nil: nothing.
	Feedback *intake.Feedback `json:"-"`
}

// EventQuery says which events are meant; the newest come first.
type EventQuery struct {
	Signal int64     // of one signal; 0: of all
	Since  time.Time // zero: whenever
	State  State     // of signals that are in it now; "": any
	ByUser bool      // those of the user alone
	Open   bool      // those that can be undone alone
	Limit  int       // 0: all
}

// Events gives events.
func (l *Ledger) Events(ctx context.Context, query EventQuery) ([]Event, error) {
	return events(ctx, l.db, query)
}

// Events gives events as they are in the transaction.
func (c *Change) Events(query EventQuery) ([]Event, error) { return events(c.ctx, c.tx, query) }

func (q EventQuery) where() (string, []any) {
	text, arguments := " WHERE 1", []any{}
	if q.Signal > 0 {
		text, arguments = text+" AND e.signal = ?", append(arguments, q.Signal)
	}
	if !q.Since.IsZero() {
		text, arguments = text+" AND e.at >= ?", append(arguments, q.Since.Unix())
	}
	if q.State != "" {
		text, arguments = text+" AND s.state = ?", append(arguments, string(q.State))
	}
	if q.ByUser {
		text += " AND e.by_user"
	}
	if q.Open {
		text += " AND e.undone_by IS NULL AND e.verb NOT IN ('undo', 'forget', 'duplicate')"
	}
	text += " ORDER BY e.id DESC"
	if q.Limit > 0 {
		text += fmt.Sprintf(" LIMIT %d", q.Limit)
	}
	return text, arguments
}

func events(ctx context.Context, from querier, query EventQuery) (found []Event, err error) {
	mark, err := value(ctx, from, "learnt_from")
	if err != nil {
		return nil, err
	}
	first, _ := strconv.ParseInt(mark, 10, 64) // "": 0
	where, arguments := query.where()
	rows, err := from.QueryContext(ctx, `SELECT e.id, e.at, coalesce(e.signal, 0), coalesce(s.title, ''), e.verb, e.by_user, e.state_before, e.state_after, e.domain_before, e.domain_after,
		e.detail, e.feedback, e.undone_by IS NOT NULL FROM events e LEFT JOIN signals s ON s.id = e.signal`+where, arguments...)
	if err != nil {
		return nil, wrapRead(err)
	}
	defer func() { err = errors.Join(err, wrapRead(rows.Close())) }()
	found = []Event{}
	for rows.Next() {
		var one Event
		var at int64
		var feedback string
		if err := rows.Scan(&one.ID, &at, &one.Signal, &one.Title, &one.Verb, &one.ByUser, &one.StateBefore, &one.StateAfter, &one.DomainBefore, &one.DomainAfter, &one.Detail, &feedback, &one.Undone); err != nil {
			return nil, wrapRead(err)
		}
		one.At = moment(at)
		if feedback != "" && one.ID > first {
			one.Feedback = &intake.Feedback{}
			if err := json.Unmarshal([]byte(feedback), one.Feedback); err != nil {
				return nil, fmt.Errorf("feedback of event %d: %w", one.ID, err)
			}
		}
		found = append(found, one)
	}
	return found, wrapRead(rows.Err())
}

// Counts gives how many signals are in each state; all of States are there.
func (l *Ledger) Counts(ctx context.Context) (counts map[State]int, err error) {
	counts = map[State]int{}
	for _, state := range States {
		counts[state] = 0
	}
	rows, err := l.db.QueryContext(ctx, "SELECT state, count(*) FROM signals GROUP BY state")
	if err != nil {
		return nil, wrapRead(err)
	}
	defer func() { err = errors.Join(err, wrapRead(rows.Close())) }()
	for rows.Next() {
		var state State
		var count int
		if err := rows.Scan(&state, &count); err != nil {
			return nil, wrapRead(err)
		}
		counts[state] = count
	}
	return counts, wrapRead(rows.Err())
}

// Tally counts signals by something.
type Tally struct {
	Name    string `json:"name"`
	Seen    int    `json:"seen"`
	Routed  int    `json:"routed"`
	Queued  int    `json:"queued"`
	Dropped int    `json:"dropped"`
}

// tallied are the columns that Tallies counts by.
var tallied = map[string]string{"month": "strftime('%Y-%m', seen_at, 'unixepoch')", "channel": "channel", "domain": "domain"}

// Tallies counts the signals that came since then, by "month", "channel" or "domain", in the order of the names.
func (l *Ledger) Tallies(ctx context.Context, by string, since time.Time) (found []Tally, err error) {
	rows, err := l.db.QueryContext(ctx, `SELECT `+tallied[by]+` AS name, count(*), sum(state = 'routed'), sum(state = 'queued'), sum(state = 'dropped')
		FROM signals WHERE seen_at >= ? AND (? <> 'domain' OR domain <> '') GROUP BY 1 ORDER BY 1`, seconds(since), by)
	if err != nil {
		return nil, wrapRead(err)
	}
	defer func() { err = errors.Join(err, wrapRead(rows.Close())) }()
	found = []Tally{}
	for rows.Next() {
		var one Tally
		if err := rows.Scan(&one.Name, &one.Seen, &one.Routed, &one.Queued, &one.Dropped); err != nil {
			return nil, wrapRead(err)
		}
		found = append(found, one)
	}
	return found, wrapRead(rows.Err())
}
