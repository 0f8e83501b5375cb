package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// piece is one thing that set-up puts into a file, and takes out of it again. nil stands for a file that is not there.
type piece interface {
	path() string
	// put gives the file with the piece in it: the same bytes where it is there already.
	put(content []byte) ([]byte, error)
	// take gives the file without the piece: the same bytes where it is not there. isGone tells that set-up made the file, and
	// nothing else is in it.
	take(content []byte) (result []byte, isGone bool, err error)
}

// serverPiece is the entry of the MCP server, in whatever file.
type serverPiece interface {
	piece
	servers(content []byte) (map[string]server, error)
	// takenOver is the command line of an entry that put took over; "" of none.
	takenOver() string
}

// Plan is what would be written, and where. It is made for one use.
type Plan struct {
	// Notices tell what is left as it is, and why.
	Notices   []string
	pieces    []piece
	request   Request
	files     []*plannedFile
	isRemoval bool
	isPrivate bool // new files are for the user alone: a client may put tokens into them later
}

// plannedFile is one file of a plan.
type plannedFile struct {
	path, target  string // as the client names it; where that leads, by symbolic links
	before, after []byte // nil: no file
	mode          fs.FileMode
	folderMode    fs.FileMode // of folders that are made for it
	pieces        []piece
	isOwn         bool // all of it is ours: no copy is kept
	backup        string
	spent         []string // copies that tell nothing more
	folders       int      // above it that were made for it
}

// Action is what becomes of a file.
type Action string

// The actions.
const (
	Create Action = "create"
	Change Action = "change"
	Delete Action = "delete"
	Keep   Action = "keep" // it says already what it is to say
)

// FileChange is what a plan does to one file.
type FileChange struct {
	Path   string
	Action Action
	Backup string // the copy of the file as it was; "" where none is made
	Before []byte // the file as it is; nil where there is none
	After  []byte // as it will be; nil where it goes
}

func newPlan(r Request, pieces []piece) *Plan {
	return &Plan{pieces: pieces, request: r, isPrivate: r.Scope == User && r.Plugin == ""}
}

// file gives the state of a file, read at its first use.
func (p *Plan) file(path string) (*plannedFile, error) {
	for _, f := range p.files {
		if f.path == path {
			return f, nil
		}
	}
	f := &plannedFile{path: path, target: path, mode: 0o644, folderMode: 0o755}
	if p.isPrivate {
		f.mode, f.folderMode = 0o600, 0o700
	}
	if err := f.read(); err != nil {
		return nil, err
	}
	f.after = f.before
	p.files = append(p.files, f)
	return f, nil
}

func (f *plannedFile) read() error {
	info, err := os.Lstat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if f.target, err = filepath.EvalSymlinks(f.path); err == nil {
			info, err = os.Stat(f.target)
		}
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", f.path, plain(err))
	}
	if !info.Mode().IsRegular() {
		return &FileError{Path: f.path, Problem: "it is no regular file"}
	}
	if info.Size() > maxFileBytes {
		return &FileError{Path: f.path, Problem: fmt.Sprintf("it is larger than %d MiB", maxFileBytes>>20)}
	}
	f.mode = info.Mode().Perm()
	content, err := os.ReadFile(f.target)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.path, plain(err))
	}
	f.before = append([]byte{}, content...) // not nil
	return nil
}

// plain drops the path that the message names already.
func plain(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

func (p *Plan) put(piece piece) error {
	f, err := p.file(piece.path())
	if err != nil {
		return err
	}
	if w, ok := piece.(*whole); ok && f.before == nil {
		w.folders = p.missing(filepath.Dir(f.target))
	}
	if f.after, err = piece.put(f.after); err != nil {
		return err
	}
	p.remember(f, piece)
	if s, ok := piece.(serverPiece); ok && s.takenOver() != "" {
		p.Notices = append(p.Notices, fmt.Sprintf("the entry that was there is taken over, its command was: %s", s.takenOver()))
	}
	return nil
}

func (p *Plan) take(piece piece) error {
	f, err := p.file(piece.path())
	if err != nil {
		return err
	}
	p.remember(f, piece)
	if f.after == nil {
		return nil
	}
	after, isGone, err := piece.take(f.after)
	if err != nil {
		return err
	}
	if isGone {
		f.folders = p.madeFor(piece, f.after)
		after = nil
	}
	f.after = after
	return nil
}

func (p *Plan) remember(f *plannedFile, piece piece) {
	f.pieces = append(f.pieces, piece)
	if w, ok := piece.(*whole); ok {
		f.isOwn = true
		if note := w.note(f.before); note != "" && f.before != nil {
			p.Notices = append(p.Notices, note)
		}
	}
}

// nameOthers tells the hooks which vaults belong to other entries of the client; wanted is no such one.
func (p *Plan) nameOthers(name, wanted string) error {
	var others []string
	for _, piece := range p.pieces {
		switch piece := piece.(type) {
		case serverPiece:
			f, err := p.file(piece.path())
			if err != nil {
				return err
			}
			found, err := piece.servers(f.before)
			if err != nil {
				return err
			}
			for other, server := range found {
				if other != name && server.Vault != wanted {
					others = append(others, server.Vault)
				}
			}
		case *jsonHooks:
			piece.others = others
		}
	}
	return nil
}

// Changes are what the plan does, in the order of the client's files.
func (p *Plan) Changes() []FileChange {
	var list []FileChange
	for _, f := range p.files {
		list = append(list, FileChange{Path: f.path, Action: f.action(), Backup: f.backup, Before: f.before, After: f.after})
	}
	return list
}

// IsDone tells that there is nothing to write.
func (p *Plan) IsDone() bool {
	return !slices.ContainsFunc(p.files, func(f *plannedFile) bool { return f.action() != Keep })
}

func (f *plannedFile) action() Action {
	switch {
	case f.before == nil && f.after == nil, f.before != nil && f.after != nil && bytes.Equal(f.before, f.after):
		return Keep
	case f.before == nil:
		return Create
	case f.after == nil:
		return Delete
	}
	return Change
}

const backupSuffix = ".quarry-backup"

// findBackups decides which copy to make, and which of those that are there tell nothing more.
func (f *plannedFile) findBackups(isRemoval bool) error {
	if f.isOwn || f.before == nil {
		return nil
	}
	wanted := f.stripped(f.before)
	isKept := f.action() != Change
	for i := 1; i < 100; i++ {
		name := f.target + backupSuffix
		if i > 1 {
			name += "." + strconv.Itoa(i)
		}
		copied, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			if !isKept {
				f.backup = name
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", name, plain(err))
		}
		if isSame := bytes.Equal(f.stripped(append([]byte{}, copied...)), wanted); isSame && isRemoval {
			f.spent = append(f.spent, name)
			isKept = true
		} else if isSame {
			isKept = true
		}
	}
	if isKept {
		return nil
	}
	return &FileError{Path: f.path, Problem: "there are too many copies of it: delete those that are not needed (" + filepath.Base(f.target) + backupSuffix + "…)"}
}

// stripped is a content without our pieces: what of it is somebody else's.
func (f *plannedFile) stripped(content []byte) []byte {
	for _, piece := range slices.Backward(f.pieces) {
		if rest, isGone, err := piece.take(content); err == nil {
			content = rest
			if isGone {
				return nil
			}
		}
	}
	return content
}
