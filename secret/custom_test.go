package secret_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/secret"
)

func filterOf(t testing.TB, patterns ...secret.Pattern) *secret.Filter {
	t.Helper()
	f, err := secret.New(secret.Options{Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPatterns(t *testing.T) {
	for _, row := range []struct{ name, pattern, keywords, text, want string }{
		{"a name in any case", `(?i)project-x`, "", "Project-X and PROJECT-X, not project-y", "¤ and ¤, not project-y"},
		{"a group", `customer[ :]+(\d{5})`, "", "customer: 12345, customer 6789", "customer: ¤, customer 6789"},
		{"the first group that took part", `acme=(\d+)|acme-(\w+)`, "", "acme-ab1 acme=12", "acme-¤ acme=¤"},
		{"an empty group", `acme(x?)`, "", "an acme", "an ¤"},
		{"before the keyword", `[a-z.]+@acme\.example`, "", "mail ann.lee@acme.example now", "mail ¤ now"},
		{"several on a line", `\bACME-[0-9a-f]{8}\b`, "", "ACME-0123abcd ACME-0123abcd xACME-0123abcd ACME-0123abcde", "¤ ¤ xACME-0123abcd ACME-0123abcde"},
		{"keywords of the user's", `[A-Z]{3}-\d{6}`, "prj-,XYZ-", "PRJ-123456 and ABC-123456 xyz-123456 XYZ-123456", "¤ and ABC-123456 xyz-123456 ¤"},
		{"lines", `(?s)BEGIN ACME.*?END ACME`, "", "a\nBEGIN ACME\nx\nEND ACME\nb BEGIN ACME", "a\n¤\n\n\nb BEGIN ACME"},
		{"an anchor", `^owner: .+$`, "", "owner: Ann Lee\r\nx owner: Ann\nowner: Bob", "¤\r\nx owner: Ann\n¤"},
		{"not ASCII", `(?i)größe \d+`, "", "GRÖSSE 1, Größe 12, größe 3", "GRÖSSE 1, ¤, ¤"},
		{"full width", `ＡＣＭＥ\d`, "", "ＡＣＭＥ1 acme ACME2", "¤ acme ¤"},
		{"hidden", `project_x`, "", "project\\_x project\u200b_x", "¤ ¤"},
		{"a long s", `(?i)klasse`, "", "\u212alaſſe KLASSE", "¤ ¤"},
		{"optional", `https?://intra\.acme/\S*`, "", "see http://intra.acme/a?b, ok", "see ¤ ok"},
		{"one of a few", `(?:red|green|blue)team`, "", "redteam greenteam team", "¤ ¤ team"},
	} {
		p := secret.Pattern{Name: "mine", Pattern: row.pattern}
		if row.keywords != "" {
			p.Keywords = strings.Split(row.keywords, ",")
		}
		f := filterOf(t, p)
		got, _ := f.Redact(row.text)
		if diff := cmp.Diff(strings.ReplaceAll(row.want, "¤", secret.Marker("mine")), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
		if again, counts := f.Redact(got); again != got {
			t.Errorf("%s: redacting redacted text finds %v", row.name, counts)
		}
	}
}

// TestPatternOverLine: of a match that is longer than what is looked at, the rest of the line goes too.
func TestPatternOverLine(t *testing.T) {
	f := filterOf(t, secret.Pattern{Name: "mine", Pattern: `private: .*`})
	got, _ := f.Redact("private: " + strings.Repeat("word ", 5000) + "end\nnext")
	if want := secret.Marker("mine") + "\nnext"; got != want {
		t.Errorf("%.100q, want %q", got, want)
	}
}

// TestPatternHostile: patterns made to take long or to match all there is. They may hide text, and no more.
func TestPatternHostile(t *testing.T) {
	size := 1 << 20
	if testing.Short() {
		size /= 4
	}
	for _, row := range []struct{ pattern, unit string }{
		{`the `, "the "},
		{`(?i)(?:t|th|the| )+the x`, "the "},
		{`(?s).*abc.*abc.*x`, "abc"},
		{`(?:a|b|ab)*(?:a|b|ab)*(?:a|b|ab)*abc(?:a|b|ab)*(?:a|b|ab)*(?:a|b|ab)*!`, "abc"},
		{`(?:[a-c]{0,12}){12}abc(?:[a-c]{0,12}){12}!`, "abc"},
		{`(.*)(.*)(.*)(.*)(.*)(.*)(.*)abc(.*)(.*)(.*)!`, "abc "},
		{`[a-z]*[a-z]*abc[a-z]*[a-z]*[^a-z]`, "abc"},
		{`key=\w{1,400}`, "key="},
	} {
		f := filterOf(t, secret.Pattern{Name: "mine", Pattern: row.pattern})
		timeOf := func(size int) time.Duration {
			text := bytes.Repeat([]byte(row.unit), size/len(row.unit))
			start := time.Now()
			out := secret.Apply(text, f.Find(text))
			if len(out) > 7*len(text) {
				t.Errorf("%s: %d bytes became %d", row.pattern, len(text), len(out))
			}
			return time.Since(start)
		}
		short, long := timeOf(size/4), timeOf(size)
		t.Logf("%s: %v for %d KiB", row.pattern, long, size>>10)
		if long > time.Second && long > 10*short && timeOf(size) > 10*timeOf(size/4) {
			t.Errorf("%q repeated: %v for %d KiB, %v for a quarter", row.unit, long, size>>10, short)
		}
	}
}

// TestPatternBudget: patterns that use up all their time withhold text, and what the table finds there keeps its name.
func TestPatternBudget(t *testing.T) {
	var slow []secret.Pattern
	for i := range 40 {
		slow = append(slow, secret.Pattern{Name: "slow", Pattern: fmt.Sprintf(`the .{0,200}x.{0,200}y%d`, i)})
	}
	f := filterOf(t, slow...)
	token := "gh" + "p_" + newMaker(81).of(alnum, 36)
	text := strings.Repeat("the kiln x and the glaze x ran down. ", 60) + token + strings.Repeat(" the bowl", 50)
	_, counts := f.Redact(text)
	if !named(counts, "github-token") || !named(counts, secret.Unscanned) {
		t.Errorf("%v", counts)
	}
	_, own := secret.Redact(strings.ReplaceAll(text, token, ""))
	if len(own) > 0 {
		t.Errorf("without patterns: %v", own)
	}
}

// TestPatternsOfOneName count as one rule.
func TestPatternsOfOneName(t *testing.T) {
	f := filterOf(t, secret.Pattern{Name: "staff", Pattern: `ZQ-\d{4}`}, secret.Pattern{Name: "staff", Pattern: `YP-\d{4}`})
	got, counts := f.Redact("ZQ-1234 and YP-1234")
	if want := strings.ReplaceAll("¤ and ¤", "¤", secret.Marker("staff")); got != want || len(counts) != 1 || counts[0].Count != 2 {
		t.Errorf("%q, %v", got, counts)
	}
}
