package vault

import (
	"io/fs"
	"os"
)

// folder is an open folder of the vault. Nothing reached through it lies outside: names are looked up in the folder
// itself, one segment at a time, and links are not followed.
type folder interface {
	// open opens the folder of that name in this one; "." is the folder itself.
	open(name string) (folder, error)
	// list gives what is in it, in no order; what was read before a fault is given with it.
	list() ([]entry, error)
	// look gives the facts of a file in it, of the link itself where it is one.
	look(name string) (facts, error)
	close()
}

// entry is a name in a folder. The kind is fs.ModeIrregular where the file system does not tell it in a listing.
type entry struct {
	name string
	kind fs.FileMode // type bits alone
}

// facts are what a scan keeps of a file.
type facts struct {
	kind                fs.FileMode // type bits alone
	sizeBytes           int64
	modifiedNanoseconds int64
	inode               uint64
}

func factsOf(info fs.FileInfo) facts {
	return facts{kind: info.Mode().Type(), sizeBytes: info.Size(), modifiedNanoseconds: info.ModTime().UnixNano(), inode: inode(info)}
}

// rootFolder is a folder as the standard library opens it.
type rootFolder struct{ root *os.Root }

func (f rootFolder) open(name string) (folder, error) {
	opened, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return rootFolder{opened}, nil
}

func (f rootFolder) list() ([]entry, error) {
	opened, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }()
	found, err := opened.ReadDir(-1)
	entries := make([]entry, len(found))
	for i, one := range found {
		entries[i] = entry{name: one.Name(), kind: one.Type()}
	}
	return entries, err
}

func (f rootFolder) look(name string) (facts, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return facts{}, err
	}
	return factsOf(info), nil
}

func (f rootFolder) close() { _ = f.root.Close() }
