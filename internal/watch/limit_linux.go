package watch

// maxEntries is how many files and folders may lie below the root; 0: the system tells when there are too many folders.
const maxEntries = 0
