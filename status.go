package quarry

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quarry/index"
	"quarry/internal/dialect"
	"quarry/internal/sensitivity"
	"quarry/store"
	"quarry/vault"
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

// Status compares the index with the vault. Without an index everything in the vault is stale, and that is no error. A
// client is told of the notes that it may see alone, and of files that are not indexed not at all.
func (e *Engine) Status(ctx context.Context) (status Status, err error) {
	defer e.clean(&err)
	listing, dialect, err := e.scan(ctx)
	status = Status{
		Vault: e.shown(e.vault.Root()), DB: e.shown(e.config.DatabasePath), Dialect: string(dialect), Problems: []Problem{},
		Redactions: []RedactionCount{}, RedactedNotes: []RedactedNote{},
	}
	if err != nil {
		return status, fmt.Errorf("scan the vault: %w", err)
	}
	snapshot, err := e.snapshot(ctx)
	if errors.Is(err, ErrNoIndex) {
		if !e.isForClient() {
			status.Stale = len(slices.DeleteFunc(listing.Files, func(file vault.File) bool { return e.isHiddenFolder(file.Path) }))
		}
		return status, nil
	}
	if err == nil {
		defer snapshot.Close()
		err = e.fillStatus(ctx, snapshot, listing.Files, &status)
	}
	if err != nil {
		return status, fmt.Errorf("read the index: %w", err)
	}
	return status, nil
}

func (e *Engine) fillStatus(ctx context.Context, snapshot *view, files []vault.File, status *Status) error {
	status.Model = snapshot.meta[store.MetaModel]
	status.IndexDialect = snapshot.meta[store.MetaDialect]
	var err error
	if status.Notes, status.Chunks, err = snapshot.Counts(ctx); err != nil {
		return err
	}
	problems, err := snapshot.Problems(ctx)
	if err != nil {
		return err
	}
	notes, err := snapshot.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return err
	}
	if e.isForClient() { // of what is no indexed note nobody knows the class
		problems = problemsOf(problems, notes)
	}
	status.Stale = e.countStale(files, notes, problems)
	problems = append(problems, sharedIDs(notes)...)
	slices.SortStableFunc(problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	status.Problems = append(status.Problems, problems...)
	status.addRedactions(notes)
	e.countClasses(notes, problems, &status.Sensitivity)
	return nil
}

// problemsOf are the problems of notes.
func problemsOf(problems []Problem, notes []store.Note) []Problem {
	known := map[string]bool{}
	for i := range notes {
		known[notes[i].Path] = true
	}
	return slices.DeleteFunc(problems, func(p Problem) bool { return !known[p.Path] })
}

// countStale counts the files that are new, changed or gone. Those that are never indexed are none of them.
func (e *Engine) countStale(files []vault.File, notes []store.Note, problems []Problem) int {
	known := make(map[string]store.File, len(notes))
	for i := range notes {
		known[notes[i].Path] = notes[i].File
	}
	secret := map[string]bool{}
	for _, p := range problems {
		if index.IsSecret(p) {
			secret[p.Path] = true
		}
	}
	stale := 0
	for _, file := range files {
		name := file.Path
		old, ok := known[name]
		if !ok {
			name = e.stored(name)
			old, ok = known[name]
		}
		isNew := !ok && !e.isForClient() && !secret[name] && !e.isHiddenFolder(file.Path)
		if isNew || ok && isChanged(old, file) {
			stale++
		}
		delete(known, name)
	}
	return stale + len(known)
}

func (s *Status) addRedactions(notes []store.Note) {
	sums := map[string]int{}
	for i := range notes {
		if len(notes[i].Redactions) == 0 {
			continue
		}
		one := RedactedNote{Path: notes[i].Path}
		for _, found := range notes[i].Redactions {
			one.Redactions = append(one.Redactions, RedactionCount(found))
			sums[found.Name] += found.Count
		}
		s.RedactedNotes = append(s.RedactedNotes, one)
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		s.Redactions = append(s.Redactions, RedactionCount{Name: name, Count: sums[name]})
	}
}

// countClasses counts notes by class, as the rules of now have it.
func (e *Engine) countClasses(notes []store.Note, problems []Problem, counts *SensitivityCounts) {
	for i := range notes {
		switch e.rules.Of(notes[i].Path, notes[i].Sensitivity) {
		case sensitivity.Public:
			counts.Public++
		case sensitivity.Internal:
			counts.Internal++
		case sensitivity.Private:
			counts.Private++
		case sensitivity.Secret: // hidden from everybody
		}
	}
	for _, p := range problems {
		if index.IsSecret(p) {
			counts.Secret++
		}
	}
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
