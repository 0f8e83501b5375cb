package quarry

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	"golang.org/x/text/unicode/norm"

	"quarry/chunk"
	"quarry/index"
	"quarry/note"
	"quarry/secret"
	"quarry/store"
	"quarry/vault"
)

// ListRequest asks for notes by filter.
type ListRequest struct {
	Filter Filter
	Sort   string // path, updated, created or title; "": path
	Limit  int    // 0: all
}

// NoteSummary is one note of a list. Its JSON form is part of the contract.
type NoteSummary struct {
	FilePath string   `json:"file_path"`
	Title    string   `json:"title"`
	Type     string   `json:"type"`
	Status   string   `json:"status"`
	Tags     []string `json:"tags"`
	Created  string   `json:"created"`
	Updated  string   `json:"updated"`
	DocID    string   `json:"docid"`
}

// Sorts are the orders a list can have, by the name a user gives.
var Sorts = map[string]store.Sort{
	"": store.ByPath, "path": store.ByPath, "updated": store.ByUpdated, "created": store.ByCreated, "title": store.ByTitle,
}

// List gives the indexed notes that match.
func (e *Engine) List(ctx context.Context, request ListRequest) (_ []NoteSummary, err error) {
	defer e.clean(&err)
	ctx = withOneLook(ctx)
	list, err := e.list(ctx, request)
	if err != nil {
		return nil, fmt.Errorf("list notes: %w", e.butSecret(ctx, err))
	}
	return list, nil
}

func (e *Engine) list(ctx context.Context, request ListRequest) ([]NoteSummary, error) {
	order, ok := Sorts[request.Sort]
	if !ok {
		return nil, fmt.Errorf("there is no order %q", request.Sort)
	}
	snapshot, err := e.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	filter, err := e.byLinks(ctx, snapshot, request.Filter)
	if err != nil {
		return nil, err
	}
	notes, err := snapshot.Notes(ctx, store.NoteQuery{Filter: anySpelling(filter), Sort: order, Limit: request.Limit})
	if err != nil {
		return nil, err
	}
	out := make([]NoteSummary, 0, len(notes))
	for _, n := range notes {
		out = append(out, NoteSummary{
			FilePath: n.Path, Title: n.Title, Type: n.Type, Status: n.Status, Tags: orEmpty(n.Tags),
			Created: n.Created, Updated: n.Updated, DocID: n.DocID,
		})
	}
	return out, filterAgain(e, snapshot.meta, &out)
}

// anySpelling gives a filter that takes composed and decomposed accents for the same: the index keeps names and values in
// the bytes they were written with.
func anySpelling(f Filter) Filter {
	for _, list := range []*[]string{
		&f.Tags, &f.Types, &f.Statuses, &f.Domains, &f.NotTags, &f.NotTypes, &f.NotStatuses, &f.NotDomains,
		&f.Folders, &f.NotFolders, &f.Globs, &f.NotGlobs,
	} {
		var more []string
		for _, value := range *list {
			for _, form := range []norm.Form{norm.NFC, norm.NFD} {
				if other := form.String(value); other != value {
					more = append(more, other)
				}
			}
		}
		*list = slices.Concat(*list, more)
	}
	return f
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// Parse reads a note of the vault as it lies on disk and gives what was understood of it. Where no file has the path as
// it is spelled, it is looked up as Read does. It needs no index.
func (e *Engine) Parse(ctx context.Context, path string) (_ *note.Note, err error) {
	defer e.clean(&err)
	ctx = withOneLook(ctx)
	parsed, err := e.parseAt(ctx, path)
	if !errors.Is(err, ErrNotFound) || errors.Is(err, ErrSecret) {
		return parsed, err
	}
	found, ok, locateErr := e.locate(ctx, path)
	switch {
	case locateErr != nil:
		return nil, locateErr
	case !ok:
		return nil, e.notFound(ctx, path)
	}
	return e.parseAt(ctx, found)
}

// explainRead keeps a path that holds a secret out of the error.
func (e *Engine) explainRead(path string, err error) error {
	shown := e.stored(path)
	var pathError *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("read %s: %w", shown, ErrNotFound)
	case errors.As(err, &pathError):
		return fmt.Errorf("read %s: %w", shown, pathError.Err)
	case shown != path:
		return fmt.Errorf("read %s: it cannot be read", shown)
	}
	return err
}

// ChunkList is a note's passages as they would be stored. Its JSON form is part of the contract.
type ChunkList struct {
	Path         string         `json:"path"`
	ChunkProfile string         `json:"chunk_profile"` // by which the note is cut
	Chunks       []Chunk        `json:"chunks"`
	Redactions   []secret.Count `json:"redactions"`
}

// Chunk is one passage of a ChunkList; lines are 1-based and those of the file.
type Chunk struct {
	ChunkID        string   `json:"chunk_id"`
	Index          int      `json:"index"` // 0-based
	Ord            int      `json:"ord"`   // 1-based
	Section        string   `json:"section"`
	HeadingPath    []string `json:"heading_path"`
	HeadingContext string   `json:"heading_context"`
	ChunkText      string   `json:"chunk_text"`
	IndexText      string   `json:"index_text,omitempty"` // what it is found by beside its text
	LineStart      int      `json:"line_start"`
	LineEnd        int      `json:"line_end"`
	Window         string   `json:"window"`         // ChunkText between that of its neighbours, each line once
	NeighborsPrev  []string `json:"neighbors_prev"` // id of the passage before it; empty for the first
	NeighborsNext  []string `json:"neighbors_next"` // and of the one behind it
	// Withheld tells of a passage that is not stored, since it could not be looked through for secrets: it has no id, no
	// ord, and the index -1, no neighbours and no window.
	Withheld bool `json:"withheld,omitempty"`
}

// Chunks cuts a note of the vault into passages. It needs no index, so it takes a declared id to be the only one.
func (e *Engine) Chunks(ctx context.Context, path string) (ChunkList, error) {
	parsed, err := e.Parse(ctx, path)
	if err != nil {
		return ChunkList{}, err
	}
	noteID := parsed.DeclaredID
	if noteID == "" {
		noteID = store.PathID(parsed.Path)
	}
	types, _ := e.types(ctx)
	list := ChunkList{
		Path: parsed.Path, ChunkProfile: string(index.ProfileOf(parsed, types)), Chunks: []Chunk{}, Redactions: parsed.Redactions,
	}
	if list.Redactions == nil {
		list.Redactions = []secret.Count{}
	}
	pieces := index.Cut(parsed, types)
	var stored []chunk.Passage
	for _, p := range pieces {
		if !p.Withheld {
			stored = append(stored, p.Passage)
		}
	}
	windows := chunk.Windows(parsed, stored)
	for _, p := range pieces {
		one := Chunk{
			Index: p.Index, Ord: p.Index + 1, Section: p.Section, Withheld: p.Withheld,
			HeadingPath: orEmpty(p.HeadingPath), HeadingContext: p.HeadingContext, ChunkText: p.Text, IndexText: p.IndexText,
			LineStart: p.LineStart, LineEnd: p.LineEnd, NeighborsPrev: []string{}, NeighborsNext: []string{},
		}
		if !p.Withheld {
			one.place(noteID, len(stored))
			one.Window = windows[p.Index]
		}
		list.Chunks = append(list.Chunks, one)
	}
	return list, nil
}

// place names a passage and its neighbours, of as many as the note has.
func (c *Chunk) place(noteID string, count int) {
	c.ChunkID = chunk.ID(noteID, c.Index)
	if c.Index > 0 {
		c.NeighborsPrev = append(c.NeighborsPrev, chunk.ID(noteID, c.Index-1))
	}
	if c.Index+1 < count {
		c.NeighborsNext = append(c.NeighborsNext, chunk.ID(noteID, c.Index+1))
	}
}

func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, vault.ErrNotRegular) || errors.Is(err, vault.ErrOutside) ||
		errors.Is(err, syscall.ENAMETOOLONG) // no file can have such a name
}
