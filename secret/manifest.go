package secret

import "bytes"

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
