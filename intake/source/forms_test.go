package source_test

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/intake"
	"quarry/intake/source"
)

func TestOPML(t *testing.T) {
	got, err := source.ReadOPML([]byte(`<?xml version="1.0" encoding="ISO-8859-1"?><opml version="1.1"><head><title>My feeds</title></head><body>
		<outline text="Top" xmlUrl="https://a.example/feed?x=1&amp;y=2" htmlUrl="https://a.example/" type="rss" category="/go,web"/>
		<outline text="Caf` + "\xe9" + `"><outline title="In &quot;it&quot;" text="x" xmlUrl='feed://b.example/rss'/><outline text="Deep"><outline text="" xmlUrl=https://c.example/ /></outline></outline>
		<outline text="again" xmlUrl="https://a.example/feed?x=1&amp;y=2"/><outline text="no" xmlUrl="javascript:x"/><outline text="page" htmlUrl="https://d.example/"/>
		<outline text="parent" xmlUrl="https://e.example/"><outline text="child" xmlUrl="https://f.example/"/></outline></body></opml>`))
	if err != nil {
		t.Fatal(err)
	}
	want := []source.Outline{
		{Title: "Top", Address: "https://a.example/feed?x=1&y=2", Page: "https://a.example/", Tags: []string{"go", "web"}},
		{Title: `In "it"`, Address: "https://b.example/rss", Folder: []string{"Café"}},
		{Title: "https://c.example/", Address: "https://c.example/", Folder: []string{"Café", "Deep"}},
		{Title: "parent", Address: "https://e.example/"},
		{Title: "child", Address: "https://f.example/"},
	}
	same(t, want, got)
	again, err := source.ReadOPML(source.WriteOPML(got))
	if err != nil {
		t.Fatal(err)
	}
	same(t, want, again)
}

func TestOPMLAsInput(t *testing.T) {
	batch := readText(t, `<opml><head><title>Mine</title></head><body><outline text="a" xmlUrl="https://a.example/"/><outline xmlUrl="https://a.example/"/><outline xmlUrl="ftp://a.example/"/>`)
	same(t, []string{"opml", "Mine"}, []string{batch.Kind, batch.Title})
	same(t, 1, len(batch.Outlines))
	same(t, map[string]int{"the same address twice in this file": 1, "ftp: address": 1}, leftOut(batch))
	for text, want := range map[string]error{"<rss/>": source.ErrUnknown, "": source.ErrUnknown, "<!DOCTYPE opml><opml/>": source.ErrDoctype} {
		if _, err := source.ReadOPML([]byte(text)); !errors.Is(err, want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if got := string(source.WriteOPML([]source.Outline{{Title: "a<b&\"c\"\n", Address: "https://a.example/?x&y"}})); strings.Contains(got, "a<b") || !strings.Contains(got, `text="a&lt;b&amp;&quot;c&quot;"`) {
		t.Error(got)
	}
}

const firefoxBackup = `{"guid":"root________","title":"","typeCode":2,"type":"text/x-moz-place-container","root":"placesRoot","children":[
	{"title":"menu","typeCode":2,"type":"text/x-moz-place-container","root":"bookmarksMenuFolder","children":[
		{"title":"Go","typeCode":2,"type":"text/x-moz-place-container","children":[
			{"title":"Fuzzing","dateAdded":1772530200000000,"type":"text/x-moz-place","uri":"https://tools.example.org/fuzz","tags":"go,test","iconUri":"data:x","annos":[{"name":"bookmarkProperties/description","flags":0,"value":"How to."}]},
			{"type":"text/x-moz-place-separator"}]},
		{"title":"Recent","type":"text/x-moz-place","uri":"place:sort=12"}]},
	{"title":"unfiled","type":"text/x-moz-place-container","root":"unfiledBookmarksFolder","children":[{"title":"","type":"text/x-moz-place","uri":"https://b.example/"}]},
	{"title":"tags","type":"text/x-moz-place-container","root":"tagsFolder","children":[{"title":"later","type":"text/x-moz-place-container","children":[{"type":"text/x-moz-place","uri":"https://b.example/"}]}]}]}`

func TestFirefoxBackup(t *testing.T) {
	literals := func(text string) string { // a block of LZ4 that repeats nothing
		packed := []byte{0xf0}
		rest := len(text) - 15
		for ; rest >= 255; rest -= 255 {
			packed = append(packed, 255)
		}
		return string(append(packed, byte(rest))) + text
	}
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(firefoxBackup)))
	for name, text := range map[string]string{"JSON": firefoxBackup, "packed": "mozLz40\x00" + string(size) + literals(firefoxBackup)} {
		t.Run(name, func(t *testing.T) {
			batch := readText(t, text)
			want := []mark{
				{"Bookmarks Menu/Go", "Fuzzing", "https://tools.example.org/fuzz", "2026-03-03T09:30:00Z", []string{"go", "test"}},
				{"Other Bookmarks", "https://b.example/", "https://b.example/", now.Format("2006-01-02T15:04:05Z"), []string{"later"}},
			}
			same(t, want, marksOf(batch.Signals))
			same(t, "How to.", batch.Signals[0].Body)
			same(t, map[string]int{"place: address": 1}, leftOut(batch))
			same(t, "firefox", batch.Kind)
		})
	}
}

func TestPackedCopies(t *testing.T) {
	// "{}" and blanks, the second as copies that reach into themselves; then what is broken.
	block := "\x2f{ \x01\x00\x05\x10}"
	size := string(binary.LittleEndian.AppendUint32(nil, uint32(2+19+5+1)))
	_, err := source.Read(t.Context(), source.Input{Name: "file", Content: []byte("mozLz40\x00" + size + block)})
	if !errors.Is(err, source.ErrUnknown) { // unpacked, an object without names
		t.Error(err)
	}
	for _, broken := range []string{"", "\x00\x00", "\x05\x00\x00\x00", "\x05\x00\x00\x00\x10", "\x05\x00\x00\x00\x10a\x02\x00", "\x05\x00\x00\x00\x10a\x00\x00", "\xff\xff\xff\xff\x10a", "\x05\x00\x00\x00\x50abc", "\x05\x00\x00\x00\xf0\xff"} {
		if _, err := source.Read(t.Context(), source.Input{Name: "file", Content: []byte("mozLz40\x00" + broken)}); !errors.Is(err, source.ErrDamaged) && !errors.Is(err, source.ErrTooLarge) {
			t.Errorf("%q: %v", broken, err)
		}
	}
}

const pageText = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Checkpoints explained | Tide Blog</title><link rel="canonical" href="/blog/checkpoints?utm_source=x">
	<meta property="og:site_name" content="Tide Blog"><meta name="author" content="Ada L."><meta property="article:published_time" content="2026-03-02T10:00:00+02:00"><meta property="article:tag" content="sqlite">
	<link rel="alternate" type="application/rss+xml" href="/feed.xml"><link rel="alternate" hreflang="de" href="/de"><link rel="alternate" type="application/atom+xml" title="Atom" href="javascript:x">
	<script>steal()</script></head><body><nav><a href="/">Home</a><a href="/about">About this blog</a></nav><article><h1>Checkpoints explained</h1><p>A checkpoint moves pages from the log into the database, which takes a moment, and then the log starts anew, unless a reader is still at work.</p>
	<h2>When it fails</h2><p>It fails when a reader never ends, since the log may not be reset under it; the file grows, and grows, until the disk is full. See <a href="../readers">readers</a>.</p>
	<p><img src="/chart.png" alt="Size of the log"><img src="https://stats.example/p.gif" width="1" height="1"></p><pre><code class="language-sql">PRAGMA wal_checkpoint;</code></pre></article>
	<footer><p>© Tide Blog. Subscribe to our newsletter!</p></footer></body></html>`

func TestPage(t *testing.T) {
	batch, err := source.Read(t.Context(), source.Input{Name: "saved.html", Content: []byte(pageText), Address: "https://tide.example.org/blog/checkpoints?ref=1", Now: now})
	if err != nil {
		t.Fatal(err)
	}
	s := batch.Signals[0]
	same(t, []row{{"Checkpoints explained", "https://tide.example.org/blog/checkpoints", "2026-03-02T08:00:00Z", "", "Ada L.", []string{"sqlite"}}}, rowsOf(batch))
	same(t, []string{"html", "page", "tide.example.org", "Tide Blog"}, []string{batch.Kind, string(s.Channel), s.Origin, s.OriginName})
	same(t, []source.Outline{{Title: "Checkpoints explained", Address: "https://tide.example.org/feed.xml", Page: "https://tide.example.org/blog/checkpoints?ref=1"}}, batch.Outlines)
	holds(t, s.Body, []string{"A checkpoint moves pages", "## When it fails", "[readers](https://tide.example.org/readers)", "![Size of the log](https://tide.example.org/chart.png)", "```sql\nPRAGMA wal_checkpoint;\n```"},
		[]string{"steal()", "About this blog", "Subscribe", "p.gif", "# Checkpoints explained", "utm_"})
}

func TestPageAddress(t *testing.T) {
	page := func(head string) string {
		return "<html><head><title>t</title>" + head + "</head><body><p>Some words of a page.</p></body></html>"
	}
	for name, test := range map[string]struct{ text, fetched, want string }{
		"another site's":  {page(`<link rel="canonical" href="https://famous.example/">`), "https://own.example/a", "https://own.example/a"},
		"its own":         {page(`<link rel="canonical" href="https://www.own.example/b">`), "https://own.example/a", "https://www.own.example/b"},
		"of a file":       {page(`<link rel="canonical" href="https://own.example/b">`), "", "https://own.example/b"},
		"saved":           {"<!-- saved from url=(0021)https://own.example/c -->\n" + page(""), "", "https://own.example/c"},
		"saved as one":    {"<!DOCTYPE html><!--\n Page saved with SingleFile \n url: https://own.example/d \n-->" + page(""), "", "https://own.example/d"},
		"unknown":         {page(""), "", ""},
		"no web address":  {page(`<link rel="canonical" href="javascript:x">`), "", ""},
		"only what it is": {page(`<meta property="og:url" content="https://own.example/e">`), "", "https://own.example/e"},
	} {
		t.Run(name, func(t *testing.T) {
			batch, err := source.Read(t.Context(), source.Input{Name: "file", Content: []byte(test.text), Address: test.fetched, Now: now})
			if err != nil {
				t.Fatal(err)
			}
			same(t, test.want, batch.Signals[0].Address)
			holds(t, batch.Signals[0].Body, []string{"Some words of a page."}, nil)
		})
	}
}

func TestTexts(t *testing.T) {
	clip := "---\ntitle: \"A page: clipped\"\nsource: https://clip.example/a?utm_source=x\nauthor:\n  - \"[[Ada L.]]\"\npublished: 2026-03-01\ncreated: 2026-03-05\ndescription: What it says\ntags:\n  - clippings\n  - \"go lang\"\n---\n# A page: clipped\n\nText with [[link]].\n"
	batch := readText(t, clip)
	s := batch.Signals[0]
	same(t, []row{{"A page: clipped", "https://clip.example/a", "2026-03-01T00:00:00Z", "", "Ada L.", []string{"clippings", "go lang"}}}, rowsOf(batch))
	same(t, []string{"markdown", "page", "Text with [[link]].", "clip.example"}, []string{batch.Kind, string(s.Channel), s.Body, s.Origin})

	batch = readText(t, "# Build fails\n\n- one\n")
	same(t, []string{"markdown", "tool", "Build fails", "- one"}, []string{batch.Kind, string(batch.Signals[0].Channel), batch.Signals[0].Title, batch.Signals[0].Body})

	batch, err := source.Read(t.Context(), source.Input{Name: "file", Content: []byte("Remember the milk_x. And *more*.\r\n"), Channel: intake.Capture, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	same(t, []string{"text", "capture", "Remember the milk_x.", `Remember the milk_x. And \*more\*.`}, []string{batch.Kind, string(batch.Signals[0].Channel), batch.Signals[0].Title, batch.Signals[0].Body})

	same(t, "no frontmatter", strings.SplitN(readText(t, "---\nno frontmatter\n---\nx").Signals[0].Title, "\n", 2)[0])
}

func TestKinds(t *testing.T) {
	for text, want := range map[string]string{
		"<html><p>x</p>": "html", "<!-- c --><p>x</p>": "html", "<details>\nx\n</details>\n\n# y": "text", "plain": "text", "<rss><channel><item><title>a</title></item></channel></rss>": "rss",
		"\ufeff  {\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"t\",\"items\":[]}":                                                         "jsonfeed",
		"From: a@b.example\nSubject: x\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n\nx":                                                                        "eml",
		"120\nFrom: a@b.example\nSubject: x\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nTo: c@d.example\nMessage-ID: <1@b>\n\nthe text of it..........<plist>": "eml",
		"Subject: a note of mine\nwith text": "text", "<?xml version=\"1.0\"?><svg/>": "", "{\"a\":1}": "", "\x00\x01": "", "": "", "%PDF-1.4\n\xff\xfe\x00": "",
	} {
		batch, err := source.Read(t.Context(), source.Input{Name: "file", Content: []byte(text), Now: now})
		kind := batch.Kind
		if kind == "markdown" {
			kind = "text"
		}
		if kind != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, source.ErrUnknown) {
			t.Errorf("%q is %q, want %q: %v", text, batch.Kind, want, err)
		}
	}
}

// mailText is a mail of HTML whose link is the one given.
func mailText(link string) string {
	return "From: a@b.example\nSubject: x\nMessage-ID: <1@b>\nContent-Type: text/html\n\n<p>Read <a href=\"" + link + "\">it</a>.</p>"
}

func TestUnwrapped(t *testing.T) {
	target := "https://site.example/a?b=1"
	escaped := url.QueryEscape(target)
	for link, want := range map[string]string{
		"https://click.example.org/t?u=" + escaped + "&id=1":                                               target,
		"https://links.example.org/x?d=" + base64.RawURLEncoding.EncodeToString([]byte(target)):            target,
		"https://links.example.org/ls/" + base64.URLEncoding.EncodeToString([]byte(target)) + "/x":         target,
		"https://abc.awstrack.me/L0/" + strings.ReplaceAll(escaped, "%2F", "%2F") + "/1/xyz":               target,
		"https://nam02.safelinks.protection.outlook.com/?url=" + escaped + "&data=x":                       target,
		"https://www.google.com/url?q=" + escaped:                                                          target,
		"https://example.org/track/click?url=" + url.QueryEscape("https://click.example.org/t?u="+escaped): target,
		"https://click.example.org/t?u=" + url.QueryEscape(target+"&utm_source=mail"):                      target,
		"https://click.example.org/opaque/abc":                                                             "https://click.example.org/opaque/abc",
		"https://web.archive.org/web/2020/https://site.example/":                                           "https://web.archive.org/web/2020/https://site.example/",
		"https://shop.example/login?next=https%3A%2F%2Fshop.example%2F":                                    "https://shop.example/login?next=https%3A%2F%2Fshop.example%2F",
		"https://site.example/page?image=https%3A%2F%2Fsite.example%2Fx.png":                               "https://site.example/page?image=https%3A%2F%2Fsite.example%2Fx.png",
		"https://click.example.org/t?u=javascript%3Aalert(1)":                                              "https://click.example.org/t?u=javascript%3Aalert(1)",
	} {
		got := readText(t, mailText(strings.ReplaceAll(link, "&", "&amp;"))).Signals[0].Body
		if diff := cmp.Diff("Read [it]("+want+").", got); diff != "" {
			t.Errorf("%s:\n%s", link, diff)
		}
	}
}

func TestFooters(t *testing.T) {
	head := "From: a@b.example\nSubject: x\nMessage-ID: <1@b>\nList-Unsubscribe: <https://b.example/out/77>\nContent-Type: text/"
	for name, test := range map[string][2]string{
		"paragraph":        {"html\n\n<p>Text.</p><p>No more? <a href='https://b.example/x'>Unsubscribe</a></p>", "Text."},
		"by the header":    {"html\n\n<p>Text.</p><p><a href='https://b.example/out/77'>here</a></p>", "Text."},
		"in the middle":    {"html\n\n<p>One.</p><p>You are receiving this email because you signed up.</p><p>Two.</p>", "One.\n\nTwo."},
		"German":           {"html\n\n<p>Text.</p><p>Kein Interesse? <a href='https://b.example/x'>Newsletter abbestellen</a></p>", "Text."},
		"within much text": {"html\n\n<div>" + strings.Repeat("Much text of it. ", 60) + "<a href='https://b.example/x'>unsubscribe</a></div>", strings.TrimSpace(strings.Repeat("Much text of it. ", 60))},
		"about it":         {"html\n\n<h2>How to unsubscribe users</h2><p>Send one request, and be done.</p>", "## How to unsubscribe users\n\nSend one request, and be done."},
		"in the browser":   {"html\n\n<p><a href='https://b.example/v'>View this email in your browser</a></p><p>Text.</p>", "Text."},
		"plain":            {"plain\n\nText.\n\nTo unsubscribe, go to https://b.example/out/77\n", "Text."},
		"signature":        {"plain\n\nText.\n\n-- \nAda\nhttps://b.example/\n", "Text."},
		"flowed, signed":   {"plain; format=flowed\n\nOne.\n-- \nAda\n", "One."},
		"flowed":           {"plain; format=flowed\n\nOne line \nthat goes on.\n\n> a quote \n> goes on\n", "One line that goes on.\n\n> a quote goes on"},
	} {
		t.Run(name, func(t *testing.T) { same(t, test[1], readText(t, head+test[0]).Signals[0].Body) })
	}
}
