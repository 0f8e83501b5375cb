package model2vec

import "unicode/utf8"

// tokenizer turns text into ids as the reference does: cut by characters, find the special tokens, normalize, find the
// other added tokens, cut words, cut by tokens, drop the unknown.
type tokenizer struct {
	normalizer normalizer
	wordPiece  wordPiece
	raw        addedTokens // found before normalization
	normal     addedTokens // found after it
	unknown    int32       // the id that is dropped, -1 for none
	maxTokens  int         // 0: no limit
	maxRunes   int         // 0: no limit
}

// scratch is the memory of one tokenization, used again and again.
type scratch struct {
	ids     []int32
	limit   int // of ids
	hashes  []uint32
	text    []byte // normalized
	float64 []float64
	words   []cachedWord // empty, or of cachedWords; of one tokenizer
}

// maxScratchBytes is the size above which a buffer is not kept for the next text.
const maxScratchBytes = 1 << 20

const noLimit = int(^uint(0) >> 1)

// tokenize leaves the ids of text in s.ids.
func (t *tokenizer) tokenize(s *scratch, text string) {
	s.ids = s.ids[:0]
	s.limit = noLimit
	if t.maxTokens > 0 {
		s.limit = t.maxTokens
	}
	if t.maxRunes > 0 {
		text = firstRunes(text, t.maxRunes)
	}
	if len(s.words) == 0 && len(text) >= cacheFrom {
		s.words = make([]cachedWord, cachedWords)
	}
	t.raw.split(text, func(piece string, token *addedToken) bool {
		if token != nil {
			s.ids = append(s.ids, token.id)
		} else {
			t.normalized(s, piece)
		}
		return len(s.ids) < s.limit
	})
	s.ids = s.ids[:min(len(s.ids), s.limit)]
	t.dropUnknown(s)
}

// normalized handles a piece in which no raw token stands.
func (t *tokenizer) normalized(s *scratch, piece string) {
	s.text = t.normalizer.append(s.text[:0], piece)
	if len(t.normal.tokens) == 0 {
		t.wordPiece.words(s, s.text)
		return
	}
	t.normal.split(string(s.text), func(piece string, token *addedToken) bool {
		if token != nil {
			s.ids = append(s.ids, token.id)
		} else {
			t.wordPiece.words(s, []byte(piece))
		}
		return len(s.ids) < s.limit
	})
}

// dropUnknown takes out the unknown id. It comes after the limit: unknown words use it up.
func (t *tokenizer) dropUnknown(s *scratch) {
	kept := s.ids[:0]
	for _, id := range s.ids {
		if id != t.unknown {
			kept = append(kept, id)
		}
	}
	s.ids = kept
}

// firstRunes is the beginning of text with at most limit code points; a byte that is no UTF-8 counts as one.
func firstRunes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	at := 0
	for range limit {
		if at >= len(text) {
			return text
		}
		if text[at] < utf8.RuneSelf {
			at++
			continue
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return text[:at]
}
