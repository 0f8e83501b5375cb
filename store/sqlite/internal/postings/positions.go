package postings

// Positions are stored as numbers: 1 and a column, or 2 and more for the distance from the last position, less two.

// Weigh adds up the weights of the columns in which the positions are, one after the other as FTS5's bm25() does; columns
// beyond the weights count nothing.
func Weigh(positions []byte, weights []float64) float64 {
	sum, weight := 0.0, columnWeight(0, weights)
	for i := 0; i < len(positions); i++ {
		if positions[i] == 1 && i+1 < len(positions) {
			i++
			column := int(positions[i])
			for positions[i] >= 0x80 && i+1 < len(positions) { // a column beyond ours
				i++
				column = len(weights)
			}
			weight = columnWeight(column, weights)
			continue
		}
		for positions[i] >= 0x80 && i+1 < len(positions) {
			i++
		}
		sum += weight
	}
	return sum
}

func columnWeight(column int, weights []float64) float64 {
	if column < len(weights) {
		return weights[column]
	}
	return 0
}

// Place is a position: the column in the upper half, the number of the word in the lower.
type Place uint64

// Places appends the positions to into, ascending.
func Places(positions []byte, into []Place) []Place {
	r := reader{data: positions}
	var column, word uint64
	for r.at < len(positions) && !r.failed {
		n := r.varint()
		if n == 1 {
			column, word = r.varint(), 0
			continue
		}
		word += n - 2
		into = append(into, Place(column<<32|word&0xffffffff))
	}
	return into
}
