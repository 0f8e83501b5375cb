package sqlite

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"quarry/store"
)

// packedEdge is a link that leads to a note.
type packedEdge struct {
	link   int64 // its ord
	target int64 // id of the note
	plain  bool
}

// packEdges appends the edges of a note as column targets has them; nothing where there are none.
func packEdges(to []byte, of store.EdgesOf, ids *noteIDs) ([]byte, error) {
	edges := make([]packedEdge, len(of.Edges))
	for i, e := range of.Edges {
		target, err := ids.of(e.Target)
		if err != nil {
			return nil, err
		}
		edges[i] = packedEdge{int64(e.Link), target, e.Plain}
	}
	slices.SortFunc(edges, func(a, b packedEdge) int { return cmp.Compare(a.link, b.link) })
	for i, e := range edges {
		if e.link < 0 || i > 0 && edges[i-1].link == e.link {
			return nil, fmt.Errorf("link %d of %s is none, or is there twice", e.link, of.Path)
		}
	}
	return appendEdges(to, edges), nil
}

// appendEdges writes a JSON object: {"0":17,"3":-4}.
func appendEdges(to []byte, edges []packedEdge) []byte {
	for i, e := range edges {
		if i == 0 {
			to = append(to, '{')
		} else {
			to = append(to, ',')
		}
		to = strconv.AppendInt(append(to, '"'), e.link, 10)
		to = append(to, '"', ':')
		if e.plain {
			to = append(to, '-')
		}
		to = strconv.AppendInt(to, e.target, 10)
	}
	if len(edges) > 0 {
		to = append(to, '}')
	}
	return to
}

// unpackEdges visits the edges that appendEdges has written.
func unpackEdges(packed []byte, visit func(packedEdge) error) error {
	r := edgeReader{packed}
	opening := byte('{')
	for len(r.rest) > 1 {
		var e packedEdge
		ok := r.skip(opening) && r.skip('"') && r.number(&e.link) && r.skip('"') && r.skip(':')
		e.plain = r.skip('-')
		if !ok || !r.number(&e.target) {
			break
		}
		if err := visit(e); err != nil {
			return err
		}
		opening = ','
	}
	if opening == '{' || !r.skip('}') || len(r.rest) > 0 {
		return damaged("the edges of a note are no list of edges")
	}
	return nil
}

// edgeReader reads what appendEdges writes.
type edgeReader struct{ rest []byte }

func (r *edgeReader) skip(c byte) bool {
	if len(r.rest) == 0 || r.rest[0] != c {
		return false
	}
	r.rest = r.rest[1:]
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
