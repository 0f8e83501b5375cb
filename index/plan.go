package index

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"quarry/internal/sensitivity"
	"quarry/secret"
	"quarry/store"
	"quarry/vault"
)

// job is one file to look at: where it lies, the name it has in the index, and what the index knows of it.
type job struct {
	file vault.File
	name string      // file.Path, redacted
	old  *store.File // nil: new
	// again tells that it is read for its problems alone where its content is the same.
	again bool
}

// plan is the difference between the vault and the index.
type plan struct {
	naming    naming
	jobs      []job    // to be read, by name
	unchanged []job    // same size, time and inode
	gone      []string // names in the index without a file
	withheld  []string // names in the index that are not to be there any more, since their folder is secret now
	// Names in the index that could not be looked at: they stay as they are.
	unreachable []string
	skipped     []store.Problem
	others      []string // names of the files that are no notes, sorted
	meta        map[string]string
	known       known
	full        bool
	reason      string
	skippedN    int
	failedN     int
	// leftAlone counts the files that nobody looked at, since they are none of those that were named.
	leftAlone int
}

// naming is what decides about names of files.
type naming struct {
	filter *secret.Filter
	rules  *sensitivity.Rules
}

func (c Config) naming() naming { return naming{c.Filter, c.Rules} }

func (n naming) stored(path string) string { return StoredPath(n.filter, path) }

// isSecret tells of a path whose folder is of the class that is never indexed.
func (n naming) isSecret(path string) bool {
	class, _ := n.rules.OfPath(path)
	return class == sensitivity.Secret
}

// StoredPath is the name under which a path is kept and shown: the path itself, or, where it holds a secret, the redacted
// path with a few digits of its hash, so that two such paths stay apart. A nil filter is the default one.
func StoredPath(filter *secret.Filter, path string) string {
	redacted, counts := filter.Redact(path)
	if len(counts) == 0 {
		return path
	}
	sum := sha256.Sum256([]byte(path))
	return redacted + "~" + hex.EncodeToString(sum[:hashBytes])
}

// hashBytes is how much of a hash tells redacted paths apart.
const hashBytes = 3

// MayBeRedacted tells whether a stored path may be another than the one on disk. A file may really be called so up to its
// extension, which is no part of a hash.
func MayBeRedacted(stored string) bool {
	tilde := len(stored) - 2*hashBytes - 1
	if tilde <= 0 || stored[tilde] != '~' || !strings.Contains(stored, "[REDACTED:") {
		return false
	}
	_, err := hex.DecodeString(stored[tilde+1:])
	return err == nil
}

// makePlan compares a listing with what is known of the files asked for, nil for all.
func makePlan(listing vault.Listing, k known, options Options, by naming, asked vault.PathSet) *plan {
	p := &plan{known: k, unchanged: make([]job, 0, len(k.files)), naming: by}
	present, withheld := make([]bool, len(k.files)), make([]bool, len(k.files))
	for i := range listing.Files {
		file := &listing.Files[i]
		j := job{file: *file, name: file.Path}
		place, ok := k.places[j.name]
		if !ok { // a path that is stored as it is holds no secret: that was looked at when it was stored
			j.name = by.stored(file.Path)
			place, ok = k.places[j.name]
		}
		if by.isSecret(file.Path) {
			p.withhold(j.name)
			if ok {
				withheld[place] = true
			}
			continue
		}
		if ok {
			present[place] = true
			j.old = &k.files[place]
		}
		if j.old != nil && !options.Verify && IsSame(j.old, file) {
			p.unchanged = append(p.unchanged, j)
		} else {
			p.jobs = append(p.jobs, j)
		}
	}
	p.addSkipped(listing.Skipped)
	for i, here := range present {
		name := k.files[i].Path
		switch {
		case withheld[i] || by.isSecret(name):
			p.withheld = append(p.withheld, name)
		case here:
		case asked != nil && !asked.Covers(name):
			p.leftAlone++
		case p.isProtected(name, listing.Skipped):
			p.unreachable = append(p.unreachable, name)
		default:
			p.gone = append(p.gone, name)
		}
	}
	slices.Sort(p.gone)
	return p
}

// IsSame tells that nothing speaks for a change of a file since it was indexed.
func IsSame(old *store.File, file *vault.File) bool {
	return old.SizeBytes == file.SizeBytes && old.ModifiedNanoseconds == file.ModifiedNanoseconds && old.Inode == file.Inode
}

// redacted is a reason without the secrets that a path in it may hold.
func (n naming) redacted(reason string) string {
	clean, _ := n.filter.Redact(reason)
	return clean
}

// Reasons of problems that tell of a note which is never indexed. IsSecret knows them.
const (
	secretByFolder   = "not indexed: secret by its folder"
	secretByProperty = "not indexed: secret by its property"
	secretByDefault  = "not indexed: secret by default"
)

// IsSecret tells whether a problem says of a note that it is of the class that is never indexed.
func IsSecret(p store.Problem) bool {
	return p.State == "skipped" && (p.Reason == secretByFolder || p.Reason == secretByProperty || p.Reason == secretByDefault)
}

// SaysSecret tells whether a problem of which IsSecret is true speaks of what the note says of itself.
func SaysSecret(p store.Problem) bool { return p.Reason == secretByProperty }

// withhold reports a file of a secret folder. It is not even read.
func (p *plan) withhold(name string) {
	p.skipped = append(p.skipped, store.Problem{Path: name, State: "skipped", Reason: secretByFolder})
	p.skippedN++
}

func (p *plan) addSkipped(list []vault.Skipped) {
	for _, s := range list {
		problem := store.Problem{Path: p.naming.stored(s.Path), State: "skipped", Reason: p.naming.redacted(s.Reason)}
		p.skippedN++
		if s.Failed {
			problem.State = "failed"
			p.skippedN--
			p.failedN++
		}
		p.skipped = append(p.skipped, problem)
	}
}

// isProtected tells that a name could not be looked at, so that its absence means nothing.
func (p *plan) isProtected(name string, list []vault.Skipped) bool {
	for _, s := range list {
		if s.Failed && p.naming.covers(s.Path, name) {
			return true
		}
	}
	return false
}

// covers tells whether a stored name may be that of a path, or of something below it. Both may hold redacted secrets.
func (n naming) covers(path, name string) bool {
	if path == "" || path == "." || name == n.stored(path) || strings.HasPrefix(name, path+"/") {
		return true
	}
	redacted, counts := n.filter.Redact(path)
	return len(counts) > 0 && strings.HasPrefix(name, redacted+"/")
}

// takeAll makes every file a job, for a full run.
func (p *plan) takeAll() {
	p.jobs = append(p.jobs, p.unchanged...)
	p.unchanged = nil
	slices.SortFunc(p.jobs, func(a, b job) int { return strings.Compare(a.name, b.name) })
	for i := range p.jobs {
		p.jobs[i].old = nil
		p.jobs[i].name = p.naming.stored(p.jobs[i].file.Path) // anew: the rules may know more secrets than those of the old index
	}
}

// takeOthers lists the files that are no notes by the names they have in the index.
func (p *plan) takeOthers(listing vault.Listing) {
	listing.Others = slices.DeleteFunc(slices.Clone(listing.Others), p.naming.isSecret)
	if !p.full && slices.Equal(listing.Others, p.known.others) {
		p.others = p.known.others // a name that is stored as it is holds no secret
		return
	}
	isKnown := func(name string) bool {
		_, found := slices.BinarySearch(p.known.others, name)
		return found && !p.full
	}
	p.others = make([]string, 0, len(listing.Others))
	for _, path := range listing.Others {
		if !isKnown(path) {
			path = p.naming.stored(path)
		}
		p.others = append(p.others, path)
	}
	for _, name := range p.known.others {
		if p.isProtected(name, listing.Skipped) && !p.naming.isSecret(name) {
			p.others = append(p.others, p.naming.stored(name))
		}
	}
	slices.Sort(p.others)
	p.others = slices.Compact(p.others)
}

func (p *plan) othersChanged() bool { return !slices.Equal(p.others, p.known.others) }

func (p *plan) isMassDelete() bool {
	notes := len(p.known.files)
	return isMass(len(p.gone), notes) && isMass(len(p.gone)-p.countMoved(), notes)
}

// countMoved counts the files that are gone and lie, by all that tells files apart, elsewhere.
func (p *plan) countMoved() int {
	came := map[store.File]int{}
	for i := range p.jobs {
		file := &p.jobs[i].file
		if _, isKnown := p.known.places[p.jobs[i].name]; !isKnown {
			came[store.File{SizeBytes: file.SizeBytes, ModifiedNanoseconds: file.ModifiedNanoseconds, Inode: file.Inode}]++
		}
	}
	moved := 0
	for _, name := range p.gone {
		old := p.known.files[p.known.places[name]]
		key := store.File{SizeBytes: old.SizeBytes, ModifiedNanoseconds: old.ModifiedNanoseconds, Inode: old.Inode}
		if came[key] > 0 {
			came[key]--
			moved++
		}
	}
	return moved
}

// forecast is the report of a dry run: every job counts as indexed, since nobody looked inside.
func (p *plan) forecast(types []store.Problem) Report {
	problems := slices.Concat(p.skipped, types)
	sortProblems(problems)
	written := make([]string, len(p.jobs))
	var added []string
	for i := range p.jobs {
		written[i] = p.jobs[i].name
		if _, isKnown := p.known.places[written[i]]; !isKnown {
			added = append(added, written[i])
		}
	}
	removed := slices.Concat(p.gone, p.withheld)
	return Report{
		Indexed: len(p.jobs), Unchanged: len(p.unchanged) + p.leftAlone, Deleted: len(removed), Skipped: p.skippedN, Failed: p.failedN + failedOf(types),
		Redactions: []store.Redaction{},
		Chunks:     p.known.passages, Problems: emptyNotNil(problems), Full: p.full, Reason: p.reason, Written: written, Added: added, Removed: removed,
	}
}

func emptyNotNil(problems []store.Problem) []store.Problem {
	if problems == nil {
		return []store.Problem{}
	}
	return problems
}
