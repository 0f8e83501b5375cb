package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
)

const (
	maxWorkers = 32
	maxDepth   = 128 // of folders: deeper ones are made to break programs
	batchFiles = 512 // looked at by one worker in one go
	// defaultMaxLeftOut bounds the names that are gathered in folders which are left out.
	defaultMaxLeftOut = 200_000
)

// Scan lists what of the vault is to be indexed, and what looks like a note but is left out, by the ignore rules as they
// are on disk now. It follows no link, opens no file, and takes an entry that goes away meanwhile for one that never
// was. It fails with a *RootError where the vault itself is gone or cannot be listed, and with ctx's error.
//
// Named in Others alone: what the ignore rules or the allow-list keep out, and files of other extensions. Reported:
// links to notes and folders, pipes, sockets and devices with a note's name, files over the size cap, names that are not
// valid UTF-8 (no JSON could carry them), folders nested too deeply, allowed folders that are not there, and as failed
// whatever could not be looked at.
func (v *Vault) Scan(ctx context.Context) (Listing, error) {
	if err := v.checkRoot(); err != nil {
		return Listing{}, err
	}
	if err := v.loadRules(); err != nil {
		return Listing{}, err
	}
	w := &walk{vault: v, rules: v.rules.Load(), ctx: ctx, pending: 1}
	w.wake.L = &w.mu
	root, err := v.base.open(".")
	if err != nil {
		return Listing{}, &RootError{Dir: v.dir, Err: plainCause(err)}
	}
	w.tasks = []task{{path: ".", within: share(root), name: "."}}
	var workers sync.WaitGroup
	for range min(2*runtime.GOMAXPROCS(0), maxWorkers) {
		workers.Go(w.work)
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return Listing{}, fmt.Errorf("scan vault: %w", err)
	}
	if w.rootErr != nil {
		return Listing{}, &RootError{Dir: v.dir, Err: plainCause(w.rootErr)}
	}
	if err := v.checkRoot(); err != nil { // a disk that went away meanwhile looks like many deleted notes
		return Listing{}, err
	}
	w.reportMissingFolders()
	v.leftOutBefore.Store(1 + w.leftOutEntries.Load())
	if w.leftOutEntries.Load() <= w.vault.maxLeftOut { // all or none, so that the list does not hang on the order of the walk
		w.found.Others = append(w.found.Others, w.leftOut...)
	}
	slices.Sort(w.found.Others)
	slices.SortFunc(w.found.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(w.found.Skipped, func(a, b Skipped) int { return strings.Compare(a.Path, b.Path) })
	return w.found, nil
}

// walk is one scan under way. The tasks are a stack, so that few folders wait at a time.
type walk struct {
	vault *Vault
	rules *ignoreRules
	ctx   context.Context

	mu      sync.Mutex
	wake    sync.Cond
	tasks   []task
	pending int // tasks that are waiting or at work
	found   Listing
	leftOut []string // names in folders that are left out
	rootErr error

	leftOutEntries atomic.Int64 // seen in such folders
}

// task is a folder to list or, with names, files of it to look at.
type task struct {
	path  string
	depth int
	names []string
	// isLeftOut: the folder is one whose files are not indexed, but can be named by links.
	isLeftOut bool
	// within is the open folder that name lies in. It is shared with the other tasks of that folder, so that the way down
	// from the root is gone once; since the tasks are a stack, few folders are open at a time.
	within *shared
	name   string
}

// shared is an open folder that is closed by its last user.
type shared struct {
	folder
	users atomic.Int64
}

func share(opened folder) *shared {
	s := &shared{folder: opened}
	s.users.Store(1)
	return s
}

func (s *shared) use() *shared { s.users.Add(1); return s }

func (s *shared) release() {
	if s.users.Add(-1) == 0 {
		s.close()
	}
}

func (w *walk) work() {
	for {
		job, ok := w.next()
		if !ok {
			return
		}
		var out outcome
		if w.ctx.Err() == nil {
			out = w.run(job)
		}
		job.within.release()
		w.finish(out)
	}
}

func (w *walk) next() (task, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.tasks) == 0 && w.pending > 0 {
		w.wake.Wait()
	}
	if len(w.tasks) == 0 {
		return task{}, false
	}
	job := w.tasks[len(w.tasks)-1]
	w.tasks = w.tasks[:len(w.tasks)-1]
	return job, true
}

func (w *walk) finish(out outcome) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.found.Files = append(w.found.Files, out.Files...)
	w.found.Skipped = append(w.found.Skipped, out.Skipped...)
	w.found.Others = append(w.found.Others, out.Others...)
	w.leftOut = append(w.leftOut, out.leftOut...)
	w.tasks = append(w.tasks, out.tasks...)
	w.pending += len(out.tasks) - 1
	if out.rootErr != nil {
		w.rootErr = out.rootErr
	}
	if w.pending == 0 || len(out.tasks) > 0 {
		w.wake.Broadcast()
	}
}

// outcome is what one task found.
type outcome struct {
	Listing
	leftOut []string
	tasks   []task
	rootErr error
}

func (o *outcome) skip(path, reason string) {
	o.Skipped = append(o.Skipped, Skipped{Path: path, Reason: reason})
}

// fail reports what could not be looked at, unless it just went away.
func (o *outcome) fail(path string, err error) {
	switch {
	case path == ".":
		o.rootErr = err
	case errors.Is(err, fs.ErrNotExist):
	default:
		o.Skipped = append(o.Skipped, Skipped{Path: path, Reason: reason(err), Failed: true})
	}
}

func (w *walk) run(job task) outcome {
	var out outcome
	// A link put in the folder's place since it was listed leads nowhere but to this folder or one beside it, and its
	// files cannot be read: Read refuses links.
	opened, err := job.within.open(job.name)
	if job.isLeftOut && (err != nil || w.leftOutEntries.Load() > w.vault.maxLeftOut) {
		if err == nil {
			opened.close()
		}
		return out
	}
	if err != nil {
		out.fail(job.path, err)
		return out
	}
	here := share(opened)
	defer here.release()
	if job.isLeftOut {
		entries, _ := opened.list() // what cannot be listed is left out anyway
		w.gather(job, here, entries, &out)
		return out
	}
	names := job.names
	if names == nil {
		entries, err := opened.list()
		if err != nil {
			// What was listed before the fault is kept: the folder counts as failed, and its old rows stay.
			out.fail(job.path, err)
		}
		names = w.sort(job, here, entries, &out)
	}
	w.look(opened, job.path, names, &out)
	return out
}

// sort puts the entries of a folder where they belong and returns the files to look at here; further ones and the
// folders become tasks.
func (w *walk) sort(job task, here *shared, entries []entry, out *outcome) []string {
	var names []string
	for _, one := range entries {
		path, kind := join(job.path, one.name), one.kind
		if kind&fs.ModeIrregular != 0 {
			if seen, err := here.look(one.name); err == nil {
				kind = seen.kind
			}
		}
		isFolder := kind.IsDir()
		if !w.vault.allows(path, isFolder) || w.rules.ignores(path, isFolder) {
			w.leaveOut(job, here, entry{one.name, kind}, out)
			continue
		}
		looksLikeNote := w.vault.extensions[extension(path)]
		switch {
		case !looksLikeNote && kind.IsRegular():
			if !isTemporary(one.name) {
				out.Others = append(out.Others, path)
			}
		case !isFolder && !looksLikeNote && (kind&fs.ModeSymlink == 0 || !w.vault.leadsToFolder(path)):
		case !utf8.ValidString(one.name):
			out.skip(path, "its name is not valid UTF-8")
		case isFolder && job.depth == maxDepth:
			out.skip(path, fmt.Sprintf("nested deeper than %d folders", maxDepth))
		case isFolder:
			out.tasks = append(out.tasks, task{path: path, depth: job.depth + 1, within: here.use(), name: one.name})
		case kind.IsRegular():
			names = append(names, one.name)
		default:
			out.skip(path, kindReason(kind, looksLikeNote))
		}
	}
	for len(names) > batchFiles {
		rest := len(names) - batchFiles
		out.tasks = append(out.tasks, task{path: job.path, within: here.use(), name: ".", names: names[rest:]})
		names = names[:rest]
	}
	return names
}

// leaveOut keeps the name of a file that is not to be indexed, and has a folder of such files looked through for names.
func (w *walk) leaveOut(job task, here *shared, one entry, out *outcome) {
	switch path := join(job.path, one.name); {
	case isTemporary(one.name):
	case one.kind.IsRegular():
		out.Others = append(out.Others, path)
	case one.kind.IsDir() && job.depth < maxDepth && !strings.EqualFold(one.name, "node_modules"):
		out.tasks = append(out.tasks, task{path: path, depth: job.depth + 1, isLeftOut: true, within: here.use(), name: one.name})
	}
}

// gather is sort for a folder that is left out: only names are taken, without a look at the files.
func (w *walk) gather(job task, here *shared, entries []entry, out *outcome) {
	if w.leftOutEntries.Add(int64(len(entries))) > w.vault.maxLeftOut {
		return
	}
	for _, one := range entries {
		if one.kind&fs.ModeIrregular != 0 {
			if seen, err := here.look(one.name); err == nil {
				one.kind = seen.kind
			}
		}
		w.leaveOut(job, here, one, out)
	}
	out.leftOut, out.Others = out.Others, nil
}

// temporaryNames are files that systems put into folders, in lower case.
var temporaryNames = []string{"thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r"}

// isTemporary tells the names that no link means: dot-names (among them .DS_Store, and placeholders of iCloud), the locks of
// office programs, what systems, browsers and sync services put beside files, and names that are not valid UTF-8.
func isTemporary(name string) bool {
	if name[0] == '.' || strings.HasPrefix(name, "~$") || strings.HasSuffix(name, "~") || !utf8.ValidString(name) {
		return true
	}
	lower := strings.ToLower(name)
	switch extension(lower) {
	case ".icloud", ".tmp", ".temp", ".part", ".partial", ".crdownload", ".swp":
		return true
	}
	return slices.Contains(temporaryNames, lower) || strings.Contains(lower, ".sync-conflict-")
}

// leadsToFolder tells whether a link leads, or may lead, to a folder. Where it leads out of the vault nothing is looked
// at there, and a name without an extension has to do as a sign.
func (v *Vault) leadsToFolder(path string) bool {
	info, err := v.root.Stat(path)
	if err == nil {
		return info.IsDir()
	}
	return extension(path) == ""
}

func kindReason(kind fs.FileMode, note bool) string {
	switch {
	case kind&fs.ModeSymlink != 0 && !note:
		return "a link, perhaps to a folder: links are not followed"
	case kind&fs.ModeSymlink != 0:
		return "a link: links are not followed"
	case kind&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case kind&fs.ModeSocket != 0:
		return "a socket"
	case kind&fs.ModeDevice != 0:
		return "a device"
	}
	return "not a regular file"
}

func (w *walk) look(opened folder, path string, names []string, out *outcome) {
	for i, name := range names {
		if i%64 == 0 && w.ctx.Err() != nil {
			return
		}
		filePath := join(path, name)
		seen, err := opened.look(name)
		switch {
		case err != nil:
			out.fail(filePath, err)
		case !seen.kind.IsRegular():
			out.skip(filePath, kindReason(seen.kind, true))
		case seen.sizeBytes > w.vault.maxBytes:
			out.Others = append(out.Others, filePath)
			out.skip(filePath, fmt.Sprintf("%s, over the cap of %s",
				humanize.IBytes(uint64(seen.sizeBytes)), humanize.IBytes(uint64(w.vault.maxBytes))))
		default:
			out.Files = append(out.Files, newFile(filePath, seen))
		}
	}
}

// reportMissingFolders names the folders of the allow-list that are not there: most likely a slip of the pen.
func (w *walk) reportMissingFolders() {
	for _, folder := range w.vault.folders {
		info, err := w.vault.root.Lstat(folder)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() {
			w.found.Skipped = append(w.found.Skipped, Skipped{Path: folder, Reason: "an allowed folder that is not there"})
		}
	}
}
