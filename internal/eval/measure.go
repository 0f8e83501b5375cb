package eval

import (
	"math"
	"slices"
	"strings"
)

// Figures are the five measures, 0 to 1, higher is better; of one query, or means over several.
type Figures struct {
	// NDCG10 and NDCG5 are DCG/IDCG over the first 10 or 5 notes: DCG = Σ (2^grade − 1) / log2(rank + 1), IDCG that of all
	// judged notes in the best order, cut at the same rank (Järvelin and Kekäläinen 2002, with the gain of Burges et al. 2005).
	NDCG10 float64 `json:"ndcg_10"`
	NDCG5  float64 `json:"ndcg_5"`
	// Recall10 is the share of the notes of grade 1 and above that are among the first 10.
	Recall10 float64 `json:"recall_10"`
	// MRR is 1/rank of the first note of grade 1 and above among the first 10, 0 if there is none.
	MRR float64 `json:"mrr"`
	// Hit1 is 1 where the first note has grade 1 or above.
	Hit1 float64 `json:"hit_1"`
}

// cutoff is the number of notes that the measures look at.
const cutoff = 10

// measure gives the figures of one ranking of different notes, best first, and the 1-based rank of the first that has
// grade 1 or above, 0 if none has.
func measure(notes []string, grades map[string]int) (figures Figures, first int) {
	gains, ideal := make([]int, len(notes)), make([]int, 0, len(grades))
	for i, note := range notes {
		gains[i] = grades[note]
		if first == 0 && gains[i] > 0 {
			first = i + 1
		}
	}
	for _, grade := range grades {
		ideal = append(ideal, grade)
	}
	slices.SortFunc(ideal, func(a, b int) int { return b - a })
	found, relevant := count(gains[:min(len(gains), cutoff)]), count(ideal)
	if relevant == 0 {
		return Figures{}, first
	}
	figures = Figures{
		NDCG10:   dcg(gains, cutoff) / dcg(ideal, cutoff),
		NDCG5:    dcg(gains, 5) / dcg(ideal, 5),
		Recall10: float64(found) / float64(relevant),
	}
	if first > 0 && first <= cutoff {
		figures.MRR = 1 / float64(first)
	}
	if first == 1 {
		figures.Hit1 = 1
	}
	return figures, first
}

// dcg is the discounted cumulative gain of the first k grades.
func dcg(grades []int, k int) float64 {
	sum := 0.0
	for i, grade := range grades[:min(len(grades), k)] {
		sum += (math.Exp2(float64(grade)) - 1) / math.Log2(float64(i+2))
	}
	return sum
}

// count is the number of grades above 0.
func count(grades []int) int {
	n := 0
	for _, grade := range grades {
		if grade > 0 {
			n++
		}
	}
	return n
}

// foldToNotes keeps the first place of each note in a ranking of passages.
func foldToNotes(passages []Passage) []string {
	seen, notes := make(map[string]bool, len(passages)), make([]string, 0, len(passages))
	for _, p := range passages {
		if !seen[p.Path] {
			seen[p.Path] = true
			notes = append(notes, p.Path)
		}
	}
	return notes
}

// hitsSection tells whether one of the first passages lies in, or holds, a section that is expected.
func hitsSection(passages []Passage, expected []Section) bool {
	for _, p := range passages[:min(len(passages), cutoff)] {
		for _, s := range expected {
			if p.Path == s.Path && slices.ContainsFunc(p.Headings, func(h string) bool { return sameHeading(h, s.Heading) }) {
				return true
			}
		}
	}
	return false
}

func sameHeading(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

// mean averages figures and rounds them to 1e-6, so that every processor prints the same; zero for none.
func mean(of []Figures) Figures {
	var sum Figures
	for _, f := range of {
		sum.NDCG10 += f.NDCG10
		sum.NDCG5 += f.NDCG5
		sum.Recall10 += f.Recall10
		sum.MRR += f.MRR
		sum.Hit1 += f.Hit1
	}
	n := float64(max(len(of), 1))
	return Figures{round(sum.NDCG10 / n), round(sum.NDCG5 / n), round(sum.Recall10 / n), round(sum.MRR / n), round(sum.Hit1 / n)}
}

func round(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// NewPassage is a passage that counts for the sections that it lies in, its note's title among them, and those that begin in it.
func NewPassage(path, title string, headings []string, text string) Passage {
	p := Passage{Path: path, Headings: append([]string{title}, headings...)}
	fence := ""
	for indented := range strings.Lines(text) {
		line := strings.TrimSpace(indented)
		switch mark := fenceOf(line); {
		case fence == "" && mark != "":
			fence = mark
		case fence != "":
			if strings.HasPrefix(mark, fence) && mark == line {
				fence = ""
			}
		case !strings.HasPrefix(indented, "    "): // what is further in is code
			if heading, ok := headingOf(line); ok {
				p.Headings = append(p.Headings, heading)
			}
		}
	}
	return p
}

// fenceOf gives the signs at the beginning of a line that fence code off; "" where there are none.
func fenceOf(line string) string {
	for _, sign := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, sign)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// headingOf reads a heading, one to six # and a space; #tag is none.
func headingOf(line string) (string, bool) {
	text := strings.TrimLeft(line, "#")
	level := len(line) - len(text)
	if level < 1 || level > 6 || text != "" && text[0] != ' ' && text[0] != '\t' {
		return "", false
	}
	text = strings.TrimSpace(text)
	if open := strings.TrimRight(text, "#"); open == "" || strings.HasSuffix(open, " ") {
		text = strings.TrimSpace(open) // signs that close it
	}
	return text, true
}
