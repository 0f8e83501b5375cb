package quarry

import (
	"context"
	"path"
	"strings"
	"sync"

	"quarry/graph"
	"quarry/internal/dialect"
	"quarry/store"
)

// directory knows by which names the notes of one view of the index go, and who links to which name. It is kept while the view
// stays the same, and safe for concurrent use.
type directory struct {
	generation any
	shown      [32]byte // of the names that can be seen, zero where all can

	mu       sync.Mutex
	resolver **graph.Resolver // nil until it is needed
	called   *calledNotes     // nil until it is needed
	asked    int              // how often it was asked who links to a name
	targets  *linkTargets     // nil before the second time: a process may ask no more than once
}

// directoryOf gives the directory of a view.
func (e *Engine) directoryOf(ctx context.Context, v *view) (*directory, error) {
	shown, err := v.shown(ctx)
	if err != nil {
		return nil, err
	}
	if last := e.directory.Load(); v.generation != nil && last != nil && last.generation == v.generation && last.shown == shown {
		return last, nil
	}
	d := &directory{generation: v.generation, shown: shown}
	if v.generation != nil {
		e.directory.Store(d)
	}
	return d, nil
}

// names gives the resolver of all names of the view.
func (d *directory) names(ctx context.Context, f *finder) (*graph.Resolver, error) {
	return keptIn(&d.mu, &d.resolver, func() (*graph.Resolver, error) { return f.engine.resolverOf(ctx, f.view) })
}

// calledNotes are the notes of a view, each with its path, title and aliases alone, by path.
type calledNotes struct {
	notes  []store.Note
	byName map[string][]int32 // places of the notes that have the title or alias, by graph.NameKey
	long   []string           // paths that end with markdownExtension
}

// titles gives the titles and aliases of the view.
func (d *directory) titles(ctx context.Context, v *view) (*calledNotes, error) {
	called, err := keptIn(&d.mu, &d.called, func() (calledNotes, error) {
		notes, err := v.Notes(ctx, store.NoteQuery{})
		return calledIn(notes), err
	})
	return &called, err
}

func calledIn(notes []store.Note) calledNotes {
	c := calledNotes{notes: make([]store.Note, len(notes)), byName: make(map[string][]int32, len(notes))}
	for i := range notes {
		n := store.Note{Title: notes[i].Title, Aliases: notes[i].Aliases}
		n.Path = notes[i].Path
		c.notes[i] = n
		for _, name := range titlesOf(&n) {
			key := graph.NameKey(name)
			if places := c.byName[key]; len(places) == 0 || places[len(places)-1] != int32(i) {
				c.byName[key] = append(places, int32(i))
			}
		}
		if strings.EqualFold(path.Ext(n.Path), markdownExtension) {
			c.long = append(c.long, n.Path)
		}
	}
	return c
}

// of gives the notes that have a title or an alias, in any letter case.
func (c *calledNotes) of(title string) []store.Note {
	var found []store.Note
	for _, place := range c.byName[graph.NameKey(title)] {
		found = append(found, c.notes[place])
	}
	return found
}

// longNamed finds the note that a name means without markdownExtension, "" where there is none.
func (c *calledNotes) longNamed(name string, by dialect.Dialect) string {
	return longNamed(c.long, name, by)
}

// nameables are all notes with what they are called.
func (c *calledNotes) nameables() []nameable {
	near := make([]nameable, len(c.notes))
	for i := range c.notes {
		near[i] = nameable{c.notes[i].Path, titlesOf(&c.notes[i])}
	}
	return near
}

// linkTargets are the notes that hold links to a name, whatever that is resolved to.
type linkTargets struct {
	paths  []string           // of notes with links, in order
	byName map[string][]int32 // places in paths, by graph.NameKey of a target's bareName, and of the last part of that
	isFull bool               // there were more than maxTargets: byName does not hold all
}

// maxTargets bounds the entries of linkTargets.
const maxTargets = 1 << 20

// linking gives the paths of the notes that may link to a bareName; ok is false where it does not know.
func (d *directory) linking(ctx context.Context, v *view, name string) (paths []string, ok bool, err error) {
	d.mu.Lock()
	d.asked++
	isFirst := d.asked == 1
	d.mu.Unlock()
	if isFirst {
		return nil, false, nil
	}
	targets, err := keptIn(&d.mu, &d.targets, func() (linkTargets, error) { return targetsIn(ctx, v) })
	if err != nil || targets.isFull {
		return nil, false, err
	}
	for _, place := range targets.byName[graph.NameKey(name)] {
		paths = append(paths, targets.paths[place])
	}
	return paths, true, nil
}

func targetsIn(ctx context.Context, v *view) (linkTargets, error) {
	t := linkTargets{byName: map[string][]int32{}}
	count := 0
	keys := map[string][2]string{} // of targets, which are far fewer than links
	for of, err := range v.Links(ctx) {
		if err != nil {
			return t, err
		}
		t.paths = append(t.paths, of.Path)
		place := int32(len(t.paths) - 1)
		for i := range of.Links {
			link := &of.Links[i]
			if link.External || link.Target == "" || count > maxTargets {
				continue
			}
			both, isKnown := keys[link.Target]
			if !isKnown {
				bare := bareName(link.Target)
				both = [2]string{graph.NameKey(bare), graph.NameKey(path.Base(bare))}
				keys[link.Target] = both
			}
			for _, key := range both {
				if places := t.byName[key]; len(places) == 0 || places[len(places)-1] != place {
					t.byName[key] = append(places, place)
					count++
				}
			}
		}
	}
	t.isFull = count > maxTargets
	return t, nil
}
