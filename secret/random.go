package secret

import (
	"bytes"
	"encoding/base64"
	"math"
)

const (
	leastRandomBytes  = 40
	leastEncodedBytes = 32  // of Base64 that is looked into
	mostRandomBytes   = 200 // longer ones are data
	randomEntropy     = 4.35
	discordStart      = 24
)

// randomBit is 1 for the bytes of inRandom.
var randomBit = func() (bits [256]uint8) {
	for c := range bits {
		bits[c] = uint8(boolInt(inRandom[c]))
	}
	return bits
}()

// findRandom looks for tokens that no prefix or word announces. It probes eight bytes of sixteen only, all at once: a run
// that is long enough holds some of these eights as a whole.
func (s *scan) findRandom() {
	const probe, step = 8, 16
	for at := 0; at+probe <= len(s.text); {
		b := s.text[at : at+probe]
		if randomBit[b[0]]&randomBit[b[1]]&randomBit[b[2]]&randomBit[b[3]]&randomBit[b[4]]&randomBit[b[5]]&randomBit[b[6]]&randomBit[b[7]] == 0 {
			at += step
			continue
		}
		start, end := at, at+probe
		for start > 0 && inRandom[s.text[start-1]] {
			start--
		}
		for end < len(s.text) && inRandom[s.text[end]] {
			end++
		}
		if end-start >= discordStart {
			s.checkRun(start, end)
		}
		at = end + 1
	}
}

const (
	rankRandom  = math.MaxInt - 1
	rankDiscord = -1 // nothing else has this form
)

func (s *scan) checkRun(start, end int) {
	if end < len(s.text) && s.text[end] == '.' {
		from := start + bytes.LastIndexByte(s.text[start:end], '/') + 1
		if to, ok := s.discordToken(from, end); ok {
			s.found = append(s.found, finding{from, to, rankDiscord, "discord-bot-token"})
			return
		}
	}
	if s.brokenKeyword(start) {
		return
	}
	for start < end && (s.text[start] == '-' || s.text[start] == '_') {
		start++
	}
	size := end - start
	if size >= leastEncodedBytes {
		if name, ok := s.holdsSecret(s.text[start:end]); ok {
			s.add(name, start, s.skip(end, "=", 2))
			return
		}
	}
	if size < leastRandomBytes || size > mostRandomBytes {
		return
	}
	value := s.text[start:end]
	shape := shapeOf(value)
	wordiness := wordiness(value)
	if shape.lower < 4 || shape.upper < 4 || shape.digits < 1 || shape.digits < 3 && wordiness >= 0.25 || wordiness >= 0.38 || entropy(value) < randomEntropy {
		return
	}
	if s.isPublic(start, end) {
		return
	}
	for padding := 0; padding < 2 && end < len(s.text) && s.text[end] == '='; padding++ {
		end++
	}
	s.found = append(s.found, finding{start, end, rankRandom, "high-entropy"})
}

// discordToken: a bot's number in Base64, a time, a signature. The first letter follows from the length of the number.
func (s *scan) discordToken(start, dot int) (int, bool) {
	if size := dot - start; size < discordStart || size > 28 || bytes.IndexByte([]byte("MNO"), s.text[start]) < 0 {
		return 0, false
	}
	time := s.runEnd(dot+1, 7)
	if time-dot != 7 || time >= len(s.text) || s.text[time] != '.' {
		return 0, false
	}
	end := s.runEnd(time+1, 80)
	if size := end - time - 1; size < 27 || size > 40 {
		return 0, false
	}
	shape := shapeOf(s.text[start:end])
	return end, shape.upper > 8 && shape.lower > 8 && shape.digits > 1 && looksRandom(s.text[start:end])
}

func (s *scan) runEnd(at, most int) int {
	end, limit := at, min(len(s.text), at+most)
	for end < limit && inRandom[s.text[end]] {
		end++
	}
	return end
}

// isPublic knows what looks random and is no secret: hashes, public keys, numbers of things, parts of addresses and
// paths, embedded data.
func (s *scan) isPublic(start, end int) bool {
	value := s.text[start:end]
	before := s.text[max(0, start-mostRandomBytes):start]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	if len(before) > 0 {
		c := before[len(before)-1]
		if bytes.IndexByte([]byte("/.:#@%?&~\\$"), c) >= 0 || value[0] == '/' && (len(value) < 60 || wordiness(value) >= 0.3) && bytes.IndexByte([]byte("(\"'"), c) >= 0 {
			return true
		}
	}
	if bytes.Contains(before, []byte("_acme-challenge")) || bytes.Contains(before, []byte(" TXT ")) { // the name system shows it to all
		return true
	}
	for _, prefix := range []string{"AAAA", "sha1-", "sha256-", "sha384-", "sha512-", "Qm"} {
		if bytes.HasPrefix(value, []byte(prefix)) {
			return true
		}
	}
	if bytes.Count(value, []byte{'_'})+bytes.Count(value, []byte{'-'}) > max(4, len(value)/12) {
		return true // a name of many words
	}
	return isAlphabet(value) || isText(value) || announcesPublic(before) || s.inDataBlock(start, end)
}

// isAlphabet: a list of the letters in their order.
func isAlphabet(value []byte) bool {
	for _, row := range []string{"abcdefgh", "ABCDEFGH", "23456789"} {
		if bytes.Contains(value, []byte(row)) {
			return true
		}
	}
	return false
}

// isText: Base64 of something to be read. A random value has a byte that no text has among the first few.
func isText(value []byte) bool {
	var decoded [3 * mostRandomBytes / 4]byte
	n, err := base64.RawStdEncoding.Decode(decoded[:], value[:len(value)/4*4])
	if err != nil {
		return false
	}
	for _, c := range decoded[:n] {
		if (c < ' ' || c > '~') && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// publicWords announce a value on its line that may be seen; publicKeys end the name that it is assigned to.
var (
	publicWords = []string{"sha-", "sha1", "sha2", "sha3", "sha5", "hash", "digest", "checksum", "fingerprint", "integrity", "public key", "publickey", "public_key", "public-key", "pubkey", "site key", "sitekey", "site-key", "site_key"}
	publicKeys  = []string{"id", "nonce", "opaque", "etag", "cursor", "signature", "x", "y", "n", "hash", "digest", "checksum", "revision", "commit", "verification"}
)

func announcesPublic(before []byte) bool {
	word := before
	if blank := bytes.LastIndexAny(before, " \t\"'`<("); blank >= 0 {
		word = before[blank+1:]
	}
	if bytes.Contains(word, []byte("://")) || bytes.HasSuffix(word, []byte("base64,")) || bytes.HasPrefix(word, []byte("www.")) {
		return true
	}
	near := bytes.ToLower(before[max(0, len(before)-maxKeptTextBytes):])
	for _, announcement := range publicWords {
		if bytes.Contains(near, []byte(announcement)) {
			return true
		}
	}
	name := bytes.TrimRight(near, "\"'` \t=:-_")
	if len(name) == len(near) {
		return false
	}
	name = name[bytes.LastIndexFunc(name, func(r rune) bool { return r > 0x7f || !isAlnum(byte(r)) })+1:]
	for _, key := range publicKeys {
		if string(name) == key || len(key) > 1 && bytes.HasSuffix(name, []byte(key)) {
			return true
		}
	}
	return false
}

// inDataBlock: the value fills its line, and so does Base64 the line before or after it, or one of them is the frame of
// a certificate or the fence of an embedded file.
func (s *scan) inDataBlock(start, end int) bool {
	const margin, line = 40, 300
	from := start
	for from > max(0, start-margin) && bytes.IndexByte([]byte(" \t>|\"'`"), s.text[from-1]) >= 0 {
		from--
	}
	for limit := end + margin; end < min(len(s.text), limit) && bytes.IndexByte([]byte(" \t\r|=\"'`,;)+"), s.text[end]) >= 0; {
		end++
	}
	if from > 0 && s.text[from-1] != '\n' || end < len(s.text) && s.text[end] != '\n' {
		return false
	}
	if from > 0 {
		before := bytes.TrimRight(s.text[max(0, from-1-line):from-1], " \t\r\n>")
		if isDataLine(before[bytes.LastIndexByte(before, '\n')+1:]) {
			return true
		}
	}
	if end == len(s.text) {
		return false
	}
	after := s.text[end+1 : min(len(s.text), end+1+line)]
	if i := bytes.IndexByte(after, '\n'); i >= 0 {
		after = after[:i]
	}
	return isDataLine(after)
}

func isDataLine(line []byte) bool {
	line = bytes.Trim(line, " \t\r>|\"'`,;)+")
	if bytes.HasPrefix(line, []byte("-----")) || bytes.HasPrefix(line, []byte("```compressed-json")) {
		return true
	}
	if len(line) < leastRandomBytes {
		return false
	}
	for _, c := range line {
		if !inRandom[c] && c != '=' {
			return false
		}
	}
	return true
}
