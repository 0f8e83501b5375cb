package triage

import (
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"quarry/intake"
	"quarry/intake/ledger"
	"quarry/intake/source"
)

// Route scores and routes the signals that wait for it.
func (t *Triage) Route(ctx context.Context, options AddOptions) (Report, error) {
	report := newReport()
	return report, t.route(ctx, &report, options)
}

// Plan tells what Route would do, and does nothing.
func (t *Triage) Plan(ctx context.Context) (Report, error) {
	report := newReport()
	entries, err := t.ledger.Entries(ctx, ledger.Query{States: []ledger.State{ledger.New}})
	if err != nil {
		return report, err
	}
	t.score(entries)
	for _, entry := range entries {
		report.count(entry, entry.Score.Decision, "")
	}
	return report, nil
}

func (r *Report) count(entry ledger.Entry, decision intake.Decision, path string) {
	switch decision {
	case intake.Route:
		r.Routed++
	case intake.Review:
		r.Queued++
	case intake.Drop:
		r.Dropped++
	}
	r.Outcomes = append(r.Outcomes, Outcome{ID: entry.ID, Title: entry.Signal.Title, Decision: decision, Domain: entry.Domain, Score: entry.Score.Composite, Path: path})
}

// route settles all new signals, some hundred in a transaction.
func (t *Triage) route(ctx context.Context, report *Report, options AddOptions) error {
	counts, err := t.ledger.Counts(ctx)
	if err != nil {
		return err
	}
	total, done, after := counts[ledger.New], 0, int64(0)
	for {
		options.say("routing", min(done, total), total)
		last, count, err := t.routeSome(ctx, after, report)
		if err != nil || count == 0 {
			return err
		}
		after, done = last, done+count
	}
}

// routeSome settles the next new signals and gives the number of the last one. Their notes are written while no other process
// settles signals, before the ledger keeps that they are; a run that is killed in between leaves notes that the next one knows.
func (t *Triage) routeSome(ctx context.Context, after int64, report *Report) (last int64, count int, _ error) {
	some := newReport()
	err := t.ledger.Update(ctx, func(change *ledger.Change) error {
		entries, err := change.Entries(ledger.Query{States: []ledger.State{ledger.New}, After: after, Limit: signalsAtOnce})
		if err != nil || len(entries) == 0 {
			return err
		}
		last, count = entries[len(entries)-1].ID, len(entries)
		t.score(entries)
		if err := t.settleAll(ctx, change, entries, &some); err != nil {
			return err
		}
		if t.options.Before != nil {
			return t.options.Before()
		}
		return nil
	})
	if err == nil {
		report.Routed, report.Queued, report.Dropped = report.Routed+some.Routed, report.Queued+some.Queued, report.Dropped+some.Dropped
		report.Failed += some.Failed
		report.Outcomes, report.Problems = append(report.Outcomes, some.Outcomes...), append(report.Problems, some.Problems...)
	}
	return last, count, err
}

// score scores entries, side by side.
func (t *Triage) score(entries []ledger.Entry) {
	var group errgroup.Group
	group.SetLimit(max(runtime.GOMAXPROCS(0), 2))
	for at := range entries {
		group.Go(func() error {
			score := t.scorer.Score(entries[at].Signal)
			entries[at].Score, entries[at].Domain = &score, score.Domain
			return nil
		})
	}
	_ = group.Wait() // none gives an error
}

var verbs = map[intake.Decision]struct {
	verb  string
	state ledger.State
}{intake.Route: {"route", ledger.Routed}, intake.Review: {"queue", ledger.Queued}, intake.Drop: {"drop", ledger.Dropped}}

// settleAll writes the notes of those that are routed, and keeps what became of each.
func (t *Triage) settleAll(ctx context.Context, change *ledger.Change, entries []ledger.Entry, report *Report) error {
	var routed []ledger.Entry
	for _, entry := range entries {
		if entry.Score.Decision == intake.Route {
			routed = append(routed, entry)
		}
	}
	written, errs := t.write(ctx, routed)
	byID := map[int64]ledger.Entry{}
	for at, entry := range written {
		if errs[at] != nil {
			if err := ctx.Err(); err != nil {
				return err
			}
			report.Failed++
			report.Problems = append(report.Problems, source.Problem{Where: fmt.Sprintf("signal %d", entry.ID), Reason: errs[at].Error()})
			continue
		}
		byID[entry.ID] = entry
	}
	for _, entry := range entries {
		before, after := entry, entry
		before.State, before.Domain = ledger.New, ""
		if entry.Score.Decision == intake.Route {
			done, ok := byID[entry.ID]
			if !ok {
				continue // stays new
			}
			after = done
		}
		step := verbs[entry.Score.Decision]
		after.State = step.state
		if _, err := change.Take(ledger.Step{Before: before, After: after, Verb: step.verb, Detail: detailOf(after), Now: t.now()}); err != nil {
			return err
		}
		report.count(after, entry.Score.Decision, after.Path)
	}
	return nil
}

func detailOf(entry ledger.Entry) string {
	detail := fmt.Sprintf("score %.2f", entry.Score.Composite)
	if entry.Path != "" {
		detail += ", " + entry.Path
	}
	return detail
}
