package postings

// Positions are stored as numbers: 1 and a column, or 2 and more for the distance from the last position, less two.

// Columns is how many columns Frequency tells apart.
const Columns = 3

// Frequency counts the positions in each column; those of further columns are left out.
func Frequency(positions []byte) (counts [Columns]int) {
	if len(positions) == 1 { // as a rule: once, in the first column
		counts[0] = 1
		return counts
	}
	column := 0
	for i := 0; i < len(positions); i++ {
		switch c := positions[i]; {
		case c == 1 && i+1 < len(positions):
			i++
			column = int(positions[i])
			for positions[i] >= 0x80 && i+1 < len(positions) { // a column beyond ours
				i++
				column = Columns
			}
		default:
			for positions[i] >= 0x80 && i+1 < len(positions) {
				i++
			}
			if column < Columns {
				counts[column]++
			}
		}
	}
	return counts
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
