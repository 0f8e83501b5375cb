package sqlite_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"quarry/store"
	"quarry/store/sqlite"
)

// The graph of the benchmarks: 12,000 notes, 62,000 edges. -short makes it a tenth.
const graphNotes = 12000

// graphCorpus gives notes without passages, with links and what these lead to: few notes get most of the links.
func graphCorpus() ([]store.Note, []store.EdgesOf, []store.Figures) {
	count := graphNotes
	if testing.Short() {
		count /= 10
	}
	random := rand.New(rand.NewPCG(30, 30))
	list, edges, figures := make([]store.Note, count), make([]store.EdgesOf, count), make([]store.Figures, count)
	for i := range list {
		list[i] = store.Note{File: store.File{Path: fmt.Sprintf("folder %02d/note about something %05d.md", i/200, i), ContentHash: "ab"}, Title: "A title"}
	}
	for i := range list {
		edges[i].Path = list[i].Path
		for link := range 5 + i%6/5 {
			target := list[int(float64(count)*random.Float64()*random.Float64())].Path
			list[i].Links = append(list[i].Links, store.Link{Target: target, Line: link})
			edges[i].Edges = append(edges[i].Edges, store.Edge{Link: link, Target: target, Kind: "references", Rule: "explicit:wikilink"})
		}
		figures[i] = store.Figures{Path: list[i].Path, PageRank: float64(random.IntN(300)) / 1e6, In: random.IntN(20), Out: 5, Weight: 1}
	}
	return list, edges, figures
}

// graphIndex makes an index of the corpus.
func graphIndex(b *testing.B, withGraph bool) (*sqlite.Store, string) {
	list, edges, figures := graphCorpus()
	path := filepath.Join(b.TempDir(), "index.db")
	s := openAt(b, path)
	u, err := s.Begin(b.Context(), store.Full)
	must(b, err)
	must(b, u.Put(b.Context(), list))
	if withGraph {
		must(b, u.PutEdges(b.Context(), edges))
		must(b, u.PutFigures(b.Context(), figures))
	}
	must(b, u.Commit(b.Context()))
	return s, path
}

func BenchmarkReadGraph(b *testing.B) {
	s, _ := graphIndex(b, true)
	v := snapshot(b, s)
	linked := v.(store.Linked)
	b.Run("edges", func(b *testing.B) {
		for b.Loop() {
			for _, err := range linked.Edges(b.Context()) {
				must(b, err)
			}
		}
	})
	b.Run("figures", func(b *testing.B) {
		for b.Loop() {
			_, err := linked.Figures(b.Context())
			must(b, err)
		}
	})
	b.Run("links", func(b *testing.B) {
		for b.Loop() {
			for _, err := range v.Links(b.Context()) {
				must(b, err)
			}
		}
	})
	b.Run("outlines", func(b *testing.B) {
		for b.Loop() {
			for _, err := range v.Outlines(b.Context()) {
				must(b, err)
			}
		}
	})
	b.Run("notes", func(b *testing.B) {
		for b.Loop() {
			_, err := v.Notes(b.Context(), store.NoteQuery{})
			must(b, err)
		}
	})
	b.Run("files", func(b *testing.B) {
		for b.Loop() {
			_, err := v.Files(b.Context())
			must(b, err)
		}
	})
}

// BenchmarkPutGraph writes edges and figures: of all notes within a full run, and of one note.
func BenchmarkPutGraph(b *testing.B) {
	list, edges, figures := graphCorpus()
	s, path := graphIndex(b, false)
	without, err := os.Stat(path)
	must(b, err)
	for name, call := range map[string]func(store.Update) error{
		"edges":   func(u store.Update) error { return u.PutEdges(b.Context(), edges) },
		"figures": func(u store.Update) error { return u.PutFigures(b.Context(), figures) },
	} {
		b.Run("all "+name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				u, err := s.Begin(b.Context(), store.Full)
				must(b, err)
				must(b, u.Put(b.Context(), list))
				b.StartTimer()
				must(b, call(u))
				b.StopTimer()
				must(b, u.Rollback())
				b.StartTimer()
			}
		})
	}
	whole, wholePath := graphIndex(b, true)
	with, err := os.Stat(wholePath)
	must(b, err)
	for name, count := range map[string]int{"one": 1, "same of all": len(edges)} {
		b.Run(name, func(b *testing.B) {
			u, err := whole.Begin(b.Context(), store.Incremental)
			must(b, err)
			for i := 0; b.Loop(); i++ {
				if count == 1 {
					of := edges[i*7%len(edges)]
					of.Edges = of.Edges[:1+i%len(of.Edges)]
					must(b, u.PutEdges(b.Context(), []store.EdgesOf{of}))
					continue
				}
				must(b, u.PutEdges(b.Context(), edges))
				must(b, u.PutFigures(b.Context(), figures))
			}
			must(b, u.Rollback())
			b.ReportMetric(float64(with.Size()-without.Size())/1e6, "MB-of-graph")
		})
	}
}

func BenchmarkVectors(b *testing.B) {
	v := snapshot(b, openAt(b, benchPath(b)))
	_, passages, err := v.Counts(b.Context())
	must(b, err)
	ids := make([]store.PassageID, passages)
	for i := range ids {
		ids[i] = store.PassageID(i + 1)
	}
	for _, count := range []int{10, len(ids)} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			for b.Loop() {
				_, err := v.Vectors(b.Context(), ids[:count])
				must(b, err)
			}
		})
	}
}

func BenchmarkSelectAmong(b *testing.B) {
	v := snapshot(b, openAt(b, benchPath(b)))
	files, err := v.Files(b.Context())
	must(b, err)
	for _, count := range []int{20, len(files) / 4, len(files) / 2} {
		among := map[string]bool{}
		for _, f := range files[:count] {
			among[f.Path] = true
		}
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			for b.Loop() {
				_, err := v.Select(b.Context(), store.Filter{Among: among, ExcludeArchived: true})
				must(b, err)
			}
		})
	}
}

// BenchmarkLinkedOf asks for the graph around ten notes.
func BenchmarkLinkedOf(b *testing.B) {
	s, _ := graphIndex(b, true)
	linked := snapshot(b, s).(store.Linked)
	list, _, _ := graphCorpus()
	var paths []string
	for i := range 10 {
		paths = append(paths, list[i*len(list)/10].Path)
	}
	for name, ask := range map[string]func() error{
		"figures": func() error { _, err := linked.FiguresOf(b.Context(), paths); return err },
		"from":    func() error { _, err := linked.EdgesFrom(b.Context(), paths); return err },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				must(b, ask())
			}
		})
	}
}
