package health

import (
	"slices"
	"sort"
	"strings"
)

// fileNames finds files by how their paths end, in a time that does not grow with how many have one name.
type fileNames struct {
	ends  []fileEnd       // in byte order of their ends
	known map[string]bool // answers of has, by target; the last few thousand
}

// fileEnd is a file by its folded path read backwards, so that files of one ending stand side by side.
type fileEnd struct{ backwards, path string }

const (
	maxKnownNames = 4096 // answers that are kept
	maxPathBytes  = 4096 // longer ones no file system allows
)

// files lists all files of the vault.
func (e *Examination) files() *fileNames {
	if e.fileNames != nil {
		return e.fileNames
	}
	e.fileNames = &fileNames{known: map[string]bool{}}
	for i := range e.facts.Notes {
		e.fileNames.add(e.facts.Notes[i].Path)
	}
	for _, file := range e.facts.Files {
		e.fileNames.add(file)
	}
	slices.SortFunc(e.fileNames.ends, func(a, b fileEnd) int { return strings.Compare(a.backwards, b.backwards) })
	return e.fileNames
}

func (f *fileNames) add(file string) {
	f.ends = append(f.ends, fileEnd{backwards(strings.ToLower(file)), file})
}

func backwards(text string) string {
	turned := []byte(text)
	slices.Reverse(turned)
	return string(turned)
}

// endings are what the path of a file ends with that a target means, folded.
func endings(target string) []string {
	key := strings.TrimPrefix(strings.ToLower(target), "/")
	return []string{key, key + ".md"}
}

// has tells whether a target means a file.
func (f *fileNames) has(target string) bool {
	if target == "" || len(target) > maxPathBytes {
		return false
	}
	if answer, ok := f.known[target]; ok {
		return answer
	}
	if len(f.known) == maxKnownNames {
		clear(f.known)
	}
	answer := slices.ContainsFunc(f.ending(target), func(run []fileEnd) bool { return len(run) > 0 })
	f.known[strings.Clone(target)] = answer
	return answer
}

// ending are the files that a target may mean, in runs.
func (f *fileNames) ending(target string) (runs [][]fileEnd) {
	for _, whole := range endings(target) {
		end := backwards(whole)
		runs = append(runs, f.run(end, true), f.run(end+"/", false))
	}
	return runs
}

// run are the files whose path read backwards is a text, or begins with it.
func (f *fileNames) run(text string, isWhole bool) []fileEnd {
	first := sort.Search(len(f.ends), func(i int) bool { return f.ends[i].backwards >= text })
	rest := f.ends[first:]
	return rest[:sort.Search(len(rest), func(i int) bool {
		return isWhole && rest[i].backwards != text || !strings.HasPrefix(rest[i].backwards, text)
	})]
}

// count tells how many files have a name.
func (f *fileNames) count(name string) int {
	end := backwards(strings.ToLower(name))
	return len(f.run(end, true)) + len(f.run(end+"/", false))
}

// fitting is what a target may mean.
type fitting struct {
	paths []string // the first in byte order, one more than a finding names
	count int      // of all
}

// fitting lists the files that a target may mean.
func (f *fileNames) fitting(target string) fitting {
	var fit fitting
	for _, run := range f.ending(target) {
		for i := range run {
			fit.paths = append(fit.paths, run[i].path)
		}
	}
	slices.Sort(fit.paths)
	fit.count = len(fit.paths)
	fit.paths = slices.Clone(fit.paths[:min(fit.count, maxRelated+1)])
	return fit
}

// but leaves out one of the files.
func (f fitting) but(file, target string) fitting {
	folded := "/" + strings.ToLower(file)
	if slices.ContainsFunc(endings(target), func(whole string) bool { return strings.HasSuffix(folded, "/"+whole) }) {
		f.count--
	}
	others := slices.DeleteFunc(slices.Clone(f.paths), func(path string) bool { return path == file })
	f.paths = others[:min(len(others), maxRelated)]
	return f
}
