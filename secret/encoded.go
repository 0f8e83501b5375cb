package secret

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"
)

const maxDecodedBytes = 3 << 10

// decodeBase64 decodes either alphabet, with or without its end, at most maxDecodedBytes of it; nil if value is none.
func decodeBase64(value []byte) []byte {
	value = bytes.TrimRight(value, "=")
	value = value[:min(len(value), maxDecodedBytes/3*4)]
	if len(value)%4 == 1 {
		return nil
	}
	encoding := base64.RawStdEncoding
	if bytes.ContainsAny(value, "-_") {
		encoding = base64.RawURLEncoding
	}
	out := make([]byte, encoding.DecodedLen(len(value)))
	n, err := encoding.Decode(out, value)
	if err != nil {
		return nil
	}
	return out[:n]
}

// isShown: text that a person can read.
func isShown(text []byte) bool {
	for _, c := range text {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return false
		}
	}
	return len(text) > 0 && utf8.Valid(text)
}

// isEncoded: Base64 of something that a person would type: the password of a manifest.
func isEncoded(value []byte) bool {
	if len(value) < 8 || len(value)%4 != 0 || value[len(value)-1] != '=' {
		return false
	}
	plain := decodeBase64(value)
	return len(plain) >= 4 && isShown(plain) && notSimple(plain)
}

// holdsSecret looks inside Base64 and tells the rule that finds something there.
func (s *scan) holdsSecret(value []byte) (string, bool) {
	if !startsShown(value) {
		return "", false
	}
	plain := decodeBase64(value)
	if !isShown(plain) {
		return "", false
	}
	inner := &scan{text: plain, rules: s.rules}
	inner.run()
	best := finding{rank: rankRandom}
	for _, f := range inner.found {
		if f.name != Unscanned && f.rank < best.rank {
			best = f
		}
	}
	return best.name, best.rank < rankRandom
}

// startsShown is the quick test: the first bytes are ASCII.
func startsShown(value []byte) bool {
	const size = 12
	var plain [size]byte
	n, err := base64.StdEncoding.Decode(plain[:], value[:size])
	if err != nil {
		n, err = base64.URLEncoding.Decode(plain[:], value[:size])
	}
	for _, c := range plain[:n] {
		if c >= 0x80 {
			return false
		}
	}
	return err == nil && isShown(plain[:n])
}

// jwt: three parts of Base64, or the five of an encrypted one, of which the second may be empty. Where the first says that
// it is the header of a token, the others may be short and the signature may lack.
func (s *scan) jwt(start, _ int) (from, to int, ok bool) {
	at, parts, breaks := start, 0, maxJoinedPieces
	var sizes [5]int
	for parts < 5 {
		end := at
		for end < len(s.text) {
			if c := s.text[end]; isAlnum(c) || c == '_' || c == '-' {
				sizes[parts]++
				end++
			} else if next := s.partBehind(end); next > end && breaks > 0 && sizes[0] > 8 {
				end = next
				breaks--
			} else {
				break
			}
		}
		parts++
		if at = end; parts == 5 || at >= len(s.text) || s.text[at] != '.' {
			break
		}
		at++
	}
	signed := parts >= 3 && sizes[1] >= 10 && sizes[2] >= 16
	encrypted := parts == 5 && sizes[3] >= 10 && sizes[4] >= 10
	short := parts >= 2 && !signed && sizes[1] >= 3 && breaks == maxJoinedPieces && isTokenHeader(s.text[start:start+sizes[0]])
	if sizes[0] >= 12 && (signed || encrypted || short) {
		if s.text[at-1] == '.' && sizes[parts-1] == 0 {
			at-- // the end of a sentence
		}
		return start, at, true
	}
	s.skipTo("jwt", at)
	return 0, 0, false
}

// partBehind is where a part of a token goes on that breaks here; at itself if what follows is no rest.
func (s *scan) partBehind(at int) int {
	next, kind := afterBreak(s.text, at)
	if kind == noBreak {
		return at
	}
	if kind == markBreak {
		return next
	}
	piece := s.text[next:s.runEnd(next, maxTokenBytes)]
	if len(piece) == 0 || !goesOn(piece) && (next+len(piece) >= len(s.text) || s.text[next+len(piece)] != '.') {
		return at
	}
	return next
}

// isTokenHeader: JSON that names an algorithm.
func isTokenHeader(part []byte) bool {
	if len(part) > 2000 {
		return false
	}
	header := decodeBase64(part)
	return len(header) > 8 && header[0] == '{' && header[len(header)-1] == '}' && bytes.Contains(header, []byte(`"alg"`))
}
