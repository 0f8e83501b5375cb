package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"quarry"
)

// explained is a passage with an explanation, of all that one can hold.
const explained = `{"file_path":"kiln.md","title":"Kiln","chunk_text":"The kiln is hot.","line_start":3,"line_end":3,"score":0.83,"bm25_rank":1,"vec_rank":12,"docid":"abcdef",
 "duplicates":["a.md","b.md","陶土\n.md","c.md","d.md"],"via":{"path":"n.md","kind":"references","direction":"back"},
 "explain":{"bm25":12.5,"cosine":-0.25,"window":0.5,"title":0.1,"headings":0,"note":0.3,"tokens":0.9,"identifier":2,
  "contributions":[{"name":"words","amount":1.23456},{"name":"window","amount":0.30001},{"name":"type weight","amount":-0.125}],
  "score":1.40957,"evidence":1.53457,"confidence":0.83}}`

var plan = `{"mode":"hybrid","fusion":"rrf","form":"S","k":60,"lexical_weight":0.8,"vector_weight":1,"depth":30,"passages":12345,"intent":"question","asks_newest":true,"selected":7,
 "terms":[{"text":"kiln","frequency":1,"idf":3.2},{"text":"` + strings.Repeat("long", 30) + `","frequency":2,"idf":1,"phrase":true,"required":true},{"text":"陶土","frequency":0,"idf":9}],
 "dropped":[{"text":"the","frequency":12000,"reason":"function word"}],"filters":["tag:a","(path:` + strings.Repeat("x", 60) + ` OR\n-tag:b)"],
 "timings":[{"stage":"plan","milliseconds":0.5},{"stage":"retrieve","milliseconds":10}]}`

func answerOf(t *testing.T) quarry.SearchAnswer {
	t.Helper()
	var answer quarry.SearchAnswer
	if err := json.Unmarshal([]byte(`{"query":"kiln","results":[`+explained+`],"plan":`+plan+`}`), &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// The amounts that are printed add up to the sum that is printed.
func TestExplanationAddsUp(t *testing.T) {
	a, out := terminal(80)
	a.printResult(1, answerOf(t).Results[0], nil, nil)
	total, sum, rows := 0.0, math.NaN(), 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		row := lines.Text()
		if !strings.HasPrefix(row, "      ") || strings.Contains(row, "·") {
			continue
		}
		at := strings.LastIndex(row, " ")
		number, err := strconv.ParseFloat(row[at+1:], 64)
		switch {
		case err != nil:
		case strings.HasPrefix(strings.TrimSpace(row), "sum"):
			sum = number
		default:
			total += number
			rows++
		}
	}
	if math.Abs(total-sum) > 1e-9 || rows != 3 {
		t.Errorf("%d amounts, %v in all, and the sum is %v", rows, total, sum)
	}
}

// Each row of an explanation keeps to the terminal but for the place, which is not broken.
func TestExplanationFits(t *testing.T) {
	for _, columns := range []int{40, 60, 100} {
		a, out := terminal(columns)
		a.printText(answerOf(t), true, nil)
		for row := range strings.SplitSeq(out.String(), "\n") {
			if runewidth.StringWidth(row) > columns {
				t.Errorf("%d columns: %d in %q", columns, runewidth.StringWidth(row), row)
			}
		}
		for _, want := range []string{"the same in a.md, b.md, 陶土␤.md and 2 notes more", "links to n.md (references)", "asks for the newest", "side by side, required", "the: function word, 12000 of 12345 passages", "let through 7 of 12345 passages"} {
			if columns == 100 && !strings.Contains(out.String(), want) {
				t.Errorf("%q is not in\n%s", want, out.String())
			}
		}
	}
	var buffer bytes.Buffer
	a, _ := terminal(80)
	a.io.Out, a.io.OutTerminal = &buffer, false
	a.printPlan(answerOf(t).Plan)
	if lines := strings.Count(buffer.String(), "\n"); lines != 12 {
		t.Errorf("not at a terminal: %d lines\n%s", lines, buffer.String())
	}
}
