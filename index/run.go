package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/semaphore"

	"quarry/store"
)

const (
	batchNotes    = 256      // notes in one transaction
	batchPassages = 2048     // passages in one transaction
	inFlightJobs  = 256      // files read ahead of the writer
	inFlightBytes = 48 << 20 // bytes of files read ahead of the writer
)

// run is one execution of a plan.
type run struct {
	config   Config
	plan     *plan
	update   store.Update // begun at the first write
	begun    bool
	old      store.Snapshot // of a full run over an existing index: what cannot be read is carried over from here
	batch    []store.Note
	passages int // in batch
	touched  []store.File
	deleted  []string // names in the index that are not to be there any more
	joining  *joining
	beside   *beside // begun before the update where notes come or go
	// disturbed tells that the graph in the index is no longer that of its notes.
	disturbed bool
	carried   map[string]bool // names of notes that were carried over, so that their old warnings stay true
	settled   map[string]bool // names that were looked at, so that their old problems are over
	rightly   map[string]bool // names of notes about which the index complains as the types of now do
	problems  []store.Problem
	report    Report

	redactions map[string]int // by rule
	packer     *tokenPacker
}

func execute(ctx context.Context, config Config, p *plan) (Report, error) {
	r := &run{
		config: config, plan: p, packer: newPacker(config.Embedder), joining: newJoining(&config, p), redactions: map[string]int{}, settled: map[string]bool{}, carried: map[string]bool{}, rightly: map[string]bool{},
	}
	if err := r.reconsider(ctx); err != nil {
		return Report{}, err
	}
	r.report = Report{
		Unchanged: len(p.unchanged) + p.leftAlone, Skipped: p.skippedN, Failed: p.failedN + failedOf(config.TypesProblems), Full: p.full, Reason: p.reason,
	}
	if p.full && len(p.known.files) > 0 {
		snapshot, err := config.Store.Snapshot(ctx)
		if err != nil {
			return Report{}, fmt.Errorf("read the index: %w", err)
		}
		r.old = snapshot
		defer r.closeOld()
	}
	// Writes are not cut short by an interrupt: the files at hand are finished.
	steady := context.WithoutCancel(ctx)
	replaces := r.old != nil
	interrupted, err := r.work(ctx, steady)
	if err == nil && (!interrupted || !replaces) {
		err = r.finish(steady, interrupted)
	}
	r.beside.stop()
	if r.update != nil {
		if rollback := r.update.Rollback(); err == nil && rollback != nil {
			err = rollback
		}
	}
	if err != nil {
		return Report{}, err
	}
	if err := r.count(steady); err != nil {
		return Report{}, err
	}
	if interrupted {
		return r.report, ErrInterrupted
	}
	return r.report, nil
}

// work sends every job through the workers and takes the outcomes in the order of the plan.
func (r *run) work(ctx, steady context.Context) (interrupted bool, err error) {
	if r.plan.full {
		if err := r.begin(steady); err != nil {
			return false, err
		}
	}
	feed, stop := context.WithCancel(ctx)
	defer stop()
	done := 0
	for outcome := range r.outcomes(feed, steady) {
		if err == nil {
			err = r.take(steady, outcome)
		}
		if err != nil {
			stop() // and drain, so that no worker is left waiting
			continue
		}
		done++
		if r.config.Progress != nil {
			r.config.Progress(Progress{Done: done, Total: len(r.plan.jobs)})
		}
	}
	if err != nil {
		return false, err
	}
	return done < len(r.plan.jobs) && ctx.Err() != nil, r.flush(steady)
}

// outcomes yields the outcome of each job in order. It stops early, with all that was begun finished, when feed ends.
func (r *run) outcomes(feed, steady context.Context) <-chan outcome {
	type ticket struct {
		job    job
		result chan outcome
		weight int64
	}
	budget := semaphore.NewWeighted(inFlightBytes)
	ordered, work := make(chan ticket, inFlightJobs), make(chan ticket)
	go func() {
		defer close(ordered)
		defer close(work)
		for _, j := range r.plan.jobs {
			t := ticket{job: j, result: make(chan outcome, 1), weight: min(max(j.file.SizeBytes, 1), inFlightBytes)}
			if budget.Acquire(feed, t.weight) != nil || feed.Err() != nil {
				return
			}
			ordered <- t
			work <- t
		}
	}()
	for range max(r.config.Workers, 1) {
		go func() {
			for t := range work {
				t.result <- r.process(steady, t.job)
			}
		}()
	}
	out := make(chan outcome)
	go func() {
		defer close(out)
		for t := range ordered {
			out <- <-t.result
			budget.Release(t.weight)
		}
	}()
	return out
}

// take books one outcome, and writes when a batch is full.
func (r *run) take(ctx context.Context, o outcome) error {
	if o.err != nil {
		return o.err
	}
	r.report.Skipped += o.skipped
	r.report.Failed += o.failed
	r.problems = append(r.problems, o.problems...)
	switch {
	case o.note != nil:
		r.settled[o.job.name] = true
		r.countIndexed(&o)
		r.batch = append(r.batch, *o.note)
		r.passages += len(o.note.Passages)
	case o.gone:
		r.settled[o.job.name] = true
		if o.job.old != nil {
			r.deleted = append(r.deleted, o.job.name)
		}
	case o.kept:
		if o.job.again {
			r.touched = append(r.touched, store.File{Path: o.job.name})
		}
		return r.carryOver(ctx, o.job.name)
	default:
		r.report.Unchanged++
		if o.touch != nil {
			r.touched = append(r.touched, *o.touch)
		}
		if o.job.again {
			r.settled[o.job.name] = true
		}
	}
	if len(r.batch) >= batchNotes || r.passages >= batchPassages {
		return r.flush(ctx)
	}
	return nil
}

// countIndexed counts a note that was read anew, and what was redacted in it.
func (r *run) countIndexed(o *outcome) {
	r.report.Indexed++
	r.report.Written = append(r.report.Written, o.job.name)
	if _, isKnown := r.plan.known.places[o.job.name]; !isKnown {
		r.report.Added = append(r.report.Added, o.job.name)
	}
	if len(o.note.Redactions) > 0 {
		r.report.RedactedNotes++
	}
	for _, found := range o.note.Redactions {
		r.redactions[found.Name] += found.Count
	}
}

func (r *run) begin(ctx context.Context) error {
	if r.begun {
		return nil
	}
	mode := store.Incremental
	if r.plan.full {
		mode = store.Full
	}
	if r.comesOrGoes() {
		r.beside = r.readBeside(ctx)
	}
	update, err := r.config.Store.Begin(ctx, mode)
	if err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	r.update, r.begun = update, true
	meta := r.config.meta()
	if r.disturbed = r.disturbs(); r.disturbed {
		meta[store.MetaGraph] = ""
	}
	if !r.plan.full && len(r.plan.withheld) > 0 { // before the metadata say that it is so
		err := update.SetMeta(ctx, map[string]string{store.MetaGraph: ""})
		if err == nil {
			err = update.Delete(ctx, r.plan.withheld)
		}
		if err != nil {
			return fmt.Errorf("write the index: %w", err)
		}
	}
	// First of all, so that whatever is cut off later can be told apart from an index of another making.
	if err := update.SetMeta(ctx, meta); err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	return nil
}

// comesOrGoes tells that notes are known to come or go, and that the graph of the others is needed then.
func (r *run) comesOrGoes() bool {
	isNew := func(n store.Note) bool { return r.isNew(n.Path) }
	return !r.joining.isStale && r.pathsDecide() &&
		(len(r.plan.gone)+len(r.plan.withheld)+len(r.deleted) > 0 || slices.ContainsFunc(r.batch, isNew))
}

// disturbs tells whether what is to be written has a part in the graph.
func (r *run) disturbs() bool {
	return r.joining.isStale || len(r.batch)+len(r.deleted)+len(r.plan.withheld) > 0 || r.plan.othersChanged()
}

func (r *run) flush(ctx context.Context) error {
	if len(r.batch) == 0 {
		return nil
	}
	if err := r.begin(ctx); err != nil {
		return err
	}
	if err := r.watch(ctx); err != nil {
		return err
	}
	if err := r.update.Put(ctx, r.batch); err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	clear(r.batch)
	r.batch, r.passages = r.batch[:0], 0
	return nil
}

// carryOver keeps, in a full run, what the old index held of a note that cannot be read now.
func (r *run) carryOver(ctx context.Context, name string) error {
	if r.old == nil {
		return nil
	}
	old, ok, err := r.old.Note(ctx, name)
	if err != nil {
		return fmt.Errorf("read the index: %w", err)
	}
	if !ok {
		return nil
	}
	if reason := r.whyNotCarry(&old); reason != "" {
		r.problems = append(r.problems, store.Problem{Path: r.plan.naming.stored(name), State: "skipped", Reason: reason})
		return nil
	}
	if err := r.embed(ctx, &old); err != nil {
		return fmt.Errorf("embed %s: %w", name, err)
	}
	if r.complainsRightly(&old) {
		r.rightly[name] = true
	}
	if !r.rightly[name] || isReadOtherwise(r.plan.known.meta, r.plan.meta) {
		old.File = store.File{Path: old.Path} // so that it counts as changed as soon as it can be read
	}
	r.batch = append(r.batch, old)
	r.passages += len(old.Passages)
	r.carried[name] = true
	if len(r.batch) >= batchNotes || r.passages >= batchPassages {
		return r.flush(ctx)
	}
	return nil
}

// finish writes what is left: touched files, deletions, problems, metadata.
func (r *run) finish(ctx context.Context, interrupted bool) error {
	if !interrupted && !r.plan.full {
		r.deleted = slices.Concat(r.plan.gone, r.plan.withheld, r.deleted)
	}
	r.report.Removed = r.deleted
	if r.plan.full {
		r.report.Removed = slices.Concat(r.plan.gone, r.plan.withheld)
		if err := r.carryUnreachable(ctx); err != nil {
			return err
		}
		r.closeOld() // or the log could not be emptied after the commit
	}
	r.report.Deleted = len(r.report.Removed)
	r.settleProblems()
	if !r.hasChanges() {
		return nil
	}
	if err := r.begin(ctx); err != nil {
		return err
	}
	steps := []func() error{
		func() error { return r.update.Touch(ctx, r.touched) },
		func() error { return r.update.Delete(ctx, r.deleted) },
		func() error { return r.setOthers(ctx) },
		func() error { return r.update.SetProblems(ctx, r.report.Problems) },
		func() error { return r.joinUnless(ctx, interrupted) },
		func() error { return r.update.Commit(ctx) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return fmt.Errorf("write the index: %w", err)
		}
	}
	return nil
}

// joinUnless leaves the graph for the next run where this one was interrupted.
func (r *run) joinUnless(ctx context.Context, interrupted bool) error {
	defer r.beside.stop()
	if interrupted {
		return nil
	}
	return r.join(ctx)
}

func (r *run) setOthers(ctx context.Context) error {
	if !r.plan.full && !r.plan.othersChanged() {
		return nil
	}
	return r.update.SetOtherFiles(ctx, r.plan.others)
}

func (r *run) closeOld() {
	if r.old == nil {
		return
	}
	if err := r.old.Close(); err != nil {
		r.config.Logger.Warn("close the old index", "error", err)
	}
	r.old = nil
}

// carryUnreachable keeps, in a full run, the notes below folders that could not be opened.
func (r *run) carryUnreachable(ctx context.Context) error {
	if r.old == nil {
		return nil
	}
	for _, name := range r.plan.unreachable {
		if err := r.carryOver(ctx, name); err != nil {
			return err
		}
	}
	return r.flush(ctx)
}

// settleProblems joins this run's problems with those of notes that were not looked at again.
func (r *run) settleProblems() {
	for _, name := range r.deleted {
		r.settled[name] = true
	}
	problems := slices.Concat(r.plan.skipped, r.problemsOfTypes(), r.problems)
	for _, p := range r.plan.known.problems {
		if r.stays(p) {
			problems = append(problems, p)
		}
	}
	sortProblems(problems)
	r.report.Problems = emptyNotNil(problems)
}

func (r *run) hasChanges() bool {
	return r.begun || len(r.deleted) > 0 || len(r.touched) > 0 || len(r.plan.known.meta) == 0 ||
		r.plan.known.meta[MetaRules] != r.plan.meta[MetaRules] || r.plan.othersChanged() || r.joining.isStale ||
		!slices.EqualFunc(r.report.Problems, r.plan.known.problems, func(a, b store.Problem) bool { return isProblem(a)(b) })
}

// isProblem tells of a problem whether it is this one.
func isProblem(p store.Problem) func(store.Problem) bool {
	return func(q store.Problem) bool {
		return p.Path == q.Path && p.State == q.State && p.Reason == q.Reason && lineOf(p) == lineOf(q)
	}
}

// count fills in how many passages the index holds now.
func (r *run) count(ctx context.Context) error {
	r.report.Problems = emptyNotNil(r.report.Problems)
	r.report.Redactions = []store.Redaction{}
	for _, name := range slices.Sorted(maps.Keys(r.redactions)) {
		r.report.Redactions = append(r.report.Redactions, store.Redaction{Name: name, Count: r.redactions[name]})
	}
	snapshot, err := r.config.Store.Snapshot(ctx)
	if errors.Is(err, store.ErrMissing) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the index: %w", err)
	}
	defer snapshot.Close()
	_, r.report.Chunks, err = snapshot.Counts(ctx)
	return err
}
