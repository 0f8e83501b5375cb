package note

import (
	"regexp"
	"strings"
)

var (
	recoverKey  = regexp.MustCompile(`^([^\s#:"'{}\[\]][^:]{0,200}?)[ \t]*:(?:[ \t]+(.*))?$`)
	recoverItem = regexp.MustCompile(`^[ \t]*-[ \t]+(.*)$`)
)

// recoverProperties reads what can be read of a broken block line by line: "key: value" and "- item" under a key.
// Values stay texts.
func recoverProperties(s *source, block frontmatter) []property {
	var list []property
	at := map[string]int{}
	current := -1
	limit := min(block.end, block.start+maxFrontmatterBytes)
	for line := s.line(block.start); line <= len(s.lines) && s.lines[line-1] < limit; line++ {
		start, end := s.lineRange(line)
		text := s.raw[start:end]
		if place := recoverItem.FindStringSubmatchIndex(text); place != nil && current >= 0 {
			parent := list[current].value
			if parent.kind == scalarValue && parent.text != "" {
				continue
			}
			parent.kind, parent.text, parent.typed = listValue, "", nil
			parent.items = append(parent.items, recoveredText(s, line, start+place[2], start+place[3]))
			continue
		}
		place := recoverKey.FindStringSubmatchIndex(text)
		if place == nil {
			continue
		}
		entry := property{key: s.slice(start+place[2], start+place[3]), line: line, value: &value{line: line, offset: end}}
		if place[4] >= 0 {
			entry.value = recoveredText(s, line, start+place[4], start+place[5])
		}
		if before, twice := at[entry.key]; twice {
			list[before], current = entry, before
			continue
		}
		current = len(list)
		at[entry.key] = current
		list = append(list, entry)
	}
	return list
}

// recoveredText makes a scalar, or a list of "[a, b]", of raw[start:end], without outer quotes.
func recoveredText(s *source, line, start, end int) *value {
	for start < end && isSpace(s.raw[start]) {
		start++
	}
	for end > start && isSpace(s.raw[end-1]) {
		end--
	}
	v := &value{line: line, offset: start}
	raw := s.raw[start:end]
	if len(raw) >= 2 && raw[0] == '[' && raw[len(raw)-1] == ']' && !strings.HasPrefix(raw, "[[") {
		v.kind = listValue
		at := start + 1
		for _, item := range strings.Split(raw[1:len(raw)-1], ",") {
			if strings.TrimSpace(item) != "" {
				v.items = append(v.items, recoveredText(s, line, at, at+len(item)))
			}
			at += len(item) + 1
		}
		return v
	}
	if len(raw) >= 2 && (raw[0] == '"' || raw[0] == '\'') && raw[len(raw)-1] == raw[0] {
		start, end = start+1, end-1
	}
	v.text = s.slice(start, end)
	if v.text != "" {
		v.typed = v.text
	}
	return v
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}
