package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"quarry"
	"quarry/internal/spelling"
)

const (
	maxNear   = 3  // names that a mistake may have meant
	leastNear = .5 // share of letter pairs that they have in common with it
	belowBest = .2 // how much less that may be than of the nearest
	maxNamed  = 64 // characters of a name that is quoted
)

// meant are what clients call an argument that has another name here.
var meant = map[string]string{
	"q": "query", "text": "query", "search": "query", "top_k": "limit", "n": "limit", "k": "limit", "count": "limit", "max_results": "limit",
	"address": "file_path", "note": "file_path", "path": "file_path", "name": "file_path", "file": "note", "kinds": "kind", "tags": "tag",
	"subject": "topic", "query": "topic",
}

// Bounds of what is looked for: a longer name is no slip of one that is there, and of many wrong values the first tell enough.
const (
	maxNearBytes     = 256
	maxUnknownValues = 8
)

// near are the names that come nearest to one that is none, the nearest first.
func near(name string, known []string) []string {
	type candidate struct {
		name  string
		share float64
	}
	if len(name) > maxNearBytes {
		return nil
	}
	wanted := spelling.PairsOf(name)
	var found []candidate
	for _, one := range known {
		share := wanted.Likeness(spelling.PairsOf(one))
		if _, ok := spelling.Edits(strings.ToLower(name), strings.ToLower(one), 2); ok && len(name) > 3 {
			share = max(share, leastNear+.2)
		}
		if share > leastNear {
			found = append(found, candidate{one, share})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.name, b.name)) })
	var names []string
	for _, c := range found[:min(len(found), maxNear)] {
		if c.share >= found[0].share-belowBest {
			names = append(names, c.name)
		}
	}
	return names
}

// didYouMean asks for the nearest names, "" where none is near.
func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(names, " or ") + "?"
}

// withNear adds to an error of a note that is not there what may be meant, unless it says so: file names and titles that are a slip away.
func withNear(ctx context.Context, engine *quarry.Engine, err error, a arguments) error {
	name, _, _ := strings.Cut(cmp.Or(a.text("file_path"), a.text("note")), "#")
	if name == "" || len(name) > maxNearBytes || !errors.Is(err, quarry.ErrNotFound) || strings.Contains(err.Error(), "did you mean") {
		return err
	}
	notes, listErr := engine.List(ctx, quarry.ListRequest{})
	if listErr != nil {
		return err // it is as good without
	}
	pathsOf := map[string]string{}
	for i := range notes {
		pathsOf[notes[i].Title] = notes[i].FilePath
	}
	for i := range notes {
		pathsOf[strings.TrimSuffix(path.Base(notes[i].FilePath), ".md")] = notes[i].FilePath
	}
	var paths []string
	for _, one := range near(strings.TrimSuffix(path.Base(name), ".md"), slices.Collect(maps.Keys(pathsOf))) {
		if !slices.Contains(paths, pathsOf[one]) {
			paths = append(paths, pathsOf[one])
		}
	}
	said := describe(err)
	if question := didYouMean(paths); question != "" {
		said.Suggestion = question + " Otherwise " + said.Suggestion
	}
	return said
}

// unknownFilters tells which values of filters no note has, and what may be meant: what a list came out empty for.
func unknownFilters(ctx context.Context, engine *quarry.Engine, filter quarry.Filter) []string {
	if len(filter.Tags)+len(filter.Types)+len(filter.Statuses)+len(filter.Folders) == 0 {
		return nil
	}
	notes, err := engine.List(ctx, quarry.ListRequest{})
	if err != nil {
		return nil // the answer is as good without
	}
	words := wordsOf(notes)
	var notices []string
	for _, kind := range []struct {
		name          string
		wanted, there []string
	}{
		{"tag", filter.Tags, words["tag"]},
		{"type", filter.Types, words["type"]},
		{"status", filter.Statuses, words["status"]},
		{"folder", filter.Folders, words["folder"]},
	} {
		for _, value := range kind.wanted[:min(len(kind.wanted), maxUnknownValues)] {
			if ctx.Err() != nil {
				return notices
			}
			isThere := slices.ContainsFunc(kind.there, func(one string) bool { return strings.EqualFold(one, value) })
			if isThere || strings.ContainsAny(value, "*?[") {
				continue
			}
			notice := fmt.Sprintf("no note has the %s %.*q", kind.name, maxNamed, value)
			if question := didYouMean(near(value, kind.there)); question != "" {
				notice += "; " + question
			}
			notices = append(notices, notice)
		}
	}
	return notices
}

// wordsOf are the values that filters can have, by kind: tags and folders with those around them.
func wordsOf(notes []quarry.NoteSummary) map[string][]string {
	sets := map[string]map[string]bool{"tag": {}, "type": {}, "status": {}, "folder": {}}
	for i := range notes {
		n := &notes[i]
		sets["type"][n.Type], sets["status"][n.Status] = true, true
		for folder := path.Dir(n.FilePath); folder != "." && folder != "/"; folder = path.Dir(folder) {
			sets["folder"][folder] = true
		}
		for _, tag := range n.Tags {
			for ; tag != "." && tag != "/"; tag = path.Dir(tag) {
				sets["tag"][tag] = true
			}
		}
	}
	words := map[string][]string{}
	for kind, set := range sets {
		delete(set, "")
		for word := range set {
			words[kind] = append(words[kind], word)
		}
		slices.Sort(words[kind])
	}
	return words
}
