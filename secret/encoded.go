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

const maxManifestBytes = 8 << 10

// kubernetesSecret reports the values of a manifest of the kind Secret, whose "kind" stands at start.
func (s *scan) kubernetesSecret(start, end int) (from, to int, ok bool) {
	if end < len(s.text) && isAlnum(s.text[end]) {
		return 0, 0, false // SecretStore
	}
	first, last := max(0, start-maxManifestBytes), min(len(s.text), end+maxManifestBytes)
	if i := bytes.LastIndex(s.text[first:start], []byte("\n---")); i >= 0 {
		first += i
	}
	if i := bytes.Index(s.text[end:last], []byte("\n---")); i >= 0 {
		last = end + i
	}
	if i := bytes.Index(s.text[end:last], []byte("```")); i >= 0 {
		last = end + i
	}
	s.cost += last - first
	for at := first; at < last; {
		i := bytes.Index(s.text[at:last], []byte("ata"))
		if i < 0 {
			break
		}
		at += i + len("ata")
		if before := at - len("data"); before > first && (s.text[before] == 'd' && !isAlpha(s.text[before-1]) || s.text[before] == 'D') {
			at = s.manifestData(at, last)
		}
	}
	s.skipTo("kubernetes-secret", last)
	return 0, 0, false
}

// manifestData reports the values of "data" or "stringData", which ends at an offset, and returns where they end.
func (s *scan) manifestData(at, limit int) int {
	open := s.skip(at, "\"': \t\r", 12)
	if open == at || open >= limit || s.text[open] != '\n' && s.text[open] != '{' {
		return at
	}
	for at = open + 1; at < limit; {
		key := s.skip(at, " \t\r\n\"'>,.", limit-at)
		if key < limit && s.text[key] == '#' {
			at = s.lineEnd(key)
			continue
		}
		colon := key
		for colon < limit && (isAlnum(s.text[colon]) || bytes.IndexByte([]byte("_-."), s.text[colon]) >= 0) {
			colon++
		}
		if key == at && s.text[open] == '\n' {
			return at // no indent: the next member
		}
		value := s.skip(colon, "\"'", 1)
		if colon == key || value >= limit || s.text[value] != ':' {
			return max(colon, open+1)
		}
		value = s.skip(value+1, " \t\"'", 8)
		if bytes.IndexByte([]byte("|>"), s.text[min(value, len(s.text)-1)]) >= 0 {
			value = s.skip(value, "|>-+ \t\r\n", 40)
		}
		end := s.bareEnd(value)
		if text := s.text[value:end]; len(text) >= 4 && isManifestValue(text) {
			end = s.whole(assignment{from: value, to: end})
			s.add("kubernetes-secret", value, end)
		}
		at = max(end, value)
		if quote := s.skip(at, "\"'", 1); quote > at {
			at = quote
		}
	}
	return at
}

// isManifestValue: what is there at all, for all that such a manifest holds is secret, but for what a template puts in.
func isManifestValue(text []byte) bool {
	for _, part := range placeholders {
		if bytes.Contains(text, []byte(part)) {
			return false
		}
	}
	return text[0] != '$' && (decodeBase64(text) != nil || isPasswordShaped(text, assignment{link: linkEquals, quoted: true}))
}
