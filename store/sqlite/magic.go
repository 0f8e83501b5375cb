package sqlite

import (
	"bytes"
	"io"
	"os"

	"quarry/store"
)

// magic begins every SQLite database.
const magic = "SQLite format 3\x00"

// sampledPages is how many pages are looked at to tell a database whose first page was overwritten from another file.
const sampledPages = 16

// checkMagic keeps somebody's text, named by mistake, from being taken for a damaged index and moved away: a file without
// the magic is ErrDamaged only where its other pages are those of a database, else ErrForeign.
func checkMagic(path string, sizeBytes int64) error {
	file, err := os.Open(path)
	if err != nil {
		return nil // SQLite will say what is wrong
	}
	defer file.Close()
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(file, head); err == nil && bytes.Equal(head, []byte(magic)) {
		return nil
	}
	pages := min(sizeBytes/pageBytes, sampledPages)
	alike := int64(0)
	for page := int64(1); page < pages; page++ {
		if isPage(file, page*pageBytes) {
			alike++
		}
	}
	if sizeBytes%512 == 0 && pages > 2 && alike*2 > pages-1 {
		return damaged("the file does not begin as a database does")
	}
	return store.ErrForeign
}

// isPage tells whether a page may be one of a database: a node of a tree (kinds 2, 5, 10 and 13), an overflow page, or an
// empty one.
func isPage(file *os.File, offset int64) bool {
	kind := make([]byte, 1)
	if _, err := file.ReadAt(kind, offset); err != nil {
		return false
	}
	switch kind[0] {
	case 0, 2, 5, 10, 13:
		return true
	}
	return false
}
