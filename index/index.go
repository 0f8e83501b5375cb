// Package index leads the write path: it compares the vault with what the store holds and brings the store up to date.
// It knows nothing of ranking.
package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"quarry/embedding"
	"quarry/internal/dialect"
	"quarry/internal/notetype"
	"quarry/internal/sensitivity"
	"quarry/secret"
	"quarry/store"
	"quarry/vault"
)

// Errors that callers tell apart with errors.Is.
var (
	// ErrMassDelete: more than half of the indexed notes are gone, which looks like a vault that is not mounted.
	ErrMassDelete = errors.New("more than half of the indexed notes are gone from the vault")
	// ErrOtherVault: the index was made of another vault.
	ErrOtherVault = errors.New("the index is that of another vault")
	// ErrInterrupted: the context ended before the run did; what was finished is kept.
	ErrInterrupted = errors.New("interrupted")
)

// A vault this small may lose any share of its notes without a question.
const massDeleteFloor = 20

// Source is the vault as the write path sees it.
type Source interface {
	// Scan lists the files to index.
	Scan(ctx context.Context) (vault.Listing, error)
	// ScanPaths is Scan for what lies at some paths, or below them where they are folders; indexed are the names of all files in
	// the index. It fails with vault.ErrWhole where parts do not tell.
	ScanPaths(ctx context.Context, paths []string, indexed iter.Seq[string]) (vault.Listing, error)
	// Read gives a file's bytes, and its facts as of after the read.
	Read(ctx context.Context, path string) ([]byte, vault.File, error)
	// Dialect is the one that the notes of the last scan are written in.
	Dialect() dialect.Dialect
}

// Keys in the metadata of an index for the rules of classes.
const (
	// MetaRules is for the hash of all of them: where they are those of now, no note is in the index that they call secret.
	MetaRules = "sensitivity_rules"
	// MetaReading is for what of them decides about what a note says of its class: where that is another now, nobody knows the
	// class of any note in the index.
	MetaReading = "sensitivity_reading"
)

// Config wires a run.
type Config struct {
	Source   Source
	Store    store.Store
	Embedder embedding.Embedder // nil: no vectors, keyword search alone
	Root     string             // absolute path of the vault, as it is kept in the metadata
	// RootSpellings are others that an index of this vault may hold in the place of Root.
	RootSpellings []string
	Settings      string             // identifies all else that decides how notes become passages
	Filter        *secret.Filter     // of secrets; nil: the default one. Settings has to name it
	Types         *notetype.Types    // what types decide; nil: there is no types.yaml
	TypesProblems []store.Problem    // of that file
	TypesFile     string             // its name, as in these problems
	Rules         *sensitivity.Rules // of classes; nil: the default ones. Settings has to name their Reading
	Workers       int                // parsers at work side by side, at least 1
	Started       time.Time          // the moment written beside what is stored
	Logger        *slog.Logger       // not nil
	Progress      func(Progress)     // nil: nobody watches; called from one goroutine

	maxCompared int // 0: the constant
}

// Progress tells how far a run is.
type Progress struct {
	Done, Total int // files
}

// Options of one run.
type Options struct {
	Full   bool // from nothing
	Verify bool // compare content hashes too, not only size and time
	DryRun bool // tell what would be done, write nothing
	Force  bool // allow a mass delete
	// Paths are what may have changed: files and folders below the vault, with slashes, there or gone. A folder stands for all
	// that lies or lay below it. Everything else is taken as the index knows it, which is much faster. None: all is looked at, as
	// it is where that is not enough: for a first run, Full or Verify, and where settings changed.
	Paths []string
	// Recent are the deletions of runs just before, of which ErrMassDelete tells as well; nil: each run counts alone. An engine
	// that gets none takes those that it keeps beside the index, of all processes.
	Recent *Deletions
}

// Report is the outcome of a run. Its JSON form is part of the contract.
type Report struct {
	Indexed   int             `json:"indexed"`   // notes written, new or changed
	Unchanged int             `json:"unchanged"` // notes left as they were
	Deleted   int             `json:"deleted"`   // notes dropped because their file is gone
	Skipped   int             `json:"skipped"`   // files left out by rule
	Failed    int             `json:"failed"`    // files that could not be read; what was known of them is kept
	Chunks    int             `json:"chunks"`    // passages in the index afterwards
	Problems  []store.Problem `json:"problems"`  // sorted by path
	// Redactions counts the secrets that were kept out of the notes which this run wrote, by the name of the rule.
	Redactions []store.Redaction `json:"redactions"`
	// RedactedNotes is the number of these notes.
	RedactedNotes int `json:"redacted_notes"`
	// Full tells that the run started from nothing, asked or not; Reason says why where it was not asked for.
	Full   bool   `json:"-"`
	Reason string `json:"-"`
	// Notices tell what of the settings has no effect; the caller of Run fills them in.
	Notices []string `json:"notices,omitempty"`
	// Written are the names of the notes that Indexed counts, in no order.
	Written []string `json:"-"`
	// Added are those of Written that the index did not have before, Removed the names of the notes that Deleted counts; in no order.
	Added   []string `json:"-"`
	Removed []string `json:"-"`
}

// Run brings the store up to date. A file that cannot be read becomes a problem of the report and never stops the run.
// When ctx ends, the files at hand are finished, and the error is ErrInterrupted: an incremental or a first run keeps
// what it has, a full run over an existing index leaves that index as it was.
func Run(ctx context.Context, config Config, options Options) (Report, error) {
	if len(options.Paths) > 0 && !options.Full && !options.Verify {
		report, err := runPaths(ctx, config, options)
		if !isWhole(err) {
			return report, err
		}
	}
	options.Paths = nil
	listing, known, err := look(ctx, config)
	if err != nil {
		return Report{}, err
	}
	if vault := known.meta[store.MetaVault]; vault != "" && vault != config.Root && !slices.Contains(config.RootSpellings, vault) && !options.Force {
		return Report{}, fmt.Errorf("index %s: %w (%s)", config.Root, ErrOtherVault, vault)
	}
	plan := makePlan(listing, known, options, config.naming(), nil)
	plan.meta = config.meta()
	plan.reason = reasonForFull(known, plan.meta)
	plan.full = options.Full || plan.reason != ""
	if plan.full {
		plan.takeAll()
	}
	plan.takeOthers(listing)
	return carryOut(ctx, config, options, plan)
}

// carryOut executes a plan, unless it looks like a mistake or is not to be executed.
func carryOut(ctx context.Context, config Config, options Options, p *plan) (Report, error) {
	if p.isMassDelete() && !options.Force {
		left := len(p.jobs) + len(p.unchanged) + p.leftAlone
		return Report{}, fmt.Errorf("index %d notes: %w (%d of %d)", left, ErrMassDelete, len(p.gone), len(p.known.files))
	}
	if options.Recent.isMass(p) && !options.Force {
		return Report{}, fmt.Errorf("index %d notes: %w (%d of them now, the others before)", len(p.known.files), ErrMassDelete, len(p.gone))
	}
	if options.DryRun {
		return p.forecast(config.TypesProblems), nil
	}
	report, err := execute(ctx, config, p)
	if err == nil {
		options.Recent.add(p, report, options)
	}
	return report, err
}

// look takes stock of the vault and of the index, side by side.
func look(ctx context.Context, config Config) (vault.Listing, known, error) {
	var k known
	var knownErr error
	var wait sync.WaitGroup
	wait.Go(func() { k, knownErr = readKnown(ctx, config) })
	listing, err := config.Source.Scan(ctx)
	wait.Wait()
	if ctx.Err() != nil {
		return listing, k, ErrInterrupted
	}
	if err != nil {
		return listing, k, fmt.Errorf("scan the vault: %w", err)
	}
	return listing, k, knownErr
}

// known is what the store held when the run began.
type known struct {
	files    []store.File
	places   map[string]int // in files, by path
	others   []string       // sorted
	problems []store.Problem
	meta     map[string]string
	passages int
}

func readKnown(ctx context.Context, config Config) (known, error) {
	var k known
	snapshot, err := config.Store.Snapshot(ctx)
	if errors.Is(err, store.ErrMissing) {
		return k, nil
	}
	if err != nil {
		return k, fmt.Errorf("read the index: %w", err)
	}
	defer snapshot.Close()
	if k.files, err = snapshot.Files(ctx); err != nil {
		return k, fmt.Errorf("read the index: %w", err)
	}
	k.places = make(map[string]int, len(k.files))
	for i := range k.files {
		k.places[k.files[i].Path] = i
	}
	if k.others, err = snapshot.OtherFiles(ctx); err != nil {
		return k, fmt.Errorf("read the index: %w", err)
	}
	if k.problems, err = snapshot.Problems(ctx); err != nil {
		return k, fmt.Errorf("read the index: %w", err)
	}
	if k.meta, err = snapshot.Meta(ctx); err != nil {
		return k, fmt.Errorf("read the index: %w", err)
	}
	if _, k.passages, err = snapshot.Counts(ctx); err != nil {
		return k, fmt.Errorf("read the index: %w", err)
	}
	return k, nil
}

// reasonForFull says why an incremental run would leave old and new side by side, "" if it would not.
func reasonForFull(k known, wanted map[string]string) string {
	if len(k.meta) == 0 && len(k.files) == 0 {
		return "" // a first run
	}
	differs := func(key string) bool { return k.meta[key] != wanted[key] }
	switch {
	case len(k.meta) == 0:
		return "the index does not say how it was made"
	case differs(store.MetaVault):
		return "the index was that of another vault"
	case differs(store.MetaModelHash):
		return fmt.Sprintf("the model changed from %s to %s", orNone(k.meta[store.MetaModel]), orNone(wanted[store.MetaModel]))
	case differs(MetaReading):
		return "the rules of sensitivity, or how they are read, changed"
	case differs(store.MetaSettings):
		return "the settings of redaction, or the way this version reads notes, changed"
	case passagesOfTypes(k.meta) != passagesOfTypes(wanted):
		return reasonOfTypes(k.meta, wanted)
	case dialectOf(k.meta) != dialectOf(wanted):
		return fmt.Sprintf("the dialect changed from %s to %s", dialectOf(k.meta), dialectOf(wanted))
	}
	return ""
}

// reasonOfTypes says what of the types changed that decides about passages.
func reasonOfTypes(before, now map[string]string) string {
	namesProfile := func(meta map[string]string) bool {
		types, err := notetype.Decode(meta[store.MetaTypes])
		return err == nil && slices.Contains(overridesOf(types), notetype.OverrideChunkProfile)
	}
	switch is := namesProfile(now); {
	case is == namesProfile(before):
		return "the chunk profiles of types.yaml changed"
	case is:
		return "notes may name a chunk profile of their own now"
	}
	return "notes may not name a chunk profile of their own any more"
}

// isReadOtherwise tells whether a note would become other links or passages than it did, its bytes being the same.
func isReadOtherwise(before, now map[string]string) bool {
	return passagesOfTypes(before) != passagesOfTypes(now) || dialectOf(before) != dialectOf(now)
}

// passagesOfTypes identifies how the types that were stored decide about passages. What cannot be read is like nothing else.
func passagesOfTypes(meta map[string]string) string {
	types, err := notetype.Decode(meta[store.MetaTypes])
	if err != nil {
		return meta[store.MetaTypes]
	}
	return types.Passages()
}

func dialectOf(meta map[string]string) string {
	return cmp.Or(meta[store.MetaDialect], string(dialect.Obsidian))
}

func orNone(model string) string {
	if model == "" {
		return "none"
	}
	return model
}

func (c Config) meta() map[string]string {
	m := map[string]string{
		store.MetaSettings: c.Settings, store.MetaVault: c.Root,
		store.MetaModel: "", store.MetaModelHash: "", store.MetaDimension: "0",
		store.MetaDialect: string(c.Source.Dialect()), MetaRules: c.Rules.Hash(),
		MetaReading: c.Rules.Reading(), store.MetaTypes: c.Types.Encode(),
	}
	if c.Embedder != nil {
		m[store.MetaModel] = c.Embedder.Name()
		m[store.MetaModelHash] = c.Embedder.Hash()
		m[store.MetaDimension] = fmt.Sprint(c.Embedder.Dim())
	}
	return m
}

// sortProblems orders by path, then line, then reason.
func sortProblems(problems []store.Problem) {
	slices.SortFunc(problems, func(a, b store.Problem) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		if c := lineOf(a) - lineOf(b); c != 0 {
			return c
		}
		return strings.Compare(a.Reason, b.Reason)
	})
}

func lineOf(p store.Problem) int {
	if p.Line == nil {
		return 0
	}
	return *p.Line
}
