package compress

import (
	"strings"
)

const (
	namesEach   = 6 // of a folder, with the same ending
	mostFolders = 200
)

// folderGroup gathers what stands in one folder, in the order in which it came.
type folderGroup struct {
	label   string // in front of the names
	names   []string
	endings map[string]int // how many of each were met
	more    map[string]int // of those left out
	order   []string       // of the endings left out
	count   int
}

// folderGroups gathers names by folder.
type folderGroups struct {
	list  []*folderGroup
	known map[string]*folderGroup
}

// add adds a name to its folder. The names of noisy folders are counted only.
func (g *folderGroups) add(label, name string, isNoise bool) {
	if g.known == nil {
		g.known = map[string]*folderGroup{}
	}
	f := g.known[label]
	if f == nil {
		f = &folderGroup{label: label, endings: map[string]int{}, more: map[string]int{}}
		g.known[label] = f
		g.list = append(g.list, f)
	}
	f.count++
	ending := endingOf(name)
	if isNoise {
		ending = ""
	}
	if f.endings[ending]++; f.endings[ending] > namesEach || isNoise {
		if f.more[ending] == 0 {
			f.order = append(f.order, ending)
		}
		f.more[ending]++
		return
	}
	f.names = append(f.names, name)
}

// endingOf is what comes behind the last dot of a name, with the dot.
func endingOf(name string) string {
	name, _, _ = strings.Cut(name, " ")
	const longest = 8
	if at := strings.LastIndexByte(name, '.'); at > 0 && len(name)-at <= longest {
		return name[at:]
	}
	return ""
}

// lines gives a line for each folder; folders beyond a number are counted only.
func (g *folderGroups) lines() []line {
	list := make([]line, 0, min(len(g.list), mostFolders)+1)
	for i, f := range g.list {
		if i >= mostFolders {
			list = append(list, line{text: strings.Repeat(" ", len(f.label)+f.count), rank: dropped, group: files, count: int32(f.count)})
			continue
		}
		var b strings.Builder
		b.WriteString(f.label)
		for i, name := range f.names {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(name)
		}
		for i, ending := range f.order {
			if i > 0 || len(f.names) > 0 {
				b.WriteString(", ")
			}
			of := files
			b.WriteString("… " + counted(f.more[ending], of))
			if ending != "" {
				b.WriteString(" *" + ending)
			}
		}
		list = append(list, line{text: b.String(), lines: int32(len(f.names))})
	}
	return list
}

// noiseFolders are written by programs, and hold very much.
var noiseFolders = map[string]bool{
	"node_modules": true, ".git": true, "__pycache__": true, ".venv": true, "venv": true, "target": true, "vendor": true, ".cache": true, ".next": true,
	".tox": true, ".mypy_cache": true, ".pytest_cache": true, ".gradle": true, "bower_components": true,
}

// folderOf parts a path into its folder and its name. Of what lies below a noisy folder it is that folder.
func folderOf(path string) (folder, name string, isNoise bool) {
	for at := 0; at < len(path); {
		end := strings.IndexAny(path[at:], `/\`)
		if end < 0 {
			break
		}
		if noiseFolders[path[at:at+end]] && at+end+1 < len(path) {
			return path[:at+end+1], path[at+end+1:], true
		}
		at += end + 1
		folder = path[:at]
	}
	return folder, path[len(folder):], false
}
