package secret

import "bytes"

// genericRules know a secret by what stands around it. Their names give way to those of vendors.
var genericRules = []rule{
	{name: "private-key", keywords: []string{"-----begin"}, loose: true, anyCase: true, most: 1, look: (*scan).pemKey},
	{name: "private-key", keywords: []string{"private-lines:"}, loose: true, anyCase: true, most: 1, look: (*scan).puttyKey},
	{name: "otpauth-secret", keywords: []string{"otpauth://"}, loose: true, anyCase: true, pattern: `(?i:otpauth://[^\s"'<>]{0,300}?[?&]secret=([a-z2-7]{10,}))`, least: 30, check: anything},
	{name: "wireguard-key", keywords: []string{"privatekey", "presharedkey"}, loose: true, anyCase: true, most: 80, pattern: `(?i:(?:private|preshared)key[ \t]{0,3}=[ \t]{0,3}([a-z0-9+/]{43}=))`, check: anything},
	{name: "jwt", keywords: []string{"eyJ"}, most: 1, look: (*scan).jwt},
	{name: "url-credentials", keywords: []string{"://"}, loose: true, most: 64, look: (*scan).urlCredentials},
	{name: "authorization-header", keywords: []string{"bearer ", "bearer:", "basic "}, anyCase: true, loose: true, most: 400, pattern: `(?i:(?:bearer|basic)[ :]{1,3}["']?([a-z0-9+/_.~=-]{16,}))`, check: notPlaceholder},
	{name: "curl-password", keywords: []string{"curl "}, anyCase: true, most: 300, pattern: `(?i:curl [^\n]{0,200}?(?:-u|--user)[ =]{0,2}["']?[^\s:"']{1,80}:([^\s"'\x60]{4,100}))`, check: notSimple},
	{name: "password", keywords: []string{"passw", "passphrase", "pwd", "pass", "contraseña", "kennwort", "mot de passe", "密码", "密碼", "口令", "パスワード", "비밀번호"}, anyCase: true, loose: true, most: 64, look: (*scan).password},
	{name: "secret-assignment", keywords: []string{"secret", "token", "credential", "密钥", "令牌"}, anyCase: true, loose: true, most: 64, look: (*scan).assignedSecret},
	{name: "key-assignment", anyCase: true, loose: true, most: 64, look: (*scan).assignedSecret, keywords: []string{
		"apikey", "api_key", "api-key", "api key", "accesskey", "access_key", "access-key", "access key", "privatekey", "private_key", "private-key",
		"auth_key", "authkey", "auth-key", "encryption_key", "encryptionkey", "signing_key", "signingkey", "secretkey", "master_key", "account_key", "_auth",
	}},
}

func anything([]byte) bool { return true }

// jwt: three parts of Base64, or the five of an encrypted one, of which the second may be empty.
func (s *scan) jwt(start, _ int) (from, to int, ok bool) {
	at, parts := start, 0
	var sizes [5]int
	for parts < 5 {
		end := at
		for end < len(s.text) && (isAlnum(s.text[end]) || s.text[end] == '_' || s.text[end] == '-') {
			end++
		}
		sizes[parts] = end - at
		parts++
		if at = end; parts == 5 || at >= len(s.text) || s.text[at] != '.' {
			break
		}
		at++
	}
	signed := parts >= 3 && sizes[1] >= 10 && sizes[2] >= 16
	encrypted := parts == 5 && sizes[3] >= 10 && sizes[4] >= 10
	if sizes[0] >= 12 && (signed || encrypted) {
		if s.text[at-1] == '.' && sizes[parts-1] == 0 {
			at-- // the end of a sentence
		}
		return start, at, true
	}
	s.skipTo("jwt", at)
	return 0, 0, false
}

// skipTo keeps a rule from looking at the rest of a run that it just went over in vain.
func (s *scan) skipTo(name string, at int) {
	for i := range s.rules.rules {
		if s.rules.rules[i].name == name {
			s.past[i] = max(s.past[i], at)
		}
	}
}

// urlCredentials: scheme://user:password@host.
func (s *scan) urlCredentials(start, end int) (from, to int, ok bool) {
	if start == 0 || !isAlnum(s.text[start-1]) {
		return 0, 0, false
	}
	colon := s.urlPart(end, 64)
	if colon >= len(s.text) || s.text[colon] != ':' {
		return 0, 0, false
	}
	at := s.urlPart(colon+1, 256)
	for at < len(s.text) && s.text[at] == ':' {
		at = s.urlPart(at+1, 256)
	}
	if at+1 >= len(s.text) || s.text[at] != '@' || !isAlnum(s.text[at+1]) && s.text[at+1] != '[' {
		return 0, 0, false
	}
	user, password := s.text[end:colon], s.text[colon+1:at]
	if len(password) < 4 || bytes.EqualFold(user, password) || !notSimple(password) {
		return 0, 0, false
	}
	return colon + 1, at, true
}

// urlPart is the end of a user name or password in an address.
func (s *scan) urlPart(at, most int) int {
	limit := min(len(s.text), at+most)
	for at < limit && s.text[at] > ' ' && bytes.IndexByte([]byte("/?#@:\"'<>`\\"), s.text[at]) < 0 {
		at++
	}
	return at
}

const (
	maxKeyBytes  = 32 << 10
	leastKeyBody = 20
)

// pemKey: the block of a private key, in whatever wrapping: quoted, indented, with "\n" for line ends, without its end.
func (s *scan) pemKey(start, _ int) (from, to int, ok bool) {
	head := s.text[start:min(len(s.text), start+100)]
	if i := bytes.IndexByte(head, '\n'); i >= 0 {
		head = head[:i]
	}
	close := bytes.Index(head[min(len(head), 10):], []byte("-----"))
	if close < 0 {
		return 0, 0, false
	}
	if label := bytes.ToUpper(head[10 : 10+close]); !bytes.HasSuffix(label, []byte("PRIVATE KEY")) && !bytes.HasSuffix(label, []byte("PRIVATE KEY BLOCK")) {
		return 0, 0, false
	}
	body := start + 10 + close + 5
	limit := min(len(s.text), body+maxKeyBytes)
	if next := bytes.Index(s.text[body:limit], []byte("-----")); next >= 0 {
		end := body + next
		if bytes.HasPrefix(s.text[end:], []byte("-----END")) && keyBytes(s.text[body:end]) >= leastKeyBody {
			rest := s.text[end+8 : min(len(s.text), end+88)]
			if i := bytes.Index(rest, []byte("-----")); i >= 0 {
				return start, end + 8 + i + 5, true
			}
			return start, end + 8, true
		}
		limit = end
	}
	end := s.keyBody(body, limit)
	return start, end, keyBytes(s.text[body:end]) >= leastKeyBody
}

// keyBody is the end of the lines that may be the body of a key.
func (s *scan) keyBody(body, limit int) int {
	end := body
	for at := body; at < limit; {
		lineEnd := limit
		if i := bytes.IndexByte(s.text[at:limit], '\n'); i >= 0 {
			lineEnd = at + i
		}
		line := bytes.Trim(s.text[at:lineEnd], " \t\r>|\"'`,")
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
		if !isAlnum(c) && bytes.IndexByte([]byte("+/=\\"), c) < 0 {
			return false
		}
	}
	return true
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
func (s *scan) puttyKey(start, end int) (from, to int, ok bool) {
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
