// Package triage leads signals into a vault: it reads inputs, fetches what the user listed, leaves out what was seen, scores, routes,
// writes notes, and keeps all of it in the ledger. The packages that it leads know nothing of each other.
package triage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"quarry/intake"
	"quarry/intake/ledger"
	"quarry/intake/source"
	"quarry/internal/fetch"
	"quarry/secret"
	"quarry/vault"
)

// Files at the vault's root that say what it wants.
const (
	RulesFile     = "intake.yaml"
	InterestsFile = "interests.md"
)

// Folder is where notes of signals go, each into the folder of its domain.
const Folder = "05-signals"

// AttachmentFolder is where attached files go, where they are kept.
const AttachmentFolder = "08-attachments"

// Redactor takes secrets out of texts and JSON documents, as *secret.Filter does.
type Redactor interface {
	Redact(text string) (string, []secret.Count)
	RedactJSON(document []byte) []byte
}

// Scorer scores signals, as *intake.Scorer does.
type Scorer interface {
	Score(signal intake.Signal) intake.Score
}

// Getter asks servers, as *fetch.Client does.
type Getter interface {
	Get(ctx context.Context, request fetch.Request) (fetch.Response, error)
}

// Options of Open.
type Options struct {
	VaultDir    string
	LedgerPath  string
	Attachments bool             // keep attached files, too
	Redactor    Redactor         // nil: secret.Default()
	Now         func() time.Time // nil: time.Now
	Scorer      Scorer           // nil: by the vault's rules
	Getter      Getter           // nil: the network, which Fetch alone asks
	UserAgent   string           // program and version, for servers; "": as fetch.Options says
	// Before is called before each transaction that settles signals ends, when their notes are written; an error undoes it. Tests use it.
	Before func() error
}

// Triage is intake of one vault. Several may be open for one vault, in other processes too; each is used by one goroutine.
type Triage struct {
	options  Options
	ledger   *ledger.Ledger
	vault    *vault.Vault
	redactor Redactor
	rules    intake.Rules
	scorer   Scorer
	faults   []source.Problem
}

// Open opens the ledger, which is made where it is missing, and reads the vault's rules.
func Open(ctx context.Context, options Options) (*Triage, error) {
	if options.Redactor == nil {
		options.Redactor = secret.Default()
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	opened, err := vault.Open(options.VaultDir, vault.Options{})
	if err != nil {
		return nil, fmt.Errorf("open the vault: %w", err)
	}
	kept, err := ledger.Open(ctx, options.LedgerPath)
	if err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	t := &Triage{options: options, ledger: kept, vault: opened, redactor: options.Redactor}
	if err := t.readRules(ctx); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// Close closes what Open opened.
func (t *Triage) Close() error { return errors.Join(t.ledger.Close(), t.vault.Close()) }

// Faults are what cannot be used of the vault's rules.
func (t *Triage) Faults() []source.Problem { return t.faults }

// LedgerPath is where the ledger lies.
func (t *Triage) LedgerPath() string { return t.ledger.Path() }

// Ledger is the ledger, for reading.
func (t *Triage) Ledger() *ledger.Ledger { return t.ledger }

func (t *Triage) now() time.Time { return t.options.Now().UTC() }

// readRules reads the vault's own rules and what was learnt. Faults of them stop nothing.
func (t *Triage) readRules(ctx context.Context) error {
	t.rules = intake.DefaultRules()
	content, err := t.readOptional(ctx, RulesFile)
	if err != nil {
		return err
	}
	if content != nil {
		overlay, faults := intake.ParseRules(content)
		for _, fault := range faults {
			t.faults = append(t.faults, source.Problem{Where: fmt.Sprintf("%s:%d", RulesFile, fault.Line), Reason: t.clean(fault.Message)})
		}
		t.rules = t.rules.With(overlay)
	}
	if content, err = t.readOptional(ctx, InterestsFile); err != nil {
		return err
	}
	if content != nil {
		t.rules = t.rules.With(intake.Rules{Interests: intake.ParseInterests(content)})
	}
	t.rules.Now = t.now()
	return t.prepareScorer(ctx)
}

// prepareScorer makes the scorer of the rules and of what is learnt by now.
func (t *Triage) prepareScorer(ctx context.Context) error {
	if t.options.Scorer != nil {
		t.scorer = t.options.Scorer
		return nil
	}
	learnt, err := t.ledger.Learnt(ctx)
	if err != nil {
		return err
	}
	t.rules.Adjustments = learnt
	scorer, err := intake.NewScorer(t.rules)
	if err != nil {
		return fmt.Errorf("read %s: %w", RulesFile, err)
	}
	t.scorer = scorer
	return nil
}

// readOptional reads a file of the vault, nil where there is none; one that cannot be read is a fault.
func (t *Triage) readOptional(ctx context.Context, name string) ([]byte, error) {
	content, _, err := t.vault.Read(ctx, name)
	switch {
	case err == nil:
		return content, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case !errors.Is(err, fs.ErrNotExist):
		t.faults = append(t.faults, source.Problem{Where: name, Reason: err.Error()})
	}
	return nil, nil
}

// clean is a text without secrets.
func (t *Triage) clean(text string) string {
	text, _ = t.redactor.Redact(text)
	return text
}

// cleanSignal is a signal without secrets.
func (t *Triage) cleanSignal(signal intake.Signal) (intake.Signal, error) {
	attachments := signal.Attachments
	signal.Attachments = nil // their bytes are no text
	document, err := json.Marshal(signal)
	if err != nil {
		return intake.Signal{}, fmt.Errorf("read a signal: %w", err)
	}
	var clean intake.Signal
	if err := json.Unmarshal(t.redactor.RedactJSON(document), &clean); err != nil {
		return intake.Signal{}, fmt.Errorf("read a signal without its secrets: %w", err)
	}
	for _, one := range attachments {
		one.Name = t.clean(one.Name)
		if !t.options.Attachments {
			one.Content = nil
		}
		clean.Attachments = append(clean.Attachments, one)
	}
	return clean, nil
}

// Domains are the names of all domains, the built-in ones first.
func (t *Triage) Domains() []string {
	names := append([]string{}, intake.Domains...)
	known := map[string]bool{}
	for _, name := range names {
		known[name] = true
	}
	for _, one := range t.rules.Domains {
		if !known[one.Name] {
			known[one.Name] = true
			names = append(names, one.Name)
		}
	}
	return names
}
