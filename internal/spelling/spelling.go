// Package spelling compares names: how far a misspelt one is from those that there are, what it is in the singular, how much two
// have in common. It is pure, and bounded for any text.
package spelling

// Distance is that of Levenshtein (1965): how many bytes are to be put in, taken out or changed to make b of a. Time grows with
// the product of the lengths, memory with that of b; see Within where only near names matter.
func Distance(a, b string) int {
	distance, _ := Within(a, b, max(len(a), len(b)))
	return distance
}

// Within is Distance where that is no more than limit; else ok is false. Time grows with limit times the length (Ukkonen 1985).
func Within(a, b string, limit int) (distance int, ok bool) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(a)-len(b) > limit {
		return 0, false
	}
	var small [64]int
	row := small[:]
	if len(b)+1 > len(row) {
		row = make([]int, len(b)+1)
	}
	row = row[:len(b)+1]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		if band(row, a[i], b, i, limit) > limit {
			return 0, false
		}
	}
	return row[len(b)], row[len(b)] <= limit
}

// band fills the row of one byte of a, as far as its figures can be within the limit, and gives the least of them. What lies
// beside the band is over the limit.
func band(row []int, c byte, b string, i, limit int) (least int) {
	from, to := max(i+1-limit, 0), min(i+1+limit, len(b)) // places of row
	diagonal := 0
	if from > 0 {
		diagonal = row[from-1]
		row[from-1] = limit + 1
	} else {
		diagonal, row[0] = row[0], i+1
		from = 1
	}
	least = row[from-1]
	for j := from; j <= to; j++ {
		change := diagonal
		if b[j-1] != c {
			change++
		}
		diagonal = row[j]
		above := diagonal
		if j > i+limit { // beside the band of the row before
			above = limit + 1
		}
		row[j] = min(change, row[j-1]+1, above+1)
		least = min(least, row[j])
	}
	return least
}

// IsSwap tells whether two bytes that stand side by side changed places, and nothing else differs.
func IsSwap(a, b string) bool {
	if len(a) != len(b) || a == b {
		return false
	}
	i := 0
	for a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// Edits is Within where two neighbours that changed places are one edit instead of two.
func Edits(a, b string, limit int) (edits int, ok bool) {
	if limit >= 1 && IsSwap(a, b) {
		return 1, true
	}
	return Within(a, b, limit)
}
