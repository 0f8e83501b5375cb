package secret

import "bytes"

const (
	maxKeyBytes  = 32 << 10
	leastKeyBody = 20
)

// pemKey: the block of a private key, in whatever wrapping: quoted, indented, with "\n" for line ends, without its end.
func (s *scan) pemKey(start, _ int) (from, to int, ok bool) {
	frame := []byte("-----")
	if s.text[start+4] == ' ' {
		frame = []byte("----")
	}
	head := s.text[start:min(len(s.text), start+100)]
	if i := bytes.IndexByte(head, '\n'); i >= 0 {
		head = head[:i]
	}
	close := bytes.Index(head[min(len(head), 10):], frame)
	if close < 0 || !isPrivateLabel(head[10:10+close]) {
		return 0, 0, false
	}
	body := start + 10 + close + len(frame)
	limit := min(len(s.text), body+maxKeyBytes)
	if next := bytes.Index(s.text[body:limit], frame); next >= 0 {
		end := body + next
		if isPEMEnd(s.text[end:]) && isKeyBody(s.text[body:end]) {
			rest := s.text[end+8 : min(len(s.text), end+88)]
			if i := bytes.Index(rest, frame); i >= 0 {
				return start, end + 8 + i + len(frame), true
			}
			return start, end + 8, true
		}
		limit = end
	}
	end := s.keyBody(body, limit)
	return start, end, isKeyBody(s.text[body:end])
}

func isPEMEnd(text []byte) bool {
	return bytes.HasPrefix(text, []byte("-----END")) || bytes.HasPrefix(text, []byte("---- END"))
}

func isPrivateLabel(label []byte) bool {
	label = bytes.TrimSpace(bytes.ToUpper(label))
	for _, end := range []string{"PRIVATE KEY", "PRIVATE KEY BLOCK", "SECRET KEY BLOCK", "OPENVPN STATIC KEY V1"} {
		if bytes.HasSuffix(label, []byte(end)) {
			return true
		}
	}
	return false
}

// isKeyBody: enough of a key, and not "MIIE…" with dots for the rest.
func isKeyBody(body []byte) bool {
	size := keyBytes(body)
	return size >= leastKeyBody && (size >= 100 || !bytes.Contains(body, []byte("...")) && !bytes.Contains(body, []byte("…")) && !bytes.Contains(body, []byte("<")))
}

// keyBody is the end of the lines that may be the body of a key.
func (s *scan) keyBody(body, limit int) int {
	end := body
	for at := body; at < limit; {
		lineEnd := limit
		if i := bytes.IndexByte(s.text[at:limit], '\n'); i >= 0 {
			lineEnd = at + i
		}
		line := bytes.Trim(s.text[at:lineEnd], " \t\r>|\"'`,#*")
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("<br")), []byte("<br /"))
		if len(line) > 0 && !isKeyLine(line) {
			break
		}
		if len(line) > 0 {
			end = lineEnd
		}
		at = lineEnd + 1
	}
	return end
}

func isKeyLine(line []byte) bool {
	for _, header := range []string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:"} {
		if bytes.HasPrefix(line, []byte(header)) {
			return true
		}
	}
	if len(line) < leastKeyBody && line[0] != '=' && line[len(line)-1] != '=' {
		return false
	}
	for _, c := range line {
		if !isAlnum(c) && bytes.IndexByte([]byte("+/=\\\" "), c) < 0 {
			return false
		}
	}
	return bytes.Count(line, []byte{' '}) < 3
}

func keyBytes(body []byte) int {
	count := 0
	for _, c := range body {
		if isAlnum(c) || c == '+' || c == '/' || c == '=' {
			count++
		}
	}
	return count
}

// puttyKey: the private lines of a PuTTY key file and the code that secures them.
func (s *scan) puttyKey(_, end int) (from, to int, ok bool) {
	limit := min(len(s.text), end+maxKeyBytes)
	line := bytes.IndexByte(s.text[end:min(limit, end+40)], '\n')
	if line < 0 {
		return 0, 0, false
	}
	body := end + line + 1
	to = s.keyBody(body, limit)
	if keyBytes(s.text[body:to]) < leastKeyBody {
		return 0, 0, false
	}
	if rest := s.text[to:min(limit, to+140)]; bytes.HasPrefix(bytes.TrimLeft(rest, "\r\n >\t"), []byte("Private-MAC:")) {
		mac := to + bytes.Index(rest, []byte("Private-MAC:"))
		if i := bytes.IndexByte(s.text[mac:min(len(s.text), mac+120)], '\n'); i >= 0 {
			return body, mac + i, true
		}
		return body, min(len(s.text), mac+120), true
	}
	return body, to, true
}

// derStarts are the first bytes of private keys in DER, as Base64: PKCS #8 and #1 of RSA behind their length, SEC 1 and
// PKCS #8 of P-256, Ed25519.
var derStarts = []string{"IBADANBgkqhkiG9w0BAQEF", "IBAAKCAQEA", "IBAAKCAgEA", "IBAAKBgQ", "MHcCAQEEI", "MIGHAgEAMBMGByqGSM49", "MC4CAQAwBQYDK2VwBCIEI"}

// derKey: the body of a private key without its frame.
func (s *scan) derKey(start, end int) (from, to int, ok bool) {
	from = start
	for from > 0 && start-from < 6 && isAlnum(s.text[from-1]) {
		from--
	}
	if s.text[from] != 'M' {
		return 0, 0, false
	}
	to = end
	for limit := min(len(s.text), end+maxKeyBytes); to < limit && (isAlnum(s.text[to]) || bytes.IndexByte([]byte("+/=\\"), s.text[to]) >= 0); {
		to++
	}
	if to < len(s.text) && s.text[to] == '\n' {
		to = max(to, s.keyBody(to+1, min(len(s.text), end+maxKeyBytes)))
	}
	if to-from < 56 {
		s.skipTo("private-key", to)
		return 0, 0, false
	}
	return from, to, true
}

// encodedKey: the block of a private key as Base64, as the settings of clusters hold it.
func (s *scan) encodedKey(start, end int) (from, to int, ok bool) {
	to = end
	for limit := min(len(s.text), end+maxKeyBytes); to < limit && (isAlnum(s.text[to]) || bytes.IndexByte([]byte("+/="), s.text[to]) >= 0); {
		to++
	}
	label := decodeBase64(s.text[start:min(to, start+80)])
	label = label[min(len(label), 11):]
	if i := bytes.Index(label, []byte("-----")); i >= 0 && isPrivateLabel(label[:i]) && to-start > 100 {
		return start, to, true
	}
	s.skipTo("private-key", to)
	return 0, 0, false
}

const (
	maxWebKeyBefore = 2 << 10
	maxWebKeyAfter  = 8 << 10
)

// webKey: the private members of a JSON Web Key (RFC 7517), whose "kty" stands at start.
func (s *scan) webKey(start, end int) (from, to int, ok bool) {
	open := bytes.LastIndexByte(s.text[max(0, start-maxWebKeyBefore):start], '{')
	if open < 0 {
		s.cost += maxWebKeyBefore
		return 0, 0, false
	}
	first := start - min(start, maxWebKeyBefore) + open
	last := min(len(s.text), end+maxWebKeyAfter)
	for _, stop := range []string{"}", "{", "kty"} {
		if i := bytes.Index(s.text[end:last], []byte(stop)); i >= 0 {
			last = end + i
		}
	}
	s.cost += last - first
	for at := first; at < last; {
		colon := bytes.IndexByte(s.text[at:last], ':')
		if colon < 0 {
			break
		}
		at += colon + 1
		if privateMembers[s.nameBefore(at-1)] {
			from := s.skip(at, "\"' \t\r\n", 12)
			if to := s.runEnd(from, maxWebKeyAfter); to-from >= leastKeyBody {
				s.add("private-key", from, to)
			}
		}
	}
	return 0, 0, false
}

// privateMembers are those of a JSON Web Key that must not be seen (RFC 7518, 6).
var privateMembers = wordSet("d p q dp dq qi k")

// nameBefore is the short name of a member whose colon is at an offset, with or without quotes; "" if it is longer.
func (s *scan) nameBefore(colon int) string {
	const longest = 2
	end := colon
	for end > 0 && colon-end < 4 && bytes.IndexByte([]byte(" \"'"), s.text[end-1]) >= 0 {
		end--
	}
	start := end
	for start > 0 && isAlnum(s.text[start-1]) {
		if start--; end-start > longest {
			return ""
		}
	}
	return string(s.text[start:end])
}
