package source_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"quarry/intake/source"
)

func TestFeedItems(t *testing.T) {
	for file, want := range map[string][]row{
		"rss2.xml": {
			{"When the write-ahead log never shrinks", "https://slowtide.example.org/wal-never-shrinks", "2026-03-03T07:30:00Z", "", "Ilse Moorhen", []string{"databases", "SQLite"}},
			{Title: "Busy timeouts & what they hide", Address: "https://slowtide.example.org/busy-timeouts", Created: "2026-03-01T21:15:00Z"},
			{Title: "A short remark without a title.", Address: "https://slowtide.example.org/untitled-17", Created: "now"},
		},
		"atom.xml": {
			{"Schlüssel drehen, ohne auszusperren", "https://werkbank.example.org/blog/key-rotation", "2026-02-19T09:05:00Z", "2026-02-20T17:00:00Z", "Käthe Brandt-Öz", []string{"security"}},
			{Title: "Nur ein Titel", Created: "2026-01-02T00:00:00Z", Author: "Käthe Brandt-Öz"},
			{Title: "Text mit <Spitzen> Klammern", Address: "https://werkbank.example.org/blog/plain", Created: "2026-01-01T12:00:00Z", Author: "Gast A."},
		},
		"rdf.xml": {
			{Title: "Déjà vu : un certificat expiré", Address: "https://archives.example.org/8", Created: "2026-01-15T07:00:00Z", Author: "Noémie Féret", Tags: []string{"sécurité"}},
			{Title: "Sans date", Address: "https://archives.example.org/7", Created: "now"},
		},
		"cdata.xml": {{Title: "Generics: if a < b && b > c", Address: "https://fjord.example.org/generics?a=1&b=2", Created: "2026-02-25T15:00:00Z"}},
		"broken.xml": {
			{Title: "Salt & vinegar", Address: "https://broken.example.org/1?a=1&b=2", Created: "2026-03-02T08:00:00Z"},
			{Title: "Unclosed bold", Address: "https://broken.example.org/2", Created: "now"},
		},
		"feed.json": {
			{"Subgrid, at last", "https://grid.example.org/subgrid", "2026-03-04T11:00:00Z", "2026-03-05T00:00:00Z", "Pim Lark", []string{"css", "layout"}},
			{Title: "Link post: a fine page on viewport units.", Address: "https://elsewhere.example.org/viewport", Created: "2026-03-01T00:00:00Z", Author: "Pim Lark"},
			{Title: "Nothing else", Created: "now", Author: "Pim Lark"},
		},
	} {
		t.Run(file, func(t *testing.T) { same(t, want, rowsOf(read(t, "feeds/in/"+file))) })
	}
}

func TestFeedRSS(t *testing.T) {
	batch := read(t, "feeds/in/rss2.xml")
	first, second := batch.Signals[0], batch.Signals[1]
	holds(t, first.Body, []string{
		"A reader that *never ends* keeps", "## How to see it", "- Watch the size of the `-wal` file.\n- Run `PRAGMA wal_checkpoint(TRUNCATE)` and",
		"```sql\nPRAGMA wal_checkpoint(TRUNCATE);\n-- 1|412|0  : busy\n```", "[our note on timeouts](https://slowtide.example.org/busy-timeouts)",
	}, []string{"p.gif", "utm_"})
	holds(t, second.Body, []string{"Five seconds is a **guess**, not a rule. x < y.", "https://slowtide.example.org/audio/12.mp3"}, nil)
	same(t, []string{"tide-0041", "https://slowtide.example.org/busy-timeouts", ""}, []string{first.Identity, second.Identity, batch.Signals[2].Identity})
	same(t, 1, leftOut(batch)["seen before in this file"])
	holds(t, problems(batch), []string{`untitled-17: the date "last Thursday" is not understood`}, nil)
	same(t, time.Hour, batch.Every)
	same(t, []string{"rss", "Slow Tide Engineering", "https://slowtide.example.org/"}, []string{batch.Kind, batch.Title, batch.Address})
}

func TestFeedAtom(t *testing.T) {
	batch := read(t, "feeds/in/atom.xml")
	holds(t, batch.Signals[0].Body, []string{
		"Erst den **neuen** Schlüssel", "Größe: 2 kB.", "2. Umstellen\n   - zuerst die Leser\n3. Sperren", "> Wer zuerst sperrt, ruft sich selbst an.",
		"![Kreislauf](https://werkbank.example.org/blog/bilder/kreis.png)", "https://werkbank.example.org/blog/key-rotation.pdf",
	}, []string{"\u00a0"})
	holds(t, batch.Signals[2].Body, []string{`Zeile eins \<b>ist kein Fettdruck\</b>.` + "\nZeile zwei."}, []string{"**"})
	same(t, "tag:werkbank.example.org,2026:key-rotation", batch.Signals[0].Identity)
}

func TestFeedRDF(t *testing.T) {
	batch := read(t, "feeds/in/rdf.xml")
	same(t, "Le certificat a expiré à minuit — encore.", batch.Signals[0].Body)
	same(t, "Cet article n'a pas de date.", batch.Signals[1].Body)
}

func TestFeedCDATA(t *testing.T) {
	body := read(t, "feeds/in/cdata.xml").Signals[0].Body
	holds(t, body, []string{
		`Café, naïve, 5 km, “quoted”, 🐟, \&lt;kept\&gt;, AT&T.`, "`]]>`", "| Case | Result |\n|---|---|\n| a \\| b | 1 |\n| c<br>d | 2 |", "First\nsecond",
		"https://fjord.example.org/pic.png", `\[\[nor this\]\]`, `\#nor-this`, `\*not emphasis\*`, `\_nor\_ this`, "[do](https://fjord.example.org/ok)", "https://video.example.org/embed/7",
	}, []string{"steal()", "color:red", "onclick", "javascript:", "Subscribe now!", "data:", "<iframe", "[[nor"})
}

func TestFeedBroken(t *testing.T) {
	batch := read(t, "feeds/in/broken.xml")
	same(t, 2, len(batch.Signals))
	holds(t, problems(batch), []string{"file: Cut off", "no end"}, nil)
	same(t, "A bare ampersand & and an entity XML does not know.", strings.ReplaceAll(strings.Join(strings.Fields(batch.Signals[0].Body), " "), "ampersand and", "ampersand & and"))
}

func TestFeedWithDoctype(t *testing.T) {
	for _, text := range []string{
		string(fixture(t, "feeds/in/entities.xml")),
		"<!DOCTYPE rss SYSTEM \"file:///etc/hostname\"><rss><channel><item><title>x</title></item></channel></rss>",
		"<!doctype feed [<!ENTITY a \"b\">]>\n<feed><entry><title>&a;</title></entry></feed>",
		"<!DOCTYPE opml [<!ENTITY a \"b\">]><opml><body><outline text=\"&a;\" xmlUrl=\"https://a.example/\"/></body></opml>",
	} {
		batch, err := source.Read(t.Context(), source.Input{Name: "file", Content: []byte(text), Now: now})
		if !errors.Is(err, source.ErrDoctype) || len(batch.Signals) > 0 {
			t.Errorf("%v, %v of %q", err, batch.Signals, text)
		}
	}
}

func TestFeedJSON(t *testing.T) {
	batch := read(t, "feeds/in/feed.json")
	same(t, []string{"2026030", "https://grid.example.org/2", "3"}, []string{batch.Signals[0].Identity, batch.Signals[1].Identity, batch.Signals[2].Identity})
	same(t, map[string]int{"an item without an id": 1}, leftOut(batch))
	holds(t, batch.Signals[0].Body, []string{"[card list](https://grid.example.org/cards)", "```\n.card { grid-template-rows: subgrid; }\n```"}, nil)
	holds(t, batch.Signals[1].Body, []string{`Second paragraph with \<angle> brackets.`, "https://grid.example.org/a.m4a"}, nil)
}
