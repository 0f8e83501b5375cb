// Package eval measures how well an engine ranks, on queries whose right notes are known. It knows no engine: the caller
// gives a function that asks it.
package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Query is a golden query.
type Query struct {
	ID     string
	Text   string
	Intent string         // lookup (the exact words of the note), concept (hardly any), mixed
	Grades map[string]int // path below the vault → Answers, Helps; what is not listed has 0
	// Sections are those parts of notes of grade 1 and above that the answer is expected in, as they were listed; none where
	// whole notes are expected.
	Sections []Section
}

// Section is a part of a note.
type Section struct {
	Path    string // of the note, below the vault
	Heading string // its text, without the signs in front
}

// Intents of a query.
const (
	Lookup  = "lookup"
	Concept = "concept"
	Mixed   = "mixed"
)

// ErrNone says that a file of golden queries holds none.
var ErrNone = errors.New("golden queries: there is none")

// Bounds of a file of golden queries, far above any that people write.
const (
	maxLineBytes = 1 << 20
	maxQueries   = 100_000
)

// Grades of an expected note.
const (
	Answers = 2 // it answers the query
	Helps   = 1
)

// Load reads golden queries: JSON Lines {"id","query","intent","expected":[{"path","section"?,"grade"}]}, blank lines
// between them allowed. A path that is expected twice has the higher grade; grade 0 is that of notes that are not listed; without
// an intent it is mixed. An error names the line; the error of a file without a query is ErrNone.
func Load(r io.Reader) ([]Query, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLineBytes)
	var queries []Query
	seen := map[string]int{}
	number := 0
	for lines.Scan() {
		number++
		line := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		query, err := parse(line)
		if err != nil {
			return nil, fmt.Errorf("golden queries, line %d: %w", number, err)
		}
		if first := seen[query.ID]; first > 0 {
			return nil, fmt.Errorf("golden queries, line %d: id %q stands in line %d too", number, query.ID, first)
		}
		if len(queries) == maxQueries {
			return nil, fmt.Errorf("golden queries, line %d: more than %d queries", number, maxQueries)
		}
		seen[query.ID] = number
		queries = append(queries, query)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("golden queries, line %d: longer than %d bytes", number+1, maxLineBytes)
	case err != nil:
		return nil, fmt.Errorf("read golden queries after line %d: %w", number, err)
	case len(queries) == 0:
		return nil, ErrNone
	}
	return queries, nil
}

// parse reads one line.
func parse(line []byte) (Query, error) {
	var row struct {
		ID       string `json:"id"`
		Query    string `json:"query"`
		Intent   string `json:"intent"`
		Expected []struct {
			Path    string `json:"path"`
			Section string `json:"section"`
			Grade   *int   `json:"grade"`
		} `json:"expected"`
	}
	if err := json.Unmarshal(line, &row); err != nil {
		return Query{}, err
	}
	query := Query{ID: row.ID, Text: row.Query, Intent: row.Intent, Grades: map[string]int{}}
	if query.Intent == "" {
		query.Intent = Mixed
	}
	best := 0
	for i, note := range row.Expected {
		switch {
		case note.Path == "":
			return Query{}, fmt.Errorf("expected[%d] has no path", i)
		case note.Grade == nil:
			return Query{}, fmt.Errorf("expected[%d] has no grade", i)
		case *note.Grade < 0 || *note.Grade > Answers:
			return Query{}, fmt.Errorf("expected[%d] has grade %d, wanted 1 or 2", i, *note.Grade)
		}
		if note.Section != "" && *note.Grade > 0 {
			query.Sections = append(query.Sections, Section{note.Path, note.Section})
		}
		query.Grades[note.Path] = max(query.Grades[note.Path], *note.Grade)
		best = max(best, *note.Grade)
	}
	switch {
	case query.ID == "":
		return Query{}, errors.New("there is no id")
	case query.Text == "":
		return Query{}, errors.New("there is no query")
	case best == 0:
		return Query{}, errors.New("no note of grade 1 or above is expected")
	}
	return query, nil
}
