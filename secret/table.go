package secret

import (
	"bytes"
	"strings"
)

const (
	tableRule     = "table" // finds under the names of other rules
	maxHeadBytes  = 600
	maxTableBytes = 64 << 10
)

// column is a column of a table whose head names a secret.
type column struct {
	index int
	name  string // of the rule
	like  func([]byte, assignment) bool
}

// table reports the cells below the heads "password", "token" and their like. It is asked at the line between head and
// body, and goes over each table once.
func (s *scan) table(start, end int) (from, to int, ok bool) {
	lineStart := start
	for lineStart > 0 && start-lineStart < maxHeadBytes && s.text[lineStart-1] != '\n' {
		lineStart--
	}
	lineEnd := s.lineEnd(end)
	s.skipTo(tableRule, lineEnd)
	if lineStart == 0 || len(bytes.Trim(s.text[lineStart:lineEnd], " \t\r>|:-")) > 0 {
		return 0, 0, false
	}
	headStart := lineStart - 1
	for headStart > 0 && lineStart-headStart < maxHeadBytes && s.text[headStart-1] != '\n' {
		headStart--
	}
	s.cost += (lineEnd - headStart) / 2
	columns := secretColumns(s.text[headStart : lineStart-1])
	if len(columns) == 0 {
		return 0, 0, false
	}
	limit := min(len(s.text), lineEnd+maxTableBytes)
	at := lineEnd + 1
	for at < limit {
		rowEnd := s.lineEnd(at)
		if bytes.IndexByte(s.text[at:rowEnd], '|') < 0 {
			break
		}
		s.row(at, rowEnd, columns)
		at = rowEnd + 1
	}
	s.skipTo(tableRule, at)
	return 0, 0, false
}

func (s *scan) lineEnd(at int) int {
	if at >= len(s.text) {
		return len(s.text)
	}
	if i := bytes.IndexByte(s.text[at:min(len(s.text), at+maxTableBytes)], '\n'); i >= 0 {
		return at + i
	}
	return min(len(s.text), at+maxTableBytes)
}

func (s *scan) row(from, to int, columns []column) {
	cells := cellsOf(s.text[from:to])
	for _, column := range columns {
		if column.index >= len(cells) {
			continue
		}
		cell := cells[column.index]
		a := assignment{link: linkCell, quoted: true}
		if column.like(s.text[from+cell.from:from+cell.to], a) {
			s.add(column.name, from+cell.from, from+cell.to)
		}
	}
}

// cellsOf gives where the texts of the cells of a row are, without blanks and marks around them.
func cellsOf(row []byte) []argument {
	const maxCells = 64
	start := 0
	for start < len(row) && bytes.IndexByte([]byte(" \t>"), row[start]) >= 0 {
		start++
	}
	if start < len(row) && row[start] == '|' {
		start++
	}
	var cells []argument
	for start <= len(row) && len(cells) < maxCells {
		end := len(row)
		if i := bytes.IndexByte(row[start:], '|'); i >= 0 {
			end = start + i
		}
		from, to := start, end
		for from < to && bytes.IndexByte([]byte(" \t\r`*\"'"), row[from]) >= 0 {
			from++
		}
		for to > from && bytes.IndexByte([]byte(" \t\r`*\"'"), row[to-1]) >= 0 {
			to--
		}
		cells = append(cells, argument{from, to})
		start = end + 1
	}
	return cells
}

func secretColumns(head []byte) []column {
	var columns []column
	for i, cell := range cellsOf(head) {
		name := strings.ToLower(string(head[cell.from:cell.to]))
		last := name[strings.LastIndexAny(name, " _-")+1:]
		switch {
		case passwordHeads[last]:
			columns = append(columns, column{i, "password", likePassword})
		case secretHeads[last] || strings.HasSuffix(name, "key") && kindOfKey(strings.Trim(strings.TrimSuffix(name, "key"), " _-")) == keySecret:
			columns = append(columns, column{i, "secret-assignment", likeSecret})
		case strings.HasSuffix(last, "hash"):
			columns = append(columns, column{i, "password-hash", isPasswordHash})
		case name == "key":
			columns = append(columns, column{i, "key-assignment", func(value []byte, a assignment) bool {
				return len(value) >= 24 && !isUUID(value) && looksGenerated(value) && likeSecret(value, a)
			}})
		}
	}
	return columns
}

var (
	passwordHeads = wordSet("password passwords passwort passwörter kennwort pw pwd pass passphrase passcode contraseña senha wachtwoord пароль 密码 密碼 口令 パスワード 비밀번호 mdp passe")
	secretHeads   = wordSet("secret secrets token tokens apikey credential credentials 密钥 令牌 トークン")
)
