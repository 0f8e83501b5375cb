package ledger

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"quarry/intake"
)

// Fresh is a signal that comes in.
type Fresh struct {
	Signal intake.Signal // without secrets
	// Keys tell whether it is known, as intake.Keys gives them for the signal as it came. They are kept as hashes.
	Keys        []string
	Fingerprint uint64
	DuplicateOf int64 // of a near one, 0: none
	Now         time.Time
}

// Known gives the number of the signal that shares a key, 0 where there is none.
func (c *Change) Known(keys []string) (int64, error) {
	for _, key := range keys {
		var id int64
		err := c.tx.QueryRowContext(c.ctx, "SELECT signal FROM keys WHERE key = ?", keyHash(key)).Scan(&id)
		if !errors.Is(err, sql.ErrNoRows) {
			return id, wrapRead(err)
		}
	}
	return 0, nil
}

func wrapRead(err error) error {
	if err != nil {
		return fmt.Errorf("read the ledger: %w", err)
	}
	return nil
}

func keyHash(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:16]
}

// Add takes a signal in that is not known, as New, or as Duplicate of a near one, and gives its number.
func (c *Change) Add(fresh Fresh) (int64, error) {
	document, err := json.Marshal(fresh.Signal)
	if err != nil {
		return 0, fmt.Errorf("keep a signal: %w", err)
	}
	state, other := New, any(nil)
	if fresh.DuplicateOf > 0 {
		state, other = Duplicate, fresh.DuplicateOf
	}
	mark := hex.EncodeToString(keyHash(fresh.Keys[0])[:8])
	done, err := c.tx.ExecContext(c.ctx, `INSERT INTO signals (mark, state, channel, title, duplicate_of, fingerprint, seen_at, changed_at, signal)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, mark, string(state), string(fresh.Signal.Channel), fresh.Signal.Title, other, int64(fresh.Fingerprint), fresh.Now.Unix(), fresh.Now.Unix(), string(document))
	if err != nil {
		return 0, fmt.Errorf("keep a signal: %w", err)
	}
	id, err := done.LastInsertId()
	if err != nil {
		return 0, fmt.Errorf("keep a signal: %w", err)
	}
	return id, c.AddKeys(id, fresh.Keys)
}

// AddKeys makes further keys those of a signal; one that is another's stays so.
func (c *Change) AddKeys(id int64, keys []string) error {
	for _, key := range keys {
		if _, err := c.tx.ExecContext(c.ctx, "INSERT OR IGNORE INTO keys (key, signal) VALUES (?, ?)", keyHash(key), id); err != nil {
			return fmt.Errorf("keep the key of a signal: %w", err)
		}
	}
	return nil
}

// Fingerprints calls see with the fingerprint of each signal whose number is above after, in their order, and gives the last number.
func (c *Change) Fingerprints(after int64, see func(id int64, fingerprint uint64)) (last int64, err error) {
	rows, err := c.tx.QueryContext(c.ctx, "SELECT id, fingerprint FROM signals WHERE id > ? ORDER BY id", after)
	if err != nil {
		return after, wrapRead(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for last = after; rows.Next(); {
		var fingerprint int64
		if err := rows.Scan(&last, &fingerprint); err != nil {
			return last, wrapRead(err)
		}
		see(last, uint64(fingerprint))
	}
	return last, wrapRead(rows.Err())
}

// Step is a change of a signal: its entry as it is to be, and the event that is kept of it.
type Step struct {
	Before, After Entry // After.Score and the rest are written
	Verb          string
	ByUser        bool
	Detail        string // in words, without secrets
	Feedback      *intake.Feedback
	Undoes        int64 // event that this one takes back, 0: none
	Now           time.Time
}

// Take takes a step and gives the number of its event. Feedback is learnt.
func (c *Change) Take(step Step) (int64, error) {
	score, composite := "", any(nil)
	if step.After.Score != nil {
		document, err := json.Marshal(step.After.Score)
		if err != nil {
			return 0, fmt.Errorf("keep a score: %w", err)
		}
		score, composite = string(document), step.After.Score.Composite
	}
	after := step.After
	if _, err := c.tx.ExecContext(c.ctx, "UPDATE signals SET state = ?, domain = ?, composite = ?, note_path = ?, note_hash = ?, changed_at = ?, score = ? WHERE id = ?",
		string(after.State), after.Domain, composite, after.Path, after.Hash, step.Now.Unix(), score, after.ID); err != nil {
		return 0, fmt.Errorf("keep a change: %w", err)
	}
	feedback := ""
	if step.Feedback != nil {
		document, err := json.Marshal(step.Feedback)
		if err != nil {
			return 0, fmt.Errorf("keep feedback: %w", err)
		}
		feedback = string(document)
		if err := c.learn(*step.Feedback); err != nil {
			return 0, err
		}
	}
	done, err := c.tx.ExecContext(c.ctx, `INSERT INTO events (at, signal, verb, by_user, state_before, state_after, domain_before, domain_after, detail, feedback)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, step.Now.Unix(), after.ID, step.Verb, step.ByUser, string(step.Before.State), string(after.State), step.Before.Domain, after.Domain, step.Detail, feedback)
	if err != nil {
		return 0, fmt.Errorf("keep an event: %w", err)
	}
	id, err := done.LastInsertId()
	if err == nil && step.Undoes > 0 {
		_, err = c.tx.ExecContext(c.ctx, "UPDATE events SET undone_by = ? WHERE id = ?", id, step.Undoes)
	}
	if err != nil {
		return 0, fmt.Errorf("keep an event: %w", err)
	}
	return id, nil
}

func (c *Change) learn(feedback intake.Feedback) error {
	learnt, err := learnt(c.ctx, c.tx)
	if err != nil {
		return err
	}
	return c.keepLearnt(intake.Learn(learnt, feedback))
}

func (c *Change) keepLearnt(adjustments intake.Adjustments) error {
	document, err := json.Marshal(adjustments)
	if err != nil {
		return fmt.Errorf("keep what was learnt: %w", err)
	}
	return c.setValue("learnt", string(document))
}

func (c *Change) setValue(name, value string) error {
	if _, err := c.tx.ExecContext(c.ctx, `INSERT INTO "values" (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value); err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	return nil
}

// Learnt is what was learnt.
func (l *Ledger) Learnt(ctx context.Context) (intake.Adjustments, error) { return learnt(ctx, l.db) }

func learnt(ctx context.Context, from querier) (intake.Adjustments, error) {
	text, err := value(ctx, from, "learnt")
	var adjustments intake.Adjustments
	if err == nil && text != "" {
		err = wrapRead(json.Unmarshal([]byte(text), &adjustments))
	}
	return adjustments, err
}

func value(ctx context.Context, from querier, name string) (string, error) {
	var text string
	err := from.QueryRowContext(ctx, `SELECT value FROM "values" WHERE name = ?`, name).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return text, wrapRead(err)
}

// Forget forgets what was learnt. Decisions of before it do not count when they are undone later.
func (c *Change) Forget(now time.Time) error {
	done, err := c.tx.ExecContext(c.ctx, "INSERT INTO events (at, verb, by_user) VALUES (?, 'forget', 1)", now.Unix())
	if err != nil {
		return fmt.Errorf("keep an event: %w", err)
	}
	id, err := done.LastInsertId()
	if err != nil {
		return fmt.Errorf("keep an event: %w", err)
	}
	if err := c.keepLearnt(intake.Adjustments{}); err != nil {
		return err
	}
	return c.setValue("learnt_from", fmt.Sprint(id))
}
