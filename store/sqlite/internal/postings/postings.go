// Package postings reads the posting lists of an FTS5 table out of its %_data and %_idx tables, which is several times as
// fast as asking FTS5 for them: no virtual machine runs, and no row is fetched.
//
// The format is that of FTS5 with detail=full, as its source describes it (ext/fts5/fts5_index.c): segments in levels, of
// which the newer overrule the older; a segment is a row of pages of sorted words, each with its list of rows and
// positions. It has not changed since 2015; the file says so in its configuration (version 4), and Open looks at it.
package postings

import (
	"errors"
	"fmt"

	"quarry/store/sqlite/internal/engine"
)

// ErrCorrupt tells that the tables contradict themselves.
var ErrCorrupt = errors.New("the full-text index is damaged")

const (
	// Row numbers of %_data: the counts, the list of segments, and the pages (segment number, then page number).
	averagesRow  = 1
	structureRow = 10
	segmentShift = 37
	// Words of the table itself begin with this byte, those of prefix indexes with others.
	mainPrefix = '0'
	// The version of the format in %_config, and the mark of the newer form of the list of segments.
	formatVersion  = 4
	structureMark2 = 0xff000001
	pageHeader     = 4
	maxSegments    = 2000
	// A page in the table's rows: segment, then this bit for an index of a long list, its height, and the number of the page.
	listIndexBit = 36
	heightShift  = 31
)

// Index is the full-text index as of the connection's transaction. It is not safe for concurrent use.
type Index struct {
	conn     *engine.Conn
	table    string
	segments []segment // newest first
	pages    *engine.Stmt
	seek     *engine.Stmt
	// Rows is the number of rows, Words the number of words in all their columns.
	Rows, Words int64
	scratch     []byte
}

// Open reads the list of segments of the FTS5 table of the given name, which has the given number of columns.
func Open(conn *engine.Conn, table string, columns int) (*Index, error) {
	x := &Index{conn: conn, table: table}
	if err := checkFormat(conn, table); err != nil {
		return nil, err
	}
	if err := x.readRow(averagesRow, func(b []byte) error { return x.parseAverages(b, columns) }); err != nil {
		return nil, err
	}
	if err := x.readRow(structureRow, x.parseStructure); err != nil {
		return nil, err
	}
	var err error
	if x.pages, err = conn.Prepare("SELECT block FROM " + table + "_data WHERE id BETWEEN ? AND ?"); err != nil {
		return nil, err
	}
	// With bare parameters in the comparisons, SQLite would compile the statement anew for each word.
	x.seek, err = conn.Prepare("SELECT pgno FROM " + table + "_idx WHERE segid = (SELECT ?) AND term <= (SELECT ?) ORDER BY term DESC LIMIT 1")
	return x, err
}

func checkFormat(conn *engine.Conn, table string) error {
	version, err := conn.Int("SELECT v FROM " + table + "_config WHERE k = 'version'")
	if err == nil && version != formatVersion {
		err = fmt.Errorf("%w: format %d", ErrCorrupt, version)
	}
	return err
}

func (x *Index) readRow(id int64, parse func([]byte) error) error {
	s, err := x.conn.Prepare("SELECT block FROM " + x.table + "_data WHERE id = ?")
	if err != nil {
		return err
	}
	defer s.Reset()
	s.BindInt(0, id)
	more, err := s.Step()
	if err != nil {
		return err
	}
	if !more {
		return fmt.Errorf("%w: row %d is missing", ErrCorrupt, id)
	}
	return parse(s.Raw(0))
}

// parseAverages reads the number of rows and, for each column, of words; an empty table has none of these.
func (x *Index) parseAverages(b []byte, columns int) error {
	if len(b) == 0 {
		return nil
	}
	r := reader{data: b}
	x.Rows = int64(r.varint())
	for range columns {
		x.Words += int64(r.varint())
	}
	return r.err()
}

func (x *Index) parseStructure(b []byte) error {
	all, err := parseStructure(b)
	if err != nil {
		return err
	}
	x.segments = all.newestFirst()
	return nil
}

// reader reads FTS5's numbers: seven bits a byte, most significant first, nine bytes at most.
type reader struct {
	data   []byte
	at     int
	failed bool
}

func (r *reader) varint() uint64 {
	if r.at >= 0 && r.at < len(r.data) && r.data[r.at] < 0x80 {
		r.at++
		return uint64(r.data[r.at-1])
	}
	return r.long()
}

func (r *reader) long() uint64 {
	var value uint64
	for i := range 9 {
		if r.at < 0 || r.at >= len(r.data) {
			r.failed = true
			return 0
		}
		c := r.data[r.at]
		r.at++
		if i == 8 {
			return value<<8 | uint64(c)
		}
		value = value<<7 | uint64(c&0x7f)
		if c < 0x80 {
			break
		}
	}
	return value
}

func (r *reader) err() error {
	if r.failed {
		return ErrCorrupt
	}
	return nil
}
