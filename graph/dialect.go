package graph

import (
	"path"
	"strings"

	"quarry/internal/filename"
)

// WithBlocks gives a resolver that knows in which notes the blocks of the vault are: the path of the note, by block id.
func (r *Resolver) WithBlocks(noteOf map[string]string) *Resolver {
	with := *r
	with.blocks = make(map[string]string, len(noteOf))
	for id, note := range noteOf {
		key := strings.ToLower(id)
		if first, ok := with.blocks[key]; !ok || note < first {
			with.blocks[key] = note
		}
	}
	return &with
}

// spelled gives the path of a pick in the spelling that comes nearest to the target's.
func (r *Resolver) spelled(best pick, target string) (found string, sure bool) {
	if best.file < 0 {
		return "", true
	}
	found, sure = r.files[best.file].spelling(target)
	return found, sure && !best.tied
}

// isRelative tells whether a target starts at the folder of its source.
func isRelative(key string) bool {
	return key == "." || key == ".." || strings.HasPrefix(key, "./") || strings.HasPrefix(key, "../")
}

// exactNote looks a path up as it stands, then with the extension of a note.
func (r *Resolver) exactNote(key string) pick {
	if found := r.exact(key); found.file >= 0 {
		return found
	}
	return r.exact(key + filename.NoteExtension)
}

// folderNotes are the names of the note that stands for its folder in Foam, folded, the first that is there.
var folderNotes = [...]string{filename.FolderStems[0] + filename.NoteExtension, filename.FolderStems[1] + filename.NoteExtension}

func (r *Resolver) locateFoam(key, source string) pick {
	rooted, isRooted := strings.CutPrefix(key, "/")
	switch {
	case isRelative(key):
		key = path.Join(filename.FolderPrefix(source), key)
	case isRooted:
		key = path.Clean(rooted)
	default:
		return r.locateIdentifier(strings.TrimRight(key, "/"))
	}
	if found := r.exactNote(key); found.file >= 0 {
		return found
	}
	for _, name := range folderNotes {
		if found := r.exact(path.Join(key, name)); found.file >= 0 {
			return found
		}
	}
	return noPick
}

// locateIdentifier finds the files whose paths end with the key, with or without the extension of a note.
func (r *Resolver) locateIdentifier(key string) pick {
	if key == "" {
		return noPick
	}
	whole, short := r.first(key), r.first(key+filename.NoteExtension)
	switch {
	case whole.file >= 0 && short.file >= 0:
		return pick{min(whole.file, short.file), true} // files are sorted by key
	case whole.file >= 0:
		return whole
	case short.file >= 0:
		return short
	}
	for _, name := range folderNotes {
		if found := r.first(key + "/" + name); found.file >= 0 {
			return found
		}
	}
	return noPick
}

// first is the first of the files whose keys end with ending; tied where there are more.
func (r *Resolver) first(ending string) pick {
	c := r.byName[filename.LastSegment(ending)]
	if c == nil {
		return noPick
	}
	c, rest := c.below(ending)
	if c == nil {
		return noPick
	}
	if rest < 0 {
		return pick{c.files[0], len(c.files) > 1}
	}
	found := noPick
	for _, f := range c.files[:min(len(c.files), maxScanned)] {
		if !endsAtSegment(r.files[f].key, ending) {
			continue
		}
		if found.file >= 0 {
			found.tied = true
			break
		}
		found.file = f
	}
	return found
}

func (r *Resolver) locateDendron(key, source string) pick {
	if !strings.Contains(key, "/") {
		name := key + filename.NoteExtension
		if set := r.byName[name]; set != nil {
			if beside := r.exact(filename.FolderPrefix(source) + name); beside.file >= 0 {
				return beside
			}
			return r.choose(set, name, filename.FolderPrefix(source))
		}
	}
	if found := r.exactNote(path.Join(filename.FolderPrefix(source), key)); found.file >= 0 {
		return found
	}
	return r.exactNote(path.Clean(strings.TrimLeft(key, "/")))
}
