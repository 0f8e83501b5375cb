package health

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Names of the checks.
const (
	DeadLink          = "dead_link"           // a link names a note that is not there
	AliasLink         = "alias_link"          // a link names an alias, which no app follows
	AmbiguousLink     = "ambiguous_link"      // a link fits several files equally well
	AddressInBrackets = "address_in_brackets" // [[https://…]]
	DeadHeading       = "dead_heading"        // the note is there, the heading is not
	MovedHeading      = "moved_heading"       // the heading stands in another note now
	DeadBlock         = "dead_block"          // the note is there, the block is not
	DeadAttachment    = "dead_attachment"     // a link or an embed names a file that is not there and would be no note
	SiteLinks         = "site_links"          // links that are addresses of a website: /docs/page
	NearRelation      = "near_relation"       // what looks like a relation and is none
	SpaceInLink       = "space_in_link"       // [text](A note.md), which is no link

	Orphan        = "orphan"         // no link leads to the note or from it
	OrphanCluster = "orphan_cluster" // a few notes that link among themselves alone
	LinkOnly      = "link_only"      // a note of links without words of its own that is no map
	EmptyNote     = "empty_note"     // a note with nothing in it
	MissingMap    = "missing_map"    // many notes that belong together without one that leads to them

	TagSprawl         = "tag_sprawl"          // most tags are used once
	NearDuplicateTags = "near_duplicate_tags" // one tag in several spellings

	DuplicateNote     = "duplicate_note"      // notes of the same text
	NearDuplicateNote = "near_duplicate_note" // notes of nearly the same text
	DuplicateID       = "duplicate_id"        // notes that declare the same id
	DuplicateTitle    = "duplicate_title"     // notes of the same title where that is likely a mistake
	ConflictCopy      = "conflict_copy"       // a file that a program of synchronisation put beside the note

	UnknownType = "unknown_type" // a type that types.yaml does not know, or a misspelt one

	FailedFile  = "failed_file"  // a file that could not be read
	SkippedFile = "skipped_file" // a file that was left out
	FaultyNote  = "faulty_note"  // a note that is indexed, but not as it was meant: a fault in its properties

	NoIndex       = "no_index"       // nothing was indexed yet
	StaleIndex    = "stale_index"    // files changed since
	OldSettings   = "old_settings"   // the index was made with other settings
	OtherModel    = "other_model"    // the index has vectors of another model
	StaleGraph    = "stale_graph"    // a run was cut off before it came to the graph
	DamagedIndex  = "damaged_index"  // the index contradicts itself
	SyncedIndex   = "synced_index"   // the file of the index lies where a program synchronises it
	IndexInVault  = "index_in_vault" // the file of the index lies below the vault
	UnusedSetting = "unused_setting" // a setting names what is not there
)

// Check is a kind of finding.
type Check struct {
	Name     string
	Severity Severity // of most of its findings
	About    string   // in a few words
}

var checks = []Check{
	{DeadLink, Fault, "a link names a note that is not there"},
	{AliasLink, Fault, "a link names an alias, which no app follows"},
	{AmbiguousLink, Notice, "a link fits several files equally well"},
	{AddressInBrackets, Notice, "an address of the web stands in [[double brackets]]"},
	{DeadHeading, Fault, "a link names a heading that its note does not have"},
	{MovedHeading, Fault, "a link names a heading that stands in another note now"},
	{DeadBlock, Fault, "a link names a block that its note does not have"},
	{DeadAttachment, Fault, "a link or an embed names a file that is not there"},
	{SiteLinks, Hint, "links are addresses of a website, which lead nowhere in the vault"},
	{NearRelation, Notice, "a line, a link or a property looks like a relation and is none"},
	{SpaceInLink, Notice, "a Markdown link has a space in its destination, which makes it none"},
	{Orphan, Hint, "no link leads to the note or from it"},
	{OrphanCluster, Hint, "a few notes link among themselves alone"},
	{LinkOnly, Hint, "a note has links and no words of its own, and is no map"},
	{EmptyNote, Hint, "a note has nothing in it"},
	{MissingMap, Hint, "many notes belong together, and none leads to most of them"},
	{TagSprawl, Hint, "most tags are used once"},
	{NearDuplicateTags, Notice, "a tag is written in several ways"},
	{DuplicateNote, Notice, "notes have the same text"},
	{NearDuplicateNote, Notice, "notes have nearly the same text"},
	{DuplicateID, Fault, "notes declare the same id"},
	{DuplicateTitle, Notice, "notes have the same title, likely by mistake"},
	{ConflictCopy, Notice, "a program of synchronisation left a second version of a note"},
	{UnknownType, Notice, "a note has a type that types.yaml does not know, or a misspelt one"},
	{FailedFile, Fault, "a file could not be read"},
	{SkippedFile, Notice, "a file was left out"},
	{FaultyNote, Notice, "a note is indexed, but not as it was meant"},
	{NoIndex, Fault, "nothing was indexed yet"},
	{StaleIndex, Fault, "files changed since the last run: what is told of them may be over"},
	{OldSettings, Notice, "the index was made with other settings"},
	{OtherModel, Notice, "the index has vectors of another model"},
	{StaleGraph, Notice, "the index has no graph of its present notes"},
	{DamagedIndex, Fault, "the index contradicts itself"},
	{SyncedIndex, Notice, "the file of the index lies where a program synchronises it"},
	{IndexInVault, Hint, "the file of the index lies below the vault"},
	{UnusedSetting, Notice, "a setting names what is not there"},
}

// Checks lists all kinds of findings, those of links first.
func Checks() []Check { return slices.Clone(checks) }

var severityOf = func() map[string]Severity {
	of := make(map[string]Severity, len(checks))
	for _, c := range checks {
		of[c.Name] = c.Severity
	}
	return of
}()

// Selection says which checks are made. The zero value is all of them.
type Selection struct{ only, skip []string }

// ErrUnknownCheck tells that there is no check of a name.
var ErrUnknownCheck = errors.New("there is no such check")

// Select takes names of checks: only these, none being all, but those to skip. An unknown name is an ErrUnknownCheck.
func Select(only, skip []string) (Selection, error) {
	for _, name := range slices.Concat(only, skip) {
		if _, ok := severityOf[name]; !ok {
			return Selection{}, fmt.Errorf("%w: %q; there are %s", ErrUnknownCheck, name, strings.Join(names(), ", "))
		}
	}
	return Selection{slices.Clone(only), slices.Clone(skip)}, nil
}

func names() []string {
	list := make([]string, len(checks))
	for i, c := range checks {
		list[i] = c.Name
	}
	return list
}

// Has tells whether a check is made.
func (s Selection) Has(check string) bool {
	return (len(s.only) == 0 || slices.Contains(s.only, check)) && !slices.Contains(s.skip, check)
}

// hasAny tells whether one of some checks is made.
func (s Selection) hasAny(checks ...string) bool { return slices.ContainsFunc(checks, s.Has) }
