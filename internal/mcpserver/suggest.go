package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"quarry"
	"quarry/internal/failure"
	"quarry/internal/spelling"
)

// maxNearBytes is how long a name is that can be a slip of one that is there.
const maxNearBytes = 256

// meant are what clients call an argument that has another name here.
var meant = map[string]string{
	"q": "query", "text": "query", "search": "query", "top_k": "limit", "n": "limit", "k": "limit", "count": "limit", "max_results": "limit",
	"address": "file_path", "note": "file_path", "path": "file_path", "name": "file_path", "file": "note", "kinds": "kind", "tags": "tag",
	"subject": "topic", "query": "topic",
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
	for _, one := range spelling.Near(strings.TrimSuffix(path.Base(name), ".md"), slices.Collect(maps.Keys(pathsOf))) {
		if !slices.Contains(paths, pathsOf[one]) {
			paths = append(paths, pathsOf[one])
		}
	}
	said := failure.Of(err)
	if question := didYouMean(paths); question != "" {
		said.Suggestion = question + " Otherwise " + said.Suggestion
	}
	return said
}
