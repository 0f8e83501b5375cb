package quarry_test

import (
	"fmt"
	"strings"
	"testing"

	"quarry/internal/eval"
)

// setReport is what was measured of one set.
type setReport struct {
	set    string
	report eval.Report
}

// leastTogether is how many queries are enough to tell whether a difference is chance.
const leastTogether = 200

// checkTogether compares hybrid search by sum with that by ranks and with each leg, by paired bootstrap: over all sets together it is
// better than by ranks, and worse than a leg on none; chance aside.
func checkTogether(t *testing.T, reports []setReport) {
	all := setReport{set: "all"}
	for _, r := range reports {
		for _, q := range r.report.PerQuery {
			q.ID = r.set + " " + q.ID
			all.report.PerQuery = append(all.report.PerQuery, q)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-14s %7s  %-27s %-27s %-27s\n", "sum against", "queries", "rrf", "lexical", "vector")
	for _, r := range append(reports, all) {
		fmt.Fprintf(&b, "%-14s %7d", r.set, len(r.report.PerQuery))
		for _, way := range []string{"rrf", "lexical", "vector"} {
			d := against(r.report, way)
			fmt.Fprintf(&b, "  %+.3f (%+.3f to %+.3f)", d.Mean, d.Low, d.High)
			if way != "rrf" && d.High < 0 {
				t.Errorf("%s: by sum nDCG@10 is %+.3f against %s alone, %+.3f to %+.3f", r.set, d.Mean, way, d.Low, d.High)
			}
		}
		b.WriteString("\n")
	}
	t.Log("\n" + b.String())
	if len(all.report.PerQuery) < leastTogether {
		t.Skip("too few sets are here to tell sum from ranks")
	}
	if d := against(all.report, "rrf"); d.Low <= 0 {
		t.Errorf("by sum nDCG@10 is %+.3f against ranks, %+.3f to %+.3f: no better, or by chance", d.Mean, d.Low, d.High)
	}
}

// against is the difference between search by sum and another way.
func against(report eval.Report, way string) eval.Interval {
	var sum, other eval.Report
	for _, q := range report.PerQuery {
		q.NDCG10 = q.ByMode["sum"]
		sum.PerQuery = append(sum.PerQuery, q)
		q.NDCG10 = q.ByMode[way]
		other.PerQuery = append(other.PerQuery, q)
	}
	return eval.Compare(other, sum).Interval
}
