// Package spelling tells how far a misspelt name is from the names that there are.
package spelling

// Distance is that of Levenshtein (1965): how many bytes are to be put in, taken out or changed to make b of a. Time and
// memory grow with the product and the length of b.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
