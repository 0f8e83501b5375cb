// Package vault is the one place that touches the user's folder: it walks it, keeps the ignore rules, reads files safely
// and tells whether they changed. It never writes, and knows nothing of Markdown.
package vault

// File is a regular file of the vault as a scan saw it.
type File struct {
	Path                string // below the vault, slashes, the bytes on disk
	SizeBytes           int64
	ModifiedNanoseconds int64  // Unix time
	Inode               uint64 // 0 where the platform has none
}

// Skipped is something that was seen and left out, or could not be looked at.
type Skipped struct {
	Path   string
	Reason string // for a person
	// Failed: it should have been read (no permission, a read error), so what the index holds of it, and of all below
	// it where it is a folder, is to be kept. Otherwise it was left out by rule (a FIFO, a link, a file over the cap).
	Failed bool
}

// Listing is the outcome of a scan, both lists sorted by path (bytes).
type Listing struct {
	Files   []File
	Skipped []Skipped
}
