package graph

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// row is an edge.
type row struct {
	evidence       int32 // the note that says so
	source, target end
	passage        int32 // of evidence, -1: none
	kind, rule     int32
	lines          []int32 // not to be kept
	isImplied      bool
	isMirrored     bool
	isRepeated     bool // it implies what is written between the two notes
	isStructure    bool
}

// wish says which edges are wanted.
type wish struct {
	written   bool // those alone that people wrote
	structure bool // those of passages, too
}

// rows visits the edges, by source, target, kind, scope and rule, each once; a row is not to be kept. After a visit that says
// no, the rest is left out, though not always at once.
func (a *Assembled) rows(wanted wish, visit func(*row) bool) {
	r := &reader{Assembled: a, wish: wanted}
	isWanted := true
	each := func(edge *row) bool {
		isWanted = isWanted && visit(edge)
		return isWanted
	}
	for from := 0; from < len(a.sources) && isWanted; {
		to := from + 1
		for to < len(a.sources) && a.sources[to].name == a.sources[from].name {
			to++
		}
		if to-from == 1 {
			r.read(a.sources[from].end, each)
		} else {
			r.readJoined(a.sources[from:to], each)
		}
		from = to
	}
}

// reader makes the edges of one source after the other.
type reader struct {
	*Assembled
	wish
	said  []saying
	lines []int32
	edge  row    // the last one that was visited
	three [3]row // edges of a passage
}

// saying is one occurrence of an edge.
type saying struct {
	kind, rule int32
	evidence   int32
	passage    int32
	line       int32
	isImplied  bool
}

func (r *reader) read(from end, visit func(*row) bool) {
	switch {
	case from.passage < 0:
		r.readNote(from.note, visit)
	case r.structure:
		r.readStructure(from, visit)
	}
}

// readJoined reads sources of one name: a note may be called as a passage is. Its edges are put in order, each once.
func (r *reader) readJoined(sources []source, visit func(*row) bool) {
	var rows []row
	for _, s := range sources {
		r.read(s.end, func(edge *row) bool {
			kept := *edge
			kept.lines = slices.Clone(edge.lines)
			rows = append(rows, kept)
			return true
		})
	}
	compare := func(a, b row) int {
		return cmp.Or(strings.Compare(r.nameOf(a.target), r.nameOf(b.target)), r.compareKinds(&a, &b))
	}
	slices.SortStableFunc(rows, compare)
	for i := range rows {
		if i == 0 || compare(rows[i-1], rows[i]) != 0 {
			visit(&rows[i])
		}
	}
}

func (r *reader) compareKinds(a, b *row) int {
	return cmp.Or(cmp.Compare(r.ranks[a.kind], r.ranks[b.kind]), compareScopes(a.passage, b.passage), cmp.Compare(r.ranks[a.rule], r.ranks[b.rule]))
}

// compareScopes orders evidence by the name of its scope: that of a passage, then that of a note.
func compareScopes(a, b int32) int {
	switch {
	case a >= 0 && b < 0:
		return -1
	case a < 0 && b >= 0:
		return 1
	}
	return 0
}

// nameOf is the path of a note or the id of a passage.
func (a *Assembled) nameOf(of end) string {
	n := &a.notes[of.note]
	if of.passage < 0 {
		return n.path
	}
	return string(appendChunk([]byte(n.id), of.passage))
}

// readStructure makes the edges that follow from a passage's place in its note, by target.
func (r *reader) readStructure(from end, visit func(*row) bool) {
	edges := r.three[:0]
	edge := func(passage int32, of implied) {
		to := end{from.note, passage}
		edges = append(edges, row{evidence: from.note, source: from, target: to, passage: from.passage, kind: of.kind, rule: of.rule, isStructure: true})
	}
	edge(-1, r.kinds.belongsTo)
	if from.passage+1 < r.notes[from.note].passages {
		edge(from.passage+1, r.kinds.next)
	}
	if from.passage > 0 {
		edge(from.passage-1, r.kinds.previous)
	}
	slices.SortStableFunc(edges, func(a, b row) int {
		return cmp.Or(strings.Compare(r.nameOf(a.target), r.nameOf(b.target)), r.compareKinds(&a, &b))
	})
	for i := range edges {
		visit(&edges[i])
	}
}

// readNote makes the edges of a note: what it says of each target, and what that says of it where it holds both ways.
func (r *reader) readNote(from int32, visit func(*row) bool) {
	own := r.notes[from].links
	back := r.network.in.of(from)
	if r.written {
		back = nil
	}
	for len(own) > 0 || len(back) > 0 {
		target := int32(len(r.notes))
		if len(own) > 0 {
			target = own[0].target
		}
		if len(back) > 0 {
			target = min(target, back[0])
		}
		r.said = r.said[:0]
		same := 0
		for same < len(own) && own[same].target == target {
			same++
		}
		r.say(from, target, own[:same], false)
		own = own[same:]
		if len(back) > 0 && back[0] == target {
			if back = back[1:]; r.notes[target].mirrors {
				r.say(target, from, r.linksTo(target, from), true)
			}
		}
		r.join(from, target, visit)
	}
}

// linksTo gives the links of a note that lead to another.
func (a *Assembled) linksTo(from, to int32) []written {
	links := a.notes[from].links
	low := sort.Search(len(links), func(i int) bool { return links[i].target >= to })
	high := low + sort.Search(len(links)-low, func(i int) bool { return links[low+i].target > to })
	return links[low:high]
}

// say puts down what links of a note say and imply, or that of it which holds the other way, too.
func (r *reader) say(evidence, target int32, links []written, isMirror bool) {
	for i := range links {
		l := &links[i]
		s := saying{l.kind, l.rule, evidence, l.passage, l.line, false}
		if !isMirror || r.mirrors[l.kind] {
			r.said = append(r.said, s)
		}
		if r.written || evidence == target {
			continue
		}
		for _, of := range r.implied[r.notes[evidence].implied] {
			if !isMirror || r.mirrors[of.kind] {
				s.kind, s.rule, s.isImplied = of.kind, of.rule, true
				r.said = append(r.said, s)
			}
		}
	}
}

// join makes edges of what was said of two notes. What the source says goes before what is mirrored, and that in reading order.
func (r *reader) join(from, target int32, visit func(*row) bool) {
	if len(r.said) > 1 {
		slices.SortStableFunc(r.said, func(a, b saying) int {
			if order := r.compareKeys(&a, &b); order != 0 {
				return order
			}
			if isOwn := a.evidence == from; isOwn != (b.evidence == from) {
				if isOwn {
					return -1
				}
				return 1
			}
			return cmp.Or(cmp.Compare(a.passage, b.passage), cmp.Compare(a.line, b.line))
		})
	}
	for rest := r.said; len(rest) > 0; {
		first, same := &rest[0], 0
		r.lines = r.lines[:0]
		for ; same < len(rest) && r.compareKeys(first, &rest[same]) == 0; same++ {
			if rest[same].evidence == first.evidence {
				r.lines = append(r.lines, rest[same].line)
			}
		}
		rest = rest[same:]
		slices.Sort(r.lines)
		r.edge = row{
			evidence: first.evidence, source: end{from, -1}, target: end{target, -1}, passage: first.passage, kind: first.kind, rule: first.rule,
			lines: slices.Compact(r.lines), isImplied: first.isImplied, isMirrored: first.evidence != from,
			isRepeated: first.isImplied && r.isRepeated(first.kind, from),
		}
		visit(&r.edge)
	}
}

// isRepeated tells of an implied edge between the two notes at hand that it repeats what was written of them.
func (r *reader) isRepeated(kind, from int32) bool {
	there, back := false, false
	for i := range r.said {
		if s := &r.said[i]; s.kind == kind && !s.isImplied {
			there, back = there || s.evidence == from, back || s.evidence != from
		}
	}
	return Repeats(r.names[kind], there, back)
}

// Repeats tells of an edge of a kind, in lower case, that the type of a note implies whether it repeats what people wrote: the
// same from its source to its target (there), or from its target to its source (back) where the kind holds both ways.
func Repeats(kind string, there, back bool) bool { return there || back && isSymmetric(kind) }

func (r *reader) compareKeys(a, b *saying) int {
	if a.kind != b.kind {
		return cmp.Compare(r.ranks[a.kind], r.ranks[b.kind])
	}
	if order := compareScopes(a.passage, b.passage); order != 0 || a.rule == b.rule {
		return order
	}
	return cmp.Compare(r.ranks[a.rule], r.ranks[b.rule])
}
