package quarry_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quarry/internal/eval"
)

// plainSets are vaults that the ranking was not measured on, with questions that they speak of. Which note answers is not judged.
func plainSets() []qualitySet {
	return []qualitySet{
		plainSet("logseq-docs",
			"what is a block", "flashcards with spaced repetition", "highlight a pdf and take notes", "are synced graphs encrypted",
			"a query that finds open tasks", "difference between embedding a block and a page", "undo the last change", "what is indentation for",
			"templates for new pages", "draw on a whiteboard", "filter linked references", "page properties and aliases",
			"keyboard shortcuts", "learn datalog", "open a page from another program by a url", "import my notes from roam",
		),
		plainSet("foam-docs",
			"publish my notes with github pages", "export a note to pdf", "daily notes", "math formulas in the preview", "link to a block of another note",
			"take notes on my phone", "migrating from obsidian", "what data does foam collect", "colours of the graph", "orphans and placeholders",
			"list all notes with a tag", "embed a note in another one", "link reference definitions at the end of a file", "recommended extensions",
			"lint the workspace", "use foam from the command line",
		),
		plainSet("dendron-site",
			"rename a note and all below it", "how do schemas work", "export notes to notion", "publish a site", "meeting notes", "todo lists and tasks",
			"several vaults in one workspace", "paste an image into a note", "snippets", "move a header to another note", "how to look up a note",
			"is telemetry collected", "markdown preview is empty", "import markdown files", "airtable", "handlebars in templates",
		),
	}
}

func plainSet(name string, texts ...string) qualitySet {
	return qualitySet{name: name, load: func(t *testing.T, _ string) (string, []eval.Query) {
		var queries []eval.Query
		for i, text := range texts {
			queries = append(queries, eval.Query{ID: fmt.Sprint(name, " ", i), Text: text})
		}
		return need(t, sharedDir+"/vaults/"+name+"/vault"), queries
	}}
}

// smallQueries is how many queries of a set, at most, make a small vault.
const smallQueries = 25

// smallSets are vaults of nothing but the notes that some queries of a set ask for: who begins has few notes, and hardly a word is rare.
func smallSets() []qualitySet {
	var sets []qualitySet
	for _, of := range qualitySets() {
		if slices.Contains([]string{"til", "chunkeval4", "mdn-content"}, of.name) {
			sets = append(sets, smallSet(of))
		}
	}
	return sets
}

func smallSet(of qualitySet) qualitySet {
	return qualitySet{name: smallPrefix + of.name, load: func(t *testing.T, dir string) (string, []eval.Query) {
		whole, queries := of.load(t, dir)
		queries = sampled(queries, smallQueries)
		vault := filepath.Join(dir, "small")
		for _, q := range queries {
			for path := range q.Grades {
				content, err := os.ReadFile(filepath.Join(whole, filepath.FromSlash(path)))
				if err != nil {
					t.Fatal(err)
				}
				to := filepath.Join(vault, filepath.FromSlash(path))
				if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, content, 0o644)); err != nil {
					t.Fatal(err)
				}
			}
		}
		return vault, queries
	}}
}

// smallPrefix stands before the name of the set that a small vault is of.
const smallPrefix = "small "

// areForeign tells whether a set has next to nothing that the vault of the other one speaks of. Some share subjects: computers, notes.
func areForeign(a, b string) bool {
	a, b = strings.TrimPrefix(a, smallPrefix), strings.TrimPrefix(b, smallPrefix)
	if a == b {
		return false
	}
	notes := []string{"obsidian-help", "foam-docs", "dendron-site", "logseq-docs"}
	computers := []string{"til", "mdn-content"}
	in := func(first, second []string) bool {
		return slices.Contains(first, a) && slices.Contains(second, b) || slices.Contains(first, b) && slices.Contains(second, a)
	}
	return !in(notes, notes) && !in(computers, notes[1:]) && !in([]string{"example"}, slices.Concat(notes, computers))
}

// wordless are queries of nothing that tells a subject. Whatever a vault holds, it does not speak of them.
var wordless = []string{
	"the", "a", "of", "and the", "what is it", "what is this", "how do I", "how so", "where is it", "who is that", "is it so",
	"what does it do", "why not", "can I", "when was it", "is there", "what about them", "and then", "it is", "how would you do that for me",
}
