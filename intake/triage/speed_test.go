package triage_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"quarry/intake/ledger"
	"quarry/intake/triage"
)

var topics = strings.Fields(`kubernetes oauth token sqlite index latency rust compiler css layout agent prompt model android swift hiring interview paper
	benchmark postgres query cache queue broker pipeline docker deploy rollback typography accessibility threat patch release guide how to measure review`)

// manySignals are feeds of so many invented signals that differ from each other.
func manySignals(count int) []triage.Input {
	random := rand.New(rand.NewPCG(1, 2))
	var inputs []triage.Input
	for at := 0; at < count; {
		var b strings.Builder
		fmt.Fprintf(&b, `<?xml version="1.0"?><rss version="2.0"><channel><title>Feed %d</title><link>https://f%d.example.org/</link>`, at, at)
		for end := min(at+500, count); at < end; at++ {
			text := make([]string, 120)
			for i := range text {
				text[i] = topics[random.IntN(len(topics))]
			}
			fmt.Fprintf(&b, `<item><guid>%d</guid><title>%s %d</title><link>https://f.example.org/%d</link><pubDate>Tue, 03 Mar 2026 07:30:00 GMT</pubDate><description>%s</description></item>`,
				at, strings.Join(text[:5], " "), at, at, strings.Join(text, " "))
		}
		b.WriteString(`</channel></rss>`)
		inputs = append(inputs, triage.Input{Name: "feed.xml", Content: []byte(b.String())})
	}
	return inputs
}

func TestTenThousand(t *testing.T) {
	if testing.Short() {
		t.Skip("writes some thousand notes")
	}
	h := newHome(t)
	h.options.Scorer = nil
	inputs := manySignals(10_000)
	start := time.Now()
	report := h.add(h.open(), inputs...)
	took := time.Since(start)
	t.Logf("%d signals in %v: %d routed, %d queued, %d dropped, %d near", report.Added, took.Round(time.Millisecond), report.Routed, report.Queued, report.Dropped, report.Near)
	if report.Added != 10_000 || report.Routed+report.Queued+report.Dropped+report.Near != 10_000 || len(h.notes()) != report.Routed {
		t.Errorf("lost some: %+v", report)
	}
	if took > 20*time.Second && runtime.GOOS == "linux" {
		t.Errorf("10,000 signals took %v", took)
	}
}

// TestMain is the program that TestKills kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv("QUARRY_TEST_ADD"); dir != "" {
		if err := addForKill(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func addForKill(dir string) error {
	ctx, stop := contextOfProcess()
	defer stop()
	opened, err := triage.Open(ctx, triage.Options{VaultDir: filepath.Join(dir, "vault"), LedgerPath: filepath.Join(dir, "data", "intake.db"), Now: func() time.Time { return now }, Scorer: byWord{}})
	if err != nil {
		return err
	}
	defer opened.Close()
	_, err = opened.Add(ctx, []triage.Input{killFeed()}, triage.AddOptions{})
	return err
}

const killSignals = 700

func killFeed() triage.Input {
	var titles []string
	for i := range killSignals {
		titles = append(titles, fmt.Sprintf("keep %d", i))
	}
	return feed(titles...)
}

// Processes that are killed at any moment lose nothing and write nothing twice.
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("runs processes")
	}
	h := newHome(t)
	random := rand.New(rand.NewPCG(3, 4))
	killed := 0
	for range 4 {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), "QUARRY_TEST_ADD="+filepath.Dir(h.vault))
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(60+random.IntN(150)) * time.Millisecond)
		_ = process.Process.Kill() // unless it is done
		if process.Wait() != nil {
			killed++
		}
	}
	opened := h.open()
	h.add(opened, killFeed())
	entries, err := opened.Ledger().Entries(t.Context(), ledger.Query{})
	if err != nil {
		t.Fatal(err)
	}
	notes, paths := h.notes(), map[string]bool{}
	for _, entry := range entries {
		if _, ok := notes[entry.Path]; !ok || entry.State != ledger.Routed || paths[entry.Path] {
			t.Errorf("signal %d: %s %q", entry.ID, entry.State, entry.Path)
		}
		paths[entry.Path] = true
	}
	whole := 0
	for name := range notes {
		if strings.HasSuffix(name, ".md") {
			whole++
		}
	}
	if len(entries) != killSignals || whole != killSignals || killed == 0 {
		t.Errorf("%d signals, %d notes, %d kills", len(entries), whole, killed)
	}
}
