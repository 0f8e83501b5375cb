package visible

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"quarry/store"
)

func (v *lists) hides(path string) bool {
	return v.notes[path] || v.hidesPath != nil && v.hidesPath(path)
}

// OtherFiles leaves out hidden paths.
func (v *lists) OtherFiles(ctx context.Context) ([]string, error) {
	paths, err := v.Snapshot.OtherFiles(ctx)
	return slices.DeleteFunc(paths, v.hides), err
}

// Problems leaves out those of hidden paths.
func (v *lists) Problems(ctx context.Context) ([]store.Problem, error) {
	problems, err := v.Snapshot.Problems(ctx)
	return slices.DeleteFunc(problems, func(p store.Problem) bool { return v.hides(p.Path) }), err
}

// Files leaves out hidden notes.
func (v *snapshot) Files(ctx context.Context) ([]store.File, error) {
	files, err := v.Snapshot.Files(ctx)
	return slices.DeleteFunc(files, func(f store.File) bool { return v.notes[f.Path] }), err
}

// Notes leaves out hidden notes before the limit counts.
func (v *snapshot) Notes(ctx context.Context, q store.NoteQuery) ([]store.Note, error) {
	without := v.notes
	if len(q.Filter.Without) > 0 {
		without = maps.Clone(v.notes)
		maps.Copy(without, q.Filter.Without)
	}
	q.Filter.Without = without
	notes, err := v.Snapshot.Notes(ctx, q)
	if err != nil {
		return nil, err
	}
	for i := range notes {
		if err := v.identify(ctx, &notes[i]); err != nil {
			return nil, err
		}
	}
	return notes, nil
}

// Note finds a note that is shown.
func (v *snapshot) Note(ctx context.Context, address string) (n store.Note, ok bool, err error) {
	if !v.notes[address] {
		n, ok, err = v.Snapshot.Note(ctx, address)
		if err != nil {
			return store.Note{}, false, err
		}
	}
	if prefix, isDocID := strings.CutPrefix(strings.ToLower(address), "#"); !ok && isDocID && store.IsDocIDPrefix(prefix) {
		// A hidden note has this path, or shares the prefix with the one that is meant.
		path, found, err := v.withDigest(ctx, prefix)
		if !found || err != nil {
			return store.Note{}, false, err
		}
		if n, ok, err = v.Snapshot.Note(ctx, path); err != nil {
			return store.Note{}, false, err
		}
	}
	if !ok || v.notes[n.Path] {
		return store.Note{}, false, nil
	}
	if err := v.identify(ctx, &n); err != nil {
		return store.Note{}, false, err
	}
	return n, true, nil
}

// withDigest gives the path of the one note shown whose digest begins with the prefix; false where there is none, or more
// than one.
func (v *snapshot) withDigest(ctx context.Context, prefix string) (path string, found bool, err error) {
	files, err := v.Files(ctx)
	for _, f := range files {
		if strings.HasPrefix(store.PathDigest(f.Path), prefix) {
			if found {
				return "", false, nil
			}
			path, found = f.Path, true
		}
	}
	return path, found, err
}

// Links yields the links of the notes shown. What they point to stays, as it stays in the texts.
func (v *snapshot) Links(ctx context.Context) iter.Seq2[store.LinksOf, error] {
	return func(yield func(store.LinksOf, error) bool) {
		for of, err := range v.Snapshot.Links(ctx) {
			if (err != nil || !v.notes[of.Path]) && !yield(of, err) {
				return
			}
		}
	}
}

// Outlines yields the outlines of the notes shown.
func (v *snapshot) Outlines(ctx context.Context) iter.Seq2[store.OutlineOf, error] {
	return func(yield func(store.OutlineOf, error) bool) {
		for of, err := range v.Snapshot.Outlines(ctx) {
			if (err != nil || !v.notes[of.Path]) && !yield(of, err) {
				return
			}
		}
	}
}

// Counts counts what is shown.
func (v *snapshot) Counts(context.Context) (notes, passages int, err error) {
	return v.counts[0], v.counts[1], nil
}
