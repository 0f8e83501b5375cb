package intake_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quarry/intake"
)

func areSame(a, b intake.Signal) bool {
	return slices.ContainsFunc(intake.Keys(a), func(key string) bool { return slices.Contains(intake.Keys(b), key) })
}

func TestKeys(t *testing.T) {
	long := "The write-ahead log grows as long as a reader holds an old snapshot, and only a checkpoint that meets no reader can empty it again; this is what we saw."
	feed := intake.Signal{Channel: intake.Feed, Origin: "https://slow.example/feed", Identity: "7", Title: "The log", Address: "https://slow.example/log", Body: long}
	with := func(change func(s *intake.Signal)) intake.Signal {
		changed := feed
		change(&changed)
		return changed
	}
	for _, c := range []struct {
		name string
		a, b intake.Signal
		want bool
	}{
		{"the same", feed, feed, true},
		{"edited", feed, with(func(s *intake.Signal) { s.Title, s.Body = "The log, again", "Rewritten." }), true},
		{"a bookmark of it", feed, intake.Signal{Channel: intake.Bookmark, Address: "http://www.slow.example/log/?utm_source=x", Title: "log"}, true},
		{"the same text elsewhere", feed, intake.Signal{Channel: intake.Page, Address: "https://copy.example/1", Title: "**The** log", Body: strings.ToUpper(long)}, true},
		{"another number of another feed", feed, intake.Signal{Channel: intake.Feed, Origin: "https://other.example/feed", Identity: "7", Title: "Other", Address: "https://other.example/1"}, false},
		{"another page", feed, with(func(s *intake.Signal) { s.Identity, s.Address, s.Title = "8", "https://slow.example/log2", "Two" }), false},
		{"parameters in another order", intake.Signal{Channel: intake.Bookmark, Address: "https://a.example/f?x=1&y=2", Title: "f"}, intake.Signal{Channel: intake.Bookmark, Address: "https://a.example/f?y=2&x=1", Title: "f (copy)"}, false},
		{"short texts at two addresses", intake.Signal{Channel: intake.Bookmark, Address: "https://a.example/1", Title: "Home"}, intake.Signal{Channel: intake.Bookmark, Address: "https://a.example/2", Title: "Home"}, false},
		{"two items that lead to the front page", with(func(s *intake.Signal) { s.Address, s.Body = "https://slow.example/", "one" }), with(func(s *intake.Signal) {
			s.Address, s.Identity, s.Title, s.Body = "https://slow.example", "9", "Other", "two"
		}), false},
		{"two thoughts about one page", intake.Signal{Channel: intake.Capture, Address: "https://a.example/1", Title: "One", Body: "first"}, intake.Signal{Channel: intake.Capture, Address: "https://a.example/1", Title: "Two", Body: "second"}, false},
		{"a mail in two folders", intake.Signal{Channel: intake.Mail, Origin: "a@a.example", Identity: "<1@a>", Title: "x"}, intake.Signal{Channel: intake.Mail, Origin: "list.a.example", Identity: "<1@a>", Title: "y"}, true},
		{"nothing but a title, twice", intake.Signal{Channel: intake.Tool, Title: "ok"}, intake.Signal{Channel: intake.Tool, Title: "OK!"}, true},
		{"nothing but a title", intake.Signal{Channel: intake.Tool, Title: "ok"}, intake.Signal{Channel: intake.Tool, Title: "not ok"}, false},
	} {
		if got := areSame(c.a, c.b); got != c.want {
			t.Errorf("%s: %v\n%q\n%q", c.name, got, intake.Keys(c.a), intake.Keys(c.b))
		}
	}
	if keys := intake.Keys(intake.Signal{}); len(keys) != 1 {
		t.Errorf("of nothing: %q", keys)
	}
}

// TestNearDuplicates measures the fingerprints: how many edited texts are found, and how many different ones are taken for near.
func TestNearDuplicates(t *testing.T) {
	set := readLabelled(t)
	nearby := &intake.Nearby{}
	texts := []string{}
	for _, l := range set {
		if text := l.signal.Body; intake.Fingerprint(text) != 0 {
			nearby.Add(intake.Fingerprint(text))
			texts = append(texts, text)
		}
	}
	found := 0
	for at, text := range texts {
		edited := "Reposted with thanks. " + strings.Replace(text, " the ", " this ", 1)
		if number := nearby.Find(intake.Fingerprint(edited)); number == at {
			found++
		}
	}
	alarms, pairs := 0, 0
	for a := range texts {
		for b := range a {
			pairs++
			if intake.AreNear(intake.Fingerprint(texts[a]), intake.Fingerprint(texts[b])) {
				alarms++
			}
		}
	}
	t.Logf("of %d texts of some 60 words with three words more and one changed %d are found; of %d pairs of different texts %d are taken for near", len(texts), found, pairs, alarms)
	if alarms > 0 || found*100 < len(texts)*70 {
		t.Errorf("%d of %d found, %d alarms", found, len(texts), alarms)
	}
}

func TestNearbyIsComplete(t *testing.T) {
	signals := bulk(t, 300)
	nearby, added := &intake.Nearby{}, []uint64{}
	for at, signal := range signals {
		fingerprint := intake.Fingerprint(signal.Body)
		if want := nearest(added, fingerprint); nearby.Find(fingerprint) != want {
			t.Errorf("%d: found %d, want %d", at, nearby.Find(fingerprint), want)
		}
		nearby.Add(fingerprint)
		added = append(added, fingerprint)
		for bit := range 64 {
			if other := fingerprint ^ 1<<bit; intake.AreNear(other, fingerprint) && nearby.Find(other) < 0 {
				t.Fatalf("bit %d is missed", bit)
			}
		}
	}
	if intake.Fingerprint("too short") != 0 || nearby.Find(0) != -1 || intake.AreNear(0, 0) {
		t.Error("a text without a fingerprint is near to something")
	}
}

func nearest(added []uint64, fingerprint uint64) int {
	best := -1
	for at, other := range added {
		if intake.AreNear(other, fingerprint) && (best < 0 || distance(other, fingerprint) < distance(added[best], fingerprint)) {
			best = at
		}
	}
	return best
}

func distance(a, b uint64) int { return strings.Count(fmt.Sprintf("%b", a^b), "1") }

func BenchmarkNearby(b *testing.B) {
	nearby := &intake.Nearby{}
	for _, signal := range bulk(b, 10000) {
		nearby.Add(intake.Fingerprint(signal.Body[:400]))
	}
	fingerprint := intake.Fingerprint(strings.Repeat("a text of its own ", 20))
	for b.Loop() {
		nearby.Find(fingerprint)
	}
}
