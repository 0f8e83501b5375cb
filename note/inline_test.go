package note_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"quarry/note"

	"github.com/google/go-cmp/cmp"
)

// pieces of Markdown that do something to each other when they meet.
var pieces = []string{
	"a", "b ", "\n", "\n\n", "[[", "]]", "[", "]", "](", ")", "(c)", "![", "%%", "$", "$$", "`", "``", "\\", "#t", "#", "<", ">", "> ", "- ", "- [ ] ",
	"1. ", "<!--", "-->", "<b", "<http://a>", "::", "k:: v", "[k:: ", "rel: x ", "[[A]]", "^id", " ^id\n", "|", "\\|", "|-", "[!edge] n: ", "[!note]",
	"**", "==", "🟢", "\t", "    ", "\r\n", "\r", "```\n", "[a]: b\n", "[a]", "[^1]: ", "[^1]", "^[", "===\n", "---\n", "📅 2031-01-01", "\u00a0", "\u2028",
	"&amp;", "\"", "'", "[x](y)", "[x](<y z> \"t\")",
}

// randomNote puts pieces together; every few of them stand in a table, in a quote or behind a definition.
func randomNote(random *rand.Rand) string {
	var text strings.Builder
	for range 2 + random.IntN(40) {
		text.WriteString(pieces[random.IntN(len(pieces))])
	}
	switch random.IntN(8) {
	case 0:
		return "|a|b|\n|-|-|\n|" + text.String()
	case 1:
		return "[a]: b\n\n" + text.String()
	case 2:
		return "> " + strings.ReplaceAll(text.String(), "\n", "\n> ")
	}
	return text.String()
}

// TestManyMarksReadAlike holds that a note of so many marks that no tree is made of them gives the facts that it would
// give with a tree.
func TestManyMarksReadAlike(t *testing.T) {
	texts := []string{mixedNote, strings.ReplaceAll(secretNote, "P", planted)}
	random := rand.New(rand.NewPCG(7, 7))
	notes := 120
	if testing.Short() {
		notes = 20
	}
	for range notes {
		texts = append(texts, randomNote(random))
	}
	for _, text := range hostile(300) {
		texts = append(texts, text)
	}
	for _, text := range texts {
		few, many := text+"\n\n!", text+"\n\n"+strings.Repeat("!", 210_000)
		tree := note.Parse("a.md", []byte(few), spansOf([]byte(few), planted))
		direct := note.Parse("a.md", []byte(many), spansOf([]byte(many), planted))
		for i, f := range direct.Fields { // one may run to the end of the padding
			direct.Fields[i].Value = strings.TrimRight(f.Value, "!")
		}
		for i, f := range tree.Fields {
			tree.Fields[i].Value = strings.TrimRight(f.Value, "!")
		}
		if diff := cmp.Diff(allFacts(tree), allFacts(direct)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func allFacts(n *note.Note) string {
	return strings.Join(strings.Fields(fmt.Sprint(n.Links, n.Tags, n.Fields, n.Blocks, n.Callouts, n.Sections, n.Omit)), " ")
}

// TestSecretInDate holds that a date that a secret touches is redacted as any other field.
func TestSecretInDate(t *testing.T) {
	raw := []byte("- [ ] a 📅 2031-01-31\n")
	n := note.Parse("a.md", raw, spansOf(raw, "31-01"))
	if len(n.Fields) != 1 || strings.Contains(n.Fields[0].Value, "31-01") {
		t.Errorf("fields %v", n.Fields)
	}
}

// TestLongLinkText holds that a text of many pages between brackets is no link, and that what is in it counts.
func TestLongLinkText(t *testing.T) {
	long := strings.Repeat("word ", 1000)
	n := parse("[" + long + "[[a]]](b) [c " + long[:2000] + "](d)")
	var targets []string
	for _, l := range n.Links {
		targets = append(targets, l.Target)
	}
	if diff := cmp.Diff([]string{"a", "d"}, targets); diff != "" {
		t.Error(diff)
	}
}
