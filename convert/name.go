package convert

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/filename"
)

// Bounds of names and paths. Windows takes 260 characters with the path of the vault.
const (
	maxNameBytes   = 120
	maxPathBytes   = 200 // below the folder of the import
	shortNameBytes = 30  // of folders in a path that is too long
	maxFolders     = 3   // that are left of such a path
)

// names gives files names that no other file has.
type names struct {
	files   map[string]bool   // by folded path: those of the vault and those that were given
	folders map[string]string // folded path → as it is spelled
	next    map[string]int    // folded path → the number that is tried next
}

func newNames(paths []string) *names {
	n := &names{files: map[string]bool{}, folders: map[string]string{}, next: map[string]int{}}
	for _, one := range paths {
		n.take(one)
	}
	return n
}

// take keeps a path from being given; folders above it are known by its spelling.
func (n *names) take(file string) {
	n.files[foldKey(file)] = true
	for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
		key := foldKey(folder)
		if _, ok := n.folders[key]; ok {
			return
		}
		n.folders[key] = folder
	}
}

// give gives a new file in a folder its path: stem and extension, with "-2" and so on between them where that is taken.
func (n *names) give(folder, stem, extension string) string {
	folder = n.folder(folder)
	first := foldKey(path.Join(folder, stem+extension))
	for count := max(n.next[first], 1); ; count++ {
		name := stem + extension
		if count > 1 {
			name = fmt.Sprintf("%s-%d%s", stem, count, extension)
		}
		whole := path.Join(folder, name)
		key := foldKey(whole)
		if _, isFolder := n.folders[key]; isFolder || n.files[key] {
			continue
		}
		n.next[first] = count + 1
		n.take(whole)
		return whole
	}
}

// folder gives a folder as it is spelled in the vault, or another name where a file has its.
func (n *names) folder(asked string) string {
	here := ""
	for part := range strings.SplitSeq(asked, "/") {
		for count := 1; ; count++ {
			name := part
			if count > 1 {
				name = fmt.Sprintf("%s-%d", part, count)
			}
			whole := path.Join(here, name)
			if spelled, ok := n.folders[foldKey(whole)]; ok {
				whole = spelled
			} else if n.files[foldKey(whole)] {
				continue
			}
			here = whole
			break
		}
	}
	return here
}

// foldKey is the same for paths that some file system takes for one.
func foldKey(name string) string {
	return filename.Fold(strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, filename.Clean(name)))
}

// placeOf gives folder and stem of an item of an export: names that are valid on all systems, not yet unique.
func placeOf(into, wanted string) (folder, stem string) {
	parts := strings.Split(wanted, "/")
	for i, part := range parts {
		if parts[i] = validName(part, maxNameBytes); parts[i] == "" && i == len(parts)-1 {
			parts[i] = "Untitled"
		}
	}
	folders := make([]string, 0, len(parts))
	for _, part := range parts[:len(parts)-1] {
		if part != "" {
			folders = append(folders, part)
		}
	}
	stem = parts[len(parts)-1]
	if len(path.Join(folders...))+len(stem) > maxPathBytes {
		folders = folders[:min(len(folders), maxFolders)]
		for i := range folders {
			folders[i] = validName(folders[i], shortNameBytes)
		}
	}
	return path.Join(append([]string{into}, folders...)...), stem
}

// validName is a name as draft.FileName gives it, at most so long.
func validName(name string, maxBytes int) string {
	name = draft.FileName(strings.ReplaceAll(name, export.Slash, "/"))
	if len(name) <= maxBytes {
		return name
	}
	end := maxBytes
	for !utf8.RuneStart(name[end]) {
		end--
	}
	return draft.FileName(name[:end])
}

// maxExtensionBytes is longer than the extensions that mean something.
const maxExtensionBytes = 12

// noExtension is that of attachments that have none: no link of Obsidian's could name such a file.
const noExtension = ".bin"

// splitExtension parts the path of an attachment from its extension, one that systems and links take.
func splitExtension(name string) (stem, extension string) {
	extension = path.Ext(name)
	isOdd := strings.ContainsFunc(extension, func(r rune) bool { return r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if isOdd || len(extension) > maxExtensionBytes || len(extension) < len(".x") {
		return name, noExtension
	}
	return strings.TrimSuffix(name, extension), extension
}
