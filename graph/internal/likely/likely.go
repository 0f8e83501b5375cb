// Package likely finds the files that a dead link may have meant, by what they are called. It is pure.
package likely

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"quarry/internal/dialect"
	"quarry/internal/filename"
)

// likeness tells why a note may be meant, the likeliest reason first.
type likeness int

const (
	sameAlias   likeness = iota // or title, as links compare names
	samePlace                   // name and folder, which lies elsewhere
	sameName                    // in another folder
	sameDay                     // written in another way
	sameLetters                 // but for accents, marks, spaces, hyphens
	sameWords                   // in another order or number
	fewEdits                    // a misspelling
	butNumber                   // all but a number in front
)

// maxFolders is how many folders of a target are looked for in the paths of files: its last ones.
const maxFolders = 16

// maxSameName is how many files of one name may each be meant by a link that names no folder of theirs.
const maxSameName = 3

// suggestion is a file that may be meant.
type suggestion struct {
	file  int32
	like  likeness
	edits int
	// folders is how many of the folders that the target names are the file's, near how many of the source's it lies in.
	folders, near int
}

// Files lists those that a dead link in a folder may have meant, likeliest first, each once: see graph.Resolver.Suggest. The
// folder ends with a slash or is "". Never nil.
func (x *Index) Files(target, folder string, work *Budget) []string {
	if len(target) > filename.MaxBytes {
		return []string{}
	}
	for _, q := range x.asked(target) {
		if paths := x.suggest(q, folder, work); len(paths) > 0 {
			return paths
		}
	}
	return []string{}
}

func (x *Index) suggest(q *query, folder string, work *Budget) []string {
	folder = filename.Fold(folder)
	kept := slices.DeleteFunc(x.alike(q, work), func(s suggestion) bool { return x.names[s.file].extension != q.extension })
	kept = eachOnce(kept)
	around := q.around()
	for i := range kept {
		s := &kept[i]
		if work.placed -= len(x.files[s.file].Key) * (len(around) + 1); work.placed < 0 {
			return []string{}
		}
		s.folders = x.names[s.file].sharedFolders(around)
		s.near = commonFolders(folder, x.files[s.file].Key)
	}
	slices.SortFunc(kept, func(a, b suggestion) int {
		return cmp.Or(cmp.Compare(a.like, b.like), cmp.Compare(a.edits, b.edits), cmp.Compare(b.folders, a.folders),
			cmp.Compare(b.near, a.near), cmp.Compare(a.file, b.file))
	})
	paths := []string{}
	for _, s := range likely(kept) {
		paths = append(paths, x.files[s.file].Path)
	}
	return paths
}

// eachOnce keeps the best reason for each file.
func eachOnce(found []suggestion) []suggestion {
	slices.SortFunc(found, func(a, b suggestion) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.like, b.like), cmp.Compare(a.edits, b.edits))
	})
	return slices.CompactFunc(found, func(a, b suggestion) bool { return a.file == b.file })
}

// likely leaves out, of what was found and sorted, what is no more than a guess: where many are as likely, those of which the
// target names no folder.
func likely(found []suggestion) []suggestion {
	times := map[likeness]int{}
	for _, s := range found {
		times[s.like]++
	}
	return slices.DeleteFunc(found, func(s suggestion) bool {
		switch s.like {
		case butNumber:
			return times[s.like] > 1
		case sameName:
			return times[samePlace] > 0 || times[s.like] > maxSameName && s.folders == 0
		}
		return times[s.like] > maxSameName && s.folders == 0
	})
}

// named is how a file is called: that which stands for its folder by the folder's name.
type named struct {
	folders   string // folded, with slashes around each
	name      string // folded, without extension
	extension string // folded, "" for notes in Markdown, "." for other files without one
}

// nameOf takes a folded path or target apart. isExtension tells what an extension other than that of notes may be.
func nameOf(key string, pages bool, isExtension func(string) bool) named {
	key = strings.Trim(path.Clean("/"+strings.TrimSpace(key)), "/")
	var n named
	switch extension := path.Ext(key); {
	case extension == filename.NoteExtension || extension == ".markdown":
		key = strings.TrimSuffix(key, extension)
	case extension != "" && isExtension(extension):
		key, n.extension = strings.TrimSuffix(key, extension), extension
	}
	if pages || strings.Contains(key, "%") {
		key = filename.FolderPrefix(key) + filename.Fold(dialect.PageName(filename.LastSegment(key)))
	}
	if folder := strings.TrimSuffix(filename.FolderPrefix(key), "/"); folder != "" && n.extension == "" && slices.Contains(filename.FolderStems[:], filename.LastSegment(key)) {
		key = folder
	}
	n.folders, n.name = "/"+filename.FolderPrefix(key), filename.LastSegment(key)
	return n
}

// around lists the last folders, with slashes around each.
func (n *named) around() []string {
	var list []string
	for rest := strings.Trim(n.folders, "/"); rest != "" && len(list) < maxFolders; rest = strings.TrimRight(filename.FolderPrefix(rest), "/") {
		list = append(list, "/"+filename.LastSegment(rest)+"/")
	}
	return list
}

// sharedFolders counts those of some folders that a file lies in.
func (n *named) sharedFolders(folders []string) int {
	count := 0
	for _, folder := range folders {
		if strings.Contains(n.folders, folder) {
			count++
		}
	}
	return count
}

// place is the name below its folder, "" in the root.
func (n *named) place() string {
	if folder := filename.LastSegment(strings.Trim(n.folders, "/")); folder != "" {
		return folder + "/" + n.name
	}
	return ""
}

// commonFolders counts the folders with which two paths begin.
func commonFolders(a, b string) int {
	count := 0
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			count++
		}
	}
	return count
}
