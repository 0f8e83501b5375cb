package secret

import (
	"bytes"
	"slices"
	"strings"
)

const maxCommandBytes = 500

// passwordFlags are the flags of programs that take a password. With attached, only what follows directly counts.
var passwordFlags = map[string]struct {
	flags    []string
	attached bool
}{
	"mysql": {[]string{"-p"}, true}, "mysqldump": {[]string{"-p"}, true}, "mysqladmin": {[]string{"-p"}, true}, "mysqlimport": {[]string{"-p"}, true}, "mariadb": {[]string{"-p"}, true},
	"sshpass": {[]string{"-p"}, false}, "redis-cli": {[]string{"-a", "--pass"}, false}, "mongo": {[]string{"-p"}, false}, "mongosh": {[]string{"-p"}, false},
	"mongodump": {[]string{"-p"}, false}, "mongorestore": {[]string{"-p"}, false}, "ldapsearch": {[]string{"-w"}, false}, "ldapadd": {[]string{"-w"}, false},
	"ldapmodify": {[]string{"-w"}, false}, "sqlcmd": {[]string{"-P"}, false}, "bcp": {[]string{"-P"}, false}, "osql": {[]string{"-P"}, false}, "unzip": {[]string{"-P"}, false},
	"zip": {[]string{"-P"}, false}, "7z": {[]string{"-p"}, true}, "docker login": {[]string{"-p"}, false}, "podman login": {[]string{"-p"}, false},
	"helm registry login": {[]string{"-p"}, false}, "oc login": {[]string{"-p"}, false}, "az login": {[]string{"-p"}, false}, "plink": {[]string{"-pw"}, false},
	"gh secret set": {[]string{"--body", "-b"}, false}, "openssl": {[]string{"-k", "-pass", "-passin", "-passout"}, false},
	"pscp": {[]string{"-pw"}, false}, "xfreerdp": {[]string{"/p:"}, true}, "cmdkey": {[]string{"/pass:"}, true}, "smbclient": {[]string{"-U"}, false},
}

var commandWords = func() []string {
	var words []string
	for word := range passwordFlags {
		words = append(words, word+" ")
	}
	for word := range passwordArguments {
		words = append(words, word+" ")
	}
	slices.Sort(words) // as all of the table: in one order in every process
	return words
}()

// passwordArguments are programs that take secrets without a flag: as the value of a pair, or beside the name of a user.
var passwordArguments = map[string]struct{ pairs bool }{
	"kubectl create secret": {true}, "vault kv put": {true}, "vault kv patch": {true}, "bao kv put": {true}, "fly secrets set": {true}, "flyctl secrets set": {true}, "heroku config:set": {true},
	"htpasswd": {false}, "net use": {false}, "net user": {false},
}

// looseArguments reports all that look like a password among the arguments, or the values of their pairs.
func (s *scan) looseArguments(list []argument, kind struct{ pairs bool }) (from, to int, ok bool) {
	for _, arg := range list {
		if kind.pairs {
			pair := bytes.TrimPrefix(s.text[arg.from:arg.to], []byte("--from-literal="))
			equals := bytes.IndexByte(pair, '=')
			if equals < 1 || pair[0] == '-' {
				continue
			}
			arg.from = s.skip(arg.to-len(pair)+equals+1, "\"'", 1)
			for arg.to > arg.from && s.isQuote(arg.to-1) {
				arg.to--
			}
		}
		word, a := s.text[arg.from:arg.to], assignment{link: linkEquals}
		if len(word) == 0 || word[0] == '/' || word[0] == '-' || word[0] == '\\' || !kind.pairs && !isStrong(word) {
			continue
		}
		if likePassword(word, a) || likeSecret(word, a) {
			s.add("command-password", arg.from, arg.to)
		}
	}
	return 0, 0, false
}

// argument is a word of a command line; its quotes are outside.
type argument struct{ from, to int }

// arguments splits the rest of a command line, over the lines that a backslash joins to it. The rule named is not asked
// again before its end.
func (s *scan) arguments(at int, rule string) []argument {
	var list []argument
	end := at
	limit := min(len(s.text), at+maxCommandBytes)
	for at < limit && len(list) < 60 {
		switch c := s.text[at]; {
		case c == ' ' || c == '\t' || c == '\r':
			at++
		case c == '\\' && at+1 < limit && (s.text[at+1] == '\n' || s.text[at+1] == '\r'):
			at = s.skip(at+1, "\r\n", 2)
		case c == '\n' || c == '|' || c == ';' || c == '`':
			at = limit
		default:
			from, to, next := s.argument(at, limit)
			list = append(list, argument{from, to})
			if at = next; to-from == 2 && s.text[from] == '&' {
				at = limit
			}
			end = next
		}
	}
	s.skipTo(rule, end)
	return list
}

func (s *scan) argument(at, limit int) (from, to, next int) {
	if s.isQuote(at) && s.text[at] != '`' {
		end := bytes.IndexByte(s.text[at+1:limit], s.text[at])
		if line := bytes.IndexByte(s.text[at+1:limit], '\n'); end >= 0 && (line < 0 || end < line) {
			return at + 1, at + 1 + end, at + end + 2
		}
		at++
	}
	from = at
	for at < limit && !endsArgument(s.text[at]) {
		at++
	}
	if at == limit { // a long one goes with all of it
		at = s.argumentEnd(at)
	}
	return from, at, max(at, from+1)
}

func endsArgument(c byte) bool { return c <= ' ' || c == '`' || c == '|' || c == ';' }

func (s *scan) argumentEnd(at int) int {
	start, limit := at, min(len(s.text), at+maxWholeBytes)
	for at < limit && !endsArgument(s.text[at]) {
		at++
	}
	s.cost += at - start
	return at
}

// commandPassword: mysql -pPASSWORD, sshpass -p PASSWORD, smbclient -U user%PASSWORD.
func (s *scan) commandPassword(start, end int) (from, to int, ok bool) {
	name := string(s.text[start : end-1])
	known := passwordFlags[name]
	list := s.arguments(end, "command-password")
	if loose, isLoose := passwordArguments[name]; isLoose {
		return s.looseArguments(list, loose)
	}
	for i, arg := range list {
		word := string(s.text[arg.from:arg.to])
		for _, flag := range known.flags {
			value := arg
			switch {
			case word == flag && !known.attached && i+1 < len(list):
				value = list[i+1]
			case name != "openssl" && strings.HasPrefix(word, flag) && len(word) > len(flag):
				value.from += len(flag)
				if s.isQuote(value.from) && s.text[value.to-1] == s.text[value.from] && value.to-value.from > 2 {
					value.from, value.to = value.from+1, value.to-1
				}
			default:
				continue
			}
			if name == "openssl" && flag != "-k" {
				if !bytes.HasPrefix(s.text[value.from:value.to], []byte("pass:")) {
					continue // env:, file:, stdin
				}
				value.from += len("pass:")
			}
			if name == "smbclient" {
				percent := bytes.IndexByte(s.text[value.from:value.to], '%')
				if percent < 0 {
					continue
				}
				value.from += percent + 1
			}
			if s.isTyped(value.from, value.to) {
				return value.from, value.to, true
			}
		}
	}
	return 0, 0, false
}

// isTyped: what a flag for a password may have as its value.
func (s *scan) isTyped(from, to int) bool {
	value := s.text[from:to]
	return len(value) >= 4 && value[0] != '-' && value[0] != '/' && !isNumber(value) && notSimple(value) && !isReference(value)
}

// curlPassword: curl -u user:PASSWORD, or -u TOKEN: without one.
func (s *scan) curlPassword(_, end int) (from, to int, ok bool) {
	list := s.arguments(end, "curl-password")
	for i, arg := range list {
		word := string(s.text[arg.from:arg.to])
		pair := arg
		switch {
		case (word == "-u" || word == "--user" || word == "-U" || word == "--proxy-user" || word == "--oauth2-bearer") && i+1 < len(list):
			pair = list[i+1]
		case strings.HasPrefix(word, "--user="):
			pair.from += len("--user=")
		case strings.HasPrefix(word, "-u") && strings.Contains(word, ":"):
			pair.from += len("-u")
		default:
			continue
		}
		if from, to, ok = s.userPassword(pair.from, pair.to); ok {
			return from, to, true
		}
	}
	return 0, 0, false
}

// userPassword finds the secret in "user:password", in "token:" and in a token alone.
func (s *scan) userPassword(from, to int) (int, int, bool) {
	colon := bytes.IndexByte(s.text[from:to], ':')
	if colon < 0 || from+colon+1 == to {
		if colon >= 0 {
			to = from + colon
		}
		value := s.text[from:to]
		return from, to, len(value) >= 10 && notSimple(value) && shapeOf(value).letters() > 0 && (len(value) >= 16 && looksRandom(value) || len(value) < 16 && isPasswordShaped(value, assignment{link: linkEquals}))
	}
	user := s.text[from : from+colon]
	start := s.skip(from+colon+1, "\"'", 2)
	for to > start && s.isQuote(to-1) {
		to--
	}
	if to-start < 4 || bytes.Equal(user, s.text[start:to]) || !notSimple(bytes.Trim(s.text[start:to], "{}")) {
		return 0, 0, false
	}
	return start, to, true
}

// authorization: what follows "Authorization:" and the name of a scheme, or "Bearer" and "Basic" alone.
func (s *scan) authorization(start, end int) (from, to int, ok bool) {
	word := strings.TrimRight(strings.ToLower(string(s.text[start:end])), " :")
	at, named := end, word == "authorization"
	if named {
		var a assignment
		if at = s.operator(&a, start, end); at < 0 || a.link <= linkProse {
			return 0, 0, false
		}
		at = s.opening(at)
		at = s.skip(at, "\"'`[", 2)
		scheme := at
		for scheme < len(s.text) && scheme-at < 16 && isAlnum(s.text[scheme]) {
			scheme++
		}
		if scheme < len(s.text) && s.text[scheme] == ' ' && scheme > at {
			word = strings.ToLower(string(s.text[at:scheme]))
			at = scheme
		}
	}
	at = s.skip(at, " :=\"'`", 4)
	to = s.bareEnd(at)
	value := s.text[at:to]
	s.cost += len(value)
	if word == "basic" {
		if plain := decodeBase64(value); len(value) >= 8 && isShown(plain) && bytes.IndexByte(plain, ':') >= 0 {
			if !isLogin(plain) {
				return 0, 0, false
			}
			return at, s.whole(assignment{from: at, to: to}), true
		}
	}
	least := 16
	if named && word != "authorization" {
		least = 12
	}
	if len(value) < least || !notSimple(value) || !isUUID(value) && (!looksRandom(value) || isReference(value)) {
		return 0, 0, false
	}
	return at, s.whole(assignment{from: at, to: to}), true
}

// isLogin: "user:password" with a password that is not one of those of examples.
func isLogin(plain []byte) bool {
	user, password, ok := bytes.Cut(bytes.TrimSpace(plain), []byte{':'})
	switch {
	case !ok:
		return false
	case len(password) == 0:
		return len(user) >= 10 && notSimple(user)
	}
	return len(password) >= 4 && !bytes.Equal(user, password) && notSimple(password)
}

// session: the value of a cookie that stands for a login.
func (s *scan) session(start, end int) (from, to int, ok bool) {
	if next := s.skip(end, "_-", 1); next+1 < len(s.text) && bytes.EqualFold(s.text[next:next+2], []byte("id")) {
		end = next + 2
	}
	a, ok := s.assigned(start, end)
	if !ok || a.link < linkColon {
		return 0, 0, false
	}
	value := s.text[a.from:a.to]
	if len(value) < 16 || isReference(value) || !notSimple(value) || isUUID(value) || !looksGenerated(value) && (len(value) < 24 || wordiness(value) >= 0.3 || !looksRandom(value)) {
		if a.to-a.from > maxKeptTextBytes {
			s.skipTo("session-cookie", a.to)
		}
		return 0, 0, false
	}
	return a.from, s.whole(a), true
}

// netrcPassword: machine HOST login USER password PASSWORD, on one line or several.
func (s *scan) netrcPassword(_, end int) (from, to int, ok bool) {
	const maxEntry = 200
	limit := min(len(s.text), end+maxEntry)
	s.cost += maxEntry / 2
	previous := ""
	for at, words := end, 0; at < limit && words < 8; words++ {
		from = s.skip(at, " \t\r\n>", 24)
		for to = from; to < limit && s.text[to] > ' '; {
			to++
		}
		word := string(s.text[from:to])
		if words == 1 && word != "login" && word != "password" && word != "account" {
			return 0, 0, false
		}
		if previous == "password" {
			value := s.text[from:to]
			if len(value) < 4 || !notSimple(value) || len(value) < 8 && !isPasswordShaped(value, assignment{link: linkEquals}) {
				return 0, 0, false
			}
			return from, s.argumentEnd(to), true
		}
		previous, at = word, to
	}
	return 0, 0, false
}

// pgpassPassword: host:port:database:user:PASSWORD, alone on its line.
func (s *scan) pgpassPassword(start, _ int) (from, to int, ok bool) {
	const maxLine = 1000
	first := start
	for first > 0 && start-first < maxLine && s.text[first-1] > ' ' {
		first--
	}
	last := start
	for last < len(s.text) && last-start < maxLine && s.text[last] > ' ' {
		last++
	}
	s.skipTo("pgpass-password", last)
	if first > 0 && s.text[first-1] != '\n' && s.text[first-1] != ' ' || last < len(s.text) && s.text[last] != '\n' && s.text[last] != '\r' {
		return 0, 0, false
	}
	fields := bytes.SplitN(s.text[first:last], []byte{':'}, 5)
	if len(fields) < 5 || len(fields[4]) < 4 || len(fields[3]) == 0 || !isNumber(fields[1]) && string(fields[1]) != "*" || !notSimple(fields[4]) {
		return 0, 0, false
	}
	return last - len(fields[4]), last, true
}
