package model2vec

import (
	"encoding/binary"
	"math/bits"
)

// vocabulary finds the id of a token's text. It is an open-addressing table over packed bytes, so that the one of the
// built-in model is used where it lies in the program. Numbers are little-endian.
type vocabulary struct {
	slots   string // u32 each: 0 for free, else tag<<idBits | id+1; linear probing
	offsets string // u32 each, one more than tokens: token id is text[offsets[id]:offsets[id+1]]
	text    string
	idBits  int
	longest int // bytes of the longest token
}

// The hash of a token's bytes is FNV-1a, which gives the hash of every prefix on the way; place spreads it.
const (
	hashSeed  = 2166136261
	hashPrime = 16777619
)

func hashStep(hash uint32, b byte) uint32 {
	return (hash ^ uint32(b)) * hashPrime
}

func hashString(hash uint32, text string) uint32 {
	for i := range len(text) {
		hash = hashStep(hash, text[i])
	}
	return hash
}

// place gives the slot where the search begins, and the tag to compare.
func (v *vocabulary) place(hash uint32) (slot int, tag uint32) {
	mixed := uint64(hash) * 0x9E3779B97F4A7C15
	size := uint64(len(v.slots) / 4)
	return int((mixed >> 32) * size >> 32), uint32(mixed>>13) >> v.idBits
}

// newVocabulary builds the table. tokens[id] is a token's text, "" where there is none.
func newVocabulary(tokens []string) *vocabulary {
	v := &vocabulary{idBits: bits.Len(uint(len(tokens)))}
	var text, offsets []byte
	for _, token := range tokens {
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(text)))
		text = append(text, token...)
		v.longest = max(v.longest, len(token))
	}
	v.offsets = string(binary.LittleEndian.AppendUint32(offsets, uint32(len(text))))
	v.text = string(text)

	slots := make([]byte, 4*(2*len(tokens)+1)) // half full: short probes, and never without a free slot
	v.slots = string(slots)
	for id, token := range tokens {
		if token == "" {
			continue
		}
		slot, tag := v.place(hashString(hashSeed, token))
		for binary.LittleEndian.Uint32(slots[4*slot:]) != 0 {
			slot = (slot + 1) % (len(slots) / 4)
		}
		binary.LittleEndian.PutUint32(slots[4*slot:], tag<<v.idBits|uint32(id+1))
	}
	v.slots = string(slots)
	return v
}

// size is the number of ids.
func (v *vocabulary) size() int {
	return len(v.offsets)/4 - 1
}

// token is the text of an id in 0..size()-1.
func (v *vocabulary) token(id int32) string {
	return v.text[stringUint32(v.offsets, int(id)):stringUint32(v.offsets, int(id)+1)]
}

// find gives the id of the token prefix+part, whose hash is hash; -1 if there is none.
func (v *vocabulary) find(hash uint32, prefix string, part []byte) int32 {
	slot, tag := v.place(hash)
	for {
		entry := stringUint32(v.slots, slot)
		if entry == 0 {
			return -1
		}
		if entry>>v.idBits == tag {
			id := int32(entry&(1<<v.idBits-1)) - 1
			token := v.token(id)
			if len(token) == len(prefix)+len(part) && token[:len(prefix)] == prefix && token[len(prefix):] == string(part) {
				return id
			}
		}
		if slot++; slot == len(v.slots)/4 {
			slot = 0
		}
	}
}

// id is find for a whole token.
func (v *vocabulary) id(token string) int32 {
	return v.find(hashString(hashSeed, token), "", []byte(token))
}

// stringUint32 reads the little-endian number at index, counted in numbers.
func stringUint32(s string, index int) uint32 {
	s = s[4*index : 4*index+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}
