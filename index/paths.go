package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"quarry/store"
	"quarry/vault"
)

// runPaths is Run for Options.Paths. It fails with vault.ErrWhole where the rest cannot be taken as the index knows it.
func runPaths(ctx context.Context, config Config, options Options) (Report, error) {
	known, err := readKnown(ctx, config)
	if ctx.Err() != nil {
		return Report{}, ErrInterrupted
	}
	if err != nil {
		return Report{}, err
	}
	paths := known.lookedAt(&config, options.Paths)
	asked := vault.PathSetOf(paths)
	if len(known.meta) == 0 || !known.canBeParted(asked, config.naming()) {
		return Report{}, vault.ErrWhole
	}
	listing, err := config.Source.ScanPaths(ctx, paths, known.namesBeside(asked))
	switch {
	case ctx.Err() != nil:
		return Report{}, ErrInterrupted
	case err != nil:
		return Report{}, fmt.Errorf("scan the vault: %w", err)
	}
	meta := config.meta()
	if !isOfNow(known, meta, config.graphMark()) || !known.tells(asked, &listing) {
		return Report{}, vault.ErrWhole
	}
	p := makePlan(listing, known, options, config.naming(), asked)
	p.meta = meta
	p.keepProblems(config.TypesFile, asked)
	p.joinOthers(listing, asked)
	return carryOut(ctx, config, options, p)
}

// isOfNow tells whether an index was made by what decides now about all that is in it.
func isOfNow(k known, wanted map[string]string, mark string) bool {
	return reasonForFull(k, wanted) == "" && k.meta[MetaRules] == wanted[MetaRules] && k.meta[store.MetaGraph] == mark
}

// lookedAt are the paths that a run has to look at. The file of types is one where there is something to tell of it: nobody
// knows whether that is of the file of types or of the file as a note.
func (k *known) lookedAt(config *Config, paths []string) []string {
	isOfTypes := func(p store.Problem) bool { return p.Path == config.TypesFile }
	if !strings.HasPrefix(config.TypesFile, "/") && slices.ContainsFunc(k.problems, isOfTypes) {
		return append(slices.Clone(paths), config.TypesFile)
	}
	return paths
}

// canBeParted tells whether names of the index tell what lies at the paths: not where a path holds a secret, and not below a folder
// that could not be looked at.
func (k *known) canBeParted(asked vault.PathSet, by naming) bool {
	for _, p := range k.problems {
		if p.State != "failed" {
			continue
		}
		if p.Path == "." || p.Path == "" {
			return false
		}
		for path := range asked {
			if strings.HasPrefix(path, p.Path+"/") {
				return false
			}
		}
	}
	for path := range asked {
		if by.stored(path) != path {
			return false
		}
	}
	return true
}

// tells tells whether it is known of each path which files of the index it means: a folder may hold some whose names there
// do not begin with its own, since they hold secrets.
func (k *known) tells(asked vault.PathSet, listing *vault.Listing) bool {
	isFile := func(path string) bool {
		_, isNote := k.places[path]
		_, isFound := slices.BinarySearchFunc(listing.Files, path, func(f vault.File, path string) int { return strings.Compare(f.Path, path) })
		_, isOther := slices.BinarySearch(k.others, path)
		_, isOtherFound := slices.BinarySearch(listing.Others, path)
		return isNote || isFound || isOther || isOtherFound
	}
	for path := range asked {
		if !isFile(path) {
			return !k.hasRedacted()
		}
	}
	return true
}

// hasRedacted tells whether the index holds names that may be others than those on disk.
func (k *known) hasRedacted() bool {
	return slices.ContainsFunc(k.files, func(f store.File) bool { return MayBeRedacted(f.Path) }) ||
		slices.ContainsFunc(k.others, MayBeRedacted) ||
		slices.ContainsFunc(k.problems, func(p store.Problem) bool { return MayBeRedacted(p.Path) })
}

// namesBeside are the names of all files in the index but those of the paths.
func (k *known) namesBeside(asked vault.PathSet) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range k.files {
			if name := k.files[i].Path; !asked.Covers(name) && !yield(name) {
				return
			}
		}
		for _, name := range k.others {
			if !asked.Covers(name) && !yield(name) {
				return
			}
		}
	}
}

// keepProblems takes over what the index knows of files that are left out or could not be read, where nobody looked again. What
// there is to tell of the file of types the run knows anew.
func (p *plan) keepProblems(typesFile string, asked vault.PathSet) {
	for _, known := range p.known.problems {
		if known.State == "warning" || known.Path == typesFile || asked.Covers(known.Path) {
			continue
		}
		p.skipped = append(p.skipped, known)
		if known.State == "failed" {
			p.failedN++
		} else {
			p.skippedN++
		}
	}
}

// joinOthers lists the files that are no notes: those of the index and, for the paths, those that are there.
func (p *plan) joinOthers(listing vault.Listing, asked vault.PathSet) {
	for _, name := range p.known.others {
		if !asked.Covers(name) {
			p.others = append(p.others, name)
		}
	}
	for _, path := range listing.Others {
		if !p.naming.isSecret(path) {
			p.others = append(p.others, p.naming.stored(path))
		}
	}
	slices.Sort(p.others)
	p.others = slices.Compact(p.others)
}

// isWhole tells of the error of a run over paths that the whole vault is to be looked at.
func isWhole(err error) bool { return errors.Is(err, vault.ErrWhole) }
