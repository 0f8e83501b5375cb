package graph

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"quarry/store"
)

// Assembled is a whole graph in little room: what people wrote is kept, and what follows from it, of types, of kinds that hold
// both ways and of the passages of notes, comes about while it is read. It does not change and is safe for concurrent use.
type Assembled struct {
	notes   []assembledNote // by path
	names   []string        // of kinds and rules
	ranks   []int32         // of names in byte order
	trust   []float64       // confidences of edges, by rule
	mirrors []bool          // kinds that hold both ways
	implied [][]implied     // by the types of notes
	kinds   structure
	sources []source // of edges, in byte order
	network *Network
}

// structure are the kinds and rules of the edges of passages, as places in names.
type structure struct{ belongsTo, next, previous implied }

// assembledNote is what the graph keeps of a note.
type assembledNote struct {
	path, id, title, kind string
	passages              int32
	implied               int32     // place in Assembled.implied
	mirrors               bool      // some of its links hold both ways
	links                 []written // by target
}

// written is a link that leads to a note.
type written struct {
	target  int32
	kind    int32 // place in names
	rule    int32 // place in names
	passage int32 // that holds it, 0-based; -1: none
	line    int32
}

// implied is what each reference to another note implies.
type implied struct{ kind, rule int32 }

// end is a note or, from 0 on, one of its passages.
type end struct{ note, passage int32 }

// source is the source of edges.
type source struct {
	end
	name string
}

// Assemble makes the graph of notes, in any order, with distinct paths. Links that lead to no note of the list are left out.
//
// Beside the structure of passages it has an edge for each link, one for each of the note's Defaults where the link leads to
// another note, and the mirror images of those whose kind holds both ways. What a note says itself goes before what is
// mirrored of another. In a drawing nothing is implied of a kind that is written between the two notes.
func Assemble(notes []Note, resolver *Resolver) *Assembled {
	assembled, _ := AssembleFrom(notes, func(yield func(store.LinksOf, error) bool) { // nothing of it fails
		for i := range notes {
			if !yield(store.LinksOf{Path: notes[i].Path, Links: notes[i].Links}, nil) {
				return
			}
		}
	}, resolver)
	return assembled
}

// AssembleFrom is Assemble with the links of notes from a sequence, as store.Catalog yields them, in place of Note.Links: not
// all of them have to be in memory at a time. It fails only where the sequence does.
func AssembleFrom(notes []Note, links iter.Seq2[store.LinksOf, error], resolver *Resolver) (*Assembled, error) {
	m := newMint(notes, resolver)
	for of, err := range links {
		if err != nil {
			return nil, err
		}
		if place, ok := m.links.nodes[of.Path]; ok {
			m.take(place, of.Links)
		}
	}
	return m.done(), nil
}

// mint makes a graph.
type mint struct {
	*Assembled
	links    *builder
	resolver *Resolver
	numbers  map[string]int32
	types    map[string]int32
}

func newMint(notes []Note, resolver *Resolver) *mint {
	places := make([]int32, len(notes))
	for i := range places {
		places[i] = int32(i)
	}
	slices.SortFunc(places, func(a, b int32) int { return strings.Compare(notes[a].Path, notes[b].Path) })
	paths := make([]string, len(notes))
	for i, place := range places {
		paths[i] = notes[place].Path
	}
	m := &mint{
		Assembled: &Assembled{notes: make([]assembledNote, len(notes))}, links: newBuilder(paths), resolver: resolver.WithOutlines(nil),
		numbers: map[string]int32{}, types: map[string]int32{},
	}
	for i, place := range places {
		n := &notes[place]
		m.notes[i] = assembledNote{path: n.Path, id: n.ID, title: n.Title, kind: n.Type, passages: int32(n.Passages), implied: m.impliedBy(n)}
	}
	return m
}

func (m *mint) number(name string) int32 {
	number, ok := m.numbers[name]
	if !ok {
		number = int32(len(m.names))
		m.names, m.numbers[name] = append(m.names, name), number
	}
	return number
}

// impliedBy gives the place of what the type of a note implies.
func (m *mint) impliedBy(n *Note) int32 {
	key := n.TypeKey
	if len(n.Defaults) == 0 {
		key = ""
	}
	whole := key + "\x00" + strings.Join(n.Defaults, "\x00")
	place, ok := m.types[whole]
	if !ok {
		place = int32(len(m.implied))
		m.types[whole] = place
		var list []implied
		for _, kind := range n.Defaults {
			if kind != "" {
				list = append(list, implied{m.number(kind), m.number(ImpliedRule(key, kind))})
			}
		}
		slices.SortFunc(list, func(a, b implied) int { return cmp.Compare(a.kind, b.kind) })
		m.implied = append(m.implied, slices.Compact(list))
	}
	return place
}

// take puts the links of a note down.
func (m *mint) take(place int32, links []store.Link) {
	n := &m.notes[place]
	list := make([]written, 0, len(links))
	for i := range links {
		found := m.resolver.follow(&links[i], n.path)
		target, ok := m.links.nodes[found.resolution.Path]
		if found.resolution.Path == "" || !ok {
			continue
		}
		w := written{target: target, kind: m.number(found.kind), rule: m.number(found.rule), passage: -1, line: int32(links[i].Line)}
		if ord := links[i].ChunkOrd; ord > 0 && ord <= int(n.passages) {
			w.passage = int32(ord - 1)
		}
		list = append(list, w)
		if target != place {
			m.links.pairs = append(m.links.pairs, pair{place, target})
		}
		n.mirrors = n.mirrors || isSymmetric(found.kind)
	}
	slices.SortStableFunc(list, func(a, b written) int { return cmp.Compare(a.target, b.target) })
	n.links = slices.Clip(list)
}

// isSymmetric tells of a kind, in lower case, that holds both ways.
func isSymmetric(kind string) bool { return kind == RelatedTo || kind == SimilarTo }

// done finishes the graph.
func (m *mint) done() *Assembled {
	of := func(kind string) implied { return implied{m.number(kind), m.number(RuleStructure + kind)} }
	m.kinds = structure{of(BelongsTo), of(Next), of(Previous)}
	order := make([]int32, len(m.names))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(m.names[a], m.names[b]) })
	m.ranks, m.trust, m.mirrors = make([]int32, len(order)), make([]float64, len(order)), make([]bool, len(order))
	for rank, name := range order {
		m.ranks[name] = int32(rank)
		m.trust[name], m.mirrors[name] = ConfidenceOf(m.names[name]), isSymmetric(m.names[name])
	}
	for i := range m.notes {
		for _, of := range m.implied[m.notes[i].implied] {
			m.notes[i].mirrors = m.notes[i].mirrors || m.mirrors[of.kind]
		}
	}
	m.network = m.links.network()
	m.sources = m.sourcesInOrder()
	return m.Assembled
}

// ConfidenceOf is that of edges by their rule, 0 to 1.
func ConfidenceOf(rule string) float64 {
	switch {
	case rule == RuleInline:
		return inlineConfidence
	case strings.HasPrefix(rule, RuleDefaults):
		return ImpliedConfidence
	}
	return 1
}

// sourcesInOrder lists all notes and passages by their names.
func (m *mint) sourcesInOrder() []source {
	count := len(m.notes)
	for i := range m.notes {
		count += int(m.notes[i].passages)
	}
	sources := make([]source, 0, count)
	for i := range m.notes {
		note := int32(i)
		sources = append(sources, source{end{note, -1}, m.notes[i].path})
		for passage, id := range chunkIDs(m.notes[i].id, int(m.notes[i].passages)) {
			sources = append(sources, source{end{note, int32(passage)}, id})
		}
	}
	slices.SortStableFunc(sources, func(a, b source) int { return strings.Compare(a.name, b.name) })
	return sources
}

// chunkIDs names the passages of a note by its id and their 0-based places. Their letters lie in one string.
func chunkIDs(noteID string, count int) []string {
	ids, ends := make([]string, count), make([]int, count)
	all := make([]byte, 0, count*(len(noteID)+len("#c000")))
	for i := range count {
		all = appendChunk(append(all, noteID...), int32(i))
		ends[i] = len(all)
	}
	letters, start := string(all), 0
	for i, end := range ends {
		ids[i], start = letters[start:end], end
	}
	return ids
}

// appendChunk appends what the id of a passage has behind that of its note.
func appendChunk(id []byte, passage int32) []byte {
	id = append(id, "#c"...)
	if passage < 10 {
		id = append(id, '0')
	}
	return strconv.AppendInt(id, int64(passage), 10)
}
