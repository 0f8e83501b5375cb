package quarry_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quarry"
)

// exampleEngine indexes a copy of the example vault in a folder of its own, which done takes away.
func exampleEngine(ctx context.Context) (engine *quarry.Engine, done func()) {
	dir, err := os.MkdirTemp("", "quarry-example-")
	if err != nil {
		log.Fatal(err)
	}
	vault := filepath.Join(dir, "vault")
	if err := os.CopyFS(vault, os.DirFS("examples/vault")); err != nil {
		log.Fatal(err)
	}
	engine, err = quarry.Open(ctx, quarry.Config{VaultDir: vault, DatabasePath: filepath.Join(dir, "notes.db")})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := engine.Index(ctx, quarry.IndexOptions{}, nil); err != nil {
		log.Fatal(err)
	}
	return engine, func() {
		if err := engine.Close(); err != nil {
			log.Print(err)
		}
		if err := os.RemoveAll(dir); err != nil {
			log.Print(err)
		}
	}
}

// An index of a vault is made once and brought up to date by further runs, which take in what changed.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "quarry-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	engine, err := quarry.Open(ctx, quarry.Config{VaultDir: "examples/vault", DatabasePath: filepath.Join(dir, "notes.db")})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	if _, err := engine.Index(ctx, quarry.IndexOptions{}, nil); err != nil {
		log.Fatal(err)
	}
	answer, err := engine.Search(ctx, quarry.SearchRequest{Query: "how do refresh tokens rotate", Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Status)
	for _, r := range answer.Results {
		fmt.Printf("%s:%d %s\n", r.FilePath, r.LineStart, r.Section)
	}
	// Output:
	// ok
	// 01-projects/Tidebook/Refresh token rotation.md:12 Refresh token rotation
}

// A status tells whether the notes speak of the matter at all.
func ExampleEngine_Search() {
	ctx := context.Background()
	engine, done := exampleEngine(ctx)
	defer done()

	for _, query := range []string{"when do I have to reef", "capital gains tax in Portugal"} {
		answer, err := engine.Search(ctx, quarry.SearchRequest{Query: query, Limit: 1})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(answer.Status)
		for _, r := range answer.Results {
			fmt.Println(" ", r.FilePath, "-", r.Section)
		}
	}
	// Output:
	// ok
	//   02-areas/Sailing/Reefing.md - Reefing
	// nothing_relevant
}

// Filters act before anything is ranked. They can be part of the query, too: "folder:02-areas backup".
func ExampleEngine_Search_filter() {
	ctx := context.Background()
	engine, done := exampleEngine(ctx)
	defer done()

	answer, err := engine.Search(ctx, quarry.SearchRequest{
		Query: "water", Limit: 2,
		Filter: quarry.Filter{Folders: []string{"02-areas"}, ExcludeArchived: true},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range answer.Results {
		fmt.Println(r.FilePath)
	}
	// Output:
	// 02-areas/Garden/Water from the roof.md
	// 02-areas/Garden/Water butts.md
}

// A block is quoted text with its sources, ready for a prompt.
func ExampleEngine_Context() {
	ctx := context.Background()
	engine, done := exampleEngine(ctx)
	defer done()

	block, err := engine.Context(ctx, quarry.ContextRequest{Topic: "feeding the sourdough starter", MaxTokens: 500, HitsAlone: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(block.Status, len(block.Text) <= 4*500)
	fmt.Println(block.Sources[0].FilePath)
	// Output:
	// ok true
	// 02-areas/Kitchen/Sourdough starter.md
}

// A note is named by its path, name, title, alias or #docid; "#" names a heading in it.
func ExampleEngine_Read() {
	ctx := context.Background()
	engine, done := exampleEngine(ctx)
	defer done()

	excerpts, err := engine.Read(ctx, []string{"Home#House rules of this vault"}, 500)
	if err != nil {
		log.Fatal(err)
	}
	heading, _, _ := strings.Cut(excerpts[0].Text, "\n")
	fmt.Printf("%s:%d %s\n", excerpts[0].FilePath, excerpts[0].LineStart, heading)
	// Output:
	// Home.md:27 ## House rules of this vault
}

// Notes of a type, by title.
func ExampleEngine_List() {
	ctx := context.Background()
	engine, done := exampleEngine(ctx)
	defer done()

	notes, err := engine.List(ctx, quarry.ListRequest{Filter: quarry.Filter{Types: []string{"project"}}, Sort: "title", Limit: 3})
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range notes {
		fmt.Println(n.Title, "in", n.FilePath)
	}
	// Output:
	// Roadmap in 01-projects/Tidebook/Roadmap.md
	// Tidebook in 01-projects/Tidebook/Tidebook.md
	// Workbench in 01-projects/Workbench/Workbench.md
}

// Links are told in both directions.
func ExampleEngine_Links() {
	ctx := context.Background()
	engine, done := exampleEngine(ctx)
	defer done()

	links, err := engine.Links(ctx, quarry.LinksRequest{Note: "Backups"})
	if err != nil {
		log.Fatal(err)
	}
	for _, link := range links.Out {
		fmt.Println("to", link.Target)
	}
	fmt.Printf("%d lead here, the first from %s:%d\n", len(links.Back), links.Back[0].Source, links.Back[0].Line)
	// Output:
	// to On-call
	// to Incident 2026-02-11 Nightly backup
	// to Postgres connection pool
	// 9 lead here, the first from 01-projects/Tidebook/Incident 2026-02-11 Nightly backup.md:43
}

// A capture is a note below the inbox, which can be found at once.
func ExampleEngine_Capture() {
	ctx := context.Background()
	engine, done := exampleEngine(ctx)
	defer done()

	captured, err := engine.Capture(ctx, quarry.CaptureRequest{Text: "The mooring at Hvaler costs nothing before May.", Title: "Mooring at Hvaler", Tags: []string{"sailing"}})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := engine.Search(ctx, quarry.SearchRequest{Query: "mooring at Hvaler", Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(captured.Title, answer.Results[0].FilePath == captured.FilePath)
	// Output:
	// Mooring at Hvaler true
}

// Watch keeps the index fresh until its context ends.
func ExampleEngine_Watch() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	engine, done := exampleEngine(ctx)
	defer done()

	go func() {
		err := engine.Watch(ctx, quarry.WatchOptions{}, func(event quarry.WatchEvent) {
			if event.Err != nil {
				log.Print(event.Err)
			}
		})
		if err != nil {
			log.Print(err)
		}
	}()
	if err := engine.Warm(ctx); err != nil { // while nobody asks yet
		log.Print(err)
	}
}
