package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// signals gives credentials to the commands of intake.
func (p *planted) signals() {
	feed := func(name string) string {
		return `<?xml version="1.0"?><rss version="2.0"><channel><title>` + p.token(name+": channel") + `</title><link>https://kiln.example.org/</link><item><guid>` + p.token(name+": guid") + `</guid><title>Kiln ` +
			p.token(name+": title") + `</title><link>https://kiln.example.org/?key=` + p.token(name+": link") + `</link><author>` + p.token(name+": author") + `</author><category>` + p.token(name+": tag") +
			`</category><pubDate>Tue, 03 Mar 2026 07:30:00 GMT</pubDate><description>Glaze ` + p.token(name+": text") + `</description></item></channel></rss>`
	}
	mail := "From: Kiln <kiln@example.org>\nSubject: glaze " + p.token("subject of a mail") + "\nDate: Thu, 05 Mar 2026 10:00:00 +0000\nMessage-ID: <" + p.token("ID of a mail") + "@example.org>\nContent-Type: text/plain\n\nText " + p.token("text of a mail") + "\n"
	p.write(p.t, p.vault, "intake.yaml", "domains:\n  pottery:\n    keywords: ["+p.token("a keyword of the rules")+"]\n  "+p.token("a broken rule")+"\n")
	inputs := filepath.Join(p.home, "inputs", "signals")
	for name, text := range map[string]string{"feed.xml": feed("a feed"), "mail.eml": mail, "broken.xml": `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "` + p.token("an entity") + `">]><rss></rss>`} {
		p.write(p.t, inputs, name, text)
	}
	p.every("intake score", "", inputs, "--explain")
	p.every("intake add", feed("a feed on standard input"), "-", "--no-route")
	p.every("intake add", "", inputs)
	p.every("intake add", "", p.token("a file to add"))
	p.every("intake add", "a text with "+p.token("a text to add"), "-", "--channel", "capture")
	p.every("intake add", "", inputs, "--channel", p.token("a channel"))
	p.every("intake route", "", "--dry-run")
	p.every("intake route", "")
	p.every("intake review", "")
	p.every("intake accept", "", "1", "2")
	p.every("intake accept", "", "1", "--domain", p.token("a domain to accept into"))
	p.every("intake move", "", "1", "--domain", "data")
	p.every("intake drop", "", "2", p.token("a number to drop"))
	p.every("intake drop", "", "2")
	p.every("intake undo", "")
	p.every("intake undo", "", "1")
	p.every("intake score", "", "1", "--explain")
	p.every("intake log", "")
	p.every("intake log", "", "--since", p.token("a day of the log"))
	p.every("intake learned", "")
	p.every("intake learned", "", "--reset")
	p.every("intake stats", "")
	p.every("intake", "")
	p.every("intake feeds add", "", "https://kiln.example.org/?key="+p.token("the address of a feed"), "--name", "Kiln "+p.token("the name of a feed"))
	p.every("intake feeds add", "", "file:///"+p.token("the address of no feed"))
	list := filepath.Join(p.home, "inputs", "feeds.opml")
	p.write(p.t, p.home, "inputs/feeds.opml", `<?xml version="1.0"?><opml version="2.0"><body><outline text="`+p.token("title of an outline")+`" type="rss" xmlUrl="https://clay.example.org/feed"/><outline text="x" type="rss" xmlUrl="http://127.0.0.1/`+p.token("address of an outline")+`"/></body></opml>`)
	p.every("intake feeds import", "", list)
	p.every("intake feeds", "")
	p.every("intake feeds list", "")
	p.every("intake feeds export", "")
	p.every("intake feeds remove", "", p.token("a feed to remove"))
	p.every("intake feeds remove", "", "https://clay.example.org/feed")
	p.every("intake fetch", "", "--only", p.token("a feed to fetch"))
	if err := os.RemoveAll(filepath.Join(p.home, "data")); err != nil { // the list of feeds with it: nothing may be asked
		p.t.Fatal(err)
	}
	p.every("intake fetch", "")
	if err := os.Remove(filepath.Join(p.vault, "intake.yaml")); err != nil {
		p.t.Fatal(err)
	}
}

// TestLedgerPlace: it lies in the user's data folder, or where the user's own configuration says, never where the vault does.
func TestLedgerPlace(t *testing.T) {
	h := newHome(t)
	elsewhere := filepath.Join(t.TempDir(), "mine.db")
	h.put(h.config, fmt.Sprintf("[intake]\nledger = '%s'\n", elsewhere))
	h.put(".quarry.toml", "[intake]\nledger = 'C:/stolen.db'\nattachments = true\n")
	code, _, talk := h.runPlain("", "intake", "stats")
	if code != 0 || strings.Count(talk, "is ignored") != 2 {
		t.Errorf("exit code %d, %s", code, talk)
	}
	if _, err := os.Stat(elsewhere); err != nil {
		t.Error(err)
	}
	if code, _, talk = h.runPlain("", "intake", "stats", "--audience", "client"); code != 1 || !strings.Contains(talk, "for the owner") {
		t.Errorf("exit code %d, %s", code, talk)
	}
}
