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
	// Notices tell of settings that need a run of the index before they act in full, and of folders in them that are not there.
	Notices []string `json:"notices"`
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
		Redactions: []RedactionCount{}, RedactedNotes: []RedactedNote{}, Notices: []string{},
	}
	if err != nil {
		return status, fmt.Errorf("scan the vault: %w", err)
	}
	status.Notices = append(status.Notices, e.foldersFor(listing)...)
	snapshot, err := e.snapshot(ctx)
	if errors.Is(err, ErrNoIndex) {
		files, _ := e.filesFor(listing.Files, nil)
		status.Stale = len(files)
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
	known := make(map[string]store.File, len(notes))
	for i := range notes {
		known[notes[i].Path] = notes[i].File
	}
	files, secret := e.filesFor(files, known)
	problems = e.problemsFor(problems, notes)
	kept := e.keptOut(files, problems)
	changed, gone := e.countStale(files, known, kept)
	status.Stale = changed + gone + snapshot.secret
	e.countClasses(ctx, notes, &status.Sensitivity)
	status.Sensitivity.Secret = len(kept) + len(secret)
	problems = append(problems, sharedIDs(notes)...)
	slices.SortStableFunc(problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	status.Problems = append(status.Problems, problems...)
	status.Redactions, status.RedactedNotes = redactionsByNote(notes)
	status.Notices = append(status.Notices, e.notices(snapshot.meta)...)
	status.Notices = append(status.Notices, e.typesNoticeFor(ctx, snapshot.meta)...)
	return filterAgain(e, snapshot.meta, status)
}

// keptOut gives the stored names of the files that the last run did not index for what they say, or do not say, of their
// class, and would not by the rules of now.
func (e *Engine) keptOut(files []vault.File, problems []Problem) map[string]bool {
	secret := map[string]bool{}
	for _, p := range problems {
		if index.IsSecret(p) && (index.SaysSecret(p) || e.rules.Of(p.Path, "") == sensitivity.Secret) {
			secret[p.Path] = true
		}
	}
	if len(secret) == 0 {
		return nil
	}
	kept := map[string]bool{}
	for _, file := range files {
		if name := e.stored(file.Path); secret[name] {
			kept[name] = true
		}
	}
	return kept
}

// countStale counts the files that are new or changed, and those that are gone. Those that are kept out are none of them.
func (e *Engine) countStale(files []vault.File, known map[string]store.File, kept map[string]bool) (changed, gone int) {
	gone = len(known)
	for i := range files {
		name := files[i].Path
		old, ok := known[name]
		if !ok {
			name = e.stored(name)
			old, ok = known[name]
		}
		if ok {
			gone--
		}
		if !ok && !kept[name] || ok && !index.IsSame(&old, &files[i]) {
			changed++
		}
	}
	return changed, gone
}

// redactionsByNote sums up what was kept out of notes.
func redactionsByNote(notes []store.Note) (sums []RedactionCount, byNote []RedactedNote) {
	byNote = []RedactedNote{}
	counts := map[string]int{}
	for i := range notes {
		if len(notes[i].Redactions) == 0 {
			continue
		}
		one := RedactedNote{Path: notes[i].Path}
		for _, found := range notes[i].Redactions {
			one.Redactions = append(one.Redactions, RedactionCount(found))
			counts[found.Name] += found.Count
		}
		byNote = append(byNote, one)
	}
	sums = []RedactionCount{}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		sums = append(sums, RedactionCount{Name: name, Count: counts[name]})
	}
	return sums, byNote
}

// redactionsOf sums up what was kept out of notes as a report of a run does.
func redactionsOf(notes []store.Note) (sums []store.Redaction, count int) {
	all, byNote := redactionsByNote(notes)
	sums = make([]store.Redaction, len(all))
	for i := range all {
		sums[i] = store.Redaction(all[i])
	}
	return sums, len(byNote)
}

// countClasses counts notes by class, as the rules of now have it.
func (e *Engine) countClasses(ctx context.Context, notes []store.Note, counts *SensitivityCounts) {
	real := e.realNames(ctx)
	for i := range notes {
		name, _ := real(notes[i].Path)
		switch e.rules.Of(name, notes[i].Sensitivity) {
		case sensitivity.Public:
			counts.Public++
		case sensitivity.Internal:
			counts.Internal++
		case sensitivity.Private:
			counts.Private++
		case sensitivity.Secret: // hidden from everybody
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

// notices tell what of the settings needs a run of the index before it acts in full.
func (e *Engine) notices(meta map[string]string) []string {
	notices := e.noticesFor(meta)
	if notice := e.dialectNotice(meta); notice != "" {
		notices = append(notices, notice)
	}
	return notices
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
