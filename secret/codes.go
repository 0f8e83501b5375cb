package secret

import "bytes"

// Numbers of cards and accounts are no credentials: nothing here looks for them.

var (
	codeWords = []string{
		"recovery code", "backup code", "recovery-code", "backup-code", "recovery_code", "backup_code", "scratch code", "rescue code", "2fa code", "wiederherstellungscode", "backup-codes",
		"code de secours", "codes de secours", "código de recuperación", "códigos de recuperación", "恢复码", "备用码", "リカバリーコード", "バックアップコード",
	}
	seedWords = []string{
		"seed phrase", "seed-phrase", "seed_phrase", "seedphrase", "recovery phrase", "secret phrase", "backup phrase", "mnemonic", "seed words", "wallet seed", "recovery seed",
		"wiederherstellungsphrase", "助记词", "シードフレーズ",
	}
)

const (
	maxCodeBytes = 1500
	maxCodes     = 24
	maxSeedBytes = 500
)

// pin: a number of four to eight digits that is called a PIN.
func (s *scan) pin(start, end int) (from, to int, ok bool) {
	if end < len(s.text) && isAlnum(s.text[end]) {
		return 0, 0, false
	}
	at := end
	for _, word := range []string{" code", " number", "-code", " Nummer"} {
		if bytes.HasPrefix(s.text[at:], []byte(word)) {
			at += len(word)
		}
	}
	var a assignment
	if at = s.operator(&a, start, at); at < 0 || a.link == linkBlank {
		return 0, 0, false
	}
	from = s.skip(s.opening(at), "\"'`", 1)
	for to = from; to < len(s.text) && to-from < 9 && isDigit(s.text[to]); {
		to++
	}
	if size := to - from; size < 4 || size > 8 || to < len(s.text) && (isAlnum(s.text[to]) || s.text[to] == '-' || s.text[to] == '.' && to+1 < len(s.text) && isDigit(s.text[to+1])) {
		return 0, 0, false
	}
	return from, to, !isRow(s.text[from:to]) && entropy(s.text[from:to]) > 0 && string(s.text[from:to]) != "1234"
}

// recoveryCodes reports the codes of a list behind words for it: on the line, and on those below as long as each holds one.
func (s *scan) recoveryCodes(start, end int) (from, to int, ok bool) {
	at := s.skip(end, "sn", 1)
	limit := min(len(s.text), at+maxCodeBytes)
	s.cost += 100
	first := len(s.found)
	for lines, codes, empty := 0, 0, 0; at < limit && codes < maxCodes && lines < maxCodes+3; lines++ {
		lineEnd := limit
		if i := bytes.IndexByte(s.text[at:limit], '\n'); i >= 0 {
			lineEnd = at + i
		}
		found := 0
		if lines > 0 && holdsText(s.text[at:lineEnd]) {
			break
		}
		if lines > 0 || s.isAnnounced(at, lineEnd) {
			found = s.codesIn(at, lineEnd)
		}
		s.cost += lineEnd - at
		codes += found
		if isEmpty := len(bytes.Trim(s.text[at:lineEnd], " \t\r>`~")) == 0; isEmpty {
			empty++
		} else if found == 0 && lines > 0 {
			break
		}
		if empty > 2 {
			break
		}
		at = lineEnd + 1
	}
	if len(s.found) > first {
		s.skipTo("recovery-code", s.found[len(s.found)-1].end)
	}
	return 0, 0, false
}

// holdsText: more than two words stand on a line, so that it is no list of codes.
func holdsText(line []byte) bool {
	words := 0
	for _, word := range bytes.Fields(line) {
		word = bytes.Trim(word, "*_`.,:;()[]|>-")
		shape := shapeOf(word)
		words += boolInt(len(word) > 1 && shape.digits == 0 && !isCode(word))
	}
	return words > 2
}

// isAnnounced: the words for codes are followed by what announces a value, or by the end of the line.
func (s *scan) isAnnounced(at, lineEnd int) bool {
	var a assignment
	next := s.operator(&a, at, at)
	return next >= 0 && next <= lineEnd && a.link != linkBlank
}

// codesIn reports the codes on a line that holds little else.
func (s *scan) codesIn(from, to int) int {
	count := 0
	for at := from; at < to; {
		at = s.skip(at, " \t\r>|`*,;:=\"'[](){}.", to-at)
		end := at
		for end < to && (isAlnum(s.text[end]) || s.text[end] == '-') {
			end++
		}
		isCut := end+1 < to && bytes.IndexByte([]byte("._/:@"), s.text[end]) >= 0 && isAlnum(s.text[end+1])
		if !isCut && isCode(s.text[at:end]) {
			s.add("recovery-code", at, end)
			count++
		}
		at = max(end, at+1)
	}
	return count
}

// isCode: 6 to 32 letters and digits, in groups or not, of which a fair share are digits.
func isCode(value []byte) bool {
	if len(value) < 6 || len(value) > 40 || !isAlnum(value[0]) || !isAlnum(value[len(value)-1]) {
		return false
	}
	shape := shapeOf(value)
	dashes := bytes.Count(value, []byte{'-'})
	if len(value) == 10 && dashes == 2 && shape.letters() == 0 || isRow(value) {
		return false // a date
	}
	if shape.letters() == 0 {
		return shape.digits >= 8 || shape.digits >= 6 && dashes == 0
	}
	return shape.digits >= 2 && (dashes == 0 || longestGroup(value) <= 12) || dashes > 0 && shape.digits > 0 && wordiness(value) < wordy
}

func longestGroup(value []byte) int {
	longest := 0
	for _, group := range bytes.Split(value, []byte{'-'}) {
		longest = max(longest, len(group))
	}
	return longest
}

// seedPhrase: the 12, 15, 18, 21 or 24 words of a wallet (BIP-39) behind words for it. A sentence has other words between
// and another number of them.
func (s *scan) seedPhrase(_, end int) (from, to int, ok bool) {
	limit := min(len(s.text), end+maxSeedBytes)
	s.cost += maxSeedBytes / 4
	at := end
	for at < limit && s.text[at] != ':' && s.text[at] != '=' && s.text[at] != '\n' {
		at++
	}
	count := 0
	for at < limit {
		at = s.skip(at, " \t\r\n>|`*,;:=\"'[](){}.0123456789-+~", limit-at)
		last := at
		for last < limit && isLower(s.text[last]) {
			last++
		}
		if size := last - at; size < 3 || size > 8 || plainWords[string(s.text[at:last])] || last < len(s.text) && (isAlnum(s.text[last]) || s.text[last] >= 0x80) {
			break
		}
		if count == 0 {
			from = at
		}
		count++
		to, at = last, last
	}
	return from, to, count >= 12 && count <= 24 && count%3 == 0
}

// plainWords are in nearly every sentence and in no seed phrase.
var plainWords = wordSet(`the and for are was were from has have had not but its into onto your their they been being our his her she him them these those there then
	than which who whose how why did does done said each every some any such via per may might must shall should would could it's don't let lets where while`)
