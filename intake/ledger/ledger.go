// Package ledger keeps what intake knows: signals with their scores and what became of them, sources, what was learnt, what was
// imported. It is one SQLite file in the user's data folder, which is not a cache: nothing in it can be made anew. Every change is an
// event that can be undone. Safe for concurrent use by processes.
package ledger
