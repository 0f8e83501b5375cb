package hook

// Decisions of a record.
const (
	Silent     = "silent"
	Injected   = "context"
	Compressed = "compressed"
)

// Record is one line of the log. It holds nothing of prompts, tools' inputs and outputs, or notes.
type Record struct {
	Time         string  `json:"time"` // RFC 3339, UTC
	Event        string  `json:"event"`
	Client       string  `json:"client"`
	Tool         string  `json:"tool,omitempty"`
	Decision     string  `json:"decision"`
	Reason       string  `json:"reason,omitempty"`
	Milliseconds float64 `json:"milliseconds"`
	Tokens       int     `json:"tokens,omitempty"`   // of the context, or saved by a shorter output
	Passages     int     `json:"passages,omitempty"` // of the context
	Captured     bool    `json:"captured,omitempty"`
}
