package docx_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/convert/export"
	"quarry/convert/internal/docx"
)

// TestLost holds that what notes cannot keep is counted.
func TestLost(t *testing.T) {
	_, got := readBody(t, paragraph("", run("<w:vanish/>", "x")+run("<w:u/>", "y")+`<w:del/><w:moveFrom/><w:r><w:commentReference/></w:r><m:oMath/><w:r><w:sym w:font="Wingdings" w:char="F001"/></w:r>`+
		`<w:r><w:drawing/></w:r><w:r><w:object/></w:r><w:hyperlink w:anchor="none">`+run("", "z")+`</w:hyperlink><w:hyperlink r:id="r6">`+run("", "f")+`</w:hyperlink>`+field(`HYPERLINK "javascript:x()"`, "run")+run(`<w:vertAlign w:val="superscript"/>`, "st"))+listed("2", "1", "b")+styled("TOC1", "t")+`<w:altChunk/>`)
	want := map[string]int{
		"hidden text": 1, "underline": 1, "deletion that was tracked": 2, "comment": 1, "formula, of which the text stays": 1, "sign of a font": 1, "drawing": 1, "embedded object": 1, "link within a document, of which the text stays": 1,
		"link to a file of another machine, of which the text stays": 1, "address that runs": 1, "superscript or subscript": 1, "letters and Roman figures of a list, which are numbers now": 1, "table of contents": 1, "document within a document": 1,
	}
	if diff := cmp.Diff(want, got.Lost); diff != "" {
		t.Error(diff)
	}
}

// TestHostile holds bounds for what is made to break a reader: each bad document is reported or read in part, and a good one beside
// it is taken.
func TestHostile(t *testing.T) {
	text := func(p parts, part, content string) parts { p[part] = content; return p }
	entities := `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`
	nest := func(open, closing string, depth int) string {
		return strings.Repeat(open, depth) + styled("", "deep") + strings.Repeat(closing, depth)
	}
	runs := strings.Repeat(run("<w:b/>", "a")+run("", " ")+run("<w:i/>", "b"), 20_000)
	for name, p := range map[string]parts{
		"entities":            text(sample(""), "word/document.xml", strings.Replace(bodyOf(styled("", "x &b; &f;")), "<w:document", entities+"<w:document", 1)),
		"entities of styles":  text(sample(""), "word/styles.xml", declaration+entities+"<w:styles"+spaces+"/>"),
		"entities of numbers": text(sample(""), "word/numbering.xml", declaration+entities+"<w:numbering"+spaces+"/>"),
		"entities of notes":   text(sample(""), "word/footnotes.xml", declaration+entities+"<w:footnotes"+spaces+"/>"),
		"entities of links":   text(sample(""), "word/_rels/document.xml.rels", declaration+entities+"<Relationships/>"),
		"entities of names":   text(sample(""), "docProps/core.xml", declaration+entities+"<coreProperties/>"),
		"unknown entity":      sample(styled("", "first") + styled("", "&unknown;")),
		"cut":                 text(sample(""), "word/document.xml", strings.TrimSuffix(bodyOf(styled("", "first")+"<w:p>"), "</w:p></w:body></w:document>")+"<"),
		"deep tables":         sample(nest("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>", 100_000)),
		"deep controls":       sample(nest("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>", 100_000)),
		"deep boxes":          sample(nest("<w:p><w:r><w:drawing><w:txbxContent>", "</w:txbxContent></w:drawing></w:r></w:p>", 50_000)),
		"many runs":           sample(paragraph("", runs)),
		"many blanks":         sample(paragraph("", strings.Repeat(run("<w:b/>", " ")+run("<w:i/>", " "), 30_000))),
		"open fields":         sample(paragraph("", strings.Repeat(`<w:r><w:fldChar w:fldCharType="begin"/></w:r>`, 50_000))),
		"wide cells":          sample(table(strings.Repeat(row(cell(`<w:gridSpan w:val="2147483647"/>`, styled("", "x"))), 2000))),
		"long instruction":    sample(paragraph("", `<w:fldSimple w:instr="`+strings.Repeat(`HYPERLINK \l `, 100_000)+`">`+run("", "x")+"</w:fldSimple>")),
		"large part":          sample(styled("", "first") + paragraph("", run("", strings.Repeat("a", 65<<20)))),
		"large picture":       text(sample(paragraph("", strings.Replace(drawing, "EMBED", `r:embed="r2"`, 1))), "word/media/a b.png", strings.Repeat("a", 257<<20)),
		"no document":         {"word/other.xml": "x"},
		"outside":             text(text(sample(styled("", "x")), "../../out.md", "out"), "/abs.md", "out"),
		"main elsewhere":      text(sample(styled("", "x")), "_rels/.rels", declaration+`<Relationships><Relationship Id="a" Type="x/officeDocument" Target="https://evil.example/document.xml" TargetMode="External"/></Relationships>`),
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "large") && testing.Short() {
				t.Skip("takes seconds")
			}
			dir := t.TempDir()
			p.write(t, filepath.Join(dir, "a.docx"))
			sample(styled("", "good")).write(t, filepath.Join(dir, "b.docx"))
			start := time.Now()
			got := read(t, dir)
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			if got.err != nil || got.notes["b"].Body != "good" {
				t.Error(got.err, len(got.notes))
			}
			body := got.notes["a"].Body
			if strings.Contains(body, "aaaaaaaaaa") || strings.Contains(body, "root:") {
				t.Error("an entity was expanded")
			}
			isReported := len(got.Problems) > 0
			for _, a := range got.Attachments {
				_, err := a.Read()
				isReported = isReported || errors.Is(err, export.ErrTooLarge)
			}
			switch name {
			case "many runs", "many blanks", "open fields", "wide cells", "long instruction", "outside", "main elsewhere":
			default:
				if !isReported {
					t.Errorf("nothing is reported; body %.100q", body)
				}
			}
			if (name == "cut" || name == "unknown entity" || name == "large part") && !strings.HasPrefix(body, "first") {
				t.Errorf("what came before is lost: %.100q, %v", body, got.Problems)
			}
		})
	}
}

// TestOtherNames reads a document whose parts are called otherwise, as its relationships say.
func TestOtherNames(t *testing.T) {
	p := sample(styled("", "x"))
	p["text/one.xml"], p["_rels/.rels"] = p["word/document.xml"], declaration+`<Relationships><Relationship Id="a" Type="x/officeDocument" Target="/text/one.xml"/><Relationship Id="b" Type="x/core-properties" Target="own.xml"/></Relationships>`
	p["own.xml"] = declaration + `<coreProperties><title>Own</title></coreProperties>`
	delete(p, "word/document.xml")
	name := filepath.Join(t.TempDir(), "a.docx")
	p.write(t, name)
	if got := read(t, name); got.notes["a"].Body != "x" || got.notes["a"].Title != "Own" {
		t.Error(got.notes, got.Problems)
	}
}

// TestCancelled holds that an import ends when it is told to.
func TestCancelled(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.docx")
	sample(styled("", "x")).write(t, name)
	tree, err := export.Open(context.Background(), name, export.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := docx.Read(ctx, tree, export.NewBuilder("m")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(paragraph("", run("<w:b/>", "a")+run("", "b")) + listed("2", "1", "x") + table(row(cell("", styled("", "y")))))
	f.Add(paragraph("", field(`HYPERLINK "x" \l "y"`, "z")+strings.Replace(drawing, "EMBED", `r:embed="r2"`, 1)))
	f.Fuzz(func(t *testing.T, body string) {
		_, got := readBody(t, body)
		if got.err != nil || len(got.notes) > 1 {
			t.Error(got.err, len(got.notes))
		}
	})
}

var _ export.Reader = docx.Read

// TestReadFile adds one document.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	sample(styled("", "x")).write(t, filepath.Join(dir, "a.docx"))
	if err := os.WriteFile(filepath.Join(dir, "b.docx"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	tree, err := export.Open(context.Background(), dir, export.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	into := export.NewBuilder("m")
	for i, f := range tree.Files() {
		if err := docx.ReadFile(context.Background(), tree, f, into); (err != nil) != (i == 1) {
			t.Error(f.Path, err)
		}
	}
	if len(into.Notes) != 1 {
		t.Error(into.Notes)
	}
}
