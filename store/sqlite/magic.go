package sqlite

import (
	"bytes"
	"encoding/binary"
	"os"

	"quarry/store"
)

// magic begins every SQLite database.
const magic = "SQLite format 3\x00"

// sampledPages is how many pages are looked at to tell a database whose first page was overwritten from another file.
const sampledPages = 16

// checkMagic keeps somebody's text, named by mistake, from being taken for a damaged index and moved away: a file without
// the magic is ErrDamaged only where its other pages are those of a database, else ErrForeign.
func checkMagic(file *os.File, sizeBytes int64) error {
	head := make([]byte, len(magic))
	if _, err := file.ReadAt(head, 0); err == nil && bytes.Equal(head, []byte(magic)) {
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

// isPage tells whether a page is a node of a tree: one of the four kinds, with the numbers of its header in agreement.
// Other pages have nothing to know them by: an empty one looks like any file of zeros.
func isPage(file *os.File, offset int64) bool {
	header := make([]byte, 8)
	if _, err := file.ReadAt(header, offset); err != nil {
		return false
	}
	headerBytes := 8
	switch header[0] {
	case 2, 5:
		headerBytes = 12 // with the page number of the last child
	case 10, 13:
	default:
		return false
	}
	freeBlock := int(binary.BigEndian.Uint16(header[1:]))
	cells := int(binary.BigEndian.Uint16(header[3:]))
	content := int(binary.BigEndian.Uint16(header[5:]))
	const mostFragmentBytes = 60
	return freeBlock < pageBytes && headerBytes+2*cells <= content && content <= pageBytes && header[7] <= mostFragmentBytes
}
