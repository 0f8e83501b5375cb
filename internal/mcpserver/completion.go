package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quarry"
	"quarry/internal/steering"
)

// maxCompletions is how many values the protocol lets an answer have.
const maxCompletions = 100

// completed completes the path of a note or a topic. What is not known has no completions: that is no error.
func completed(ctx context.Context, request *mcp.CompleteRequest, engines Engines) (*mcp.CompleteResult, error) {
	result := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	wordsOf := completionsOf(request.Params)
	if wordsOf == nil {
		return result, nil
	}
	return with(ctx, engines, func(ctx context.Context, engine *quarry.Engine) (*mcp.CompleteResult, error) {
		notes, err := engine.List(ctx, quarry.ListRequest{Filter: quarry.Filter{ExcludeArchived: true}})
		if errors.Is(err, quarry.ErrNoIndex) {
			return result, nil
		}
		if err != nil {
			return nil, err
		}
		found := matching(wordsOf(notes), request.Params.Argument.Value)
		result.Completion = mcp.CompletionResultDetails{
			Values: found[:min(len(found), maxCompletions)], Total: len(found), HasMore: len(found) > maxCompletions,
		}
		return result, nil
	})
}

// completionsOf says what an argument can be made of, nil where that is not known.
func completionsOf(params *mcp.CompleteParams) func([]quarry.NoteSummary) []string {
	isNote := strings.TrimSuffix(strings.Replace(params.Ref.URI, "{+", "{", 1), "}") == strings.TrimSuffix(noteURITemplate, "}")
	switch {
	case params.Ref.Type == "ref/resource" && isNote && params.Argument.Name == "path":
		return pathsOf
	case params.Ref.Type != "ref/prompt":
		return nil
	}
	for i := range prompts {
		if prompts[i].name != params.Ref.Name {
			continue
		}
		for _, argument := range prompts[i].arguments {
			if argument.Name == params.Argument.Name {
				return map[string]func([]quarry.NoteSummary) []string{"note": pathsOf, "topic": topicsOf}[argument.Name]
			}
		}
	}
	return nil
}

func pathsOf(notes []quarry.NoteSummary) []string {
	return namesOf(notes, func(n quarry.NoteSummary) string { return n.FilePath })
}

// topicsOf are titles and tags.
func topicsOf(notes []quarry.NoteSummary) []string {
	topics := namesOf(notes, func(n quarry.NoteSummary) string { return n.Title })
	tags := map[string]bool{} // with those around them
	for i := range notes {
		for _, tag := range notes[i].Tags {
			for ; tag != "." && tag != "/" && tag != ""; tag = path.Dir(tag) {
				tags["#"+tag] = true
			}
		}
	}
	return append(topics, slices.Sorted(maps.Keys(tags))...)
}

// matching are the words that begin with a text, then those with a part that does, then those that hold it; letter case aside.
func matching(words []string, typed string) []string {
	typed = strings.ToLower(strings.TrimSpace(typed))
	type match struct {
		word string
		rank int
	}
	var found []match
	for _, word := range words {
		lower := strings.ToLower(word)
		switch at := strings.Index(lower, typed); {
		case at < 0 || word == "":
		case at == 0, strings.HasPrefix(path.Base(lower), typed), strings.HasPrefix(lower, "#"+typed):
			found = append(found, match{word, min(at, 1)})
		default:
			found = append(found, match{word, 2})
		}
	}
	slices.SortFunc(found, func(a, b match) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.word, b.word)) })
	matches := make([]string, 0, len(found))
	for _, m := range found {
		matches = append(matches, steering.Plain(m.word))
	}
	return slices.Compact(matches)
}
