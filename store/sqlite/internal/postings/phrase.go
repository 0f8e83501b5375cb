package postings

import "slices"

// Column is the column of a position.
func (p Place) Column() int { return int(p >> 32) }

// Match is a row in which a phrase stands, with the positions of its first word.
type Match struct {
	Row    int64
	Places []Place
}

// Phrase finds the rows in which the words stand side by side, rows ascending.
func (x *Index) Phrase(words []string) ([]Match, error) {
	var matches []Match
	for i, word := range words {
		if i > 0 && len(matches) == 0 {
			return nil, nil
		}
		kept, at := matches[:0], 0
		var places []Place
		err := x.Each(word, func(row int64, positions []byte) {
			if i == 0 {
				matches = append(matches, Match{row, Places(positions, nil)})
				return
			}
			for at < len(matches) && matches[at].Row < row {
				at++
			}
			if at == len(matches) || matches[at].Row != row {
				return
			}
			places = Places(positions, places[:0])
			m := matches[at]
			m.Places = slices.DeleteFunc(m.Places, func(p Place) bool {
				_, found := slices.BinarySearch(places, p+Place(i))
				return !found
			})
			if len(m.Places) > 0 {
				kept = append(kept, m) // never beyond at, which stays behind the reading
			}
			at++
		})
		if err != nil {
			return nil, err
		}
		if i > 0 {
			matches = kept
		}
	}
	return matches, nil
}
