package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// ErrWhole tells that what lies at some paths cannot be known without a look at the whole vault.
var ErrWhole = errors.New("the whole vault has to be looked at")

// ScanPaths is Scan for what lies at some paths and, where one is a folder, below it: the same files are listed, left out and
// reported. What is not there is not in the listing. It fails with ErrWhole where parts do not tell: something could not be
// looked at, a path is none below the vault or spells a folder otherwise than the disk does, or folders that are left out may hold
// too many names; else as Scan does.
func (v *Vault) ScanPaths(ctx context.Context, paths []string) (Listing, error) {
	if err := v.checkRoot(); err != nil {
		return Listing{}, err
	}
	if err := v.loadRules(); err != nil {
		return Listing{}, err
	}
	w := &walk{vault: v, rules: v.rules.Load(), ctx: ctx}
	w.wake.L = &w.mu
	asked := PathSetOf(paths)
	for folder, names := range asked.byFolder() {
		if err := w.lookAt(folder, names); err != nil {
			w.drop()
			return Listing{}, err
		}
	}
	var workers sync.WaitGroup
	for range min(len(w.tasks), maxWorkers) {
		workers.Go(w.work)
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return Listing{}, fmt.Errorf("scan vault: %w", err)
	}
	if err := v.checkRoot(); err != nil {
		return Listing{}, err
	}
	return w.part(asked)
}

// part is what was found of some paths.
func (w *walk) part(asked PathSet) (Listing, error) {
	w.reportMissingFolders()
	w.found.Skipped = slices.DeleteFunc(w.found.Skipped, func(s Skipped) bool { return !asked.Covers(s.Path) })
	isFailed := func(s Skipped) bool { return s.Failed }
	if w.rootErr != nil || slices.ContainsFunc(w.found.Skipped, isFailed) {
		return Listing{}, ErrWhole
	}
	if entries := w.leftOutEntries.Load(); entries > 0 || len(w.leftOut) > 0 {
		if before := w.vault.leftOutBefore.Load(); before == 0 || before-1+entries > w.vault.maxLeftOut {
			return Listing{}, ErrWhole
		}
		w.vault.leftOutBefore.Add(entries) // some of them for the second time: a scan of all counts anew
		w.found.Others = append(w.found.Others, w.leftOut...)
	}
	slices.Sort(w.found.Others)
	slices.SortFunc(w.found.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(w.found.Skipped, func(a, b Skipped) int { return strings.Compare(a.Path, b.Path) })
	return w.found, nil
}

// PathSet is a set of paths below the vault, with slashes, each with all that lies below it.
type PathSet map[string]bool

// PathSetOf makes a set of a list.
func PathSetOf(paths []string) PathSet {
	set := make(PathSet, len(paths))
	for _, path := range paths {
		set[path] = true
	}
	return set
}

// Covers tells whether a path is one of the set, or lies below one.
func (s PathSet) Covers(path string) bool { return s[path] || s.coversAbove(path) }

// coversAbove tells whether a path lies below one of the set.
func (s PathSet) coversAbove(path string) bool {
	for i := range len(path) {
		if path[i] == '/' && s[path[:i]] {
			return true
		}
	}
	return false
}

// byFolder gives the paths of the set by the folder that they lie in. What lies below another path goes with that.
func (s PathSet) byFolder() map[string][]string {
	folders := map[string][]string{}
	for path := range s {
		if s.coversAbove(path) {
			continue
		}
		folder := "."
		if slash := strings.LastIndexByte(path, '/'); slash >= 0 {
			folder = path[:slash]
		}
		folders[folder] = append(folders[folder], path)
	}
	return folders
}

// lookAt puts the entries of a folder that have one of the paths where they belong, as a walk that comes by does. The folder is
// listed, so that a name counts as it is written on disk alone.
func (w *walk) lookAt(folder string, paths []string) error {
	for _, path := range paths {
		if checkPath(path) != nil {
			return ErrWhole
		}
	}
	job := task{path: folder}
	if folder != "." {
		job.depth = strings.Count(folder, "/") + 1
		ok := false
		if job.isLeftOut, ok = w.onTheWay(folder); !ok || job.depth > maxDepth {
			return nil
		}
	}
	opened, err := w.openFolder(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrNotRegular):
		return nil
	case err != nil:
		return ErrWhole
	}
	here := share(opened)
	defer here.release()
	entries, err := opened.list()
	if err != nil {
		return ErrWhole
	}
	asked := PathSetOf(paths)
	entries = slices.DeleteFunc(entries, func(one entry) bool { return !asked[join(folder, one.name)] })
	w.pending++ // what finish takes off
	w.finish(w.sorted(job, here, entries))
	return nil
}

// sorted is what a walk would make of some entries of a folder.
func (w *walk) sorted(job task, here *shared, entries []entry) outcome {
	var out outcome
	if job.isLeftOut {
		w.gather(job, here, entries, &out)
		return out
	}
	names := w.sort(job, here, entries, &out)
	w.look(here.folder, job.path, names, &out)
	return out
}

// onTheWay tells whether a walk would come to a folder at all, and whether its files are left out.
func (w *walk) onTheWay(folder string) (isLeftOut, ok bool) {
	for i := 0; i <= len(folder); i++ {
		if i < len(folder) && folder[i] != '/' {
			continue
		}
		path := folder[:i]
		name := baseName(path)
		isLeftOut = isLeftOut || !w.vault.allows(path, true) || w.rules.ignores(path, true)
		switch {
		case isLeftOut && (isTemporary(name) || strings.EqualFold(name, "node_modules")), !utf8.ValidString(name):
			return isLeftOut, false
		}
	}
	return isLeftOut, true
}

func (w *walk) openFolder(path string) (folder, error) {
	if path == "." {
		return w.vault.base.open(".")
	}
	here, name, err := goDown(w.vault.base, path, w.openSpelled, folder.close)
	if err != nil {
		return nil, err
	}
	opened, err := w.openSpelled(here, name)
	if here != w.vault.base {
		here.close()
	}
	return opened, err
}

var errSpelling = errors.New("the folder's name is spelled otherwise")

// openSpelled opens a folder in another, by the name that it has on disk alone: what lies in it would go by a name that no scan of all
// tells.
func (w *walk) openSpelled(parent folder, name string) (folder, error) {
	opened, err := openLinkless(parent, name)
	if err != nil || !w.vault.foldsCase {
		return opened, err
	}
	entries, err := parent.list()
	if slices.ContainsFunc(entries, func(one entry) bool { return one.name == name }) {
		return opened, nil
	}
	opened.close()
	return nil, cmp.Or(err, errSpelling)
}

// drop lets go of the tasks of a walk that does not begin.
func (w *walk) drop() {
	for _, job := range w.tasks {
		job.within.release()
	}
}

// LeavesOut tells whether a folder below the vault is one in which nothing is indexed, by the rules of the last Scan, ScanPaths or
// SetDefaults. It need not exist.
func (v *Vault) LeavesOut(folder string) bool {
	rules := v.rules.Load()
	for i := 0; i <= len(folder); i++ {
		if i == len(folder) || folder[i] == '/' {
			if !v.allows(folder[:i], true) || rules.ignores(folder[:i], true) {
				return true
			}
		}
	}
	return false
}
