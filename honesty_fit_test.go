package quarry_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"quarry/search"
)

// sample is a question as a confidence is fitted to it.
type sample struct {
	form     string
	vault    string
	answered bool
	evidence float64 // as the explanation has it
	rarity   float64 // mean idf of the words, 0 for forms that it is no part of
}

// Bounds of a mean idf, and the passages from which on it is taken as it is, those of package search; and how much more likely a vault is taken to speak of a query than not to, where an
// answer may be hidden: who asks mostly has a reason to.
const (
	leastMeanIDF = 4
	mostMeanIDF  = 5
	sizeOfIDF    = 120
	answeredOdds = 2
)

// mayHide are the forms by which answers are hidden.
var mayHide = []string{string(search.FormSum), string(search.FormSimpleSum), string(search.FormLexical)}

// samplesByForm gives what each scoring form said, in the way that it is asked for. Of the form without tokens, which no index here
// has, it works out what it would have said.
func samplesByForm(rows []question) map[string][]sample {
	forms := map[string][]sample{}
	for _, r := range rows {
		if r.Explain == nil || r.Set == noSet || r.Way == "rrf" { // without a result there is no evidence; rrf has that of hybrid
			continue
		}
		s := sample{form: r.Form, vault: r.Vault, answered: r.Answered, evidence: r.Raw}
		switch search.Form(r.Form) {
		case search.FormUnspaced, search.FormVector, search.FormGuarded:
		default:
			s.rarity = meanIDF(r.Terms, r.Passages)
		}
		forms[r.Form] = append(forms[r.Form], s)
		if r.Form == string(search.FormSum) {
			s.form, s.evidence = string(search.FormSimpleSum), r.Simple
			forms[s.form] = append(forms[s.form], s)
		}
	}
	return forms
}

func meanIDF(terms []search.PlanTerm, passages int) float64 {
	sum := 0.0
	for _, t := range terms {
		sum += t.IDF
	}
	if sum == 0 {
		return mostMeanIDF
	}
	small := max(math.Log((2*sizeOfIDF+1)/float64(2*passages+1)), 0)
	return min(max(sum/float64(len(terms))+small, leastMeanIDF), mostMeanIDF)
}

// honestyFit fits a confidence 1/(1 + exp(offset - slope·(evidence - rarity·mean idf))) to each form, and tells what it would hide and
// what it would call ok. Each vault has the same weight. The rarity of S and L is what comes to that which their evidence has lost
// already. The figures behind "left out" are those of vaults that the constants were not fitted to.
func honestyFit(rows []question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-4s %7s %7s %6s %7s   %-22s   left out: %s\n", "form", "queries", "offset", "slope", "rarity", "AUC, hidden, ok", "AUC, hidden, most of a vault, ok to foreign")
	forms := samplesByForm(rows)
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		of := forms[name]
		l, ok := fitLogistic(of)
		if !ok {
			fmt.Fprintf(&b, "%-4s %7d queries of one kind\n", name, len(of))
			continue
		}
		all, alone := sharesOf(of, func(sample) fitted { return l }), leaveOut(of)
		rarity := 0.0
		if l.slope != 0 {
			rarity = -l.idf / l.slope
		}
		fmt.Fprintf(&b, "%-4s %7d %7.2f %6.2f %+7.3f   %.3f  %.3f  %.3f              %.3f  %.3f  %.3f  %.3f\n",
			name, len(of), -l.at, l.slope, rarity, all.auc, all.hidden, all.foreignOK, alone.auc, alone.hidden, alone.mostHidden, alone.foreignOK)
	}
	return b.String()
}

// fitted are the constants of a logistic.
type fitted struct{ at, slope, idf float64 }

func (l fitted) confidence(s sample) float64 {
	return 1 / (1 + math.Exp(-l.at-l.slope*s.evidence-l.idf*s.rarity))
}

// shares are what constants make of samples.
type shares struct {
	auc        float64
	hidden     float64 // of the answered queries, the mean over the vaults
	mostHidden float64 // of the vault that has the most
	foreignOK  float64 // of all foreign queries
}

// leaveOut judges each vault by constants that were fitted to the others, form by form.
func leaveOut(samples []sample) shares {
	constants := map[[2]string]fitted{}
	return sharesOf(samples, func(of sample) fitted {
		key := [2]string{of.form, of.vault}
		l, ok := constants[key]
		if !ok {
			l, _ = fitLogistic(slices.DeleteFunc(slices.Clone(samples), func(s sample) bool { return s.form != of.form || s.vault == of.vault }))
			constants[key] = l
		}
		return l
	})
}

// sharesOf judges samples by their constants and the thresholds that hold without configuration.
func sharesOf(samples []sample, constants func(sample) fitted) (out shares) {
	settings := search.DefaultSettings()
	var answered, foreign []float64
	hidden, all := map[string]float64{}, map[string]float64{}
	for _, s := range samples {
		p := constants(s).confidence(s)
		if s.answered {
			answered = append(answered, p)
			all[s.vault]++
			hidden[s.vault] += one(p < settings.Nothing)
		} else {
			foreign = append(foreign, p)
			out.foreignOK += one(p >= settings.Weak)
		}
	}
	for vault, n := range all {
		out.hidden += hidden[vault] / n / float64(len(all))
		out.mostHidden = max(out.mostHidden, hidden[vault]/n)
	}
	out.auc, out.foreignOK = auc(answered, foreign), out.foreignOK/float64(max(len(foreign), 1))
	return out
}

// fitLogistic is a weighted logistic regression by Newton's method, of samples of one form; false where there are queries of one kind alone.
func fitLogistic(samples []sample) (fitted, bool) {
	type kind struct {
		vault    string
		answered bool
	}
	count, vaults := map[kind]float64{}, map[bool]float64{}
	for _, s := range samples {
		k := kind{s.vault, s.answered}
		if count[k] == 0 {
			vaults[s.answered]++
		}
		count[k]++
	}
	if len(vaults) < 2 {
		return fitted{}, false
	}
	odds := 1.0
	if slices.Contains(mayHide, samples[0].form) {
		odds = answeredOdds
	}
	const steps, ridge = 60, 1e-4 // the ridge keeps kinds that lie apart from an endless slope
	x := [3]float64{0, 1, 0}
	for range steps {
		gradient := [3]float64{0, -ridge * x[1], -ridge * x[2]}
		hessian := [3][3]float64{{1e-9}, {0, ridge}, {0, 0, ridge}}
		for _, s := range samples {
			weight := (1 + one(s.answered)*(odds-1)) / count[kind{s.vault, s.answered}] / vaults[s.answered]
			p := fitted{x[0], x[1], x[2]}.confidence(s)
			for i, a := range [3]float64{1, s.evidence, s.rarity} {
				gradient[i] += weight * (one(s.answered) - p) * a
				for j, b := range [3]float64{1, s.evidence, s.rarity} {
					hessian[i][j] += weight * p * (1 - p) * a * b
				}
			}
		}
		for i, step := range solved(hessian, gradient) {
			x[i] += step
		}
	}
	return fitted{x[0], x[1], x[2]}, !math.IsNaN(x[0] + x[1] + x[2])
}

// solved gives x of a·x = b, by elimination; a is symmetric and positive, so the diagonal will do.
func solved(a [3][3]float64, b [3]float64) [3]float64 {
	for i := range b {
		for j := range b {
			if j == i {
				continue
			}
			share := a[j][i] / a[i][i]
			for k := range b {
				a[j][k] -= share * a[i][k]
			}
			b[j] -= share * b[i]
		}
	}
	for i := range b {
		b[i] /= a[i][i]
	}
	return b
}

// auc is how surely a score tells the answered queries from the foreign ones: the chance that one of the first has a higher score than
// one of the others, ties counting half (the area under the ROC curve, Mann and Whitney 1947). 0 where there are none of a kind.
func auc(answered, foreign []float64) float64 {
	sum := 0.0
	for _, a := range answered {
		for _, f := range foreign {
			sum += one(a > f) + one(a == f)/2
		}
	}
	return sum / float64(max(len(answered)*len(foreign), 1))
}
