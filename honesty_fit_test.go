package quarry_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// honestyFit fits a confidence 1/(1 + exp(offset - slope·evidence)) to each scoring form, and tells what it would hide and what it
// would call ok. Each vault and each kind of query has the same weight. The shares behind "alone" are those of vaults that the
// constants were not fitted to.
func honestyFit(rows []question) string {
	forms := map[string][]question{}
	for _, r := range rows {
		if r.Explain != nil { // without a result there is no evidence
			name := r.Way + " " + r.Form
			forms[name] = append(forms[name], r)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s %8s %7s %6s %6s  hidden    ok to foreign, alone\n", "way and form", "queries", "offset", "slope", "")
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		of := forms[name]
		l, ok := fitLogistic(of)
		if !ok {
			fmt.Fprintf(&b, "%-16s %8d queries of one kind\n", name, len(of))
			continue
		}
		hidden, foreignOK := l.shares(of)
		var aloneHidden, aloneOK, vaults float64
		for vault, held := range byVault(of) {
			rest := slices.DeleteFunc(slices.Clone(of), func(r question) bool { return r.Vault == vault })
			if other, ok := fitLogistic(rest); ok {
				h, f := other.shares(held)
				aloneHidden, aloneOK, vaults = aloneHidden+h, aloneOK+f, vaults+1
			}
		}
		vaults = max(vaults, 1)
		fmt.Fprintf(&b, "%-16s %8d %7.2f %6.2f         %.3f      %.3f          %.3f  %.3f\n", name, len(of), l.offset, l.slope, hidden, foreignOK, aloneHidden/vaults, aloneOK/vaults)
	}
	return b.String()
}

// fitted are the constants of a logistic.
type fitted struct{ offset, slope float64 }

func (l fitted) confidence(evidence float64) float64 {
	return 1 / (1 + math.Exp(l.offset-l.slope*evidence))
}

// shares gives those of the answered queries under .15, and of the foreign ones from .5 on.
func (l fitted) shares(rows []question) (hidden, foreignOK float64) {
	var answered, foreign float64
	for _, r := range rows {
		p := l.confidence(r.Raw)
		if r.Answered {
			answered++
			hidden += one(p < .15)
		} else {
			foreign++
			foreignOK += one(p >= .5)
		}
	}
	return hidden / max(answered, 1), foreignOK / max(foreign, 1)
}

// fitLogistic is a weighted logistic regression by Newton's method; false where there are queries of one kind alone.
func fitLogistic(rows []question) (fitted, bool) {
	type kind struct {
		vault    string
		answered bool
	}
	count, vaults := map[kind]float64{}, map[bool]float64{}
	for _, r := range rows {
		k := kind{r.Vault, r.Answered}
		if count[k] == 0 {
			vaults[r.Answered]++
		}
		count[k]++
	}
	if len(vaults) < 2 {
		return fitted{}, false
	}
	const steps, ridge = 60, 1e-4 // the ridge keeps kinds that lie apart from an endless slope
	at, slope := 0.0, 1.0
	for range steps {
		g0, g1, h00, h01, h11 := 0.0, -ridge*slope, 1e-9, 0.0, ridge
		for _, r := range rows {
			weight := 1 / count[kind{r.Vault, r.Answered}] / vaults[r.Answered]
			p := 1 / (1 + math.Exp(-at-slope*r.Raw))
			d, s := weight*(one(r.Answered)-p), weight*p*(1-p)
			g0, g1 = g0+d, g1+d*r.Raw
			h00, h01, h11 = h00+s, h01+s*r.Raw, h11+s*r.Raw*r.Raw
		}
		det := h00*h11 - h01*h01
		at, slope = at+(h11*g0-h01*g1)/det, slope+(h00*g1-h01*g0)/det
	}
	return fitted{-at, slope}, !math.IsNaN(at + slope)
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
