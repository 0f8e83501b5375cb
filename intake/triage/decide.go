package triage

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quarry/intake"
	"quarry/intake/ledger"
)

// Errors of decisions, to be told by errors.Is.
var (
	// ErrDomain tells that there is no such domain.
	ErrDomain = errors.New("there is no such domain")
	// ErrNothing tells that nothing is left to be undone.
	ErrNothing = errors.New("there is nothing to undo")
)

// Decided is what a decision did. Its JSON form is part of the contract.
type Decided struct {
	ID     int64        `json:"id"`
	Title  string       `json:"title"`
	Verb   string       `json:"verb"` // accept, drop, move or undo
	State  ledger.State `json:"state"`
	Domain string       `json:"domain"`
	Path   string       `json:"path"`   // of its note, "" where there is none
	Detail string       `json:"detail"` // in words
	Did    bool         `json:"changed"`
}

// Accept makes notes of signals, in the domain of their score, or in another one: then it is a move. One that is a note stays as it is, and is learnt from.
func (t *Triage) Accept(ctx context.Context, ids []int64, domain string) ([]Decided, error) {
	if err := t.checkDomain(domain, true); err != nil {
		return nil, err
	}
	return t.decide(ctx, ids, func(entry ledger.Entry) decision {
		d := decision{verb: "accept", state: ledger.Routed, domain: entry.Domain, verdict: intake.Accepted}
		if domain != "" && domain != entry.Domain {
			d = decision{verb: "move", state: ledger.Routed, domain: domain, verdict: intake.Moved}
		}
		return d
	})
}

// Drop drops signals. A note of one is removed where it is as it was written, and left alone where it was changed.
func (t *Triage) Drop(ctx context.Context, ids []int64) ([]Decided, error) {
	return t.decide(ctx, ids, func(entry ledger.Entry) decision {
		return decision{verb: "drop", state: ledger.Dropped, domain: entry.Domain, verdict: intake.Dropped}
	})
}

// Move makes notes of signals in a domain, or puts those that are there into another one.
func (t *Triage) Move(ctx context.Context, ids []int64, domain string) ([]Decided, error) {
	if err := t.checkDomain(domain, false); err != nil {
		return nil, err
	}
	return t.decide(ctx, ids, func(entry ledger.Entry) decision {
		d := decision{verb: "move", state: ledger.Routed, domain: domain, verdict: intake.Moved}
		if entry.State != ledger.Routed && entry.Domain == domain {
			d.verb, d.verdict = "accept", intake.Accepted
		}
		return d
	})
}

func (t *Triage) checkDomain(domain string, isOptional bool) error {
	if domain == "" && isOptional || slices.Contains(t.Domains(), domain) {
		return nil
	}
	return fmt.Errorf("%q: %w", t.clean(domain), ErrDomain)
}

// decision is what is to become of a signal.
type decision struct {
	verb    string
	state   ledger.State
	domain  string
	verdict intake.Verdict
}

// decide settles signals one after the other, each in a transaction of its own.
func (t *Triage) decide(ctx context.Context, ids []int64, choose func(ledger.Entry) decision) ([]Decided, error) {
	done := []Decided{}
	for _, id := range ids {
		var one Decided
		err := t.ledger.Update(ctx, func(change *ledger.Change) error {
			entry, err := change.Entry(id)
			if err != nil {
				return err
			}
			if entry.Score == nil {
				scored := []ledger.Entry{entry}
				t.score(scored)
				entry = scored[0]
			}
			one, err = t.decideOne(ctx, change, entry, choose(entry))
			return err
		})
		if err != nil {
			return done, err
		}
		done = append(done, one)
	}
	return done, t.prepareScorer(ctx)
}

func (t *Triage) decideOne(ctx context.Context, change *ledger.Change, entry ledger.Entry, d decision) (Decided, error) {
	if entry.State == ledger.Routed && d.verb == "accept" && entry.Domain == d.domain {
		return t.confirm(change, entry)
	}
	if entry.State == d.state && entry.Domain == d.domain {
		return decided(entry, d.verb, fmt.Sprintf("it is %s already", entry.State), false), nil
	}
	after, detail, err := t.settle(ctx, entry, d.state, d.domain)
	if err != nil {
		return Decided{}, err
	}
	feedback := intake.FeedbackOf(entry.Signal, *entry.Score, d.verdict, d.domain)
	feedback.Host = t.clean(feedback.Host)
	step := ledger.Step{Before: entry, After: after, Verb: d.verb, ByUser: true, Detail: detail, Feedback: &feedback, Now: t.now()}
	if err := t.take(change, step); err != nil {
		return Decided{}, err
	}
	return decided(after, d.verb, detail, true), nil
}

// confirm learns from the acceptance of a signal that is a note already, once. The note stays as it is.
func (t *Triage) confirm(change *ledger.Change, entry ledger.Entry) (Decided, error) {
	detail := join("already in the vault", entry.Path)
	before, err := change.Events(ledger.EventQuery{Signal: entry.ID, ByUser: true, Open: true, Limit: 1})
	if err != nil {
		return Decided{}, err
	}
	if len(before) > 0 && before[0].StateAfter == ledger.Routed {
		return decided(entry, "accept", detail, false), nil
	}
	feedback := intake.FeedbackOf(entry.Signal, *entry.Score, intake.Accepted, entry.Domain)
	feedback.Host = t.clean(feedback.Host)
	step := ledger.Step{Before: entry, After: entry, Verb: "accept", ByUser: true, Detail: detail, Feedback: &feedback, Now: t.now()}
	if err := t.take(change, step); err != nil {
		return Decided{}, err
	}
	return decided(entry, "accept", detail, true), nil
}

func (t *Triage) take(change *ledger.Change, step ledger.Step) error {
	if _, err := change.Take(step); err != nil {
		return err
	}
	if t.options.Before != nil {
		return t.options.Before()
	}
	return nil
}

func decided(entry ledger.Entry, verb, detail string, did bool) Decided {
	return Decided{ID: entry.ID, Title: entry.Signal.Title, Verb: verb, State: entry.State, Domain: entry.Domain, Path: entry.Path, Detail: detail, Did: did}
}

// settle brings a signal into a state: its note is written, put elsewhere or taken away. detail says it in words.
func (t *Triage) settle(ctx context.Context, entry ledger.Entry, state ledger.State, domain string) (after ledger.Entry, detail string, err error) {
	after = entry
	after.State, after.Domain = state, domain
	isNote := entry.State == ledger.Routed && entry.Path != ""
	if isNote && state == ledger.Routed && domain == entry.Domain {
		return after, "", nil // where it is to be
	}
	if state != ledger.Routed {
		after.Path, after.Hash = "", ""
		if isNote {
			gone, err := t.remove(ctx, entry)
			if gone == noteChanged {
				return after, fmt.Sprintf("%s: %s", gone, entry.Path), err
			}
			return after, string(gone), err
		}
		return after, "", nil
	}
	if isNote {
		return t.putElsewhere(ctx, entry, after)
	}
	after.Path, after.Hash = "", ""
	return t.writeOne(ctx, after)
}

func (t *Triage) writeOne(ctx context.Context, entry ledger.Entry) (ledger.Entry, string, error) {
	written, errs := t.write(ctx, []ledger.Entry{entry})
	if errs[0] != nil {
		return entry, "", errs[0]
	}
	return written[0], written[0].Path, nil
}

// putElsewhere writes the note of a signal anew in its other domain and takes the old one away, unless it was changed: then it stays
// where it is, and is what the ledger knows.
func (t *Triage) putElsewhere(ctx context.Context, before, after ledger.Entry) (ledger.Entry, string, error) {
	content, _, err := t.vault.Read(ctx, before.Path)
	if err == nil && hashOf(content) != before.Hash {
		after.Path, after.Hash = before.Path, before.Hash
		return after, string(noteChanged), nil
	}
	written, detail, err := t.writeOne(ctx, after)
	if err != nil {
		return after, "", err
	}
	if _, err := t.remove(ctx, before); err != nil {
		return after, "", err
	}
	return written, detail, nil
}

// Undo takes back the last change of a signal, or with 0 the user's last decision. What the rules had settled goes to the review queue,
// so that it is not routed again by itself. The error matches ErrNothing where nothing is left.
func (t *Triage) Undo(ctx context.Context, id int64) (Decided, error) {
	var done Decided
	err := t.ledger.Update(ctx, func(change *ledger.Change) error {
		events, err := change.Events(ledger.EventQuery{Signal: id, ByUser: id == 0, Open: true, Limit: 1})
		if err != nil {
			return err
		}
		if len(events) == 0 {
			if id > 0 {
				if _, err := change.Entry(id); err != nil {
					return err
				}
			}
			return ErrNothing
		}
		done, err = t.undo(ctx, change, events[0])
		return err
	})
	if err != nil {
		return Decided{}, err
	}
	return done, t.prepareScorer(ctx)
}

func (t *Triage) undo(ctx context.Context, change *ledger.Change, event ledger.Event) (Decided, error) {
	entry, err := change.Entry(event.Signal)
	if err != nil {
		return Decided{}, err
	}
	state, domain := event.StateBefore, event.DomainBefore
	if state == ledger.New {
		state = ledger.Queued
	}
	if domain == "" {
		domain = entry.Domain
	}
	after, detail, err := t.settle(ctx, entry, state, domain)
	if err != nil {
		return Decided{}, err
	}
	step := ledger.Step{Before: entry, After: after, Verb: "undo", ByUser: true, Detail: join(event.Verb+" taken back", detail), Undoes: event.ID, Now: t.now()}
	if event.Feedback != nil {
		back := *event.Feedback
		back.Undo = true
		step.Feedback = &back
	}
	if err := t.take(change, step); err != nil {
		return Decided{}, err
	}
	return decided(after, "undo", step.Detail, true), nil
}

func join(parts ...string) string {
	text := ""
	for _, one := range parts {
		if one != "" && text != "" {
			text += "; "
		}
		text += one
	}
	return text
}

// Forget forgets what was learnt.
func (t *Triage) Forget(ctx context.Context) error {
	if err := t.ledger.Update(ctx, func(change *ledger.Change) error { return change.Forget(t.now()) }); err != nil {
		return err
	}
	return t.prepareScorer(ctx)
}
