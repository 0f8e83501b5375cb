package sqlite

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"quarry/store"
)

// packedEdge is a link that leads to a note.
type packedEdge struct {
	link       int64 // its ord
	target     int64 // id of the note
	kind, rule string
}

func byLink(a, b packedEdge) int { return cmp.Compare(a.link, b.link) }

func (e packedEdge) isAlike(other packedEdge) bool {
	return e.kind == other.kind && e.rule == other.rule
}

// packEdges appends the edges of a note as column targets has them; nothing where there are none.
func packEdges(to []byte, of store.EdgesOf, ids *noteIDs) ([]byte, error) {
	edges := make([]packedEdge, len(of.Edges))
	for i, e := range of.Edges {
		target, err := ids.of(e.Target)
		if err != nil {
			return nil, err
		}
		edges[i] = packedEdge{int64(e.Link), target, e.Kind, e.Rule}
	}
	slices.SortFunc(edges, byLink)
	for i, e := range edges {
		if e.link < 0 || i > 0 && edges[i-1].link == e.link {
			return nil, fmt.Errorf("link %d of %s is none, or is there twice", e.link, of.Path)
		}
	}
	return appendEdges(to, edges), nil
}

// appendEdges writes edges, which are by link, as JSON: [["uses","inline:rel",{"0":17,"3":4}],…], a list for each kind and rule
// in the order of their first links. Bytes that are no UTF-8 stay.
func appendEdges(to []byte, edges []packedEdge) []byte {
	if len(edges) == 0 {
		return to
	}
	edges = grouped(edges)
	opening := "[["
	for i, e := range edges {
		if i == 0 || !e.isAlike(edges[i-1]) {
			to = append(appendWord(append(to, opening...), e.kind), ',')
			to = append(appendWord(to, e.rule), ",{"...)
			opening = "}],["
		} else {
			to = append(to, ',')
		}
		to = strconv.AppendInt(append(to, '"'), e.link, 10)
		to = strconv.AppendInt(append(to, `":`...), e.target, 10)
	}
	return append(to, "}]]"...)
}

// grouped puts those of a kind and rule side by side.
func grouped(edges []packedEdge) []packedEdge {
	if !slices.ContainsFunc(edges, func(e packedEdge) bool { return !e.isAlike(edges[0]) }) {
		return edges
	}
	type pair struct{ kind, rule string }
	firsts := map[pair]int64{}
	for _, e := range edges {
		if _, ok := firsts[pair{e.kind, e.rule}]; !ok {
			firsts[pair{e.kind, e.rule}] = e.link
		}
	}
	edges = slices.Clone(edges)
	slices.SortStableFunc(edges, func(a, b packedEdge) int {
		return cmp.Compare(firsts[pair{a.kind, a.rule}], firsts[pair{b.kind, b.rule}])
	})
	return edges
}

// appendWord writes a JSON string.
func appendWord(to []byte, word string) []byte {
	const digits = "0123456789abcdef"
	to = append(to, '"')
	for _, c := range []byte(word) {
		switch {
		case c < ' ':
			to = append(to, `\u00`...)
			to = append(to, digits[c>>4], digits[c&15])
		case c == '"' || c == '\\':
			to = append(to, '\\', c)
		default:
			to = append(to, c)
		}
	}
	return append(to, '"')
}

// edgeReader reads what appendEdges writes. It keeps the words it has met, so that each takes room once.
type edgeReader struct {
	rest  []byte
	words map[string]string
	names *noteNames // of the notes that edges lead to
}

func newEdgeReader(names *noteNames) *edgeReader {
	return &edgeReader{words: map[string]string{}, names: names}
}

// each visits edges, those of a kind and rule side by side.
func (r *edgeReader) each(packed []byte, visit func(packedEdge) error) error {
	r.rest = packed
	for opening := "[["; ; opening = ",[" {
		var e packedEdge
		if !r.skip(opening) || !r.word(&e.kind) || !r.skip(",") || !r.word(&e.rule) || !r.skip(",{") {
			return errNoEdges
		}
		if err := r.eachOf(e, visit); err != nil {
			return err
		}
		if string(r.rest) == "]" {
			return nil
		}
	}
}

// eachOf visits the edges of a kind and rule, of which there is one at least.
func (r *edgeReader) eachOf(e packedEdge, visit func(packedEdge) error) error {
	for {
		e.link, e.target = 0, 0
		if !r.skip(`"`) || !r.number(&e.link) || !r.skip(`":`) || !r.number(&e.target) {
			return errNoEdges
		}
		if err := visit(e); err != nil {
			return err
		}
		if r.skip("}]") {
			return nil
		}
		if !r.skip(",") {
			return errNoEdges
		}
	}
}

var errNoEdges = damaged("the edges of a note are no list of edges")

func (r *edgeReader) skip(text string) bool {
	if len(r.rest) < len(text) || string(r.rest[:len(text)]) != text {
		return false
	}
	r.rest = r.rest[len(text):]
	return true
}

// number reads digits.
func (r *edgeReader) number(to *int64) bool {
	i := 0
	for ; i < len(r.rest) && r.rest[i] >= '0' && r.rest[i] <= '9'; i++ {
		if *to > math.MaxInt64/10-1 {
			return false
		}
		*to = *to*10 + int64(r.rest[i]-'0')
	}
	r.rest = r.rest[i:]
	return i > 0
}

// word reads a string.
func (r *edgeReader) word(to *string) bool {
	if !r.skip(`"`) {
		return false
	}
	end := 0
	for end < len(r.rest) && r.rest[end] != '"' {
		if r.rest[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(r.rest) {
		return false
	}
	written := r.rest[:end]
	r.rest = r.rest[end+1:]
	known, ok := r.words[string(written)]
	if !ok {
		plain, valid := withoutEscapes(written)
		if !valid {
			return false
		}
		known = string(plain)
		r.words[string(written)] = known
	}
	*to = known
	return true
}

// withoutEscapes undoes those of appendWord.
func withoutEscapes(written []byte) (plain []byte, ok bool) {
	for {
		at := bytes.IndexByte(written, '\\')
		if at < 0 {
			return append(plain, written...), true
		}
		plain, written = append(plain, written[:at]...), written[at+1:]
		switch {
		case written[0] == '"' || written[0] == '\\':
			plain, written = append(plain, written[0]), written[1:]
		case len(written) >= len("u0000") && string(written[:3]) == "u00":
			code, err := strconv.ParseUint(string(written[3:5]), 16, 8)
			if err != nil {
				return nil, false
			}
			plain, written = append(plain, byte(code)), written[5:]
		default:
			return nil, false
		}
	}
}
