package triage

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"quarry/intake"
	"quarry/intake/ledger"
	"quarry/intake/source"
)

// signalsAtOnce is how many signals one transaction takes in or settles.
const signalsAtOnce = 300

// Progress tells how far a run is: done of total, 0 where that is not known, of "reading", "fetching" or "routing".
type Progress func(what string, done, total int)

// Problem is something that could not be read or done.
type Problem = source.Problem

// AddOptions of Add.
type AddOptions struct {
	NoRoute  bool           // take in alone
	Channel  intake.Channel // of plain text: intake.Capture or intake.Tool
	Progress Progress       // nil: nobody asks
}

// Report is what a run did. Its JSON form is part of the contract.
type Report struct {
	Files    int              `json:"files"`      // that were read, or feeds that had something new
	Others   int              `json:"others"`     // files of no kind that is read
	Signals  int              `json:"signals"`    // that were read
	Added    int              `json:"added"`      // that were new
	Known    int              `json:"known"`      // that were in the ledger
	Near     int              `json:"duplicates"` // of the added ones, nearly the same as another
	Routed   int              `json:"routed"`
	Queued   int              `json:"queued"`
	Dropped  int              `json:"dropped"`
	Waiting  int              `json:"waiting"` // taken in, and not scored yet
	Failed   int              `json:"failed"`  // files, feeds or notes of which nothing came; each is a problem
	Outcomes []Outcome        `json:"outcomes"`
	LeftOut  []source.LeftOut `json:"left_out"`
	Problems []source.Problem `json:"problems"`
}

// Outcome is what became of one signal.
type Outcome struct {
	ID       int64           `json:"id"`
	Title    string          `json:"title"`
	Decision intake.Decision `json:"decision"`
	Domain   string          `json:"domain"`
	Score    float64         `json:"score"`
	Path     string          `json:"path"` // of its note, "" where there is none
}

func newReport() Report {
	return Report{Outcomes: []Outcome{}, LeftOut: []source.LeftOut{}, Problems: []source.Problem{}}
}

// note takes over what a batch says beside its signals.
func (r *Report) note(t *Triage, batch source.Batch) {
	r.Signals += len(batch.Signals)
	for _, one := range batch.LeftOut {
		at := slices.IndexFunc(r.LeftOut, func(other source.LeftOut) bool { return other.Reason == one.Reason })
		if at < 0 {
			one.Example = t.clean(one.Example)
			r.LeftOut = append(r.LeftOut, one)
			continue
		}
		r.LeftOut[at].Count += one.Count
	}
	for _, one := range batch.Problems {
		r.Problems = append(r.Problems, source.Problem{Where: t.clean(one.Where), Reason: t.clean(one.Reason)})
	}
}

// Add takes in the signals of inputs, and scores and routes them. A problem of one input does not stop the others; an error is of an
// input that cannot be read at all, of the ledger or of the context. What was done until then is kept, and the report tells it.
func (t *Triage) Add(ctx context.Context, inputs []Input, options AddOptions) (Report, error) {
	report := newReport()
	run := t.newIntake(&report)
	reading := reading{t: t, channel: options.Channel, report: &report, root: t.vault.Root(), take: func(ctx context.Context, signals []intake.Signal) error {
		options.say("reading", report.Signals, 0)
		return run.take(ctx, signals)
	}}
	if real, err := filepath.EvalSymlinks(reading.root); err == nil {
		reading.root = real
	}
	for _, input := range inputs {
		if err := reading.read(ctx, input); err != nil {
			return report, err
		}
	}
	return report, t.finish(ctx, run, options)
}

func (o AddOptions) say(what string, done, total int) {
	if o.Progress != nil {
		o.Progress(what, done, total)
	}
}

// finish takes in what waits, and routes.
func (t *Triage) finish(ctx context.Context, run *intaking, options AddOptions) error {
	if err := run.flush(ctx); err != nil {
		return err
	}
	if options.NoRoute {
		run.report.Waiting = run.report.Added - run.report.Near
		return nil
	}
	return t.route(ctx, run.report, options)
}

// intaking takes signals into the ledger, some hundred at a time.
type intaking struct {
	t       *Triage
	report  *Report
	waiting []intake.Signal
	near    intake.Nearby
	ids     []int64 // of those in near
	last    int64   // signal that near knows
}

func (t *Triage) newIntake(report *Report) *intaking { return &intaking{t: t, report: report} }

func (i *intaking) take(ctx context.Context, signals []intake.Signal) error {
	i.waiting = append(i.waiting, signals...)
	for len(i.waiting) >= signalsAtOnce {
		if err := i.store(ctx, i.waiting[:signalsAtOnce]); err != nil {
			return err
		}
		i.waiting = i.waiting[signalsAtOnce:]
	}
	return nil
}

func (i *intaking) flush(ctx context.Context) error {
	waiting := i.waiting
	i.waiting = nil
	if len(waiting) == 0 {
		return nil
	}
	return i.store(ctx, waiting)
}

// store takes signals in, in one transaction.
func (i *intaking) store(ctx context.Context, signals []intake.Signal) error {
	fresh, err := i.t.prepare(signals)
	if err != nil {
		return err
	}
	return i.t.ledger.Update(ctx, func(change *ledger.Change) error {
		last, err := change.Fingerprints(i.last, i.remember)
		if err != nil {
			return err
		}
		i.last = last
		for _, one := range fresh {
			if err := i.storeOne(change, one); err != nil {
				return err
			}
		}
		return nil
	})
}

func (i *intaking) remember(id int64, fingerprint uint64) {
	if fingerprint != 0 {
		i.near.Add(fingerprint)
		i.ids = append(i.ids, id)
	}
}

func (i *intaking) storeOne(change *ledger.Change, fresh ledger.Fresh) error {
	known, err := change.Known(fresh.Keys)
	if err != nil {
		return err
	}
	if known > 0 {
		i.report.Known++
		return change.AddKeys(known, fresh.Keys)
	}
	if at := i.near.Find(fresh.Fingerprint); at >= 0 {
		fresh.DuplicateOf = i.ids[at]
		i.report.Near++
	}
	id, err := change.Add(fresh)
	if err != nil {
		return err
	}
	i.report.Added++
	i.last = id
	i.remember(id, fresh.Fingerprint)
	return nil
}

// prepare makes of signals what the ledger takes: without secrets, with keys and fingerprints.
func (t *Triage) prepare(signals []intake.Signal) ([]ledger.Fresh, error) {
	fresh := make([]ledger.Fresh, len(signals))
	var group errgroup.Group
	group.SetLimit(max(runtime.GOMAXPROCS(0), 2))
	for at, signal := range signals {
		group.Go(func() error {
			clean, err := t.cleanSignal(signal)
			if err != nil {
				return err
			}
			fresh[at] = ledger.Fresh{Signal: clean, Keys: intake.Keys(signal), Fingerprint: intake.Fingerprint(clean.Body), Now: t.now()}
			return nil
		})
	}
	return fresh, group.Wait()
}
