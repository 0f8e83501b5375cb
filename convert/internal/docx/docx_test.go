package docx_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/convert/export"
)

const fixtures = "../../../fixtures/intake/gdocs/"

// expected is the Markdown that the fixture's EXPECT.md shows.
func expected(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(fixtures + "EXPECT.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(content), "```markdown\n")
	text, _, found := strings.Cut(rest, "\n```\n")
	if !found {
		t.Fatal("EXPECT.md shows no Markdown")
	}
	return text
}

// TestFixture holds each line of the fixture's EXPECT.md, and the whole of its Markdown.
func TestFixture(t *testing.T) {
	got := read(t, fixtures+"in")
	if got.err != nil || len(got.Problems) > 0 || len(got.Lost) > 0 || len(got.LeftOut) > 0 || len(got.dead) > 0 || len(got.notes) != 1 {
		t.Fatal(got.err, got.Problems, got.Lost, got.LeftOut, got.dead)
	}
	note := got.notes["field-trip"]
	// Spelled otherwise: the picture is an embed, with its width.
	want := strings.Replace(expected(t), "![](field-trip/image1.png)", "![[image1.png|8]]", 1)
	if diff := cmp.Diff(want, note.Body); diff != "" {
		t.Error(diff)
	}
	if stamp := note.Created.Format(time.RFC3339); stamp != "2026-03-07T12:00:00Z" || note.Title != "Field trip" || !slices.Equal(note.Names, []string{"Field trip to the tide mill"}) {
		t.Errorf("created %s, title %q, names %q", stamp, note.Title, note.Names)
	}
	if len(got.Attachments) != 1 || got.Attachments[0].Path != "field-trip/image1.png" {
		t.Fatal(got.Attachments)
	}
	if content, err := got.Attachments[0].Read(); err != nil || !strings.HasPrefix(string(content), "\x89PNG") {
		t.Error(err)
	}
}

const (
	declaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`
	spaces      = ` xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"` +
		` xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"` +
		` xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"`
)

// parts are the parts of a document, by name.
type parts map[string]string

func bodyOf(body string) string {
	return declaration + "<w:document" + spaces + "><w:body>" + body + "</w:body></w:document>"
}

// sample is a document with a few styles and lists.
func sample(body string) parts {
	style := func(id, name, more string) string {
		return `<w:style w:type="paragraph" w:styleId="` + id + `"><w:name w:val="` + name + `"/>` + more + `</w:style>`
	}
	level := func(at, format, text string) string {
		return `<w:lvl w:ilvl="` + at + `"><w:start w:val="1"/><w:numFmt w:val="` + format + `"/><w:lvlText w:val="` + text + `"/></w:lvl>`
	}
	return parts{
		"word/document.xml": bodyOf(body),
		"word/styles.xml": declaration + "<w:styles" + spaces + ">" + style("T", "Title", "") + style("berschrift1", "Kapitel", `<w:pPr><w:outlineLvl w:val="0"/></w:pPr>`) + style("H2", "heading 2", "") + style("H7", "heading 7", "") +
			style("Own", "My heading", `<w:basedOn w:val="H2"/>`) + style("Q", "Quote", "") + style("C", "HTML Preformatted", "") + style("M", "Listing of mine", `<w:rPr><w:rFonts w:ascii="Consolas"/></w:rPr>`) + style("LC", "List Continue", "") + style("LB", "List Bullet", "") + style("LN", "List Number", "") + style("LN2", "List Number 2", "") +
			style("Loop", "x", `<w:basedOn w:val="Loop"/>`) + style("TOC1", "toc 1", "") + `<w:style w:type="character" w:styleId="Strong"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style><w:style w:type="character" w:styleId="V"><w:name w:val="HTML Code"/></w:style></w:styles>`,
		"word/numbering.xml": declaration + "<w:numbering" + spaces + `><w:abstractNum w:abstractNumId="0">` + level("0", "bullet", "•") + level("1", "bullet", "o") + `</w:abstractNum><w:abstractNum w:abstractNumId="1">` + level("0", "decimal", "%1.") + level("1", "lowerLetter", "%2)") +
			`</w:abstractNum><w:abstractNum w:abstractNumId="2">` + level("0", "bullet", "☐") + `</w:abstractNum>` +
			`<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num><w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num></w:numbering>`,
		"word/footnotes.xml":            declaration + "<w:footnotes" + spaces + `><w:footnote w:id="7">` + paragraph("", run("", "first ")+`<w:hyperlink r:id="r1">`+run("", "there")+`</w:hyperlink>`) + paragraph("", run("", "second")) + `</w:footnote></w:footnotes>`,
		"word/endnotes.xml":             declaration + "<w:endnotes" + spaces + `><w:endnote w:id="7">` + paragraph("", run("", "at the end")) + `</w:endnote></w:endnotes>`,
		"word/_rels/footnotes.xml.rels": declaration + `<Relationships xmlns="x"><Relationship Id="r1" Type="x/hyperlink" Target="https://note.example/" TargetMode="External"/></Relationships>`,
		"word/_rels/document.xml.rels": declaration + `<Relationships xmlns="x"><Relationship Id="r1" Type="x/hyperlink" Target="https://a.example/x_(y)?a=1&amp;b=2" TargetMode="External"/><Relationship Id="r2" Type="x/image" Target="media/a b.png"/>` +
			`<Relationship Id="r3" Type="x/image" Target="https://pictures.example/p.png" TargetMode="External"/><Relationship Id="r4" Type="x/hyperlink" Target="other%20one.docx" TargetMode="External"/><Relationship Id="r5" Type="x/image" Target="../../../etc/passwd"/>` +
			`<Relationship Id="r6" Type="x/hyperlink" Target="file:///C:/x.txt" TargetMode="External"/><Relationship Id="r7" Type="x/hyperlink" Target="#place" TargetMode="External"/></Relationships>`,
		"word/media/a b.png": "png",
	}
}

func run(properties, text string) string {
	return "<w:r><w:rPr>" + properties + `</w:rPr><w:t xml:space="preserve">` + text + "</w:t></w:r>"
}

func paragraph(properties, content string) string {
	return "<w:p><w:pPr>" + properties + "</w:pPr>" + content + "</w:p>"
}

func styled(style, text string) string {
	return paragraph(`<w:pStyle w:val="`+style+`"/>`, run("", text))
}

func listed(number, level, text string) string {
	return paragraph(`<w:numPr><w:ilvl w:val="`+level+`"/><w:numId w:val="`+number+`"/></w:numPr>`, run("", text))
}

func (p parts) write(t testing.TB, name string) {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for part, content := range p {
		entry, err := w.Create(part)
		if err == nil {
			_, err = entry.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// readBody imports a document of some elements, and gives its Markdown.
func readBody(t testing.TB, body string) (string, imported) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.docx")
	sample(body).write(t, name)
	got := read(t, name)
	return got.notes["a"].Body, got
}

const drawing = `<w:r><w:drawing><wp:inline><wp:extent cx="2286000" cy="9525"/><wp:docPr id="1" name="n" descr="A [boat]"/><a:graphic><a:graphicData><a:blip EMBED/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`

func field(instruction, result string) string {
	return `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ` + instruction + ` </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>` + run("", result) + `<w:r><w:fldChar w:fldCharType="end"/></w:r>`
}

func TestParagraphs(t *testing.T) {
	p := func(content ...string) string { return paragraph("", strings.Join(content, "")) }
	for _, test := range []struct{ name, body, want string }{
		{"styles", styled("T", "Name") + styled("berschrift1", "One") + styled("Own", "Two") + styled("H7", "Seven") + styled("Loop", "plain") + styled("none", "too"), "# Name\n\n## One\n\n### Two\n\n###### Seven\n\nplain\n\ntoo"},
		{"no title", styled("berschrift1", "One") + styled("H2", "Two"), "# One\n\n## Two"},
		{"outline of its own", paragraph(`<w:outlineLvl w:val="1"/>`, run("<w:b/>", "Head")), "## Head"},
		{"quote and code", styled("Q", "a") + styled("Q", "b") + styled("C", "x := `1`") + styled("M", "  y * 2") + styled("", "end"), "> a\n>\n> b\n\n```\nx := `1`\n  y * 2\n```\n\nend"},
		{"code by its font", p(run(`<w:rFonts w:ascii="Roboto Mono"/>`, "a {")) + p("") + p(run(`<w:rFonts w:ascii="Roboto Mono"/>`, "  b"), run("", " "), run(`<w:rFonts w:ascii="Courier New"/>`, "}")) + p(run("", "text")) + p(run(`<w:rFonts w:ascii="Consolas"/>`, "one")), "```\na {\n\n  b }\n```\n\ntext\n\n`one`"},
		{"blank lines of code", styled("C", "a") + styled("C", "") + styled("C", "b"), "```\na\n\nb\n```"},
		{"marks hug words", p(run("<w:b/>", " a b "), run("", "c"), run("<w:i/>", "d"), run("<w:b/><w:i/>", "e")), "**a b** c*d**e***"},
		{"marks and signs", p(run("<w:b/>", "Note:"), run("", "x "), run("<w:b/>", "(y)"), run("", "z")), "**Note**:x **(y**)z"},
		{"marks go on over blanks", p(run("<w:b/>", "a"), run("", " "), run("<w:b/>", "b")), "**a b**"},
		{"marks change at blanks", p(run("<w:b/><w:i/>", "a!"), run("<w:i/>", " b"), run("", " "), run("<w:b/><w:strike/>", "c"), run("<w:b/>", " d")), "***a!*** *b* ~~**c**~~ **d**"},
		{"two kinds of marks within a word", p(run("", "a"), run("<w:b/><w:strike/>", "b"), run("", "c")), "a~~b~~c"},
		{"off again", p(run(`<w:rStyle w:val="Strong"/>`, "a"), run(`<w:rStyle w:val="Strong"/><w:b w:val="0"/>`, "b")), "**a**b"},
		{"other marks", p(run(`<w:highlight w:val="yellow"/>`, "h"), run("", " "), run(`<w:shd w:fill="ffff00"/>`, "s"), run("", " "), run(`<w:shd w:fill="eeeeee"/>`, "g"), run("", " "), run("<w:dstrike/>", "d"), run("", " "), run(`<w:rStyle w:val="V"/>`, "c`d")), "==h s== g ~~d~~ `` c`d ``"},
		{"raised", p(run("", "m"), run(`<w:vertAlign w:val="superscript"/>`, "2"), run("", " H"), run(`<w:vertAlign w:val="subscript"/>`, "2"), run("", "O 1"), run(`<w:vertAlign w:val="superscript"/>`, "st")), "m² H₂O 1st"},
		{"escapes", p(run("", "- a")) + p(run("", "1. b")) + p(run("", "> c")) + p(run("", "# d")) + p(run("", "===")) + p(run("", "+ e")) + p(run("", "---")) + p(run("", "&lt;b&gt; [x](y) `z` $1 $2")), "\\- a\n\n1\\. b\n\n\\> c\n\n\\# d\n\n\\=\\=\\=\n\n\\+ e\n\n\\---\n\n\\<b> \\[x\\](y) \\`z\\` \\$1 \\$2"},
		{"signs", p(`<w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b` + "\u00ad" + `c</w:t><w:softHyphen/><w:cr/><w:sym w:font="Wingdings" w:char="F0E0"/><w:sym w:font="Symbol" w:char="F061"/><w:br w:type="page"/></w:r>`), "a-bc\n→α"},
		{"hidden", p(run("<w:vanish/>", "secret"), run("", "seen")), "seen"},
		{"links", p(`<w:hyperlink r:id="r1">`, run("", "a "), run("<w:b/>", "b"), `</w:hyperlink>`, run("", ". "), field(`HYPERLINK "https://f.example/" \l "part" \o "tip"`, "field"), run("", " "), `<w:fldSimple w:instr=" HYPERLINK https://g.example ">`, run("", "https://g.example"), `</w:fldSimple>`), "[a **b**](https://a.example/x_%28y%29?a=1&b=2). [field](https://f.example/#part) https://g.example"},
		{"redirects", p(field(`HYPERLINK "https://www.google.com/url?q=https%3A%2F%2Fa.example%2F%3Fb%3Dc%2526d&amp;sa=D"`, "once"), run("", " "), field(`HYPERLINK "https://www.google.de/url?q=https://www.google.com/url?q%3Dhttps://a.example/"`, "twice"), run("", " "), field(`HYPERLINK "https://www.google.com/url?q=javascript:x()"`, "no")), "[once](https://a.example/?b=c%26d) [twice](https://www.google.com/url?q=https://a.example/) [no](https://www.google.com/url?q=javascript:x%28%29)"},
		{"links that go nowhere", p(`<w:hyperlink r:id="r6">`, run("", "file"), `</w:hyperlink>`, run("", " "), field(`HYPERLINK "javascript:x()"`, "run"), `<w:hyperlink w:anchor="none">`, run("", " place"), `</w:hyperlink>`, `<w:hyperlink r:id="none">`, run("", " nothing"), `</w:hyperlink>`), "file run place nothing"},
		{"links within", paragraph(`<w:pStyle w:val="H2"/>`, `<w:bookmarkStart w:name="head"/>`+run("", "A (b) 100%")) + p(`<w:bookmarkStart w:name="place"/>`, run("", "x ")+field(`REF head \h`, "ref"), `<w:hyperlink r:id="r7">`, run("", " near"), `</w:hyperlink>`), "## A (b) 100%\n\nx [ref](#A%20%28b%29%20100%25) [near](#A%20%28b%29%20100%25)"},
		{"other fields", p(run("", "page "), field("PAGE", "3"), run("", " of "), `<w:fldSimple w:instr="NUMPAGES">`, run("", "4"), `</w:fldSimple>`), "page 3 of 4"},
		{"other document", p(`<w:hyperlink r:id="r4">`, run("", "it"), `</w:hyperlink>`), "it"},
		{"tracked", p(`<w:ins>`, run("", "new"), `</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveTo>`, run("", " here"), `</w:moveTo><w:moveFrom>`, run("", "gone"), `</w:moveFrom>`), "new here"},
		{"containers", `<w:sdt><w:sdtPr/><w:sdtContent>` + p(run("", "a"), `<w:smartTag>`, run("", "b"), `</w:smartTag><w:sdt><w:sdtContent>`, run("", "c"), `</w:sdtContent></w:sdt>`) + `</w:sdtContent></w:sdt>`, "abc"},
		{"comment", p(`<w:commentRangeStart w:id="1"/>`, run("", "a"), `<w:commentRangeEnd w:id="1"/><w:r><w:commentReference w:id="1"/></w:r>`), "a"},
		{"notes", p(run("", "a"), `<w:r><w:endnoteReference w:id="7"/></w:r>`, run("", " b"), `<w:r><w:footnoteReference w:id="7"/></w:r><w:r><w:footnoteReference w:id="99"/></w:r>`), "a[^1] b[^2]\n\n[^1]: at the end\n[^2]: first [there](https://note.example/)\n\n    second"},
		{"pictures", p(strings.Replace(drawing, "EMBED", `r:embed="r2"`, 1), strings.Replace(drawing, "EMBED", `r:link="r3"`, 1), strings.Replace(drawing, "EMBED", `r:embed="r5"`, 1)), `![[a b.png|A \[boat\]240]]![A \[boat\]](https://pictures.example/p.png)A \[boat\]`},
		{"lines", p(run("", "a")) + paragraph(`<w:pBdr><w:bottom w:val="single"/></w:pBdr>`, "") + p(run("", "b")) + p(`<w:r><w:pict><v:rect o:hr="t" xmlns:o="o"/></w:pict></w:r>`) + paragraph(`<w:pBdr><w:bottom w:val="single"/></w:pBdr>`, run("", "c")), "a\n\n---\n\nb\n\n---\n\nc"},
		{"first letter", paragraph(`<w:framePr w:dropCap="drop"/>`, run("", "D")) + p(run("", "rop cap.")), "Drop cap."},
		{"text box", p(run("", "before"), `<mc:AlternateContent><mc:Choice><w:r><w:drawing><w:txbxContent>`, p(run("", "in the box")), `</w:txbxContent></w:drawing></w:r></mc:Choice><mc:Fallback><w:r><w:pict><v:textbox><w:txbxContent>`, p(run("", "in the box")), `</w:txbxContent></v:textbox></w:pict></w:r></mc:Fallback></mc:AlternateContent>`, run("", " after")), "before after\n\nin the box"},
		{"formula", p(run("", "so "), `<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>`), "so a/b"},
		{"contents", styled("TOC1", "One 3") + `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>` + p(run("", "Two 4")) + `</w:sdtContent></w:sdt>` + p(run("", "text")), "text"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, all := readBody(t, test.body)
			if diff := cmp.Diff(test.want, got); diff != "" || all.err != nil {
				t.Error(diff, all.err, all.Problems)
			}
		})
	}
}

func TestLists(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"levels", listed("1", "0", "a") + listed("1", "1", "b") + listed("1", "0", "c"), "- a\n  - b\n- c"},
		{"numbers", listed("2", "0", "a") + listed("2", "1", "b") + listed("2", "1", "c") + listed("2", "0", "d") + listed("2", "1", "e"), "1. a\n   1. b\n   2. c\n2. d\n   1. e"},
		{"goes on behind a text", listed("2", "0", "a") + styled("", "text") + listed("2", "0", "b"), "1. a\n\ntext\n\n2. b"},
		{"another list", listed("2", "0", "a") + listed("3", "0", "b") + listed("3", "0", "c"), "1. a\n5) b\n6) c"},
		{"a level left out", listed("1", "1", "a") + listed("1", "0", "b"), "- a\n- b"},
		{"by the names of styles", styled("LN", "a") + styled("LN2", "b") + styled("LN2", "c") + styled("LN", "d") + styled("", "text") + styled("LN", "e") + styled("LB", "f"), "1. a\n   1. b\n   2. c\n2. d\n\ntext\n\n1. e\n- f"},
		{"none", listed("0", "0", "a") + listed("99", "0", "b"), "a\n\nb"},
		{"goes on in an item", listed("1", "0", "a") + styled("LC", "more") + listed("1", "0", "b"), "- a\n\n  more\n- b"},
		{"tasks", listed("4", "0", "a") + styled("", "☒ b") + styled("", "☐ c"), "- [ ] a\n- [x] b\n- [ ] c"},
		{"break in an item", paragraph(`<w:numPr><w:numId w:val="1"/></w:numPr>`, "<w:r><w:t>a</w:t><w:br/><w:t>- b</w:t></w:r>"), "- a\n  \\- b"},
	} {
		got, all := readBody(t, test.body)
		if diff := cmp.Diff(test.want, got); diff != "" || all.err != nil || len(all.Problems) > 0 {
			t.Errorf("%s: %s %v %v", test.name, diff, all.err, all.Problems)
		}
	}
}

func table(rows ...string) string { return "<w:tbl>" + strings.Join(rows, "") + "</w:tbl>" }

func row(cells ...string) string { return "<w:tr>" + strings.Join(cells, "") + "</w:tr>" }

func cell(properties string, content ...string) string {
	return "<w:tc><w:tcPr>" + properties + "</w:tcPr>" + strings.Join(content, "") + "</w:tc>"
}

func TestTables(t *testing.T) {
	p := func(text string) string { return styled("", text) }
	for _, test := range []struct{ name, body, want string }{
		{"merged", table(row(cell(`<w:gridSpan w:val="2"/>`, p("a")), cell("", p("b"))), row(cell(`<w:vMerge w:val="restart"/>`, p("c")), cell("", p("d")), cell("", p("e"))), row(cell(`<w:vMerge/>`, p("")), cell("", p("f")))), "| a | | b |\n| --- | --- | --- |\n| c | d | e |\n| | f | |"},
		{"in a table", table(row(cell("", p("a")), cell("", table(row(cell("", p("b")), cell("", p("c"))), row(cell("", p("d")), cell("", p("e")))), p("f")))), "| a | b, c<br>d, e<br>f |\n| --- | --- |"},
		{"lists in cells", table(row(cell("", p("a|b")), cell("", listed("1", "0", "x"), listed("2", "0", "y")))), "| a\\|b | • x<br>1. y |\n| --- | --- |"},
		{"empty rows", table(row(cell("", p("")), cell("", p(""))), row(cell("", p("a")), cell("", p("b"))), row(cell("", p("")), cell("", p("")))) + table(row(cell("", p("")), cell("", p("")))) + p("c"), "| a | b |\n| --- | --- |\n\nc"},
		{"a frame", p("a") + table(row(cell("", styled("H2", "In"), p("b")))) + p("c"), "a\n\n## In\n\nb\n\nc"},
		{"side by side", table(row(cell("", p("a")), cell("", p("b")))) + table(row(cell("", p("c")), cell("", p("d")))), "| a | b |\n| --- | --- |\n\n| c | d |\n| --- | --- |"},
	} {
		got, all := readBody(t, test.body)
		if diff := cmp.Diff(test.want, got); diff != "" || all.err != nil || len(all.Problems) > 0 {
			t.Errorf("%s: %s %v %v", test.name, diff, all.err, all.Problems)
		}
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	link := sample(paragraph("", `<w:hyperlink r:id="r4">`+run("", "it")+`</w:hyperlink>`))
	link["docProps/core.xml"] = declaration + `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Own name</dc:title><dc:creator>Ann</dc:creator><cp:keywords>sea, tide mill</cp:keywords><dcterms:created>2026-01-02T03:04:05Z</dcterms:created><dcterms:modified>2026-01-03T03:04:05+01:00</dcterms:modified></cp:coreProperties>`
	link.write(t, filepath.Join(dir, "a.docx"))
	sample(styled("T", "Styled name")).write(t, filepath.Join(dir, "other one.docx"))
	for name, content := range map[string]string{"~$a.docx": "x", "old.doc": "x", "b.txt": "x", "locked.docx": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "broken.docx": "PK", "empty.docx": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := read(t, dir)
	a := got.notes["a"]
	if a.Body != "[[other one|it]]" || a.Title != "Own name" || !slices.Equal(a.Tags, []string{"sea", "tide mill"}) || a.Created.Format(time.RFC3339) != "2026-01-02T03:04:05Z" || a.Updated.Format(time.RFC3339) != "2026-01-03T02:04:05Z" || !strings.Contains(a.String(), "author: Ann\n") {
		t.Error(a)
	}
	if other := got.notes["other one"]; other.Title != "Styled name" || other.Created.IsZero() {
		t.Error(other)
	}
	want := map[string][]string{"lock of an open document": {"~$a.docx"}, "old format; save it as .docx": {"old.doc"}, "no document of Word": {"b.txt"}}
	if diff := cmp.Diff(want, got.LeftOut); diff != "" || len(got.Problems) != 3 || got.err != nil {
		t.Error(diff, got.Problems, got.err)
	}
	if got := read(t, t.TempDir()); !errors.Is(got.err, export.ErrNothing) {
		t.Error(got.err)
	}
}
