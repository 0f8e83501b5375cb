// Package health examines a vault: what is broken, lost or doubled in it, and what helps. It is pure: facts in, findings out.
package health

// Severity tells how much a finding matters.
type Severity string

// Severities.
const (
	Fault  Severity = "fault"  // something does not work: a dead link, a note that cannot be read
	Notice Severity = "notice" // something is likely not as meant: a duplicate, a tag written in two ways
	Hint   Severity = "hint"   // something could be better: an orphan, a community without a map
)

// Finding is one thing to look at. Its JSON form is what `doctor --json` prints.
type Finding struct {
	Check    string   `json:"check"` // its kind: see the constants
	Severity Severity `json:"severity"`
	Path     string   `json:"path"` // of the note; "" where it is of the index or the vault as a whole
	Line     int      `json:"line"` // 1-based, 0 where no line is to blame
	Message  string   `json:"message"`
	Remedy   string   `json:"remedy"`  // what to do about it
	Related  []string `json:"related"` // further notes or tags that are concerned; never nil
}
