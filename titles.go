package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"quarry/graph"
	"quarry/internal/dialect"
	"quarry/internal/spelling"
	"quarry/store"
)

// What an address can mean beside a note. ErrLeftOut, ErrSecret and ErrOtherFile are ErrNotFound, too.
var (
	// ErrSeveral: several notes have the title or the alias.
	ErrSeveral = errors.New("several notes are called so")
	// ErrLeftOut: the file is there, but a rule keeps it out.
	ErrLeftOut error = &kindError{"it is left out by rule", ErrNotFound}
	// ErrSecret: the file is there, but is of the class that nobody is shown. Only the owner gets it.
	ErrSecret error = &kindError{"it is kept out: its class is secret", ErrNotFound}
	// ErrOtherFile: the file is there, but is no note.
	ErrOtherFile error = &kindError{"it is no note, but a file that notes can link to", ErrNotFound}
)

// kindError is an error of a kind, in words of its own.
type kindError struct {
	text string
	kind error
}

func (e *kindError) Error() string { return e.text }
func (e *kindError) Unwrap() error { return e.kind }

// byTitle finds the indexed note that has the title or the alias, "" where there is none.
func (e *Engine) byTitle(ctx context.Context, title string) (string, error) {
	var places []string
	real := e.realNames(ctx)
	found := slices.DeleteFunc(called(e.indexedNotes(ctx), title), func(n store.Note) bool {
		place, ok := real(n.Path)
		if !ok || e.vault.Ignored(place) {
			return true
		}
		places = append(places, place)
		return false
	})
	at, err := theOneCalled(found, title)
	switch {
	case err != nil:
		return "", fmt.Errorf("read %s: %w", e.stored(title), err)
	case at < 0:
		return "", nil
	}
	return places[at], nil
}

// indexedNotes are none where there is no index: then nobody knows titles.
func (e *Engine) indexedNotes(ctx context.Context) []store.Note {
	snapshot, err := e.snapshot(ctx)
	if err != nil {
		return nil
	}
	defer snapshot.Close()
	notes, err := snapshot.Notes(ctx, store.NoteQuery{})
	if err != nil {
		e.warn("look for a title", err)
	}
	return notes
}

// called gives the notes that have a title or an alias, in any letter case.
func called(notes []store.Note, title string) []store.Note {
	isMeant := func(name string) bool { return graph.SameName(name, title) }
	var found []store.Note
	for i := range notes {
		if isMeant(notes[i].Title) || slices.ContainsFunc(notes[i].Aliases, isMeant) {
			found = append(found, notes[i])
		}
	}
	return found
}

// shownNotes is how many notes of one name an error or a notice lists.
const shownNotes = 8

// theOneCalled chooses among notes of one name: the only one, or the only one whose title is written just so. It gives -1
// where there is none.
func theOneCalled(found []store.Note, title string) (int, error) {
	if len(found) < 2 {
		return len(found) - 1, nil
	}
	var exact, paths []string
	at := -1
	for i, n := range found {
		paths = append(paths, n.Path)
		if norm.NFC.String(n.Title) == norm.NFC.String(title) {
			exact = append(exact, n.Path)
			at = i
		}
	}
	if len(exact) == 1 {
		return at, nil
	}
	if len(exact) > 1 {
		paths = exact
	}
	return -1, &kindError{fmt.Sprintf("several notes are called %s: %s", title, listed(paths)), ErrSeveral}
}

// listed names the first of some paths in order, and how many more there are. It sorts them.
func listed(paths []string) string {
	slices.Sort(paths)
	list := strings.Join(paths[:min(len(paths), shownNotes)], ", ")
	if more := len(paths) - shownNotes; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// notFound tells what a name that no note has may mean: another file, or a note whose name or title comes near.
func (e *Engine) notFound(ctx context.Context, name string) error {
	if name == "" {
		return fmt.Errorf("read: the address is empty: %w", ErrNotFound)
	}
	shown := e.stored(name)
	for _, candidate := range []string{name, name + ".md"} {
		if e.leftOut(ctx, candidate) {
			return fmt.Errorf("read %s: %w", e.stored(candidate), kindOfOther(candidate))
		}
	}
	found, err := e.lists(ctx)
	if err != nil {
		return fmt.Errorf("read %s: %w", shown, ErrNotFound)
	}
	if other := graph.NewResolver(found.others).WithDialect(e.dialect(ctx), nil).Resolve(name, "", "").Path; other != "" {
		return fmt.Errorf("read %s: %w", e.stored(other), kindOfOther(other))
	}
	if secret := graph.NewResolver(found.secret).Resolve(name, "", "").Path; secret != "" {
		return fmt.Errorf("read %s: %w", e.stored(secret), ErrSecret)
	}
	names := map[string][]string{}
	for _, n := range e.indexedNotes(ctx) {
		names[n.Path] = titlesOf(&n)
	}
	var near []nameable
	for _, file := range found.notes {
		stored := e.stored(file)
		near = append(near, nameable{stored, names[stored]})
	}
	return fmt.Errorf("read %s: %w%s", shown, ErrNotFound, suggestion(name, near))
}

// kindOfOther tells a note that is left out from a file that is none.
func kindOfOther(file string) error {
	if isNoteName(file) {
		return ErrLeftOut
	}
	return ErrOtherFile
}

// nameable is a note with what it is called beside its path.
type nameable struct {
	path  string
	names []string
}

func titlesOf(n *store.Note) []string { return append([]string{n.Title}, n.Aliases...) }

// Suggestions are at most maxSuggestions names that share at least leastShare of their letter pairs (Dice's coefficient)
// with the one asked for, and not much less than the best.
const (
	maxSuggestions = 3
	leastShare     = .4
	shareBelowBest = .15
)

// suggestion names the notes whose file names, titles or aliases come nearest: "; did you mean a.md or b.md (Title)?", ""
// where none does.
func suggestion(name string, notes []nameable) string {
	type near struct {
		path, shown string
		share       float64
	}
	wantedFile, wanted := spelling.PairsOf(fileName(name)), spelling.PairsOf(name)
	var found []near
	for _, n := range notes {
		best := near{n.path, n.path, wantedFile.Likeness(spelling.PairsOf(fileName(n.path)))}
		for _, title := range n.names {
			if share := wanted.Likeness(spelling.PairsOf(title)); share > best.share {
				best = near{n.path, n.path + " (" + title + ")", share}
			}
		}
		if best.share > leastShare {
			found = append(found, best)
		}
	}
	slices.SortFunc(found, func(a, b near) int { return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.path, b.path)) })
	var shown []string
	for i, n := range found {
		if i == maxSuggestions || n.share < found[0].share-shareBelowBest {
			break
		}
		shown = append(shown, n.shown)
	}
	if len(shown) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(shown, " or ") + "?"
}

func fileName(of string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path.Base(of), ".md"), markdownExtension)
}

// markdownExtension is the longer one of notes. A link has to name it; who asks for a note need not.
const markdownExtension = ".markdown"

// longNamed finds the note among paths that a name means without markdownExtension, "" where there is none.
func longNamed(paths []string, name string, by dialect.Dialect) string {
	long := map[string]string{}
	for _, p := range paths {
		if extension := path.Ext(p); strings.EqualFold(extension, markdownExtension) {
			long[strings.TrimSuffix(p, extension)+".md"] = p
		}
	}
	if len(long) == 0 {
		return ""
	}
	names := graph.NewResolver(slices.Collect(maps.Keys(long))).WithDialect(by, nil)
	return long[names.Resolve(name, "", "").Path]
}
