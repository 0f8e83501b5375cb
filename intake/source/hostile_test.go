package source_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"quarry/intake/source"
)

// hostile is an input that is made to break a reader.
type hostile struct {
	name    string
	content func() string
	refused error // nil: it is read, whatever it gives
	isSlow  bool  // not with -short
}

const maxHostileTime = 6 * time.Second // on a loaded machine; each takes a fraction

func TestHostile(t *testing.T) {
	for _, test := range append(hostileFeeds(), append(hostileMails(), hostileOthers()...)...) {
		t.Run(test.name, func(t *testing.T) {
			if test.isSlow && testing.Short() {
				t.Skip("a large input")
			}
			content := []byte(test.content())
			peak := watchMemory(t)
			start := time.Now()
			batch, err := source.Read(t.Context(), source.Input{Name: "file", Content: content, Now: now})
			took, grown := time.Since(start), peak()
			if os.Getenv("HOSTILE") != "" {
				fmt.Printf("%-28s %6.1f MB %8v %5d MiB %d signals, %v %v\n", test.name, float64(len(content))/1e6, took.Round(time.Millisecond), grown>>20, len(batch.Signals), err, batch.LeftOut)
			}
			if took > maxHostileTime {
				t.Errorf("it took %v", took)
			}
			if grown > 700<<20 {
				t.Errorf("it took %d MiB", grown>>20)
			}
			if test.refused != nil && !errors.Is(err, test.refused) {
				t.Errorf("the error is %v", err)
			}
			for _, s := range batch.Signals {
				if len(s.Title) > 2000 || len(s.Tags) > 50 || len(s.Address) > 8192 || len(s.Identity) > 8192 {
					t.Errorf("a signal of %d, %d, %d, %d", len(s.Title), len(s.Tags), len(s.Address), len(s.Identity))
				}
			}
		})
	}
}

// watchMemory looks at the heap now and then; the function it gives ends that and tells how much it grew at most.
func watchMemory(t *testing.T) func() uint64 {
	t.Helper()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	before, most := stats.HeapAlloc, stats.HeapAlloc
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			most = max(most, stats.HeapAlloc)
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() uint64 {
		close(stop)
		<-done
		return most - before
	}
}

func rssOf(items string) string {
	return `<rss version="2.0" xmlns:x="urn:x" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>t</title>` + items + `</channel></rss>`
}

func itemOf(inner string) string { return "<item><title>a</title><guid>1</guid>" + inner + "</item>" }

func hostileFeeds() []hostile {
	many := strings.Repeat
	return []hostile{
		{"feed of 50 MB", func() string { return rssOf(many(itemOf("<description>word</description>"), 800_000)) }, source.ErrTooLarge, true},
		{"feed of 15 MB", func() string { return rssOf(many(itemOf("<description>word</description>"), 200_000)) }, nil, true},
		{"other items", func() string {
			var b strings.Builder
			for i := range 25_000 {
				fmt.Fprintf(&b, "<item><guid>%d</guid><title>%d</title></item>", i, i)
			}
			return rssOf(b.String())
		}, nil, true},
		{"deep", func() string { return rssOf(itemOf(many("<a>", 1_000_000))) }, nil, true},
		{"deep in text", func() string { return rssOf(itemOf("<description>" + many("<b>", 1_000_000))) }, nil, true},
		{"deep before the root", func() string { return many("<a>", 3_000_000) }, nil, true},
		{"long attribute", func() string {
			return rssOf(itemOf(`<enclosure url="https://a.example/` + many("x", 10_000_000) + `"/>`))
		}, nil, true},
		{"open attribute", func() string { return rssOf(many(`<item><enclosure url="x><guid>1</guid></item>`, 60_000)) }, nil, true},
		{"namespaces", func() string {
			var b strings.Builder
			for i := range 5000 {
				fmt.Fprintf(&b, ` xmlns:n%d="urn:%d"`, i, i)
			}
			return "<rss" + b.String() + "><channel>" + many("<item><title>a</title></item>", 100_000) + "</channel></rss>"
		}, source.ErrTooLarge, true},
		{"namespaces within", func() string {
			return rssOf(itemOf(many(`<x:a xmlns:b="c" xmlns:d="e"/>`, 150_000)))
		}, nil, true},
		{"texts of an extension", func() string { return rssOf(itemOf("<x:a>" + many("t<b/>", 700_000) + "</x:a>")) }, nil, true},
		{"extensions", func() string { return rssOf(itemOf(many("<x:a>t</x:a>", 100_000))) }, nil, true},
		{"pieces of CDATA", func() string {
			return rssOf(itemOf("<description>" + many("<![CDATA[a]]>", 1_000_000) + "</description>"))
		}, nil, true},
		{"comments", func() string { return rssOf(itemOf("<x:a>" + many("a<!---->", 1_000_000) + "</x:a>")) }, nil, true},
		{"open comment", func() string { return rssOf(many("<!-- ", 3_000_000)) }, nil, true},
		{"open CDATA", func() string { return rssOf("<item><description><![CDATA[" + many("a<b>", 1_000_000)) }, nil, true},
		{"open tags", func() string { return rssOf(many("<item", 2_000_000)) }, nil, true},
		{"less than", func() string { return rssOf(itemOf("<description>" + many("<", 3_000_000) + "</description>")) }, nil, true},
		{"ampersands", func() string { return rssOf(itemOf("<description>" + many("&amp;", 700_000) + "</description>")) }, nil, true},
		{"long title", func() string { return rssOf("<item><title>" + many("word ", 700_000) + "</title></item>") }, nil, true},
		{"categories", func() string { return rssOf(itemOf(many("<category>c</category>", 60_000))) }, nil, true},
		{"HTML", func() string {
			return rssOf(itemOf("<description>" + many("&lt;ul&gt;&lt;li&gt;a", 100_000) + "</description>"))
		}, nil, true},
		{"XHTML", func() string {
			return `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/"><entry><id>1</id><content type="xhtml"><div>` + many("<p>a<b>c</b></p>", 150_000) + "</div></content></entry></feed>"
		}, nil, true},
		{"channels", func() string { return "<rss>" + many("<channel><title>a</title>", 300_000) }, nil, true},
		{"head", func() string { return rssOf(many("<image><url>a</url></image><title>a</title>", 50_000)) }, nil, true},
		{"NULs", func() string { return rssOf(itemOf("<description>a\x00b&#0;&#xFFFF;\x01\xff</description>")) }, nil, false},
		{"JSON, deep", func() string {
			return `{"version":"https://jsonfeed.org/version/1","items":[{"id":"1","title":` + many("[", 1_000_000)
		}, nil, true},
		{"JSON, many", func() string {
			return `{"version":"https://jsonfeed.org/version/1","items":[` + many(`{"id":"1"},`, 300_000) + "{}]}"
		}, nil, true},
		{"JSON, members", func() string {
			return `{"version":"https://jsonfeed.org/version/1","items":[],` + many(`"a":1,`, 500_000) + `"b":1}`
		}, nil, true},
	}
}

func mailOf(header, body string) string {
	return "From: a@example.org\nTo: b@example.org\nSubject: s\nMessage-ID: <1@example.org>\nMIME-Version: 1.0\n" + header + "\n\n" + body
}

func hostileMails() []hostile {
	many := strings.Repeat
	part := "--b\nContent-Type: text/plain\n\nx\n"
	nested := func(levels int) string {
		var b strings.Builder
		for i := range levels {
			fmt.Fprintf(&b, "--b%d\nContent-Type: multipart/mixed; boundary=b%d\n\n", i, i+1)
		}
		return b.String()
	}
	return []hostile{
		{"mail of 10,000 parts", func() string { return mailOf("Content-Type: multipart/mixed; boundary=b", many(part, 10_000)) }, source.ErrTooLarge, false},
		{"mail of 900 parts", func() string { return mailOf("Content-Type: multipart/mixed; boundary=b", many(part, 900)+"--b--\n") }, nil, false},
		{"mail of 300 files", func() string {
			return mailOf("Content-Type: multipart/mixed; boundary=b", many("--b\nContent-Type: image/png; name=a.png\n\nx\n", 300)+"--b--\n")
		}, nil, false},
		{"mail, deep", func() string { return mailOf("Content-Type: multipart/mixed; boundary=b0", nested(10_000)) }, source.ErrTooLarge, false},
		{"mail, 9 deep", func() string {
			return mailOf("Content-Type: multipart/mixed; boundary=b0", nested(9)+"--b9\n\n"+many("text and text\n", 100_000))
		}, nil, true},
		{"mail, header", func() string { return mailOf("X: "+many("y", 1_000_000), "x") }, source.ErrTooLarge, false},
		{"mail, fields", func() string { return mailOf(many("X: y\n", 2_000_000)+"X: y", "x") }, source.ErrTooLarge, true},
		{"mail, encoded words", func() string { return mailOf("X-Y: z\nSubject: "+many("=?utf-8?q?a?= ", 16_000), "x") }, nil, false},
		{"mail, senders", func() string {
			return strings.Replace(mailOf("X-Y: z", "x"), "a@example.org", many("a <a@b>, ", 20_000), 1)
		}, nil, false},
		{"mail, 43 MB file", func() string {
			return mailOf("Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64", many("QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB\n", 750_000))
		}, source.ErrTooLarge, true},
		{"mail, 17 MB file", func() string {
			return mailOf("Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64", many("QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB\n", 300_000))
		}, nil, true},
		{"mail, 3 MB text", func() string { return mailOf("X-Y: z", many("word \xe4 and more\n", 180_000)) }, nil, true},
		{"mail, 6 MB line", func() string {
			return mailOf("Content-Transfer-Encoding: quoted-printable\nContent-Type: text/plain", many("=41", 2_000_000))
		}, nil, true},
		{"mail, HTML", func() string {
			return mailOf("Content-Type: text/html", many("<table><tr><td>x</td></tr></table>", 30_000))
		}, nil, true},
		{"mail, HTML, deep", func() string { return mailOf("Content-Type: text/html", many("<table><tr><td>", 500_000)) }, nil, true},
		{"mail, footers", func() string {
			return mailOf("Content-Type: text/html", many("<div><a href=https://a.example/>unsubscribe</a></div>", 10_000))
		}, nil, true},
		{"mail in mail", func() string {
			one := mailOf("Content-Type: message/rfc822", "")
			return many(one, 5000) + "x"
		}, nil, false},
		{"mbox of 40,000 mails", func() string {
			return many("From a@example.org Thu Mar  5 10:00:00 2026\nFrom: a@example.org\nSubject: s\nDate: x\n\nx\n\n", 40_000)
		}, nil, true},
	}
}

func hostileOthers() []hostile {
	many := strings.Repeat
	netscape := "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n"
	packed := func() string { // it unpacks to 32 MB of one letter
		var b bytes.Buffer
		b.WriteString("mozLz40\x00\x00\x00\x00\x02\x1f{\x01\x00")
		b.WriteString(many("\xff", 131_000))
		return b.String()
	}
	return []hostile{
		{"over all bounds", func() string { return many(" ", source.MaxInputBytes+1) }, source.ErrTooLarge, true},
		{"empty", func() string { return "" }, source.ErrUnknown, false},
		{"blanks", func() string { return many(" \n", 20_000_000) }, source.ErrUnknown, true},
		{"NULs alone", func() string { return many("\x00", 20_000_000) }, source.ErrUnknown, true},
		{"noise", func() string { return many("\x89PNG\r\n\x1a\n\xff\xfe\xfd\x00\x03", 100_000) }, source.ErrUnknown, false},
		{"one line", func() string { return many("word ", 700_000) }, nil, true},
		{"text, too long", func() string { return many("word ", 2_000_000) }, source.ErrTooLarge, true},
		{"marks", func() string { return many("[[*_`", 300_000) }, nil, true},
		{"frontmatter", func() string { return "---\n" + many("a: [b, c]\n- d\n", 300_000) + "---\n" }, nil, true},
		{"bookmarks, deep", func() string {
			return netscape + many("<DL><DT><H3>f</H3>", 300_000) + "<A HREF=https://a.example/>x</A>"
		}, nil, true},
		{"bookmarks, many", func() string {
			return netscape + "<DL>" + many("<DT><A HREF=https://a.example/ TAGS=a,b,c>x</A>", 100_000)
		}, nil, true},
		{"bookmarks, icon", func() string {
			return netscape + `<DL><DT><A HREF=https://a.example/ ICON="` + many("x", 10_000_000) + `">x</A>`
		}, nil, true},
		{"Chrome, deep", func() string { return `{"roots":{"other":` + many(`{"children":[`, 300_000) }, nil, true},
		{"Chrome, 3,000 deep", func() string {
			return `{"roots":{"other":` + many(`{"name":"f","children":[`, 3000) + `{"type":"url","url":"https://a.example/"}` + many("]}", 3000) + `}}`
		}, nil, false},
		{"packed", packed, nil, false},
		{"OPML, deep", func() string { return "<opml><body>" + many("<outline text=a>", 500_000) }, source.ErrDamaged, true},
		{"OPML, many", func() string { return "<opml><body>" + many("<outline xmlUrl='https://a.example/'/>", 300_000) }, nil, true},
		{"page, deep", func() string { return "<html>" + many("<div>", 500_000) }, nil, true},
		{"page, paragraphs", func() string { return "<html><body>" + many("<p>word, word, and more words of a page.</p>", 45_000) }, nil, true},
		{"page, elements", func() string { return "<html><body>" + many("<p>a<b>c</b></p>", 60_000) }, nil, true},
		{"page, links", func() string { return "<html><body><p>" + many("<a href=/x>a</a> ", 20_000) }, nil, true},
		{"page, nested lists", func() string { return "<html><body>" + many("<ul><li>a", 250) + many("<p>word</p>", 8_000) }, nil, true},
		{"page, tables", func() string { return "<html><body>" + many("<table><tr><td>", 150) + many("<p>a, b</p>", 30_000) }, nil, true},
		{"page, JSON-LD", func() string {
			return `<html><script type="application/ld+json">` + many("[", 900_000) + `</script><p>a</p>`
		}, nil, true},
		{"page, too large", func() string { return "<html>" + many("a", 9_000_000) }, source.ErrTooLarge, true},
	}
}
