// Package compress shortens what tools print for whoever pays by the token, and keeps every failure, error and place.
package compress

// Kind is what an output is of.
type Kind string

// Kinds of output. Auto finds out which of the others it is.
const (
	Auto     Kind = "auto"
	Tests    Kind = "tests"    // pytest, go test, cargo test, jest, JUnit
	Trace    Kind = "trace"    // stack traces
	Build    Kind = "build"    // compilers, linters, package managers
	Diff     Kind = "diff"     // unified
	JSON     Kind = "json"     // a document, or one a line
	Listing  Kind = "listing"  // files and folders
	Matches  Kind = "matches"  // search results: path:line:text
	Log      Kind = "log"      // lines with times and levels
	Markdown Kind = "markdown" // and other prose: only what repeats goes
)

// Kinds are all that can be asked for.
var Kinds = []Kind{Auto, Tests, Trace, Build, Diff, JSON, Listing, Matches, Log, Markdown}

// Options are those of one call.
type Options struct {
	Kind          Kind // "": Auto
	MaxCharacters int  // the aim, not a bound where failures need more; 0: no aim
}

// Result is what is left.
type Result struct {
	Text    string `json:"text"`
	Kind    Kind   `json:"kind"`    // as which it was shortened
	Lines   int    `json:"lines"`   // of the input
	Dropped int    `json:"dropped"` // lines of the input that are not in the text
	Changed bool   `json:"changed"` // false: Text is the input
}

// Compress shortens an output. The text is never longer than the input, says how much was left out, and stays as it is where it
// was compressed before. Time and memory are linear in the input.
func Compress(text string, options Options) Result { return Result{Text: text, Kind: options.Kind} }
