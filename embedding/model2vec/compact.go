package model2vec

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"
	"unsafe"
)

// The compact form of a model is used where it lies in memory: nothing is built or copied to open it. Numbers are
// little-endian, u32 where nothing else is said; strings are UTF-8.
//
//	  0  8 bytes  "QM2V\x00\x00\x00\x01"
//	  8  32       SHA-256 of all that follows: the hash of the model
//	 40           number of ids
//	 44           components of a vector
//	 48           most tokens of a text, 0 for no limit
//	 52           most code points of a text, 0 for no limit
//	 56           id of the unknown token
//	 60           most code points of a word
//	 64           bytes of the longest token
//	 68           bits of an id in a slot of the vocabulary
//	 72           slots of the vocabulary
//	 76           bytes of the vocabulary's text
//	 80           switches: 1 vectors at unit length, 2 clean_text, 4 handle_chinese_chars, 8 strip_accents, 16 lowercase
//	 84           bytes of the model's name
//	 88           bytes of the prefix of continuing tokens
//	 92           number of added tokens
//	 96           the name, then the prefix
//	              each added token: id, switches (1 lstrip, 2 rstrip, 4 single_word, 8 found in normalized text),
//	              bytes of its text, the text (normalized if it is found in normalized text)
//	              slots, offsets and text of the vocabulary, as type vocabulary has them
//	              [ids] f32 scales; a minus sign tells that there is a second row
//	              second rows: their ids, rising; f32 scales
//	              [ids][components] i8 rows: component ≈ |scale|·i8
//	              [ids with a second row][components] i8 second rows, to be added with their own scales

const compactMagic = "QM2V\x00\x00\x00\x01"

const (
	compactHashAt  = len(compactMagic)
	compactHeadAt  = compactHashAt + sha256.Size
	compactNumbers = 15
)

// compactHead is the fixed part, in the order of the file.
type compactHead struct {
	IDs, Components, MaxTokens, MaxRunes, Unknown, LongestWord, LongestToken uint32
	IDBits, Slots, TextBytes, Switches, NameBytes, PrefixBytes, AddedTokens  uint32
	Refined                                                                  uint32
}

const (
	switchUnitLength = 1 << iota
	switchCleanText
	switchPadChinese
	switchStripAccents
	switchLowercase
)

const (
	switchLeftStrip = 1 << iota
	switchRightStrip
	switchOneWord
	switchNormal
)

// WriteCompact writes the model in the form of the built-in one: about a quarter of float32, int8 with one scale a token.
func (m *Model) WriteCompact(w io.Writer) error {
	body, err := binary.Append(nil, binary.LittleEndian, m.compactHead())
	if err != nil {
		return err
	}
	t := m.tokenizer
	body = append(append(body, m.name...), t.wordPiece.prefix...)
	for _, added := range t.raw.tokens {
		body = appendAdded(body, added, 0)
	}
	for _, added := range t.normal.tokens {
		body = appendAdded(body, added, switchNormal)
	}
	v, rows := t.wordPiece.vocabulary, m.quantizedRows()
	for _, part := range []string{v.slots, v.offsets, v.text, rows.scales, rows.refined, rows.refinedScales} {
		body = append(body, part...)
	}
	for _, x := range slices.Concat(rows.int8s, rows.refinedInt8s) {
		body = append(body, byte(x))
	}
	sum := sha256.Sum256(body)
	for _, part := range [][]byte{[]byte(compactMagic), sum[:], body} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func (m *Model) compactHead() compactHead {
	t, v := m.tokenizer, m.tokenizer.wordPiece.vocabulary
	head := compactHead{
		IDs:          uint32(v.size()),
		Components:   uint32(m.Dim()),
		MaxTokens:    uint32(t.maxTokens),
		MaxRunes:     uint32(t.maxRunes),
		Unknown:      uint32(t.unknown),
		LongestWord:  uint32(t.wordPiece.longestWord),
		LongestToken: uint32(v.longest),
		IDBits:       uint32(v.idBits),
		Slots:        uint32(len(v.slots) / 4),
		TextBytes:    uint32(len(v.text)),
		NameBytes:    uint32(len(m.name)),
		PrefixBytes:  uint32(len(t.wordPiece.prefix)),
		AddedTokens:  uint32(len(t.raw.tokens) + len(t.normal.tokens)),
		Refined:      uint32(len(m.quantizedRows().refined) / 4),
	}
	n := t.normalizer
	for i, on := range []bool{m.normalized, n.cleanText, n.padChinese, n.stripAccents, n.lowercase} {
		if on {
			head.Switches |= 1 << i
		}
	}
	return head
}

func appendAdded(body []byte, added addedToken, switches uint32) []byte {
	for i, on := range []bool{added.leftStrip, added.rightStrip, added.oneWord} {
		if on {
			switches |= 1 << i
		}
	}
	for _, number := range []uint32{uint32(added.id), switches, uint32(len(added.content))} {
		body = binary.LittleEndian.AppendUint32(body, number)
	}
	return append(body, added.content...)
}

var errCompact = errors.New("the compact model is damaged")

// openCompact reads the compact form. The model refers to content. The hash is not checked, as that takes longer than
// all else; sizes are, so that a file cut short is an error.
func openCompact(content string) (*Model, error) {
	rest, ok := strings.CutPrefix(content, compactMagic)
	if !ok || len(rest) < sha256.Size+4*compactNumbers {
		return nil, errCompact
	}
	model := &Model{hash: hex.EncodeToString([]byte(rest[:sha256.Size]))}
	cut := &cutter{rest: rest[sha256.Size:]}
	head := cut.head()
	model.name = cut.bytes(head.NameBytes, 1)
	t := &tokenizer{
		maxTokens:  int(head.MaxTokens),
		maxRunes:   int(head.MaxRunes),
		unknown:    int32(head.Unknown),
		normalizer: head.normalizer(),
	}
	prefix := cut.bytes(head.PrefixBytes, 1)
	t.raw, t.normal = cut.added(head.AddedTokens)
	v := &vocabulary{
		slots:   cut.bytes(head.Slots, 4),
		offsets: cut.bytes(head.IDs+1, 4),
		text:    cut.bytes(head.TextBytes, 1),
		idBits:  int(head.IDBits),
		longest: int(head.LongestToken),
	}
	rows := &quantizedRows{columns: int(head.Components), scales: cut.bytes(head.IDs, 4)}
	rows.refined, rows.refinedScales = cut.bytes(head.Refined, 4), cut.bytes(head.Refined, 4)
	rows.int8s = asInt8s(cut.bytes(head.IDs, uint64(head.Components)))
	rows.refinedInt8s = asInt8s(cut.bytes(head.Refined, uint64(head.Components)))
	if cut.failed || cut.rest != "" || head.Slots <= head.IDs || head.IDBits > 31 {
		return nil, errCompact
	}
	t.wordPiece = wordPiece{vocabulary: v, prefix: prefix, unknown: t.unknown, longestWord: int(head.LongestWord)}
	t.wordPiece.prepare()
	model.tokenizer, model.weights, model.quantized = t, rows, rows
	model.normalized = head.Switches&switchUnitLength != 0
	return model, nil
}

func (h compactHead) normalizer() normalizer {
	n := normalizer{
		cleanText:    h.Switches&switchCleanText != 0,
		padChinese:   h.Switches&switchPadChinese != 0,
		stripAccents: h.Switches&switchStripAccents != 0,
		lowercase:    h.Switches&switchLowercase != 0,
	}
	n.prepare()
	return n
}

// cutter takes one part of a file after another; too short a file sets failed.
type cutter struct {
	rest   string
	failed bool
}

// bytes takes count elements of size bytes.
func (c *cutter) bytes(count uint32, size uint64) string {
	length := uint64(count) * size
	if c.failed || length > uint64(len(c.rest)) {
		c.failed = true
		return ""
	}
	part := c.rest[:length]
	c.rest = c.rest[length:]
	return part
}

func (c *cutter) number() uint32 {
	part := c.bytes(1, 4)
	if part == "" {
		return 0
	}
	return stringUint32(part, 0)
}

func (c *cutter) head() (head compactHead) {
	for _, number := range []*uint32{
		&head.IDs, &head.Components, &head.MaxTokens, &head.MaxRunes, &head.Unknown, &head.LongestWord, &head.LongestToken,
		&head.IDBits, &head.Slots, &head.TextBytes, &head.Switches, &head.NameBytes, &head.PrefixBytes, &head.AddedTokens,
		&head.Refined,
	} {
		*number = c.number()
	}
	return head
}

func (c *cutter) added(count uint32) (raw, normal addedTokens) {
	var rawTokens, normalTokens []addedToken
	for range count {
		if c.failed {
			break
		}
		token := addedToken{id: int32(c.number())}
		switches := c.number()
		token.leftStrip = switches&switchLeftStrip != 0
		token.rightStrip = switches&switchRightStrip != 0
		token.oneWord = switches&switchOneWord != 0
		token.content = c.bytes(c.number(), 1)
		if switches&switchNormal != 0 {
			normalTokens = append(normalTokens, token)
		} else {
			rawTokens = append(rawTokens, token)
		}
	}
	return newAddedTokens(rawTokens), newAddedTokens(normalTokens)
}

// asInt8s views the bytes of s as int8, without a copy; they must not be written.
func asInt8s(s string) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.StringData(s))), len(s))
}
