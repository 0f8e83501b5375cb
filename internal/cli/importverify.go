package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quarry"
	"quarry/convert"
	"quarry/internal/eval"
)

// Bounds of a verification.
const (
	maxVerified = 200 // notes that are searched, spread over all
	verifyLimit = 10  // results that are looked at
)

// verification tells whether imported notes are found by words of their own, and what queries of the user find.
type verification struct {
	Notes   int          `json:"notes"`    // that were searched
	First   int          `json:"first"`    // found as the first result
	Found   int          `json:"found"`    // among the first ten
	NoWords int          `json:"no_words"` // notes without a line of words to search for
	Missing []missedNote `json:"missing"`
	Queries []askedQuery `json:"queries"`
}

type missedNote struct {
	Path  string `json:"path"`
	Query string `json:"query"`
}

type askedQuery struct {
	Query string `json:"query"`
	Path  string `json:"path"` // of the notes that are expected
	Rank  int    `json:"rank"` // 0: not among the first ten
}

// verifyImport searches for notes of an import.
func (a *app) verifyImport(ctx context.Context, engine *quarry.Engine, paths []string, queries string) (verification, error) {
	v := verification{Missing: []missedNote{}, Queries: []askedQuery{}}
	slices.Sort(paths)
	step := max(len(paths)/maxVerified, 1)
	for at := 0; at < len(paths) && v.Notes < maxVerified; at += step {
		content, err := os.ReadFile(filepath.Join(engine.VaultDir(), filepath.FromSlash(paths[at])))
		if err != nil {
			continue // moved or deleted since
		}
		phrase := convert.Phrase(a.redacted(string(content)))
		if phrase == "" {
			v.NoWords++
			continue
		}
		v.Notes++
		rank, err := rankOf(ctx, engine, phrase, []string{paths[at]})
		switch {
		case err != nil:
			return v, err
		case rank == 0:
			v.Missing = append(v.Missing, missedNote{paths[at], phrase})
			continue
		case rank == 1:
			v.First++
		}
		v.Found++
	}
	return v, a.askQueries(ctx, engine, queries, &v)
}

// rankOf is the place of the first of some notes among the notes that a query finds, from 1, 0 where none is among the first ten.
func rankOf(ctx context.Context, engine *quarry.Engine, query string, paths []string) (int, error) {
	answer, err := engine.Search(ctx, quarry.SearchRequest{Query: query, Limit: verifyLimit, MaxTokens: evalTokens, All: true})
	if err != nil {
		return 0, err
	}
	for i, hit := range answer.Results {
		if slices.Contains(paths, hit.FilePath) {
			return i + 1, nil
		}
	}
	return 0, nil
}

// askQueries asks the queries of a file in the form of eval, "" for none.
func (a *app) askQueries(ctx context.Context, engine *quarry.Engine, file string, v *verification) error {
	if file == "" {
		return nil
	}
	opened, err := os.Open(a.absolute(file))
	if err != nil {
		return fmt.Errorf("read the queries: %w", plain(err))
	}
	defer func() { _ = opened.Close() }()
	queries, err := eval.Load(opened)
	if err != nil {
		return fmt.Errorf("read the queries of %s: %w", file, err)
	}
	for _, q := range queries {
		var paths []string
		for path, grade := range q.Grades {
			if grade > 0 {
				paths = append(paths, path)
			}
		}
		slices.Sort(paths)
		rank, err := rankOf(ctx, engine, q.Text, paths)
		if err != nil {
			return err
		}
		v.Queries = append(v.Queries, askedQuery{q.Text, strings.Join(paths, ", "), rank})
	}
	return nil
}
