package quarry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quarry/index"
	"quarry/internal/dialect"
	"quarry/store"
)

// Status tells what is indexed and what is not. Its JSON form is part of the contract.
type Status struct {
	Vault    string    `json:"vault"`
	DB       string    `json:"db"`
	Notes    int       `json:"notes"`
	Chunks   int       `json:"chunks"`
	Model    string    `json:"model"`    // the index's, "" if it has no vectors
	Dialect  string    `json:"dialect"`  // whose rules the vault is read by now: obsidian, logseq, foam, dendron
	Stale    int       `json:"stale"`    // files that are new, changed or gone since the last run
	Problems []Problem `json:"problems"` // of the last run, and notes that declare the same id; by path
	// Redactions counts the secrets that were kept out of the index, by the name of the rule; RedactedNotes tells of which
	// notes, by path. Names and counts alone: no value is known here.
	Redactions    []RedactionCount `json:"redactions"`
	RedactedNotes []RedactedNote   `json:"redacted_notes"`
	// Sensitivity counts the indexed notes by class; those of class secret are files that are left out of the index.
	Sensitivity SensitivityCounts `json:"sensitivity"`
	// IndexDialect is the dialect that the index was built by, "" without an index; `index` builds it anew where it is another.
	IndexDialect string `json:"index_dialect"`
}

// RedactedNote tells how many secrets were kept out of a note.
type RedactedNote struct {
	Path       string           `json:"path"`
	Redactions []RedactionCount `json:"redactions"` // by name
}

// SensitivityCounts are numbers of notes by class.
type SensitivityCounts struct {
	Public   int `json:"public"`
	Internal int `json:"internal"`
	Private  int `json:"private"`
	Secret   int `json:"secret"` // never indexed
}

// Status compares the index with the vault. Without an index everything in the vault is stale, and that is no error.
func (e *Engine) Status(ctx context.Context) (Status, error) {
	listing, dialect, err := e.scan(ctx)
	status := Status{Vault: e.vault.Root(), DB: e.config.DatabasePath, Dialect: string(dialect), Problems: []Problem{},
		Redactions: []RedactionCount{}, RedactedNotes: []RedactedNote{}}
	if err != nil {
		return status, fmt.Errorf("scan the vault: %w", err)
	}
	snapshot, err := e.snapshot(ctx)
	if errors.Is(err, ErrNoIndex) {
		status.Stale = len(listing.Files)
		return status, nil
	}
	if err != nil {
		return status, fmt.Errorf("read the index: %w", err)
	}
	defer snapshot.Close()
	files, err := snapshot.Files(ctx)
	if err != nil {
		return status, fmt.Errorf("read the index: %w", err)
	}
	known := make(map[string]store.File, len(files))
	for _, file := range files {
		known[file.Path] = file
	}
	for _, file := range listing.Files {
		name := index.StoredPath(file.Path)
		old, ok := known[name]
		if !ok || old.SizeBytes != file.SizeBytes || old.ModifiedNanoseconds != file.ModifiedNanoseconds {
			status.Stale++
		}
		delete(known, name)
	}
	status.Stale += len(known)
	return status, e.fillStatus(ctx, snapshot, &status)
}

func (e *Engine) fillStatus(ctx context.Context, snapshot *view, status *Status) error {
	var err error
	if status.Notes, status.Chunks, err = snapshot.Counts(ctx); err != nil {
		return fmt.Errorf("read the index: %w", err)
	}
	status.Model = snapshot.meta[store.MetaModel]
	status.IndexDialect = snapshot.meta[store.MetaDialect]
	problems, err := snapshot.Problems(ctx)
	if err != nil {
		return fmt.Errorf("read the index: %w", err)
	}
	notes, err := snapshot.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return fmt.Errorf("read the index: %w", err)
	}
	problems = append(problems, sharedIDs(notes)...)
	slices.SortStableFunc(problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	status.Problems = append(status.Problems, problems...)
	return nil
}

// sharedIDs reports notes that declare the same id; their paths serve as ids instead.
func sharedIDs(notes []store.Note) []Problem {
	count := map[string]int{}
	for _, n := range notes {
		if n.DeclaredID != "" {
			count[n.DeclaredID]++
		}
	}
	var problems []Problem
	for _, n := range notes {
		if count[n.DeclaredID] > 1 {
			problems = append(problems, Problem{Path: n.Path, State: "warning", Reason: "another note declares the same id: " + n.DeclaredID})
		}
	}
	return problems
}

// dialectNotice tells that the index was built by the rules of another dialect than the vault would be read by now, ""
// where it was not. It goes by the configuration and the marks of apps alone; where the names of the notes have the last
// word it says nothing.
func (e *Engine) dialectNotice(meta map[string]string) string {
	built := dialect.Dialect(meta[store.MetaDialect])
	now := e.dialectBy(nil)
	if built == "" || built == now || e.configuredDialect() == "" && dialect.NamesDecide(e.vault.Has) {
		return ""
	}
	return fmt.Sprintf("the index was built as %s, the vault is read as %s now; run `quarry index`", built, now)
}
