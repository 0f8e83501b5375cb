package convert

import (
	"crypto/sha256"
	"encoding/hex"
)

// Item is what an import knows of one note or attachment of an export.
type Item struct {
	Format string `json:"format"`
	ID     string `json:"id"`             // what the export calls it, "note:…" or "file:…"
	From   string `json:"from,omitempty"` // hash of the export's place, where the ID is only a path in it
	Path   string `json:"path"`           // of its file, below the vault
	Source string `json:"source"`         // hash of what the export held
	// Written is the hash of the file as it was written; "": its name is planned, and nothing more.
	Written string `json:"written,omitempty"`
	Bytes   int64  `json:"bytes,omitempty"` // of the file
	// IsDone tells that the file was written for certain; otherwise a run that was killed may have written it.
	IsDone bool `json:"done,omitempty"`
}

// Memory keeps what was imported into one vault. It is used by one goroutine.
type Memory interface {
	// Imported gives the items of a format and an ID, one for each export that they are from.
	Imported(format, id string) []Item
	// Remember keeps items in the place of those of the same format, ID and export. What it took is on disk when it returns.
	Remember(items []Item) error
}

type forgetful struct{}

func (forgetful) Imported(string, string) []Item { return nil }
func (forgetful) Remember([]Item) error          { return nil }

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:16])
}
