package secret

import (
	"bytes"
	"regexp"
	"sync"
)

// Hashes of passwords let these be guessed. They have a form of their own, which the manuals of programs show too: one counts
// behind the name of a user, or behind a key that says what it is.

// hashWords begin the forms of hashForms.
var hashWords = []string{
	"$2$", "$2a$", "$2b$", "$2x$", "$2y$", "$1$", "$apr1$", "$5$", "$6$", "$7$", "$y$", "$gy$", "$argon2", "$pbkdf2", "$scrypt$", "pbkdf2_sha", "pbkdf2:sha", "scrypt:", "{ssha", "{smd5}", "{pbkdf2",
}

const hashForms = `^(?:` +
	`\$2[abxy]?\$\d\d\$[A-Za-z0-9./]{53}` + // bcrypt
	`|\$(?:1|apr1)\$[^$\s]{1,8}\$[A-Za-z0-9./]{22}` + // MD5, of Unix and Apache
	`|\$[56]\$(?:rounds=\d+\$)?[^$\s]{1,16}\$[A-Za-z0-9./]{43,86}` + // SHA-2 of Unix
	`|\$(?:y|gy|7)\$[^$\s]{1,86}\$[^$\s]{1,86}(?:\$[A-Za-z0-9./]{43})?` + // yescrypt, scrypt of Unix
	`|\$argon2(?:id|i|d)\$(?:v=\d+\$)?m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{16,}` +
	`|\$pbkdf2(?:-sha\d+)?\$\d+\$[A-Za-z0-9+./]{4,}\$[A-Za-z0-9+./]{20,}` +
	`|\$scrypt\$ln=\d+,r=\d+,p=\d+\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{20,}` +
	`|pbkdf2_sha\d+\$\d+\$[^$\s]{1,64}\$[A-Za-z0-9+/]{20,}={0,2}` +
	`|(?:pbkdf2:sha\d+:\d+|scrypt:\d+:\d+:\d+)\$[^$\s]{1,64}\$[a-f0-9]{32,128}` +
	`|\{(?i:ssha(?:256|384|512)?|smd5|pbkdf2(?:-sha\d+)?)\}(?:\d+\$)?[A-Za-z0-9+/.$]{24,}={0,2}` + // LDAP
	`)`

var hashForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(hashForms) })

const maxHashBytes = 260

// passwordHash reads one where a word of it stands.
func (s *scan) passwordHash(start, _ int) (from, to int, ok bool) {
	line := s.text[max(0, start-maxKeptTextBytes):start]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	if s.text[start] != '{' && !announcesHash(line) {
		return 0, 0, false
	}
	s.cost += maxHashBytes
	place := hashForm().FindIndex(s.text[start:min(len(s.text), start+maxHashBytes)])
	if place == nil {
		return 0, 0, false
	}
	from, to = start, start+place[1]
	return from, to, notStandIn(s.text[from:to]) && (to == len(s.text) || !isAlnum(s.text[to]))
}

// hashKeys are parts of the names that hashes of passwords are assigned to.
var hashKeys = byteWords("hash pass pwd passwd pw crypt digest login user admin root secret shadow credential kennwort passwort")

// announcesHash: the line goes on from "user:", from a key for one, or from a flag that says so.
func announcesHash(line []byte) bool {
	key := bytes.TrimRight(line, " \t\"'`*_({[b")
	key = bytes.TrimSuffix(key, []byte(" is"))
	if len(key) < len(line) && bytes.HasPrefix(line[len(key):], []byte(" is ")) {
		return containsAny([]byte(foldASCII(string(key))), hashKeys)
	}
	if len(key) == 0 || bytes.IndexByte([]byte(":=>|"), key[len(key)-1]) < 0 {
		return bytes.HasSuffix(key, []byte("crypted"))
	}
	name := bytes.TrimRight(key, " \t\"'`*_:=>|")
	if len(key) == len(line) && key[len(key)-1] == ':' && len(name) == len(key)-1 && len(name) > 0 && isAlnum(name[len(name)-1]) {
		return true // ann:$2y$…
	}
	name = name[bytes.LastIndexAny(name, "\t\"'`*({[,;|<>=")+1:]
	return containsAny([]byte(foldASCII(string(name))), hashKeys)
}

// isPasswordHash is for the cells below a head that says so.
func isPasswordHash(value []byte, _ assignment) bool {
	place := hashForm().FindIndex(value)
	return place != nil && place[1] == len(value) && notStandIn(value)
}
