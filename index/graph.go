package index

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

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
	weights  map[string]float64  // of the notes that were written
	// isReread tells that something else than paths, by which links are resolved, changed in a note.
	isReread bool
}

// rewrite is a note that was there before, too.
type rewrite struct {
	links      []store.Link
	before     []store.Link
	isCompared bool // before is known, and so is whether it counts as much in ranking as before
	isWeighed  bool // anew
}

func newJoining(config *Config, p *plan) *joining {
	j := &joining{mark: config.graphMark(), weights: map[string]float64{}, rewrites: map[string]*rewrite{}}
	j.isStale = p.full || p.known.meta[store.MetaGraph] != j.mark
	return j
}

// watch notes down what a batch changes, before it is put.
func (r *run) watch(ctx context.Context) error {
	j := r.joining
	for i := range r.batch {
		n := &r.batch[i]
		if r.config.Types != nil {
			j.weights[n.Path] = r.config.weightOf(n)
		}
		_, isKnown := r.plan.known.places[n.Path]
		switch {
		case r.plan.full || !isKnown:
			j.came = append(j.came, n.Path)
		case !j.isStale:
			if err := r.compare(ctx, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare notes down how a note differs from what the index holds of it.
func (r *run) compare(ctx context.Context, n *store.Note) error {
	j := r.joining
	now := &rewrite{links: n.Links}
	j.rewrites[n.Path] = now
	if len(j.rewrites) > maxCompared {
		j.isReread = true
		return nil
	}
	old, ok, err := r.update.Draft().Note(ctx, n.Path)
	if err != nil {
		return fmt.Errorf("read the index: %w", err)
	}
	if !ok {
		return nil
	}
	now.before, now.isCompared = old.Links, true
	now.isWeighed = r.config.weightOf(&old) != r.config.weightOf(n)
	j.isReread = j.isReread || old.Title != n.Title || !slices.Equal(old.Aliases, n.Aliases) || !slices.Equal(old.BlockIDs, n.BlockIDs)
	return nil
}

// weightOf gives how much a note counts in ranking by its type.
func (c Config) weightOf(n *store.Note) float64 {
	if c.Types == nil {
		return 1
	}
	var properties map[string]any
	if bytes.Contains(bytes.ToLower(n.Frontmatter), []byte(notetype.OverrideRetrieverWeight)) {
		if err := json.Unmarshal(n.Frontmatter, &properties); err != nil {
			properties = nil // it is ours; and a note that cannot be read has no properties
		}
	}
	settings, _ := c.Types.Of(n.Type, properties)
	return math.Round(settings.RetrieverWeight*1e6) / 1e6
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
	names := r.nameSet()
	changed := r.changedNames(names)
	s := stage{run: r, joining: r.joining, draft: r.update.Draft(), names: names}
	s.kept = func() (kept, error) { return readKept(ctx, s.draft) }
	if len(names.came)+len(names.went) > 0 && !r.joining.isStale { // then it is needed
		s.kept = r.readBeside(ctx)
		defer func() { _, _ = s.kept() }() // a reader must not outlive the update
	}
	resolver, err := r.resolverOf(ctx, names)
	if err != nil {
		return err
	}
	s.resolver, s.mayChange = resolver, func([]store.Link) bool { return false }
	if len(changed) > 0 {
		s.mayChange = resolver.MayChange(changed)
	}
	if err := s.resolve(ctx, changed); err != nil {
		return err
	}
	if err := s.write(ctx); err != nil {
		return err
	}
	return r.update.SetMeta(ctx, map[string]string{store.MetaGraph: r.joining.mark})
}

// kept is the graph that the index holds.
type kept struct {
	edges   []store.EdgesOf // by path
	figures []store.Figures
}

func readKept(ctx context.Context, from store.Linked) (kept, error) {
	var k kept
	for of, err := range from.Edges(ctx) {
		if err != nil {
			return kept{}, err
		}
		k.edges = append(k.edges, of)
	}
	var err error
	k.figures, err = from.Figures(ctx)
	return k, err
}

// readBeside reads what the index holds, as of now, beside the update: all that an incremental one has written is there to see.
func (r *run) readBeside(ctx context.Context) func() (kept, error) {
	read := sync.OnceValues(func() (k kept, err error) {
		snapshot, err := r.config.Store.Snapshot(ctx)
		if err != nil {
			return kept{}, err
		}
		defer func() { err = errors.Join(err, snapshot.Close()) }()
		linked, ok := snapshot.(store.Linked)
		if !ok {
			return kept{}, errors.New("the index shows no graph")
		}
		return readKept(ctx, linked)
	})
	go func() { _, _ = read() }()
	return read
}

// pathsDecide tells whether links of a dialect go by the paths of files alone.
func pathsDecide(of dialect.Dialect) bool {
	return graph.NewResolver(nil).WithDialect(of, nil).PathsDecide()
}

func (r *run) resolverOf(ctx context.Context, names *nameSet) (*graph.Resolver, error) {
	by := dialect.Dialect(dialectOf(r.plan.meta))
	if !pathsDecide(by) {
		return graph.EdgeResolverOf(ctx, r.update.Draft(), by, r.plan.isOther)
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
