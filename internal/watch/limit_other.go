//go:build !linux

package watch

// maxEntries is how many files and folders may lie below the root: each takes an open file here, of which a process has some
// thousands.
const maxEntries = 4000
