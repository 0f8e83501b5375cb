package secret

import (
	"bytes"
	"slices"
)

// genericRules know a secret by what stands around it. Their names give way to those of vendors.
var genericRules = []rule{
	{name: "private-key", keywords: []string{"-----begin", "---- begin"}, loose: true, anyCase: true, most: 1, look: (*scan).pemKey},
	{name: "private-key", keywords: []string{"private-lines:"}, loose: true, anyCase: true, most: 1, look: (*scan).puttyKey},
	{name: "private-key", keywords: derStarts, loose: true, most: 1, look: (*scan).derKey},
	{name: "private-key", keywords: []string{"LS0tLS1CRUdJTi"}, loose: true, most: 1, look: (*scan).encodedKey},
	{name: "private-key", keywords: []string{`"kty"`, "kty:", "'kty'"}, loose: true, most: 1, look: (*scan).webKey},
	{name: "otpauth-secret", keywords: []string{"otpauth://"}, loose: true, anyCase: true, pattern: `(?i:otpauth://[^\s"'<>]{0,300}?[?&]secret=([a-z2-7]{10,}))`, least: 30, check: anything},
	{name: "otpauth-secret", keywords: []string{"otpauth-migration://"}, loose: true, anyCase: true, pattern: `(?i:otpauth-migration://offline\?data=([a-z0-9+/_-]{20,}={0,2}))`, least: 50, check: anything},
	{name: "wireguard-key", keywords: []string{"privatekey", "presharedkey"}, loose: true, anyCase: true, most: 80, pattern: `(?i:(?:private|preshared)key[ \t]{0,3}=[ \t]{0,3}([a-z0-9+/]{43}=))`, check: anything},
	{name: "jwt", keywords: []string{"eyJ"}, most: 1, look: (*scan).jwt},
	{name: "paseto", keywords: []string{".local.", ".public."}, before: 2, pattern: `v[1-4]\.(?:local|public)\.[A-Za-z0-9_-]{40,}(?:\.[A-Za-z0-9_-]+)?`, least: 45},
	{name: "saml-response", keywords: []string{"samlresponse="}, loose: true, anyCase: true, pattern: `(?i:samlresponse=([a-z0-9+/=%_-]{100,}))`, least: 110, check: anything},
	{name: "url-credentials", keywords: []string{"://"}, loose: true, most: 1, look: (*scan).urlCredentials},
	{name: "url-credentials", keywords: []string{"jdbc:oracle:"}, loose: true, anyCase: true, most: 160, pattern: `(?i:jdbc:oracle:(?:thin|oci8?):[^\s/@:"']{1,60}/([^\s@"'/]{3,60})@)`, check: notSimple},
	{name: "authorization-header", keywords: []string{"bearer ", "bearer:", "basic ", "authorization"}, anyCase: true, loose: true, most: 1, look: (*scan).authorization},
	{name: "curl-password", keywords: []string{"curl "}, anyCase: true, most: 1, look: (*scan).curlPassword},
	{name: "command-password", keywords: commandWords, most: 1, look: (*scan).commandPassword},
	{name: "command-password", keywords: []string{"-passin", "-passout"}, loose: true, most: maxTokenBytes, pattern: `-pass(?:in|out)[ =]{1,2}["']?pass:([^\s"']{4,})`, check: notSimple},
	{name: "password", keywords: []string{"securestring"}, loose: true, anyCase: true, most: maxTokenBytes, pattern: `(?i:securestring[ (]{1,3}(?:-string )?["']([^"'\n]{4,})["'])`, check: notSimple},
	{name: "password", keywords: []string{"networkcredential("}, loose: true, anyCase: true, most: maxTokenBytes, pattern: `(?i:networkcredential\([^,\n]{1,80}, {0,3}"([^"\n]{4,})")`, check: notSimple},
	{name: "netrc-password", keywords: []string{"machine "}, most: 1, look: (*scan).netrcPassword},
	{name: "pgpass-password", keywords: []string{":5432:", ":3306:", ":*:"}, loose: true, most: 1, look: (*scan).pgpassPassword},
	{name: "password-hash", keywords: []string{":$2a$", ":$2b$", ":$2y$", ":$apr1$", ":$6$", ":$5$", ":$1$", ":$y$"}, loose: true, pattern: `:(\$(?:2[aby]\$\d\d\$[A-Za-z0-9./]{53}|apr1\$[^$\s]{1,8}\$[A-Za-z0-9./]{22}|1\$[^$\s]{1,8}\$[A-Za-z0-9./]{22}|[56]\$(?:rounds=\d+\$)?[^$\s]{1,16}\$[A-Za-z0-9./]{43,86}|y\$[^$\s]{1,8}\$[^$\s]{1,86}\$[A-Za-z0-9./]{43}))`, least: 26},
	{name: "password-hash", keywords: []string{":$argon2"}, loose: true, pattern: `:(\$argon2(?:id?|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{16,})`, most: 260},
	{name: "password-hash", keywords: []string{"{ssha"}, loose: true, anyCase: true, pattern: `(?i:\{ssha(?:256|512)?\}[a-z0-9+/]{28,}={0,2})`, most: 160},
	{name: "password", keywords: []string{
		"passw", "passphrase", "passcode", "pwd", "pass", "pw", "contraseña", "kennwort", "mot de passe", "senha", "wachtwoord", "lösenord", "hasło", "ароль", "psk",
		"密码", "密碼", "口令", "パスワード", "비밀번호",
	}, anyCase: true, loose: true, most: 1, look: (*scan).password},
	{name: "secret-assignment", keywords: []string{"secret", "token", "credential", "creds", "密钥", "令牌"}, anyCase: true, loose: true, most: 1, look: (*scan).assignedSecret},
	{name: "key-assignment", keywords: []string{"key", "_auth", `"auth"`}, anyCase: true, loose: true, most: 1, look: (*scan).assignedKey},
	{name: "session-cookie", keywords: []string{"session", "sessid", "connect.sid", "sid="}, anyCase: true, loose: true, most: 1, look: (*scan).session},
	{name: "kubernetes-secret", keywords: []string{"kind: secret", `kind: "secret"`, "kind: 'secret'", `"kind": "secret"`, `"kind":"secret"`}, anyCase: true, loose: true, most: 1, look: (*scan).kubernetesSecret},
	{name: "pin", keywords: []string{"PIN", "PUK"}, most: 1, look: (*scan).pin},
	{name: "recovery-code", keywords: codeWords, anyCase: true, loose: true, most: 1, look: (*scan).recoveryCodes},
	{name: "seed-phrase", keywords: seedWords, anyCase: true, loose: true, most: 1, look: (*scan).seedPhrase},
	{name: tableRule, keywords: []string{"|--", "| --", "--|", "-- |", "|:-", "| :-"}, loose: true, most: 1, look: (*scan).table},
}

func anything([]byte) bool { return true }

// jwt: three parts of Base64, or the five of an encrypted one, of which the second may be empty. Where the first says that
// it is the header of a token, the others may be short and the signature may lack.
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
	short := parts >= 2 && !signed && sizes[1] >= 3 && isTokenHeader(s.text[start:start+sizes[0]])
	if sizes[0] >= 12 && (signed || encrypted || short) {
		if s.text[at-1] == '.' && sizes[parts-1] == 0 {
			at-- // the end of a sentence
		}
		return start, at, true
	}
	s.skipTo("jwt", at)
	return 0, 0, false
}

// isTokenHeader: JSON that names an algorithm.
func isTokenHeader(part []byte) bool {
	if len(part) > 2000 {
		return false
	}
	header := decodeBase64(part)
	return len(header) > 8 && header[0] == '{' && header[len(header)-1] == '}' && bytes.Contains(header, []byte(`"alg"`))
}

// skipTo keeps a rule from looking at the rest of a run that it just went over in vain.
func (s *scan) skipTo(name string, at int) {
	first, end := s.rulesOf(name)
	for i := first; i < end; i++ {
		s.pass(i, at)
	}
}

// rulesOf gives the last rules of a name that stand together. The generic ones are at the end of the table.
func (s *scan) rulesOf(name string) (first, end int) {
	rules := s.rules.rules
	for end = len(rules); end > 0 && rules[end-1].name != name; {
		end--
	}
	for first = end; first > 0 && rules[first-1].name == name; {
		first--
	}
	return first, end
}

const (
	maxAuthority = 1 << 10
	hostCost     = 16 // of a place that may be the start of a host
)

// urlCredentials: scheme://user:password@host, where the user may lack, or be a token without a password.
func (s *scan) urlCredentials(start, end int) (from, to int, ok bool) {
	if start == 0 || !isAlnum(s.text[start-1]) {
		return 0, 0, false
	}
	at := s.credentialsEnd(end)
	if at < 0 {
		return 0, 0, false
	}
	colon := bytes.IndexByte(s.text[end:at], ':')
	if colon < 0 {
		token := s.text[end:at]
		return end, at, len(token) >= 20 && notSimple(token) && looksGenerated(token) && (!isHex(token) || len(token) == 40) // shorter ones name a project
	}
	user, password := s.text[end:end+colon], s.text[end+colon+1:at]
	if len(user) >= 20 && looksGenerated(user) && notSimple(user) { // https://token:x-oauth-basic@host
		return end, at, true
	}
	if len(password) == 0 { // https://token:@host
		return end, end + colon, len(user) >= 20 && notSimple(user) && looksRandom(user)
	}
	if len(password) < 4 || bytes.EqualFold(user, password) || !notSimple(password) || string(user) == "anonymous" ||
		len(password) < 8 && shapeOf(password).others == 0 && isExampleHost(s.text[at+1:]) {
		return 0, 0, false
	}
	return end + colon + 1, at, true
}

// exampleHosts are those of RFC 2606 and the words that stand for one.
var exampleHosts = byteWords("example.com example.org example.net example host hostname server")

// isExampleHost: text begins with a host that documentation writes.
func isExampleHost(text []byte) bool {
	end := 0
	for end < len(text) && end < 64 && (isAlnum(text[end]) || text[end] == '-' || text[end] == '.') {
		end++
	}
	host := bytes.ToLower(text[:end])
	return slices.ContainsFunc(exampleHosts, func(example []byte) bool {
		front, found := bytes.CutSuffix(host, example)
		return found && (len(front) == 0 || front[len(front)-1] == '.')
	})
}

// credentialsEnd is where the "@" of an address is whose authority starts at an offset: the last one before the path, or,
// where a slash belongs to the password, the first that a host with a dot follows; -1 if there is none.
func (s *scan) credentialsEnd(from int) int {
	limit, last, colon := min(len(s.text), from+maxAuthority), -1, -1
	at := from
	defer func() { s.cost += at - from }()
	for ; at < limit && s.text[at] > ' ' && bytes.IndexByte([]byte("/?#\"'<>`\\"), s.text[at]) < 0; at++ {
		switch {
		case s.text[at] == '@' && at+1 < len(s.text) && (isAlnum(s.text[at+1]) || s.text[at+1] == '['):
			last = at
		case s.text[at] == ':' && colon < 0:
			colon = at
		}
	}
	if colon < 0 || last >= 0 && bytes.ContainsAny(s.text[last:at], ".:[") || at >= limit || bytes.IndexByte([]byte("/?#"), s.text[at]) < 0 || isNumber(s.text[colon+1:at]) {
		return last
	}
	for ; at < limit && s.text[at] > ' ' && bytes.IndexByte([]byte("\"'<>`\\()[]{},"), s.text[at]) < 0; at++ {
		if s.text[at] == '@' {
			if s.isHost(at + 1) {
				return at
			}
			s.cost += hostCost
		}
	}
	return last
}

// isHost: letters and digits with a dot or the colon of a port.
func (s *scan) isHost(at int) bool {
	end := at
	for end < len(s.text) && end-at < 64 && (isAlnum(s.text[end]) || s.text[end] == '-') {
		end++
	}
	return end > at && end+1 < len(s.text) && (s.text[end] == '.' || s.text[end] == ':') && isAlnum(s.text[end+1])
}

// isNumber: a port, or nothing.
func isNumber(text []byte) bool {
	for _, c := range text {
		if !isDigit(c) {
			return false
		}
	}
	return true
}
