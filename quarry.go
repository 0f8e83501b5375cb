// Package quarry finds the right passage in a folder of Markdown notes. It holds the engine behind every front door: the
// command line, the MCP server and programs that import it use nothing else.
//
//	engine, err := quarry.Open(ctx, quarry.Config{VaultDir: "notes", DatabasePath: "notes.db"})
//	…
//	defer engine.Close()
//	if _, err := engine.Index(ctx, quarry.IndexOptions{}, nil); err != nil { … }
//	answer, err := engine.Search(ctx, quarry.SearchRequest{Query: "how do refresh tokens rotate"})
package quarry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"quarry/embedding"
	"quarry/embedding/model2vec"
	"quarry/index"
	"quarry/internal/dialect"
	"quarry/internal/notetype"
	"quarry/internal/sensitivity"
	"quarry/search"
	"quarry/secret"
	"quarry/store"
	"quarry/store/sqlite"
	"quarry/vault"
)

// readingVersion changes when notes are read or cut in another way, so that an older index is built anew.
const readingVersion = "13"

// Config says what to work on. The zero value of a field means its default; VaultDir and DatabasePath have none.
type Config struct {
	VaultDir     string   // folder of the notes
	DatabasePath string   // file of the index; its folder is made when the index is built
	ModelDir     string   // a Model2Vec folder; "": the built-in model
	NoModel      bool     // no vectors: keyword search alone
	Folders      []string // folders below the vault to take in; none: all
	Ignore       []string // further rules in the syntax of .indexignore
	Dialect      string   // obsidian, logseq, foam or dendron; "" or AutoDialect: told from the vault
	Types        TypesConfig
	DataFiles    bool  // take in files of JSON and YAML, too
	MaxFileBytes int64 // larger files are skipped and reported; 0: vault.DefaultMaxFileBytes
	Workers      int   // parsers side by side; 0: one a processor
	Redaction    RedactionOptions
	// VaultPatterns are further patterns, of whoever wrote into the vault: they are looked for in notes, and never in the
	// program's own words.
	VaultPatterns []RedactionPattern
	// Sensitivity says which notes are public, internal, private or secret; of several the strictest counts.
	Sensitivity []SensitivityConfig
	Audience    Audience         // whom the engine answers; "": Owner
	Ranking     *RankingSettings // nil: DefaultRanking
	Blocks      []BlockConfig    // in the order in which a session gets them
	Session     SessionBudget
	// CaptureFolder is where captured notes go, below the vault; "": DefaultCaptureFolder.
	CaptureFolder string
	Logger        *slog.Logger
	Now           func() time.Time // for tests; nil: time.Now
}

// TypesConfig says where the settings of note types come from.
type TypesConfig struct {
	// File is the path of types.yaml: below the vault, or absolute; "": types.yaml at the vault's root, if it is there.
	File string
	// Overrides are the properties of notes that count more than their type: chunk_profile, edge_defaults, retriever_weight.
	// None: the file alone decides.
	Overrides []string
}

// Validate tells what is wrong with a configuration.
func (c Config) Validate() error {
	switch {
	case c.VaultDir == "":
		return errors.New("configuration: no vault is named")
	case c.DatabasePath == "":
		return errors.New("configuration: no place for the index is named")
	case c.Audience != "" && c.Audience != Owner && c.Audience != Client:
		return fmt.Errorf("configuration: there is no audience %q", c.Audience)
	case c.MaxFileBytes < 0 || c.Workers < 0:
		return errors.New("configuration: sizes and counts cannot be negative")
	}
	if err := CheckDialect(c.Dialect); err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	if _, _, err := notetype.Parse(nil, c.Types.Overrides); err != nil {
		return fmt.Errorf("configuration: types: %w", err)
	}
	if err := checkBlocks(c.Blocks, c.Session); err != nil {
		return fmt.Errorf("configuration: blocks: %w", err)
	}
	return checkRanking(c.Ranking)
}

// Public names of what the engine takes and gives.
type (
	// IndexOptions are the options of one index run.
	IndexOptions = index.Options
	// IndexReport is the outcome of an index run.
	IndexReport = index.Report
	// IndexProgress tells how far an index run is.
	IndexProgress = index.Progress
	// SearchRequest is one search.
	SearchRequest = search.Request
	// SearchAnswer is the outcome of a search.
	SearchAnswer = search.Answer
	// SearchResult is one passage of an answer.
	SearchResult = search.Result
	// RankingSettings are what a user may change of the ranking.
	RankingSettings = search.Settings
	// Filter narrows a search or a list to some notes.
	Filter = store.Filter
	// Problem is something that is not indexed as it stands, and why.
	Problem = store.Problem
)

// Errors that callers tell apart with errors.Is.
var (
	// ErrNoIndex: nothing was indexed yet.
	ErrNoIndex = store.ErrMissing
	// ErrBusy: another process is writing the index.
	ErrBusy = store.ErrLocked
	// ErrReadOnly: the place of the index cannot be written to.
	ErrReadOnly = store.ErrReadOnly
	// ErrNewerIndex: the index was written by a newer version.
	ErrNewerIndex = store.ErrNewer
	// ErrForeignFile: the file at the index's place is not ours; it is left alone.
	ErrForeignFile = store.ErrForeign
	// ErrDamaged: the index contradicts itself; `index` builds it anew.
	ErrDamaged = store.ErrDamaged
	// ErrMassDelete: more than half of the notes are gone.
	ErrMassDelete = index.ErrMassDelete
	// ErrOtherVault: the index was made of another vault.
	ErrOtherVault = index.ErrOtherVault
	// ErrClosed: the engine was closed.
	ErrClosed = errors.New("the engine is closed")
	// ErrInterrupted: the run was stopped; what was finished is kept.
	ErrInterrupted = index.ErrInterrupted
	// ErrNotFound: no note has this address.
	ErrNotFound = errors.New("there is no such note")
	// ErrNoPart: the note is there, but not the part of it that was asked for.
	ErrNoPart = errors.New("there is no such part")
)

// Audience is whom an engine answers.
type Audience string

// Audiences.
const (
	Owner  Audience = "owner"  // who runs quarry: all that is indexed
	Client Audience = "client" // a program or a model that somebody connected: no private note, in whatever form
)

// Engine answers for one vault and its index. It is safe for concurrent use.
type Engine struct {
	config Config
	logger *slog.Logger
	now    func() time.Time
	vault  *vault.Vault
	place  string // of the vault, links resolved, redacted: what the index remembers
	// placeSpellings are those that an index may remember which was made with other options of redaction.
	placeSpellings []string
	model          func() (embedding.Embedder, error) // loads on first use
	filter         *secret.Filter
	ownFilter      *secret.Filter // of the program's own words: without the patterns of the vault
	rules          *sensitivity.Rules
	part           atomic.Pointer[keptPart] // nil before the first search
	web            atomic.Pointer[web]      // nil before the first question that needs it
	directory      atomic.Pointer[directory]
	// settings identifies what decides how notes become passages, beside the model; the hashes are those of the rules.
	settings, rulesHash, readingHash string

	scanned atomic.Pointer[dialect.Dialect] // the dialect of the last scan, nil before one
	changed changedFiles

	mu     sync.Mutex
	reader *sqlite.Store // nil until the first question
	closed bool
}

// Open opens the vault. The index and the model are opened when they are first needed.
func Open(ctx context.Context, config Config) (*Engine, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	options := vault.Options{MaxFileBytes: config.MaxFileBytes, Folders: config.Folders, ExtraIgnore: config.Ignore}
	if config.DataFiles {
		options.Extensions = append(vault.DefaultExtensions(), vault.DataExtensions()...)
	}
	opened, err := vault.Open(config.VaultDir, options)
	if err != nil {
		return nil, err
	}
	config.Ranking = rankingFor(config.Audience, config.Ranking)
	e := &Engine{config: config, logger: config.Logger, now: config.Now, vault: opened}
	if err := e.readRules(); err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	if e.logger == nil {
		e.logger = slog.New(slog.DiscardHandler)
	}
	if e.now == nil {
		e.now = time.Now
	}
	place, err := filepath.EvalSymlinks(opened.Root())
	if err != nil {
		place = opened.Root()
	}
	e.place = e.stored(place)
	e.placeSpellings = []string{e.place, place, index.StoredPath(nil, place)}
	e.setDefaultRules(ctx, e.dialectBy(nil))
	e.model = sync.OnceValues(func() (embedding.Embedder, error) { return openModel(config) })
	return e, ctx.Err()
}

// readRules makes the filter of secrets and the rules of classes ready.
func (e *Engine) readRules() error {
	var err error
	if e.filter, err = secret.New(e.redaction()); err != nil {
		return fmt.Errorf("configuration: redaction: %w", err)
	}
	if e.ownFilter, err = secret.New(e.config.Redaction); err != nil {
		return fmt.Errorf("configuration: redaction: %w", err)
	}
	if e.rules, err = sensitivity.New(e.config.Sensitivity...); err != nil {
		return fmt.Errorf("configuration: sensitivity: %w", err)
	}
	e.rulesHash, e.readingHash = e.rules.Hash(), e.rules.Reading()
	e.settings, err = e.hashOfSettings()
	return err
}

// redaction is what notes are filtered by.
func (e *Engine) redaction() RedactionOptions {
	options := e.config.Redaction
	options.Patterns = slices.Concat(options.Patterns, e.config.VaultPatterns)
	return options
}

// Redactor is the filter for all that a front door writes. Patterns of the vault are not in it: the text of notes that a front
// door gets has their markers already, and they could rewrite the program's own words, such as keys, fences and warnings. It is
// safe for concurrent use.
func (e *Engine) Redactor() *Redactor { return e.ownFilter }

// openModel gives nil where the configuration wants no model.
func openModel(config Config) (embedding.Embedder, error) {
	if config.NoModel {
		return nil, nil
	}
	if config.ModelDir == "" {
		return model2vec.BuiltIn()
	}
	return model2vec.Load(config.ModelDir, model2vec.Options{})
}

// Close releases the vault and the index. What is asked afterwards fails with ErrClosed.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	err := e.vault.Close()
	if e.reader != nil {
		err = errors.Join(e.reader.Close(), err)
		e.reader = nil
	}
	return err
}

// VaultDir is the absolute path of the vault.
func (e *Engine) VaultDir() string { return e.vault.Root() }

// DatabasePath is the file of the index.
func (e *Engine) DatabasePath() string { return e.config.DatabasePath }

// Index brings the index up to date. progress may be nil. A damaged index is set aside and built anew from the vault.
func (e *Engine) Index(ctx context.Context, options IndexOptions, progress func(IndexProgress)) (report IndexReport, err error) {
	defer e.clean(&err)
	report, err = e.indexWhole(ctx, options, e.progressFor(progress))
	return e.runFor(ctx, options, report, err)
}

func (e *Engine) indexWhole(ctx context.Context, options IndexOptions, progress func(IndexProgress)) (IndexReport, error) {
	report, err := e.indexOnce(ctx, options, progress)
	if !errors.Is(err, store.ErrDamaged) || options.DryRun {
		return report, err
	}
	e.logger.Warn("the index is damaged; building it anew", "index", e.config.DatabasePath)
	e.forgetReader()
	if err := sqlite.SetAside(e.config.DatabasePath); err != nil {
		return report, fmt.Errorf("set the damaged index aside: %w", err)
	}
	report, err = e.indexOnce(ctx, options, progress)
	report.Full, report.Reason = true, "the index was damaged"
	return report, err
}

func (e *Engine) indexOnce(ctx context.Context, options IndexOptions, progress func(IndexProgress)) (IndexReport, error) {
	model, err := e.model()
	if err != nil {
		return IndexReport{}, err
	}
	opened, err := sqlite.Open(ctx, sqlite.Options{Path: e.config.DatabasePath, ReadOnly: options.DryRun})
	if errors.Is(err, store.ErrMissing) && options.DryRun {
		return e.runIndex(ctx, index.Config{Store: noStore{}, Embedder: model, Progress: progress}, options)
	}
	if err != nil {
		return IndexReport{}, err
	}
	defer opened.Close()
	if options.Verify {
		if err := opened.Verify(ctx); err != nil {
			return IndexReport{}, err
		}
	}
	return e.runIndex(ctx, index.Config{Store: opened, Embedder: model, Progress: progress}, options)
}

func (e *Engine) runIndex(ctx context.Context, config index.Config, options IndexOptions) (IndexReport, error) {
	seen := &source{engine: e}
	config.Source, config.Root, config.Logger = seen, e.place, e.logger
	config.RootSpellings = e.placeSpellings
	config.Settings, config.Started = e.settings, e.now()
	config.Filter, config.Rules = e.filter, e.rules
	config.Types, config.TypesProblems = e.types(ctx)
	config.TypesFile = e.stored(e.typesName())
	config.Workers = e.config.Workers
	if config.Workers == 0 {
		config.Workers = runtime.GOMAXPROCS(0)
	}
	before := e.keptDeletions()
	after := before
	if options.Recent == nil {
		options.Recent = &after.Deletions
	}
	report, err := index.Run(ctx, config, options)
	if !options.DryRun {
		e.keepDeletions(before, after, report, err)
		e.eraseBlocks(context.WithoutCancel(ctx)) // of notes that are gone, also where the run was stopped
	}
	if seen.isWhole {
		report.Notices = e.foldersFor(seen.listing)
	}
	return report, err
}

// hashOfSettings identifies what decides how notes become passages, beside the model.
func (e *Engine) hashOfSettings() (string, error) {
	options := e.redaction()
	options.Off = slices.Sorted(slices.Values(options.Off))
	options.Allowed = slices.Sorted(slices.Values(options.Allowed))
	encoded, err := json.Marshal([]any{readingVersion, "by_heading", e.readingHash, secret.Fingerprint(), options})
	if err != nil {
		return "", fmt.Errorf("configuration: %w", err)
	}
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:8]), nil
}

// noStore stands for an index that is not there yet, for a dry run.
type noStore struct{}

func (noStore) Snapshot(context.Context) (store.Snapshot, error) { return nil, store.ErrMissing }
func (noStore) Begin(context.Context, store.Mode) (store.Update, error) {
	return nil, store.ErrReadOnly
}
func (noStore) Verify(context.Context) error { return nil }
func (noStore) Close() error                 { return nil }
