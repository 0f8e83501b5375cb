package index

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"quarry/graph"
	"quarry/internal/dialect"
	"quarry/internal/notetype"
	"quarry/store"
)

// graphVersion changes when edges or figures come about in another way, so that those of an older index are made anew.
const graphVersion = "2"

// maxCompared is how many rewritten notes are compared with what they were before; where there are more, all figures are
// worked out anew.
const maxCompared = 256

// graphMark identifies what decides about edges and figures beside the notes.
func (c Config) graphMark() string {
	sum := sha256.Sum256([]byte(c.Types.Encode() + "\x00" + c.Rules.Hash()))
	return strings.Join([]string{graphVersion, dialectOf(c.meta()), hex.EncodeToString(sum[:8])}, " ")
}

// HasGraph tells by the metadata of an index whether the edges and figures in it are those of its notes, made as this version
// makes them. Which files links may lead to is by the rules of classes whose hash is under MetaRules.
func HasGraph(meta map[string]string) bool {
	return strings.HasPrefix(meta[store.MetaGraph], graphVersion+" "+dialectOf(meta)+" ")
}

// joining is what a run notes down of the notes that it writes, to bring the graph up to date when all are there.
type joining struct {
	mark     string              // of the graph that is wanted
	isStale  bool                // the index has none, or one of another mark: all is made anew
	came     []string            // notes that the index did not have
	rewrites map[string]*rewrite // by path; none where isStale
	isMany   bool                // rewrites are too many to be compared, and hold nothing but their paths
	weights  map[string]float64  // of the notes that were written, and of those that override something where isStale
	// isReread tells that something else than paths, by which links are resolved, may have changed in a note.
	isReread bool
}

// rewrite is a note that was there before, too.
type rewrite struct {
	links     []store.Link
	before    []store.Edge // it had
	keepsAll  bool         // its links say what they said; known where links go by more than paths
	isWeighed bool         // anew
}

func newJoining(config *Config, p *plan) *joining {
	j := &joining{mark: config.graphMark(), weights: map[string]float64{}, rewrites: map[string]*rewrite{}}
	j.isStale = p.full || p.known.meta[store.MetaGraph] != j.mark
	return j
}

// watch notes down what a batch changes, before it is put.
func (r *run) watch(ctx context.Context) error {
	j := r.joining
	var rewritten []*store.Note
	for i := range r.batch {
		n := &r.batch[i]
		if r.config.Types != nil {
			j.weights[n.Path] = r.config.weightOf(n)
		}
		switch {
		case r.isNew(n.Path):
			j.came = append(j.came, n.Path)
		case !j.isStale:
			rewritten = append(rewritten, n)
		}
	}
	if err := r.compare(ctx, rewritten); err != nil {
		return fmt.Errorf("read the index: %w", err)
	}
	return nil
}

// isNew tells that the index that is written does not have a note yet.
func (r *run) isNew(path string) bool {
	_, isKnown := r.plan.known.places[path]
	return r.plan.full || !isKnown
}

// compare notes down how notes differ from what the index holds of them.
func (r *run) compare(ctx context.Context, notes []*store.Note) error {
	j := r.joining
	paths := make([]string, len(notes))
	for i, n := range notes {
		paths[i] = n.Path
		j.rewrites[n.Path] = &rewrite{links: n.Links}
	}
	if len(j.rewrites) > cmp.Or(r.config.maxCompared, maxCompared) {
		j.isMany, j.isReread = true, true
		for _, now := range j.rewrites {
			*now = rewrite{}
		}
	}
	if j.isMany || len(notes) == 0 {
		return nil
	}
	draft := r.update.Draft()
	edges, err := draft.EdgesFrom(ctx, paths)
	if err != nil {
		return err
	}
	for _, of := range edges {
		j.rewrites[of.Path].before = of.Edges
	}
	if err := r.compareWeights(ctx, draft, paths); err != nil || r.pathsDecide() {
		return err
	}
	return r.compareNames(ctx, draft, notes)
}

func (r *run) compareWeights(ctx context.Context, draft store.Draft, paths []string) error {
	if r.config.Types == nil {
		return nil // all count the same, and did
	}
	figures, err := draft.FiguresOf(ctx, paths)
	for _, f := range figures {
		now, err := store.Figures{Weight: r.joining.weights[f.Path]}.Kept()
		r.joining.rewrites[f.Path].isWeighed = err != nil || now.Weight != f.Weight
	}
	return err
}

// compareNames looks for another name in notes, or another block: links of some dialects go by them.
func (r *run) compareNames(ctx context.Context, draft store.Draft, notes []*store.Note) error {
	for _, n := range notes {
		old, ok, err := draft.Note(ctx, n.Path)
		if err != nil {
			return err
		}
		isSame := ok && old.Title == n.Title && slices.Equal(old.Aliases, n.Aliases) && slices.Equal(old.BlockIDs, n.BlockIDs)
		r.joining.isReread = r.joining.isReread || !isSame
		r.joining.rewrites[n.Path].keepsAll = slices.EqualFunc(old.Links, n.Links, isSameLink)
	}
	return nil
}

// isSameLink tells that two links lead to the same, wherever they stand.
func isSameLink(a, b store.Link) bool {
	a.Line, a.ChunkOrd, a.Display = b.Line, b.ChunkOrd, b.Display
	return a == b
}

// weightOf gives how much a note counts in ranking by its type.
func (c Config) weightOf(n *store.Note) float64 {
	if c.Types == nil {
		return 1
	}
	var properties map[string]any
	if bytes.Contains(n.Frontmatter, []byte(notetype.OverrideRetrieverWeight)) {
		properties = propertiesOf(n)
	}
	settings, _ := c.Types.Of(n.Type, properties)
	return settings.RetrieverWeight
}

// nameSet is the set of notes in the index when all of a run were written.
type nameSet struct {
	places     map[string]int // of notes before the run
	came, went map[string]bool
	paths      []string // sorted
}

func (s *nameSet) has(path string) bool {
	if s.came[path] {
		return true
	}
	_, ok := s.places[path]
	return ok && !s.went[path]
}

func (r *run) nameSet() *nameSet {
	s := &nameSet{came: setOf(r.joining.came), went: setOf(r.deleted)}
	known := r.plan.known.files
	if r.plan.full {
		known = nil
	} else {
		s.places = r.plan.known.places
	}
	s.paths = make([]string, 0, len(known)+len(s.came))
	for i := range known {
		if !s.went[known[i].Path] {
			s.paths = append(s.paths, known[i].Path)
		}
	}
	for path := range s.came {
		s.paths = append(s.paths, path)
	}
	slices.Sort(s.paths)
	return s
}

func setOf(paths []string) map[string]bool {
	set := make(map[string]bool, len(paths))
	for _, path := range paths {
		set[path] = true
	}
	return set
}

// changedNames lists the files that came or went, notes and others.
func (r *run) changedNames(names *nameSet) []string {
	var changed []string
	for path := range names.came {
		changed = append(changed, path)
	}
	for path := range names.went {
		changed = append(changed, path)
	}
	if r.plan.full || r.plan.othersChanged() {
		before, now := setOf(r.plan.known.others), setOf(r.plan.others)
		for path := range before {
			if !now[path] {
				changed = append(changed, path)
			}
		}
		for path := range now {
			if !before[path] {
				changed = append(changed, path)
			}
		}
	}
	return changed
}

// join brings edges and figures up to date with the notes. Links are resolved by the names that are stored.
func (r *run) join(ctx context.Context) error {
	if !r.disturbed {
		return nil
	}
	names, draft := r.nameSet(), r.update.Draft()
	notes, _, err := draft.Counts(ctx)
	if err != nil {
		return err
	}
	if notes != len(names.paths) {
		r.config.Logger.Warn("another run wrote the index meanwhile: the next one sees to its graph", "notes", notes, "expected", len(names.paths))
		return nil // without a mark
	}
	s := stage{run: r, joining: r.joining, draft: draft, names: names}
	if err := s.resolve(ctx, r.changedNames(names)); err != nil {
		return err
	}
	if err := s.write(ctx); err != nil {
		return err
	}
	return r.update.SetMeta(ctx, map[string]string{store.MetaGraph: r.joining.mark})
}

// pathsDecide tells whether links of the vault's dialect go by the paths of files alone.
func (r *run) pathsDecide() bool {
	return graph.NewResolver(nil).WithDialect(dialect.Dialect(dialectOf(r.plan.meta)), nil).PathsDecide()
}

func (r *run) resolverOf(ctx context.Context, names *nameSet) (*graph.Resolver, error) {
	if !r.pathsDecide() {
		return graph.ResolverOf(ctx, r.update.Draft(), dialect.Dialect(dialectOf(r.plan.meta)), r.plan.isOther)
	}
	return r.plan.resolver(names.paths, r.plan.others), nil
}

// isOther tells whether links may lead to a file that is no note, by its stored name.
func (p *plan) isOther(name string) bool { return !p.naming.isSecret(name) }

func (p *plan) resolver(notes, others []string) *graph.Resolver {
	paths := slices.Concat(notes, others)
	paths = append(paths[:len(notes)], slices.DeleteFunc(paths[len(notes):], func(name string) bool { return !p.isOther(name) })...)
	return graph.NewResolver(paths).WithDialect(dialect.Dialect(dialectOf(p.meta)), nil)
}
