package postings

import (
	"encoding/binary"
	"fmt"
	"slices"

	"quarry/store/sqlite/internal/engine"
)

// segment is a row of pages; first is 0 where nothing of it is left.
type segment struct {
	id, first, last int64
	origin          [5]uint64 // what the newer form of the list says beside
}

// level is a list of segments, the newest last, of which the first are being merged into the last of the next level.
type level struct {
	merging  uint64
	segments []segment
}

// structure is the list of segments, the newest levels first.
type structure struct {
	cookie  []byte
	origins bool   // the newer form
	writes  uint64 // a counter
	levels  []level
}

func parseStructure(b []byte) (structure, error) {
	r := reader{data: b, at: 4} // after the cookie of the configuration
	s := structure{origins: len(b) >= 8 && binary.BigEndian.Uint32(b[4:]) == structureMark2}
	if s.origins {
		r.at += 4
	}
	levels, total := r.varint(), r.varint()
	s.writes = r.varint()
	if total > maxSegments || levels > maxSegments {
		return s, fmt.Errorf("%w: %d segments", ErrCorrupt, total)
	}
	for range levels {
		l := level{merging: r.varint()}
		count := r.varint()
		if count > total || r.failed {
			return s, fmt.Errorf("%w: the list of segments", ErrCorrupt)
		}
		l.segments = make([]segment, count)
		for i := range l.segments {
			g := &l.segments[i]
			g.id, g.first, g.last = int64(r.varint()), int64(r.varint()), int64(r.varint())
			if s.origins {
				for k := range g.origin {
					g.origin[k] = r.varint()
				}
			}
		}
		s.levels = append(s.levels, l)
	}
	if err := r.err(); err != nil {
		return s, err
	}
	s.cookie = append(s.cookie, b[:4]...)
	return s, nil
}

func readStructure(conn *engine.Conn, table string) (all structure, err error) {
	x := Index{conn: conn, table: table}
	err = x.readRow(structureRow, func(b []byte) error {
		all, err = parseStructure(b)
		return err
	})
	return all, err
}

func (s *structure) write(conn *engine.Conn, table string) error {
	return conn.Exec("UPDATE "+table+"_data SET block = ? WHERE id = ?", s.encode(), structureRow)
}

// DropEmptyLevels drops the levels below the last segment, for which FTS5 would keep marks of deletion when it merges all
// others. As with Erase, FTS5 does not notice.
func DropEmptyLevels(conn *engine.Conn, table string) error {
	all, err := readStructure(conn, table)
	if err != nil {
		return err
	}
	for n := len(all.levels); n > 0 && len(all.levels[n-1].segments) == 0; n-- {
		all.levels = all.levels[:n-1]
	}
	return all.write(conn, table)
}

// newestFirst gives the segments that hold something.
func (s *structure) newestFirst() (list []segment) {
	for _, l := range s.levels {
		for i := range l.segments { // within a level the last is the newest
			if g := l.segments[len(l.segments)-1-i]; g.first > 0 {
				list = append(list, g)
			}
		}
	}
	return list
}

// replace puts a segment in the place of the one with its id, and takes it out where nothing of it is left.
func (s *structure) replace(g segment) {
	for i := range s.levels {
		l := &s.levels[i]
		for k := range l.segments {
			switch {
			case l.segments[k].id != g.id:
			case g.first > 0:
				l.segments[k] = g
				return
			default:
				if i > 0 && k == len(l.segments)-1 { // what is merged goes on into another one
					s.levels[i-1].merging = 0
				}
				if uint64(k) < l.merging {
					l.merging--
				}
				l.segments = slices.Delete(l.segments, k, k+1)
				return
			}
		}
	}
}

func (s *structure) encode() []byte {
	b := append([]byte{}, s.cookie...)
	if s.origins {
		b = binary.BigEndian.AppendUint32(b, structureMark2)
	}
	total := 0
	for _, l := range s.levels {
		total += len(l.segments)
	}
	b = appendVarint(b, uint64(len(s.levels)))
	b = appendVarint(b, uint64(total))
	b = appendVarint(b, s.writes)
	for _, l := range s.levels {
		b = appendVarint(b, l.merging)
		b = appendVarint(b, uint64(len(l.segments)))
		for _, g := range l.segments {
			b = appendVarint(b, uint64(g.id))
			b = appendVarint(b, uint64(g.first))
			b = appendVarint(b, uint64(g.last))
			if s.origins {
				for _, n := range g.origin {
					b = appendVarint(b, n)
				}
			}
		}
	}
	return b
}

// appendVarint writes a number as reader reads it.
func appendVarint(b []byte, n uint64) []byte {
	if n >= 1<<56 { // nine bytes, the last in full
		for shift := 57; shift >= 8; shift -= 7 {
			b = append(b, byte(n>>shift)|0x80)
		}
		return append(b, byte(n))
	}
	shift := 0
	for n>>(shift+7) > 0 {
		shift += 7
	}
	for ; shift > 0; shift -= 7 {
		b = append(b, byte(n>>shift)&0x7f|0x80)
	}
	return append(b, byte(n)&0x7f)
}
