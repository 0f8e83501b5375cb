package quarry_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quarry"
)

// wordyNotes have words by the law of Zipf, and one note of twenty lies in the folder journal.
func wordyNotes(count int) map[string]string {
	random := rand.New(rand.NewPCG(4, 4))
	notes := make(map[string]string, count)
	for i := range count {
		var text strings.Builder
		fmt.Fprintf(&text, "# Note %d\n", i)
		for part := range 3 {
			fmt.Fprintf(&text, "\n## Part %d\n\n", part)
			for range 120 {
				fmt.Fprintf(&text, "w%x ", int(math.Exp(random.Float64()*10)))
			}
			text.WriteString("\n")
		}
		folder := []string{"journal", "work", "home", "garden"}[min(3, i%20)]
		notes[fmt.Sprintf("%s/%d/note %d.md", folder, i%7, i)] = text.String()
	}
	return notes
}

// BenchmarkClientSearch asks the same as the owner and as a client, in turns, and gives the median time of the client's answer as a
// multiple of the owner's: of an engine that was asked before, and of one that is opened for one question.
func BenchmarkClientSearch(b *testing.B) {
	const notes = 10000
	vault, db := vaultOf(b, wordyNotes(notes)), filepath.Join(b.TempDir(), "index.db")
	mustIndex(b, open(b, vault, db), quarry.IndexOptions{})
	for _, hidden := range []struct {
		name  string
		rules []quarry.SensitivityConfig
	}{{"nothing hidden", nil}, {"a twentieth hidden", []quarry.SensitivityConfig{{Folders: map[string]string{"journal": "private"}}}}} {
		configs := [2]quarry.Config{}
		for i, audience := range []quarry.Audience{quarry.Owner, quarry.Client} {
			configs[i] = quarry.Config{VaultDir: vault, DatabasePath: db, Audience: audience, Sensitivity: hidden.rules}
		}
		b.Run(hidden.name+"/warm", func(b *testing.B) {
			engines := [2]*quarry.Engine{openConfig(b, configs[0]), openConfig(b, configs[1])}
			compareSearch(b, func(i int) { searchOnce(b, engines[i]) })
		})
		b.Run(hidden.name+"/once", func(b *testing.B) {
			compareSearch(b, func(i int) {
				engine, err := quarry.Open(context.Background(), configs[i])
				if err != nil {
					b.Fatal(err)
				}
				searchOnce(b, engine)
				engine.Close()
			})
		})
	}
}

func searchOnce(b *testing.B, e *quarry.Engine) {
	answer, err := e.Search(context.Background(), quarry.SearchRequest{Query: "w90 wa1 wc3 w1ff w133"})
	if err != nil || len(answer.Results) == 0 {
		b.Fatal(len(answer.Results), err)
	}
}

// compareSearch asks the owner's engine, 0, and the client's, 1.
func compareSearch(b *testing.B, ask func(i int)) {
	for range 3 { // until what stays in memory is there
		ask(0)
		ask(1)
	}
	var spent [2][]time.Duration
	for round := 0; b.Loop(); round++ {
		for turn := range spent {
			i := (turn + round) % 2 // neither is always the first
			begun := time.Now()
			ask(i)
			spent[i] = append(spent[i], time.Since(begun))
		}
	}
	b.ReportMetric(0, "ns/op")
	median := [2]float64{}
	for i, who := range []string{"owner-ms", "client-ms"} {
		slices.Sort(spent[i])
		median[i] = spent[i][len(spent[i])/2].Seconds() * 1000
		b.ReportMetric(median[i], who)
	}
	b.ReportMetric(median[1]/median[0], "client/owner")
}
