package quarry

import (
	"context"
	"errors"
)

// DefaultCaptureFolder is where captured notes go, below the vault.
const DefaultCaptureFolder = "00-inbox"

// CaptureRequest is a note to be written.
type CaptureRequest struct {
	Text   string   // of the note, without frontmatter
	Title  string   // "": made from the text
	Domain string   // property domain, "" for none
	Tags   []string // without "#"
	Type   string   // property type; "": capture
	Source string   // where it comes from: a tool, an address; "" for none
	// Deduplicate writes nothing where the folder has a captured note of the same text.
	Deduplicate bool
}

// Captured tells what became of a capture. Its JSON form is part of the contract.
type Captured struct {
	FilePath   string           `json:"file_path"`
	Title      string           `json:"title"`
	Existing   bool             `json:"existing"` // a note of this text was there; nothing was written
	Indexed    bool             `json:"indexed"`  // findable now; else with the next run
	Redactions []RedactionCount `json:"redactions"`
}

// Capture writes a new note below the capture folder, without secrets, and indexes it. It never changes a file that is there.
func (e *Engine) Capture(ctx context.Context, request CaptureRequest) (captured Captured, err error) {
	defer e.clean(&err)
	return captured, errors.ErrUnsupported
}
