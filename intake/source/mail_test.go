package source_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"quarry/intake/source"
)

func TestMails(t *testing.T) {
	for file, want := range map[string][]row{
		"weekly.eml": {{Title: "Kiln & Quay Weekly: langsame Deploys 🐢 und was hilft", Author: "Kiln & Quay Weekly", Created: "2026-03-06T06:00:00Z"}},
		"latin.eml":  {{Title: "Prüfsummen für 3 €", Author: "Prüfstand", Created: "2026-03-05T09:15:00Z"}},
		"nested.eml": {{Title: "Night Watch #5: rotating keys without a night shift", Author: "Night Watch", Created: "2026-03-05T06:00:00Z"}},
		"two.mbox": {
			{Title: "Tide Table 1", Author: "Tide Table", Created: "2026-03-05T10:00:00Z"},
			{Title: "Tide Table 2", Author: "Tide Table", Created: "2026-03-06T10:00:00Z"},
		},
	} {
		t.Run(file, func(t *testing.T) { same(t, want, rowsOf(read(t, "mail/in/"+file))) })
	}
}

func TestMailNewsletter(t *testing.T) {
	s := read(t, "mail/in/weekly.eml").Signals[0]
	same(t, []string{"weekly.kilnquay.example.org", "kq-12@example.org"}, []string{s.Origin, s.Identity})
	same(t, true, s.Properties[0].Value)
	holds(t, s.Body, []string{
		"## 1. Why our deploys got slower", "**41 %** of the time went into [one migration](https://kilnquay.example.org/slow-deploys).", "- index built online\n- batches of 500",
		"Größe, Füße, naïve – „gut“.", "![Deploy time by week](https://kilnquay.example.org/chart.png)",
	}, []string{"Preheader", "o.gif", "color:#333", "signed up", "nsubscribe", "u=77", "click.example.org", "|", "no. 12", "leave@example.org", "reader@example.org", "bounce-77", "mx.example.org"})
}

func TestMailLatin(t *testing.T) {
	s := read(t, "mail/in/latin.eml").Signals[0]
	same(t, "Guten Tag,\n\ndie Prüfsumme stimmt für 3 € Aufpreis nicht mehr: `sha256` statt `md5`.\n\nZum Artikel: x", s.Body)
	same(t, "post@example.org", s.Origin)
}

func TestMailNested(t *testing.T) {
	batch := read(t, "mail/in/nested.eml")
	s := batch.Signals[0]
	same(t, 1, len(batch.Signals))
	same(t, []string{"ring.png", "Pläne.pdf"}, []string{s.Attachments[0].Name, s.Attachments[1].Name})
	same(t, 0, len(s.Attachments[0].Content))
	want := "Two keys may be valid at the same time. That is the *whole* trick.\n\n> quoted: is it safe?\n\nYes, for a day.\n\nkey ring (ring.png)\n\n" +
		"## forwarded: the first issue\n\nThe forwarded text.\n\n- Pläne.pdf"
	same(t, want, s.Body)

	kept, err := source.Read(t.Context(), source.Input{Name: "file", Content: fixture(t, "mail/in/nested.eml"), Now: now, Attachments: true})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, kept.Signals[0].Body, []string{"![[ring.png]]", "- [[Pläne.pdf]]"}, nil)
	same(t, "%PDF-1.4", string(kept.Signals[0].Attachments[1].Content[:8]))
	same(t, 74, len(kept.Signals[0].Attachments[0].Content))
}

func TestMailbox(t *testing.T) {
	batch := read(t, "mail/in/two.mbox")
	same(t, "First mail.\nFrom the harbour we could see it.\n> From two levels down.\n\nFrom here on is still the first mail, since no address follows.", batch.Signals[0].Body)
	same(t, "Second mail, with a charset nobody knows.", batch.Signals[1].Body)
	holds(t, problems(batch), []string{"Tide Table 2", "x-unknown"}, nil)
	holds(t, bodies(batch), nil, []string{"\r", "letters@example.org"})
}

// TestEachMail holds that mails of a large file are those of a small one.
func TestEachMail(t *testing.T) {
	var titles []string
	bodies := map[int]string{}
	err := source.EachMail(bytes.NewReader(fixture(t, "mail/in/two.mbox")), func(place int, mail []byte) error {
		batch, err := source.Read(t.Context(), source.Input{Name: "file", Content: mail, Now: now})
		if err != nil {
			return err
		}
		titles = append(titles, batch.Signals[0].Title)
		bodies[place] = batch.Signals[0].Body
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	same(t, []string{"Tide Table 1", "Tide Table 2"}, titles)
	same(t, read(t, "mail/in/two.mbox").Signals[0].Body, bodies[1])
	if err := source.EachMail(strings.NewReader("From here on\nit is text"), nil); !errors.Is(err, source.ErrUnknown) {
		t.Error(err)
	}
	stop := errors.New("stop")
	if err := source.EachMail(bytes.NewReader(fixture(t, "mail/in/two.mbox")), func(int, []byte) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
}

func TestEachMailOfLargeOnes(t *testing.T) {
	if testing.Short() {
		t.Skip("a large input")
	}
	small := "From a@example.org Thu Mar  5 10:00:00 2026\nFrom: a@example.org\nSubject: s\nDate: x\n\nx\n"
	large := io.MultiReader(strings.NewReader(small), strings.NewReader(strings.Repeat("0123456789abcdef", 3<<20)), strings.NewReader("\n"+small))
	var sizes []int
	if err := source.EachMail(large, func(_ int, mail []byte) error { sizes = append(sizes, len(mail)); return nil }); err != nil {
		t.Fatal(err)
	}
	same(t, []int{0, len(small) - strings.Index(small, "\n") - 1}, sizes)
}
