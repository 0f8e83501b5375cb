package interaction

import (
	"encoding/binary"
	"sync"
)

// unpacked is what pack wrote. It is used again for the next passage.
type unpacked struct {
	tokens  []uint16 // distinct, rising
	lengths []byte   // u16 each
	counts  []int    // of title, headings and each run of the body
	rest    bitReader
}

// head reads all but the runs.
func (u *unpacked) head(data []byte) error {
	if data[0] != packVersion {
		return errDamaged
	}
	var numbers [4]int
	at := 1
	for i := range numbers {
		number, size := binary.Uvarint(data[at:])
		if size <= 0 || number > maxVocabulary {
			return errDamaged
		}
		numbers[i] = int(number)
		at += size
	}
	distinct, title, headings, runs := numbers[0], numbers[1], numbers[2], numbers[3]
	if distinct == 0 || distinct > 8*len(data) || title > maxNameTokens || headings > maxNameTokens || runs > maxBodyTokens/runTokens {
		return errDamaged
	}
	end := at + 2*lengthCount(title, headings, runs)
	if end > len(data) {
		return errDamaged
	}
	u.lengths, u.rest = data[at:end], bitReader{data: data[end:]}
	u.counts = append(u.counts[:0], title, headings)
	for range runs {
		count := u.rest.read(runBits)
		if count > runTokens {
			return errDamaged
		}
		u.counts = append(u.counts, count)
	}
	return u.readTokens(distinct)
}

// lengthCount is the number of lengths of a passage.
func lengthCount(title, headings, runs int) int {
	return min(title, 1) + min(headings, 1) + windowCount(runs)
}

func windowCount(runs int) int { return max(runs-1, min(runs, 1)) }

func (u *unpacked) readTokens(count int) error {
	u.tokens = u.tokens[:0]
	gaps, next := newGapCoder(count), 0
	for range count {
		gap := u.rest.rice(gaps.bits())
		gaps.seen(gap)
		token := next + gap
		if token >= maxVocabulary {
			return errDamaged
		}
		u.tokens = append(u.tokens, uint16(token))
		next = token + 1
	}
	if u.rest.isPast() {
		return errDamaged
	}
	return nil
}

// run visits the numbers of the next run's tokens among the distinct ones, rising.
func (u *unpacked) run(count int, visit func(place int)) error {
	lower, place := runGapBits(len(u.tokens), count), 0
	for range count {
		place += u.rest.rice(lower)
		if place >= len(u.tokens) {
			return errDamaged
		}
		visit(place)
	}
	return nil
}

// unpackedPool keeps memory for EachToken, which is asked of one passage after another.
var unpackedPool sync.Pool

// EachToken visits the distinct tokens in what Pack gave, rising. Those that are left out are not among them. Damaged data give
// an error.
func EachToken(data []byte, visit func(token uint16)) error {
	if len(data) == 0 {
		return nil
	}
	u, ok := unpackedPool.Get().(*unpacked)
	if !ok {
		u = new(unpacked)
	}
	defer unpackedPool.Put(u)
	err := u.head(data)
	u.lengths, u.rest = nil, bitReader{} // the data may be gone when u is used again
	if err != nil {
		return err
	}
	for _, token := range u.tokens {
		visit(token)
	}
	return nil
}
