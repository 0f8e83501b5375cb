package index_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"quarry/index"
	"quarry/internal/dialect"
	"quarry/store"
	"quarry/store/sqlite"
)

// timedStore measures how long a run takes between its list of problems, the last thing before the graph, and its end.
type timedStore struct {
	store.Store
	stage time.Duration
}

type timedUpdate struct {
	store.Update
	began time.Time
	store *timedStore
}

func (s *timedStore) Begin(ctx context.Context, mode store.Mode) (store.Update, error) {
	update, err := s.Store.Begin(ctx, mode)
	return &timedUpdate{Update: update, store: s}, err
}

func (u *timedUpdate) SetProblems(ctx context.Context, list []store.Problem) error {
	defer func() { u.began = time.Now() }()
	return u.Update.SetProblems(ctx, list)
}

func (u *timedUpdate) Commit(ctx context.Context) error {
	u.store.stage = time.Since(u.began)
	return u.Update.Commit(ctx)
}

// linkedNotes are notes in a hundred folders with links to some notes that many link to and to any; every fourth is by path.
func linkedNotes(notes, links int) map[string]string {
	random := rand.New(rand.NewPCG(7, 7))
	content := make(map[string]string, notes)
	path := func(i int) string { return fmt.Sprintf("folder %d/part %d/note %d.md", i%100, i%7, i) }
	for i := range notes {
		var b strings.Builder
		fmt.Fprintf(&b, "# Note %d\n\nText of the note.\n", i)
		for l := range links {
			target := random.IntN(notes)
			if l%2 == 0 {
				target = random.IntN(target + 1)
			}
			if l%4 == 3 {
				fmt.Fprintf(&b, "\nSee [[%s|there]].\n", strings.TrimSuffix(path(target), ".md"))
			} else {
				fmt.Fprintf(&b, "\nSee [[note %d]].\n", target)
			}
		}
		content[path(i)] = b.String()
	}
	return content
}

// BenchmarkGraph measures what the graph costs in a run: the time of the stage, beside that of the whole run.
func BenchmarkGraph(b *testing.B) {
	for _, size := range []struct {
		notes, links int
		dialect      dialect.Dialect
	}{{12000, 5, dialect.Obsidian}, {12000, 5, dialect.Logseq}, {20000, 20, dialect.Obsidian}} {
		content := linkedNotes(size.notes, size.links)
		b.Run(fmt.Sprintf("%d notes of %d links, %s", size.notes, size.links, size.dialect), func(b *testing.B) {
			opened, err := sqlite.Open(context.Background(), sqlite.Options{Path: filepath.Join(b.TempDir(), "notes.db")})
			if err != nil {
				b.Fatal(err)
			}
			defer opened.Close()
			timed, v := &timedStore{Store: opened}, newVault(content)
			v.dialect = size.dialect
			config := index.Config{
				Source: v, Store: timed, Settings: "1", Workers: runtime.GOMAXPROCS(0), Started: time.Unix(1700000000, 0), Logger: slog.New(slog.DiscardHandler),
			}
			const path = "folder 11/part 4/note 11.md"
			text := content[path]
			for _, step := range []struct {
				name    string
				change  func(i int)
				options index.Options
			}{
				{"first run", func(int) {}, index.Options{}},
				{"other words", func(i int) { v.write(path, text+fmt.Sprint("\nWords ", i)) }, index.Options{}},
				{"one more link", func(i int) { v.write(path, text+strings.Repeat(fmt.Sprintf("\n[[note %d]]", i+1), i%2+1)) }, index.Options{}},
				{"a new note", func(i int) { v.write(fmt.Sprintf("new/%d.md", i), "[[note 5]]") }, index.Options{}},
				{"another file", func(i int) { v.others = []string{fmt.Sprintf("new %d.png", i)} }, index.Options{}},
				{"full", func(int) {}, index.Options{Full: true}},
			} {
				b.Run(step.name, func(b *testing.B) {
					stage, count := time.Duration(0), 0
					for b.Loop() {
						count++
						step.change(count)
						if _, err := index.Run(context.Background(), config, step.options); err != nil {
							b.Fatal(err)
						}
						stage += timed.stage
						timed.stage = 0
					}
					b.ReportMetric(float64(stage.Microseconds())/1000/float64(count), "stage-ms/run")
				})
			}
		})
	}
}
