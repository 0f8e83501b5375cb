package sqlite

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"

	"quarry/store/sqlite/internal/engine"
)

// Pages as the format of the file has them (sqlite.org/fileformat2.html), read and written through SQLite's own table
// sqlite_dbpage within a transaction.

const (
	logHeaderBytes   = 32
	frameHeaderBytes = 24
	fileHeaderBytes  = 100 // on page 1, before its own header
	firstFreeAt      = 32  // in the header of the file
)

// loggedPages lists the pages that the log holds, each once; pages of a log before it, of which frames may be left behind
// the last one, count too.
func loggedPages(path string) ([]int64, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	var header [12]byte
	if _, err := file.ReadAt(header[:], 0); err != nil {
		return nil, orNothing(err)
	}
	frameBytes := frameHeaderBytes + int64(binary.BigEndian.Uint32(header[8:])) // the size of a page
	var pages []int64
	seen := map[int64]bool{}
	for at := int64(logHeaderBytes); ; at += frameBytes {
		if _, err := file.ReadAt(header[:], at); err != nil {
			return pages, orNothing(err)
		}
		if number := int64(binary.BigEndian.Uint32(header[:])); number > 0 && !seen[number] {
			seen[number] = true
			pages = append(pages, number)
		}
	}
}

// orNothing is no error at the end of a file.
func orNothing(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func allPages(c *engine.Conn) ([]int64, error) {
	count, err := c.Int("PRAGMA page_count")
	pages := make([]int64, count)
	for i := range pages {
		pages[i] = int64(i) + 1
	}
	return pages, err
}

// clearMiddle overwrites what is between the list of a page's cells and the cells with zeros. Pages of other kinds, and
// numbers of pages that are not there, are left alone.
func clearMiddle(c *engine.Conn, number int64) error {
	return changePage(c, number, func(page []byte) []byte {
		from, until := middle(page, number)
		for _, b := range page[from:until] {
			if b != 0 {
				page = append([]byte{}, page...)
				clear(page[from:until])
				return page
			}
		}
		return nil
	})
}

// middle gives the bounds of the free middle of a page of a b-tree, an empty one for other pages. These begin with the
// number of another page, which is below 2^24 in files of less than 256 GB, and so with a zero.
func middle(page []byte, number int64) (from, until int) {
	header := 0
	if number == 1 {
		header = fileHeaderBytes
	}
	if len(page) < header+12 {
		return 0, 0
	}
	switch page[header] {
	case 2, 5: // inner pages of an index, a table
		from = header + 12
	case 10, 13: // leaves
		from = header + 8
	default:
		return 0, 0
	}
	from += 2 * int(binary.BigEndian.Uint16(page[header+3:]))
	until = int(binary.BigEndian.Uint16(page[header+5:]))
	if from > until || until > len(page) {
		return 0, 0
	}
	return from, until
}

// clearFreePages overwrites the pages that are in no use with zeros, but for the list of them, which they hold.
func clearFreePages(c *engine.Conn) error {
	var next int64
	if err := changePage(c, 1, func(page []byte) []byte {
		next = int64(binary.BigEndian.Uint32(page[firstFreeAt:]))
		return nil
	}); err != nil {
		return err
	}
	count, err := c.Int("PRAGMA page_count")
	for range count {
		if err != nil || next == 0 {
			return err
		}
		var free []int64
		err = changePage(c, next, func(page []byte) []byte {
			next = int64(binary.BigEndian.Uint32(page))
			page = append([]byte{}, page...)
			until := 8 + 4*min(int(binary.BigEndian.Uint32(page[4:])), len(page)/4-2)
			for at := 8; at < until; at += 4 {
				free = append(free, int64(binary.BigEndian.Uint32(page[at:])))
			}
			clear(page[until:])
			return page
		})
		for _, number := range free {
			if err == nil {
				err = changePage(c, number, func(page []byte) []byte { return make([]byte, len(page)) })
			}
		}
	}
	return err
}

// changePage writes what change makes of a page; nil leaves it alone. The page is not to be changed itself.
func changePage(c *engine.Conn, number int64, change func(page []byte) []byte) error {
	s, err := c.Prepare("SELECT data FROM sqlite_dbpage WHERE pgno = ?")
	if err != nil {
		return err
	}
	s.BindInt(0, number)
	more, err := s.Step()
	var changed []byte
	if err == nil && more {
		changed = change(s.Raw(0))
	}
	s.Reset()
	if err != nil || changed == nil {
		return err
	}
	return c.Exec("UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?", changed, number)
}
