// Package failure is the vocabulary of errors that clients rely on: a code, what is said, and what is to be done, the same for MCP and
// for HTTP. What is not foreseen is told in general words alone, since an error can name what a client may not know of.
package failure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"quarry"
)

// Codes of errors, which clients may rely on. docs/mcp.md lists them.
const (
	InvalidArguments = "invalid_arguments" // one is missing, or its value is none
	UnknownArgument  = "unknown_argument"  // no argument has this name
	UnknownTool      = "unknown_tool"      // no tool has this name
	UnknownPrompt    = "unknown_prompt"    // no prompt has this name
	UnknownNote      = "unknown_note"      // no note is called so, as far as the client may know
	UnknownPart      = "unknown_part"      // the note is there, the part of it is not
	AmbiguousNote    = "ambiguous_note"    // several notes are called so
	NoIndex          = "no_index"          // nothing was indexed yet
	IndexBuilding    = "index_building"    // the index is being built
	DamagedIndex     = "damaged_index"     // the index contradicts itself
	UnusableIndex    = "unusable_index"    // the index is of another vault, of a newer version, or none
	Configuration    = "configuration"     // the configuration cannot be read
	Stopping         = "stopping"          // the server stops
	Cancelled        = "cancelled"         // the call was given up
	TimedOut         = "timed_out"         // the call took too long
	Internal         = "internal"          // something that is not foreseen
)

var (
	// ErrConfiguration keeps a request from being answered, since the configuration cannot be read. What follows it is not told.
	ErrConfiguration = errors.New("the configuration cannot be read")
	// ErrBuilding keeps a request from being answered, since the index is only being built.
	ErrBuilding = errors.New("the index is being built")
)

// maxCharacters bounds what an error says: it may quote what a client sent.
const maxCharacters = 600

// Answer is an error as clients get it.
type Answer struct {
	Message    string `json:"error"`      // one sentence
	Code       string `json:"code"`       // one of those above, or one of the front door's own
	Suggestion string `json:"suggestion"` // what to do next
}

// Error is the message.
func (a *Answer) Error() string { return a.Message }

// kinds are the errors that are foreseen. The first that fits counts.
var kinds = []struct {
	err           error
	code, message string // "": the error's own words
	suggestion    string
}{
	{quarry.ErrClosed, Stopping, "the server stops", "try again when it is up"},
	{ErrConfiguration, Configuration, ErrConfiguration.Error(), "the user has to run `quarry status`, which names the mistake; nothing is answered until it is mended"},
	{ErrBuilding, IndexBuilding, ErrBuilding.Error(), "try again in a few seconds; notes can be read by their path meanwhile"},
	{quarry.ErrNoIndex, NoIndex, "there is no index yet", "try again in a few seconds; if it stays, the user has to run `quarry index`"},
	{quarry.ErrDamaged, DamagedIndex, "the index is damaged", "the user has to run `quarry index --verify`, which mends it"},
	{quarry.ErrNewerIndex, UnusableIndex, "the index was written by a newer version of quarry", "the user has to update quarry, or to choose another file by --db"},
	{quarry.ErrOtherVault, UnusableIndex, "the index was made of another vault", "the user has to choose another file by --db"},
	{quarry.ErrForeignFile, UnusableIndex, "the file in the place of the index is none", "the user has to choose another file by --db"},
	{quarry.ErrSeveral, AmbiguousNote, "", "give the path of the one that is meant"},
	{quarry.ErrNoPart, UnknownPart, "", "name one of the headings that there are, or read the note without a part"},
	{quarry.ErrNotFound, UnknownNote, "", "give the file_path of a passage, the note's name or its #docid, or search for it"},
	{context.Canceled, Cancelled, "the call was cancelled", "call again"},
	{context.DeadlineExceeded, TimedOut, "it took too long", "narrow the question: by a filter, fewer words or a smaller limit"},
}

// Of is an error as clients get it: an Answer among its causes, the words for its kind, or, where it is of none, words that tell
// nothing of it. It is never nil, and has 600 characters a text at most. It is safe for concurrent use.
func Of(err error) *Answer {
	var known *Answer
	if errors.As(err, &known) {
		return &Answer{shortened(known.Message), known.Code, shortened(known.Suggestion)}
	}
	for _, kind := range kinds {
		if !errors.Is(err, kind.err) {
			continue
		}
		if kind.message == "" {
			return &Answer{shortened(err.Error()), kind.code, kind.suggestion}
		}
		return &Answer{kind.message, kind.code, kind.suggestion}
	}
	return &Answer{"the question could not be answered", Internal, "try again; if it stays, the user has to run `quarry status`"}
}

// Detail is what a log may hold of an error that is not foreseen: the kinds of what it is made of, and what the system said, without
// names of files and without words of its own, which can be of a note that the log's reader may not know of.
func Detail(err error) string {
	var parts []string
	for left := []error{err}; len(left) > 0 && len(parts) < maxCauses; left = left[1:] {
		one := left[0]
		said := fmt.Sprintf("%T", one)
		switch known := one.(type) { //nolint:errorlint // each cause is looked at by itself
		case nil:
			continue
		case *fs.PathError:
			said = known.Op
			left = append(left, known.Err)
		case syscall.Errno:
			said = known.Error()
		case interface{ Unwrap() error }:
			left = append(left, known.Unwrap())
		case interface{ Unwrap() []error }:
			left = append(left, known.Unwrap()...)
		}
		parts = append(parts, said)
	}
	return strings.Join(parts, ": ")
}

// maxCauses bounds what a log gets of one error.
const maxCauses = 16

// shortened is a text of so many characters at most that an error may say.
func shortened(text string) string {
	if runes := []rune(text); len(runes) > maxCharacters {
		return string(runes[:maxCharacters]) + "…"
	}
	return text
}
