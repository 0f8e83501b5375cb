package source_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"quarry/intake"
	"quarry/intake/source"
)

// oneItem reads a feed that holds one item.
func oneItem(t *testing.T, feed string) intake.Signal {
	t.Helper()
	batch := readText(t, feed)
	if len(batch.Signals) != 1 {
		t.Fatalf("%d items of %s: %v", len(batch.Signals), feed, batch)
	}
	return batch.Signals[0]
}

func TestFeedTexts(t *testing.T) {
	for name, test := range map[string]struct{ item, title, body string }{
		"doubled entities":        {`<title>AT&amp;amp;T &amp;#8212; x</title><description>&lt;p&gt;a &amp;amp; b &amp;lt;i&amp;gt;&lt;/p&gt;</description>`, "AT&T — x", `a & b \<i>`},
		"plain description":       {`<title>a</title><description>one &amp;amp; two` + "\n\n" + `*three* x &lt; y</description>`, "a", "one & two\n\n\\*three\\* x < y"},
		"CDATA and text":          {`<title>a <![CDATA[& b]]> c</title><description>x <![CDATA[<b>y</b>]]> z</description>`, "a & b c", "x **y** z"},
		"tags that are no text":   {`<title>a</title><description><p>x <b>y</b></p><p>z</p></description>`, "a", "x **y**\n\nz"},
		"title with less than":    {`<title>a < b <= c</title><description>d</description>`, "a < b <= c", "d"},
		"empty content":           {`<title>a</title><description>says it</description><content:encoded> </content:encoded>`, "a", "says it"},
		"content is before":       {`<title>a</title><content:encoded>&lt;p&gt;long&lt;/p&gt;</content:encoded><description>short</description>`, "a", "long"},
		"summary of a podcast":    {`<title>a</title><itunes:summary xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">about</itunes:summary>`, "a", "about"},
		"relative enclosure":      {`<title>a</title><description>b</description><enclosure url="/c (1).mp3"/>`, "a", "b\n\n[c (1).mp3](https://page.example/c%20%281%29.mp3)"},
		"comment in a text":       {`<title>a<!-- b --></title><description>c</description>`, "a", "c"},
		"unknown entity":          {`<title>a &foo; b</title><description>c</description>`, "a &foo; b", "c"},
		"no such character":       {"<title>a\x01\x00b &#0; &#x1F; &#xD800;c</title><description>d\xff</description>", "ab c", "d\uFFFD"},
		"pixel by its address":    {`<title>a</title><description>&lt;p&gt;b&lt;/p&gt;&lt;img src="https://pixel.example.org/b.gif?x=1"&gt;</description>`, "a", "b"},
		"quotes in an attribute":  {`<title type='x"y>z'>a</title><description>b</description>`, "a", "b"},
		"title of two lines":      {"<title>\n  a\n  b\n</title><description>c</description>", "a b", "c"},
		"title of inline HTML":    {`<title>a &lt;code&gt;b&lt;/code&gt; &lt;Vec&gt;</title><description>c</description>`, "a b <Vec>", "c"},
		"emoji by its surrogates": {`<title>a &#x1F41F;</title><description>b</description>`, "a 🐟", "b"},
	} {
		t.Run(name, func(t *testing.T) {
			s := oneItem(t, `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>f</title><link>https://page.example/blog/</link><item>`+test.item+`<guid>1</guid></item></channel></rss>`)
			same(t, test.title, s.Title)
			same(t, test.body, s.Body)
		})
	}
}

func TestFeedAddresses(t *testing.T) {
	for name, test := range map[string]struct{ item, want string }{
		"guid is a link":       {`<guid>https://a.example/1</guid>`, "https://a.example/1"},
		"guid is none":         {`<guid isPermaLink="false">https://a.example/1</guid><title>t</title>`, ""},
		"before the counter":   {`<link>https://feeds.example/~r/1</link><feedburner:origLink xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0">https://a.example/2</feedburner:origLink>`, "https://a.example/2"},
		"relative":             {`<link>../x?a=1</link>`, "https://page.example/x?a=1"},
		"with blanks":          {"<link>\n https://a.example/3 \n</link>", "https://a.example/3"},
		"xml:base":             {`<link xml:base="https://b.example/c/">d</link>`, "https://b.example/c/d"},
		"link of Atom":         {`<atom:link xmlns:atom="http://www.w3.org/2005/Atom" href="https://a.example/4"/><title>t</title>`, "https://a.example/4"},
		"of an alert":          {`<link>https://www.google.com/url?rct=j&amp;sa=t&amp;url=https://a.example/5%3Fx%3D1&amp;ct=ga</link>`, "https://a.example/5?x=1"},
		"trackers":             {`<link>https://a.example/6?utm_source=x&amp;id=7&amp;fbclid=y#part</link>`, "https://a.example/6?id=7#part"},
		"trackers alone":       {`<link>https://a.example/6?utm_source=x</link>`, "https://a.example/6"},
		"runs":                 {`<link>javascript:alert(1)</link><title>t</title>`, ""},
		"name and password":    {`<link>https://u:p@a.example/7</link>`, "https://a.example/7"},
		"neither http nor web": {`<link>ftp://a.example/</link><title>t</title>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, test.want, oneItem(t, `<rss><channel><link>https://page.example/blog/</link><item>`+test.item+`</item></channel></rss>`).Address)
		})
	}
}

func TestFeedEncodings(t *testing.T) {
	text := `<?xml version="1.0" encoding="%s"?>` + "\n<rss><channel><item><title>%s</title></item></channel></rss>"
	wide := func(text string, isBig bool) string {
		var b []byte
		for _, unit := range utf16.Encode([]rune("\uFEFF" + text)) {
			if isBig {
				b = append(b, byte(unit>>8), byte(unit))
			} else {
				b = append(b, byte(unit), byte(unit>>8))
			}
		}
		return string(b)
	}
	for name, test := range map[string][2]string{
		"ISO-8859-1":     {fmt.Sprintf(text, "ISO-8859-1", "caf\xe9"), "café"},
		"windows-1251":   {fmt.Sprintf(text, "windows-1251", "\xcf\xf0\xe8\xe2\xe5\xf2"), "Привет"},
		"windows-1252":   {fmt.Sprintf(text, "windows-1252", "\x80 \x93x\x94"), "€ “x”"},
		"Shift_JIS":      {fmt.Sprintf(text, "Shift_JIS", "\x93\xfa\x96\x7b"), "日本"},
		"KOI8-R":         {fmt.Sprintf(text, "koi8-r", "\xf0\xd2"), "Пр"},
		"UTF-16, little": {wide(fmt.Sprintf(text, "utf-16", "Grüße 🐟"), false), "Grüße 🐟"},
		"UTF-16, big":    {wide(fmt.Sprintf(text, "utf-16", "Grüße"), true), "Grüße"},
		"UTF-8, BOM":     {"\xef\xbb\xbf\n\n " + fmt.Sprintf(text, "utf-8", "Grüße"), "Grüße"},
		"said wrong":     {fmt.Sprintf(text, "iso-8859-1", "Grüße"), "Grüße"},
		"said UTF-16":    {fmt.Sprintf(text, "utf-16", "Grüße"), "Grüße"},
		"not said":       {strings.Replace(fmt.Sprintf(text, "", "caf\xe9 cr\xe8me br\xfbl\xe9e"), ` encoding=""`, "", 1), "café crème brûlée"},
		"unknown":        {fmt.Sprintf(text, "x-none", "Grüße"), "Grüße"},
		"one bad byte":   {fmt.Sprintf(text, "utf-8", "Grüße \xff, schöne Größe"), "Grüße \uFFFD, schöne Größe"},
	} {
		t.Run(name, func(t *testing.T) { same(t, test[1], oneItem(t, test[0]).Title) })
	}
	batch, err := source.Read(t.Context(), source.Input{Name: "file", ContentType: "text/xml; charset=windows-1251", Content: []byte("<rss><channel><item><title>\xcf\xf0</title></item></channel></rss>"), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "Пр", batch.Signals[0].Title)
}

func TestFeedDamage(t *testing.T) {
	good := `<item><title>%s</title><guid>%[1]s</guid><description>x</description></item>`
	for name, test := range map[string]struct {
		feed string
		want string // titles
		says string
	}{
		"cut":               {"<rss><channel>" + fmt.Sprintf(good, "a") + "<item><title>b</title><desc", "a", "left out"},
		"item without end":  {"<rss><channel><item><title>a</title><guid>1</guid>" + fmt.Sprintf(good, "b") + "</channel></rss>", "a b", "no end"},
		"no channel":        {"<rss>" + fmt.Sprintf(good, "a") + "</rss>", "a", ""},
		"no end at all":     {"<rss><channel>" + fmt.Sprintf(good, "a"), "a", "ends before the feed"},
		"Atom 0.3":          {`<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><title mode="escaped">a</title><id>1</id><content mode="escaped">&lt;x</content></entry></feed>`, "a", ""},
		"bad nesting":       {"<rss><channel><item><title>a</b></title><guid>1</guid><a><c></a></c></item>" + fmt.Sprintf(good, "b") + "</channel></rss>", "a b", ""},
		"undeclared prefix": {"<rss><channel><item><foo:bar>x</foo:bar><title>a</title><guid>1</guid></item></channel></rss>", "a", ""},
		"two prefixes":      {"<rss><channel><item><a:b:c>x</a:b:c><title>a</title><guid>1</guid></item></channel></rss>", "a", ""},
		"upper case":        {"<RSS><CHANNEL><ITEM><TITLE>a</TITLE></ITEM></CHANNEL></RSS>", "a", ""},
		"items behind":      {"<rss><channel><title>f</title></channel>" + fmt.Sprintf(good, "a") + "</rss>", "a", ""},
		"prefixed":          {`<atom:feed xmlns:atom="http://www.w3.org/2005/Atom"><atom:entry><atom:title>a</atom:title><atom:id>1</atom:id></atom:entry></atom:feed>`, "a", ""},
		"no namespace":      {`<feed><entry><title>a</title><id>1</id></entry></feed>`, "a", ""},
		"cut JSON":          {`{"version":"https://jsonfeed.org/version/1","title":"f","items":[{"id":"1","title":"a"},{"id":"2","ti`, "a", "whole items"},
		"JSON of odd types": {`{"version":"https://jsonfeed.org/version/1","title":7,"items":[{"id":1,"title":"a"},{"id":2,"title":["x"]},{"id":3,"title":"c"}]}`, "a c", "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			batch := readText(t, test.feed)
			var titles []string
			for _, s := range batch.Signals {
				titles = append(titles, s.Title)
			}
			same(t, test.want, strings.Join(titles, " "))
			if !strings.Contains(problems(batch), test.says) || test.says == "" && len(batch.Problems) > 0 {
				t.Errorf("the report is %q", problems(batch))
			}
		})
	}
}

func TestFeedWishes(t *testing.T) {
	sy := `xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"`
	for head, want := range map[string]time.Duration{
		"<ttl>60</ttl>": time.Hour, "<ttl>0</ttl>": 0, "<ttl>-5</ttl>": 0, "<ttl>x</ttl>": 0, "<ttl>1</ttl>": 5 * time.Minute, "<ttl>99999999999</ttl>": 30 * 24 * time.Hour,
		"<sy:updatePeriod " + sy + ">hourly</sy:updatePeriod><sy:updateFrequency " + sy + ">2</sy:updateFrequency>": 30 * time.Minute,
		"<sy:updatePeriod " + sy + "> daily </sy:updatePeriod>":                                                     24 * time.Hour,
	} {
		same(t, want, readText(t, "<rss><channel>"+head+"<item><title>a</title></item></channel></rss>").Every)
	}
}

func TestFeedAuthors(t *testing.T) {
	for item, want := range map[string]string{
		"<author>a@example.org (Ada L.)</author>": "Ada L.", "<author>Ada L. &lt;a@example.org&gt;</author>": "Ada L.", "<author>Ada</author>": "Ada",
		`<dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/"><![CDATA[Ada & Bo]]></dc:creator>`: "Ada & Bo",
	} {
		same(t, want, oneItem(t, "<rss><channel><item><title>t</title>"+item+"</item></channel></rss>").Author)
	}
}

func TestFeedOfVideos(t *testing.T) {
	s := oneItem(t, `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><entry><id>v:1</id><title>a</title><link rel="alternate" href="https://v.example/1"/>
		<media:group><media:title>a</media:title><media:content url="https://v.example/1.mp4"/><media:description>What it shows.</media:description></media:group></entry></feed>`)
	same(t, "What it shows.", s.Body)
}
