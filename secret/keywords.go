package secret

// automaton finds all keywords in one pass over a text (Aho and Corasick, 1975). ASCII letters match in both cases. Bytes
// that are in no keyword share one column, so that the table stays small enough for a near cache.
type automaton struct {
	column [256]uint8
	next   []uint16 // state<<columnBits | column → state
	ends   []uint16 // state → 1 + index into found, 0 for none
	found  [][]uint16
}

const columnBits = 7 // 128 columns: what the keywords need, checked when the table is made

func foldByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// foldASCII puts the letters of ASCII into lower case, and no others.
func foldASCII(word string) string {
	folded := []byte(word)
	for i, c := range folded {
		folded[i] = foldByte(c)
	}
	return string(folded)
}

// newAutomaton takes keywords in lower case; the states report their indexes.
func newAutomaton(keywords []string) *automaton {
	a := &automaton{}
	a.assignColumns(keywords)
	found := a.addWords(keywords)
	a.link(found)
	return a
}

func (a *automaton) assignColumns(keywords []string) {
	columns := uint8(0)
	for _, word := range keywords {
		for i := range len(word) {
			if a.column[word[i]] == 0 {
				columns++
				a.column[word[i]] = columns
			}
		}
	}
	if columns >= 1<<columnBits {
		panic("secret: more different bytes in keywords than columns") //nolint:forbidigo // the keywords are constants
	}
	for c := byte('A'); c <= 'Z'; c++ {
		a.column[c] = a.column[foldByte(c)]
	}
}

// addWords builds the trie; state 0 is the root and also means "none yet".
func (a *automaton) addWords(keywords []string) [][]uint16 {
	states := 1
	for _, word := range keywords {
		states += len(word)
	}
	a.next = make([]uint16, 1<<columnBits, states<<columnBits)
	found := [][]uint16{nil}
	for index, word := range keywords {
		state := 0
		for i := range len(word) {
			at := state<<columnBits | int(a.column[word[i]])
			if a.next[at] == 0 {
				a.next[at] = uint16(len(found))
				a.next = a.next[:len(a.next)+1<<columnBits] // zero, as made
				found = append(found, nil)
			}
			state = int(a.next[at])
		}
		found[state] = append(found[state], uint16(index))
	}
	return found
}

// link makes the trie an automaton, breadth first: where a word does not go on, the state of its longest proper end does.
func (a *automaton) link(found [][]uint16) {
	fallback := make([]uint16, len(found))
	var queue []uint16
	for column := range 1 << columnBits {
		if state := a.next[column]; state != 0 {
			queue = append(queue, state)
		}
	}
	for head := 0; head < len(queue); head++ {
		state := queue[head]
		shorter := fallback[state]
		found[state] = append(found[state], found[shorter]...)
		for column := range 1 << columnBits {
			at := int(state)<<columnBits | column
			after := a.next[int(shorter)<<columnBits|column]
			if child := a.next[at]; child != 0 {
				fallback[child] = after
				queue = append(queue, child)
			} else {
				a.next[at] = after
			}
		}
	}
	a.ends = make([]uint16, len(found))
	for state, words := range found {
		if len(words) > 0 {
			a.found = append(a.found, words)
			a.ends[state] = uint16(len(a.found))
		}
	}
}

// each calls hit with the index of each keyword and the offset behind it, in the order of the ends.
func (a *automaton) each(text []byte, hit func(keyword uint16, end int)) {
	state := uint16(0)
	for i, c := range text {
		state = a.next[int(state)<<columnBits|int(a.column[c])]
		if end := a.ends[state]; end != 0 {
			for _, keyword := range a.found[end-1] {
				hit(keyword, i+1)
			}
		}
	}
}

// finds tells whether a text holds a keyword.
func (a *automaton) finds(text []byte) bool {
	state := uint16(0)
	for _, c := range text {
		state = a.next[int(state)<<columnBits|int(a.column[c])]
		if a.ends[state] != 0 {
			return true
		}
	}
	return false
}
