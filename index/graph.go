package index

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"quarry/graph"
	"quarry/internal/dialect"
	"quarry/internal/notetype"
	"quarry/store"
)

// graphVersion changes when edges or figures come about in another way, so that those of an older index are made anew.
const graphVersion = "1"

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
	resolver, err := r.resolverOf(ctx, names)
	if err != nil {
		return err
	}
	s := stage{run: r, joining: r.joining, draft: r.update.Draft(), names: names, resolver: resolver}
	s.mayChange = func([]store.Link) bool { return false }
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

// stage is the work of join.
type stage struct {
	run      *run
	joining  *joining
	draft    store.Draft
	names    *nameSet
	resolver *graph.Resolver
	// mayChange tells of links whether they may lead elsewhere since other files came or went.
	mayChange func(links []store.Link) bool
	isAll     bool            // all notes were resolved: what decides about links is another than before
	fresh     []store.EdgesOf // of the notes that were resolved, by path
}

// resolve works out the edges of all notes whose links may lead elsewhere than before.
func (s *stage) resolve(ctx context.Context, changed []string) error {
	j := s.joining
	affects := func(store.LinksOf) bool { return true }
	if s.isAll = j.isStale || j.isReread && !s.resolver.PathsDecide(); !s.isAll {
		if len(changed) == 0 {
			for path, now := range j.rewrites {
				s.add(store.LinksOf{Path: path, Links: now.links})
			}
			slices.SortFunc(s.fresh, func(a, b store.EdgesOf) int { return strings.Compare(a.Path, b.Path) })
			return nil
		}
		may := s.resolver.MayChange(changed)
		affects = func(of store.LinksOf) bool {
			return j.rewrites[of.Path] != nil || s.names.came[of.Path] || may(of.Links)
		}
	}
	for of, err := range s.draft.Links(ctx) {
		if err != nil {
			return err
		}
		if affects(of) {
			s.add(of)
		}
	}
	return nil
}

func (s *stage) add(of store.LinksOf) {
	s.fresh = append(s.fresh, store.EdgesOf{Path: of.Path, Edges: s.resolver.Edges(of.Path, of.Links, s.names.has)})
}

// write stores what differs.
func (s *stage) write(ctx context.Context) error {
	if s.isSameGraph() {
		_, changed := merge(nil, s.fresh)
		return s.putEdges(ctx, changed)
	}
	stored, err := collect(s.draft.Edges(ctx))
	if err != nil {
		return err
	}
	edges, changed := merge(stored, s.fresh)
	if err := s.putEdges(ctx, changed); err != nil {
		return err
	}
	figures, err := s.figures(ctx, edges)
	if err != nil || len(figures) == 0 {
		return err
	}
	return s.run.update.PutFigures(ctx, figures)
}

func (s *stage) putEdges(ctx context.Context, edges []store.EdgesOf) error {
	if len(edges) == 0 {
		return nil
	}
	return s.run.update.PutEdges(ctx, edges)
}

// isSameGraph tells that each note links to the notes it linked to before, and counts as much: figures stay what they are.
func (s *stage) isSameGraph() bool {
	if s.isAll || len(s.names.came)+len(s.names.went) > 0 || len(s.fresh) != len(s.joining.rewrites) {
		return false
	}
	for _, of := range s.fresh {
		now := s.joining.rewrites[of.Path]
		if now == nil || !now.isCompared || now.isWeighed || s.mayChange(now.before) {
			return false
		}
		before := s.resolver.Edges(of.Path, now.before, s.names.has)
		if !slices.Equal(targetsOf(before), targetsOf(of.Edges)) {
			return false
		}
	}
	return true
}

// targetsOf lists the notes that edges lead to, each once, sorted.
func targetsOf(edges []store.Edge) []string {
	targets := make([]string, len(edges))
	for i, edge := range edges {
		targets[i] = edge.Target
	}
	slices.Sort(targets)
	return slices.Compact(targets)
}

func collect(all iter.Seq2[store.EdgesOf, error]) ([]store.EdgesOf, error) {
	var list []store.EdgesOf
	for of, err := range all {
		if err != nil {
			return nil, err
		}
		list = append(list, of)
	}
	return list, nil
}

// merge lays fresh edges over stored ones, both by path, and tells which of the fresh differ.
func merge(stored, fresh []store.EdgesOf) (edges, changed []store.EdgesOf) {
	edges = make([]store.EdgesOf, 0, max(len(stored), len(fresh)))
	for len(stored) > 0 || len(fresh) > 0 {
		switch {
		case len(fresh) == 0 || len(stored) > 0 && stored[0].Path < fresh[0].Path:
			edges, stored = append(edges, stored[0]), stored[1:]
			continue
		case len(stored) > 0 && stored[0].Path == fresh[0].Path:
			if !slices.Equal(stored[0].Edges, fresh[0].Edges) {
				changed = append(changed, fresh[0])
			}
			stored = stored[1:]
		case len(fresh[0].Edges) > 0:
			changed = append(changed, fresh[0])
		}
		edges, fresh = append(edges, fresh[0]), fresh[1:]
	}
	return edges, changed
}

// figures works out those of all notes and gives the ones that differ from what is stored.
func (s *stage) figures(ctx context.Context, edges []store.EdgesOf) ([]store.Figures, error) {
	kept, err := s.draft.Figures(ctx)
	if err != nil {
		return nil, err
	}
	stored := make(map[string]store.Figures, len(kept))
	for _, f := range kept {
		stored[f.Path] = f
	}
	weight, err := s.weights(ctx, stored)
	if err != nil {
		return nil, err
	}
	figures := graph.NewNetwork(s.names.paths, pairsOf(edges)).Figures()
	for i := range figures {
		figures[i].Weight = weight(figures[i].Path)
	}
	return slices.DeleteFunc(figures, func(f store.Figures) bool { return stored[f.Path] == f }), nil
}

func pairsOf(edges []store.EdgesOf) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, of := range edges {
			for _, edge := range of.Edges {
				if !yield(of.Path, edge.Target) {
					return
				}
			}
		}
	}
}

// weights gives how much notes count in ranking: those that were written by what they say now, others by what is stored, or
// by what the index holds of them where nobody knows how that came about.
func (s *stage) weights(ctx context.Context, stored map[string]store.Figures) (func(path string) float64, error) {
	config, known := &s.run.config, s.joining.weights
	if config.Types == nil {
		return func(string) float64 { return 1 }, nil
	}
	if !s.joining.isStale {
		return func(path string) float64 {
			if weight, ok := known[path]; ok {
				return weight
			}
			return stored[path].Weight
		}, nil
	}
	if len(known) < len(s.names.paths) {
		if err := s.weighAll(ctx); err != nil {
			return nil, err
		}
	}
	return func(path string) float64 { return known[path] }, nil
}

// weighAll weighs the notes that were not written. Properties are read of those alone that may have a weight of their own.
func (s *stage) weighAll(ctx context.Context) error {
	notes, err := s.draft.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return err
	}
	known := s.joining.weights
	overriding := store.Filter{Properties: []store.Property{{Key: notetype.OverrideRetrieverWeight}}}
	own, err := s.draft.Notes(ctx, store.NoteQuery{Filter: overriding})
	if err != nil {
		return err
	}
	for _, n := range own {
		if _, ok := known[n.Path]; ok {
			continue
		}
		whole, ok, err := s.draft.Note(ctx, n.Path)
		if err != nil {
			return err
		}
		if ok {
			known[n.Path] = s.run.config.weightOf(&whole)
		}
	}
	for i := range notes {
		if _, ok := known[notes[i].Path]; !ok {
			known[notes[i].Path] = s.run.config.weightOf(&notes[i])
		}
	}
	return nil
}
