package note

import "quarry/internal/dialect"

// Dialect is dialect.Dialect.
type Dialect = dialect.Dialect

// Dialects under names of this package.
const (
	Obsidian = dialect.Obsidian
	Logseq   = dialect.Logseq
	Foam     = dialect.Foam
	Dendron  = dialect.Dendron
)
