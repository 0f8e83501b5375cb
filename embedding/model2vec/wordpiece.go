package model2vec

import "unicode/utf8"

// wordPiece cuts words into tokens, each time the longest that the vocabulary has.
type wordPiece struct {
	vocabulary  *vocabulary
	prefix      string // of a token that continues a word: "##"
	prefixHash  uint32 // of the prefix, where the hash of a continuation begins
	unknown     int32  // id of a word that cannot be put together
	longestWord int    // code points; longer words are unknown
	kinds       [utf8.RuneSelf]byte
	singles     [utf8.RuneSelf]int32 // ids of the ASCII punctuation
}

// The kinds of an ASCII character in the pre-tokenizer; 0 is part of a word.
const (
	kindWhite = 1 + iota
	kindPunct
)

// prepare fills what is derived from vocabulary, prefix and unknown.
func (w *wordPiece) prepare() {
	w.prefixHash = hashString(hashSeed, w.prefix)
	for b := range rune(utf8.RuneSelf) {
		record := recordOf(b)
		switch {
		case record.white():
			w.kinds[b] = kindWhite
		case record.punct():
			w.kinds[b] = kindPunct
			w.singles[b] = w.vocabulary.id(string(b))
			if w.singles[b] < 0 {
				w.singles[b] = w.unknown
			}
		}
	}
}

// words appends the ids of normalized text to s.ids, until there are s.limit. It splits at white space; a punctuation
// character is a word by itself.
func (w *wordPiece) words(s *scratch, text []byte) {
	for i := 0; i < len(text) && len(s.ids) < s.limit; {
		if b := text[i]; b < utf8.RuneSelf && w.kinds[b] != 0 {
			if w.kinds[b] == kindPunct {
				s.ids = append(s.ids, w.singles[b])
			}
			i++
			continue
		}
		end, hash, runes := w.scan(text, i)
		if runes > 0 {
			w.word(s, text[i:end], hash, runes)
			i = end
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if recordOf(r).punct() {
			w.word(s, text[i:i+size], hashString(hashSeed, string(text[i:i+size])), 1)
		}
		i += size
	}
}

// scan finds the end of the word that begins at start, its hash and its length in code points: 0 if there is none.
func (w *wordPiece) scan(text []byte, start int) (end int, hash uint32, runes int) {
	hash = hashSeed
	for i := start; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			if w.kinds[b] != 0 {
				return i, hash, runes
			}
			hash = hashStep(hash, b)
			runes++
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if recordOf(r).separates() {
			return i, hash, runes
		}
		for _, b := range text[i : i+size] {
			hash = hashStep(hash, b)
		}
		runes++
		i += size
	}
	return len(text), hash, runes
}

// cachedWord is a word with its ids.
type cachedWord struct {
	text        [24]byte
	size, count uint8
	ids         [5]int32
}

const (
	cachedWords = 1 << 12
	// cacheFrom are the bytes of a text for which a cache is worth its memory, unless there is one.
	cacheFrom = 512
)

// word appends the ids of one word, or the unknown id. Most words of a text have been seen in those before it.
func (w *wordPiece) word(s *scratch, word []byte, hash uint32, runes int) {
	if len(s.words) == 0 || len(word) > len(cachedWord{}.text) {
		w.cut(s, word, hash, runes)
		return
	}
	entry := &s.words[(hash^hash>>16)%cachedWords]
	if int(entry.size) == len(word) && string(entry.text[:entry.size]) == string(word) {
		s.ids = append(s.ids, entry.ids[:entry.count]...)
		return
	}
	begun := len(s.ids)
	w.cut(s, word, hash, runes)
	if ids := s.ids[begun:]; len(ids) <= len(entry.ids) {
		entry.size, entry.count = uint8(copy(entry.text[:], word)), uint8(copy(entry.ids[:], ids))
	}
}

// cut is word without a cache.
func (w *wordPiece) cut(s *scratch, word []byte, hash uint32, runes int) {
	if runes > w.longestWord {
		s.ids = append(s.ids, w.unknown)
		return
	}
	if id := w.vocabulary.find(hash, "", word); id >= 0 {
		s.ids = append(s.ids, id)
		return
	}
	begun := len(s.ids)
	prefix, seed := "", uint32(hashSeed)
	for rest := word; len(rest) > 0; {
		id, size := w.longest(s, rest, prefix, seed)
		if size == 0 {
			s.ids = append(s.ids[:begun], w.unknown)
			return
		}
		s.ids = append(s.ids, id)
		rest = rest[size:]
		prefix, seed = w.prefix, w.prefixHash
	}
}

// longest finds the longest beginning of rest that, behind prefix, is a token; size 0 if there is none.
// The vocabulary is valid UTF-8, so a match never ends within a character.
func (w *wordPiece) longest(s *scratch, rest []byte, prefix string, seed uint32) (id int32, size int) {
	window := min(len(rest), w.vocabulary.longest-len(prefix))
	hashes := s.hashes[:0]
	for i := range window {
		seed = hashStep(seed, rest[i])
		hashes = append(hashes, seed)
	}
	s.hashes = hashes
	for size = len(hashes); size > 0; size-- {
		if id := w.vocabulary.find(hashes[size-1], prefix, rest[:size]); id >= 0 {
			return id, size
		}
	}
	return 0, 0
}
