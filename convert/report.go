package convert

import (
	"cmp"
	"maps"
	"slices"

	"quarry/convert/export"
	"quarry/secret"
)

// Report tells what an import did, or would do, and what could not be kept. Lists are whole, and never null.
type Report struct {
	Format      string           `json:"format"`
	Export      string           `json:"export"` // name of the file or folder
	Into        string           `json:"into"`   // folder below the vault
	IsDryRun    bool             `json:"dry_run"`
	Notes       Counts           `json:"notes"`
	Attachments Counts           `json:"attachments"`
	Links       Links            `json:"links"`
	Written     []File           `json:"written"` // notes and attachments that were written, or would be
	Kept        []File           `json:"kept"`    // files that are there from an earlier import and were not as it left them
	LeftOut     []LeftOut        `json:"left_out"`
	Lost        []Lost           `json:"lost"`
	Problems    []export.Problem `json:"problems"`
	Secrets     []secret.Count   `json:"secrets"` // in notes that were written; they are as they were, and redacted in the index
}

// Counts are of the notes or of the attachments of an export. Found is the sum of the others.
type Counts struct {
	Found     int `json:"found"`
	Written   int `json:"written"`
	Unchanged int `json:"unchanged"` // imported before, and as it was
	Same      int `json:"same"`      // attachments whose bytes another one has: one file
	Moved     int `json:"moved"`     // imported before, then moved or renamed
	Edited    int `json:"edited"`    // imported before, then edited
	Gone      int `json:"gone"`      // imported before, then deleted
	Changed   int `json:"changed"`   // imported before, and changed in the export since; the file is as it was
	Failed    int `json:"failed"`    // with a problem of their own
}

// Links are those of the notes that were written.
type Links struct {
	Found    int        `json:"found"`
	Resolved int        `json:"resolved"`
	Lost     []LostLink `json:"lost"` // that lead nowhere, or only to the note and not to the place in it
}

// LostLink is a link that does not lead where it did.
type LostLink struct {
	From   string `json:"from"`   // path of the note
	Target string `json:"target"` // what it meant, in the export's own words
	Reason string `json:"reason"`
}

// File is a file of the vault that an item of an export became.
type File struct {
	Path   string `json:"path"`
	Title  string `json:"title,omitempty"`  // of a note whose name could not be the title
	Reason string `json:"reason,omitempty"` // why it was left alone
}

// LeftOut is what a reader left out on purpose.
type LeftOut struct {
	Reason   string   `json:"reason"`
	Count    int      `json:"count"`
	Examples []string `json:"examples"`
}

// Lost is what notes cannot keep: drawings, sizes, colours.
type Lost struct {
	What  string `json:"what"`
	Count int    `json:"count"`
}

const maxExamples = 5

// takeFound takes over what tree and reader have to tell.
func (r *Report) takeFound(tree *export.Tree, built *export.Builder) {
	r.Problems = append(append(slices.Clone(tree.Problems()), built.Problems...), r.Problems...)
	for _, reason := range slices.Sorted(maps.Keys(built.LeftOut)) {
		all := built.LeftOut[reason]
		r.LeftOut = append(r.LeftOut, LeftOut{reason, len(all), all[:min(len(all), maxExamples)]})
	}
	for _, what := range slices.Sorted(maps.Keys(built.Lost)) {
		r.Lost = append(r.Lost, Lost{what, built.Lost[what]})
	}
}

func (r *Report) sort() {
	byPath := func(a, b File) int { return cmp.Compare(a.Path, b.Path) }
	slices.SortFunc(r.Written, byPath)
	slices.SortFunc(r.Kept, byPath)
	r.Written, r.Kept, r.Links.Lost = listOf(r.Written), listOf(r.Kept), listOf(r.Links.Lost)
	r.LeftOut, r.Lost, r.Problems, r.Secrets = listOf(r.LeftOut), listOf(r.Lost), listOf(r.Problems), listOf(r.Secrets)
}

func listOf[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (r *Report) addSecrets(counts []secret.Count) {
	for _, one := range counts {
		at := slices.IndexFunc(r.Secrets, func(c secret.Count) bool { return c.Name == one.Name })
		if at < 0 {
			r.Secrets = append(r.Secrets, one)
			continue
		}
		r.Secrets[at].Count += one.Count
	}
}

func (r *Report) problem(where string, err error) {
	r.Problems = append(r.Problems, export.Problem{Where: where, Reason: err.Error()})
}
