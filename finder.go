package quarry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quarry/graph"
	"quarry/internal/dialect"
	"quarry/note"
	"quarry/store"
)

// finder finds what addresses mean in one view of the index: notes, or other files of the vault. It reads no more than it needs,
// and is not safe for concurrent use.
type finder struct {
	engine    *Engine
	view      *view
	directory *directory      // nil until it is needed
	resolver  *graph.Resolver // alike
}

// unknownNote is an address that means nothing.
type unknownNote struct {
	address string
	err     error
}

func (e *unknownNote) Error() string { return e.err.Error() }
func (e *unknownNote) Unwrap() error { return e.err }

// noSuchName is an ErrNotFound that looks for names which come near when it is read.
type noSuchName struct{ suggestion func() string }

func (e *noSuchName) Error() string { return ErrNotFound.Error() + e.suggestion() }
func (e *noSuchName) Unwrap() error { return ErrNotFound }

// found is a note of the index, or another file of the vault.
type found struct {
	path   string
	isNote bool
}

// find takes a path, with or without ".md", a name, a "#docid", a title or an alias; brackets of a link are taken off. What is
// not there is an *unknownNote.
func (f *finder) find(ctx context.Context, address string) (found, error) {
	bare := withoutBrackets(address)
	for _, candidate := range slices.Compact([]string{address, bare, bare + ".md"}) {
		n, ok, err := f.view.Note(ctx, candidate)
		if ok || err != nil {
			return found{n.Path, ok}, err
		}
	}
	at, err := f.named(ctx, bare)
	if errors.Is(err, ErrNotFound) {
		err = &unknownNote{address, err}
	}
	return at, err
}

// named finds the file that a link of the text would resolve to, else the note with the title or alias.
func (f *finder) named(ctx context.Context, name string) (found, error) {
	if name == "" {
		return found{}, ErrNotFound
	}
	resolver, err := f.names(ctx)
	if err != nil {
		return found{}, err
	}
	resolved := resolver.Resolve(name, "", "").Path
	if resolved != "" {
		_, isNote, err := f.view.Note(ctx, resolved)
		if isNote || err != nil || errors.Is(kindOfOther(resolved), ErrOtherFile) {
			return found{resolved, isNote}, err
		}
	}
	known, err := f.directory.titles(ctx, f.view)
	if err != nil {
		return found{}, err
	}
	if long := known.longNamed(name, dialect.Dialect(f.view.meta[store.MetaDialect])); long != "" {
		return found{long, true}, nil
	}
	titled := known.of(name)
	at, err := theOneCalled(titled, name)
	switch {
	case err != nil:
		return found{}, err
	case at >= 0:
		return found{titled[at].Path, true}, nil
	case resolved != "": // a note that was left out of the index: its links are not known
		return found{}, fmt.Errorf("%s: %w", resolved, ErrLeftOut)
	}
	return found{}, &noSuchName{func() string { return suggestion(name, known.nameables()) }}
}

// noticesOfName tells which other notes are called as the one at a path, where that was found by a name that is no path.
func (f *finder) noticesOfName(ctx context.Context, address, at string) ([]string, error) {
	name := withoutBrackets(address)
	isName := func(file string) bool { return graph.SameName(fileName(file), name) }
	if !isBareName(name) || !isName(at) {
		return nil, nil
	}
	files, err := f.view.Files(ctx)
	if err != nil {
		return nil, err
	}
	var others []string
	for i := range files {
		if file := files[i].Path; file != at && isName(file) {
			others = append(others, file)
		}
	}
	if len(others) == 0 {
		return nil, nil
	}
	return []string{fmt.Sprintf("several notes are called %s: this is %s, others are %s", name, at, listed(others))}, nil
}

// isBareName tells of an address that names neither folder nor extension.
func isBareName(name string) bool { return !strings.ContainsAny(name, `/\#`) && !isNoteName(name) }

// names gives the resolver of all names of the view.
func (f *finder) names(ctx context.Context) (*graph.Resolver, error) {
	if f.resolver != nil {
		return f.resolver, nil
	}
	var err error
	if f.directory, err = f.engine.directoryOf(ctx, f.view); err != nil {
		return nil, err
	}
	f.resolver, err = f.directory.names(ctx, f)
	return f.resolver, err
}

// resolverOf knows the names of all files and the aliases of the notes, and goes by the dialect of the index.
func (e *Engine) resolverOf(ctx context.Context, v *view) (*graph.Resolver, error) {
	return graph.ResolverOf(ctx, v, dialect.Dialect(v.meta[store.MetaDialect]), func(other string) bool { return !e.isNoOther(other) })
}

// butSecret tells the owner of a note that is in no index since its class is secret. No view may be open.
func (e *Engine) butSecret(ctx context.Context, err error) error {
	var unknown *unknownNote
	if !errors.As(err, &unknown) || errors.Is(err, ErrLeftOut) {
		return err
	}
	if _, parseErr := e.Parse(ctx, unknown.address); errors.Is(parseErr, ErrSecret) {
		return ErrSecret
	}
	return err
}

// singleOutlines is up to how many outlines are read one by one; then reading all of them is cheaper.
const singleOutlines = 32

// outlineReader reads the outlines that links ask for. Files that are no Markdown have none, and drawings have none that is
// read: a subpath names an element of theirs. It is not safe for concurrent use.
type outlineReader struct {
	snapshot store.Snapshot
	known    map[string]*graph.Outline // nil: the file has none
	all      bool                      // known holds every note
	err      error                     // the first fault; nothing is read after it
}

func newOutlineReader(snapshot store.Snapshot) *outlineReader {
	return &outlineReader{snapshot: snapshot, known: map[string]*graph.Outline{}}
}

func (r *outlineReader) of(ctx context.Context, path string) *graph.Outline {
	if outline, ok := r.known[path]; ok || r.all || r.err != nil {
		return outline
	}
	if len(r.known) >= singleOutlines {
		r.readAll(ctx)
		return r.known[path]
	}
	n, ok, err := r.snapshot.Note(ctx, path)
	r.err = err
	if ok && n.Path == path && hasOutline(&n) {
		r.known[path] = newOutline(n.Headings, n.BlockIDs)
	} else {
		r.known[path] = nil
	}
	return r.known[path]
}

func (r *outlineReader) readAll(ctx context.Context) {
	r.all = true
	notes, err := r.snapshot.Notes(ctx, store.NoteQuery{})
	if err != nil {
		r.err = err
		return
	}
	isOpaque := map[string]bool{}
	for i := range notes {
		isOpaque[notes[i].Path] = !hasOutline(&notes[i])
	}
	for of, err := range r.snapshot.Outlines(ctx) {
		if err != nil {
			r.err = err
			return
		}
		if !isOpaque[of.Path] {
			r.known[of.Path] = newOutline(of.Headings, of.BlockIDs)
		}
	}
}

func hasOutline(n *store.Note) bool {
	kind := note.Kind(n.Kind)
	return kind == note.Plain || kind == note.Kanban
}

func newOutline(stored []store.Heading, blocks []string) *graph.Outline {
	headings := make([]graph.Heading, len(stored))
	for i, h := range stored {
		headings[i] = graph.Heading(h)
	}
	return graph.NewOutline(headings, blocks)
}
