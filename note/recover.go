package note

import (
	"strings"
	"unicode"

	"quarry/internal/lazyregexp"
)

var (
	strictKey = lazyregexp.New(`^([^\s#:"'{}\[\]-][^:]{0,200}?)[ \t]*:(?:[ \t]+(.*))?$`)
	quotedKey = lazyregexp.New(`^"([^"]{1,200})"[ \t]*:(?:[ \t]+(.*))?$|^'([^']{1,200})'[ \t]*:(?:[ \t]+(.*))?$`)
	tightKey  = lazyregexp.New(`^([\p{L}_][\p{L}\p{N}_-]{0,60}):([^\s:/\\].*)$`) // "key:value", but no address
	itemMark  = lazyregexp.New(`^-[ \t]*([^\s-].*)?$`)
	scalarTop = lazyregexp.New(`^[|>][-+0-9]{0,2}$`)
)

// maxRecoveredEntries is how many entries of a broken block are tried as YAML; further ones are read by their lines.
const maxRecoveredEntries = 500

// recovery reads a broken block of properties entry by entry, an entry being a key at the margin with the lines below it.
type recovery struct {
	source *source
	list   []property
	at     map[string]int // in list, by key
	tried  int            // entries given to YAML
}

// recoverProperties reads what can be read of a broken block: an entry that is sound by itself as YAML has it, another
// line by line. Of a key given twice the last one counts.
func recoverProperties(s *source, block frontmatter) []property {
	r := &recovery{source: s, at: map[string]int{}}
	limit := min(block.end, block.start+maxFrontmatterBytes)
	begin := 0
	line := s.line(block.start)
	for ; line <= len(s.lines) && s.lines[line-1] < limit; line++ {
		if _, _, ok := r.key(line, begin == 0); ok {
			r.entry(begin, line, limit)
			begin = line
		}
	}
	r.entry(begin, line, limit)
	return r.list
}

// key reads a line that begins with a key, and gives the places of key and value in raw. Behind white space a key is one
// on demand only: there it belongs to the value of the key above.
func (r *recovery) key(line int, indented bool) (key, value Range, ok bool) {
	start, end := r.source.lineRange(line)
	if indented {
		start = skipWide(r.source.raw, start, end)
	}
	text := r.source.raw[start:end]
	for _, form := range []*lazyregexp.Regexp{strictKey, quotedKey, tightKey} {
		place := form.FindStringSubmatchIndex(text)
		if place == nil {
			continue
		}
		if len(place) > 6 && place[2] < 0 { // the second half of quotedKey
			place = place[4:]
		}
		key, value = Range{start + place[2], start + place[3]}, Range{end, end}
		if place[4] >= 0 {
			value.Start = start + place[4]
		}
		return key, value, true
	}
	return Range{}, Range{}, false
}

// skipWide passes over white space, that which does not break included.
func skipWide(text string, at, end int) int {
	return end - len(strings.TrimLeftFunc(text[at:end], unicode.IsSpace))
}

// entry reads the lines from first up to next as one entry.
func (r *recovery) entry(first, next, limit int) {
	if first == 0 {
		return
	}
	s := r.source
	key, value, _ := r.key(first, true)
	entry := property{key: s.slice(key.Start, key.End), line: first}
	if r.tried++; r.tried <= maxRecoveredEntries {
		end := limit
		if next <= len(s.lines) {
			end = min(limit, s.lines[next-1])
		}
		found, _, err := parseYAML(s, frontmatter{start: s.lines[first-1], end: end})
		if err == nil && len(found) == 1 && found[0].key == entry.key {
			entry = found[0]
		}
	}
	if entry.value == nil {
		lines := &recoveredLines{source: s, key: entry.key}
		lines.open(first, value)
		for line := first + 1; line < next; line++ {
			lines.add(line)
		}
		entry.value = lines.whole
	}
	if before, twice := r.at[entry.key]; twice {
		r.list[before] = entry
		return
	}
	r.at[entry.key] = len(r.list)
	r.list = append(r.list, entry)
}

// recoveredLines is the value of an entry that is no YAML, as it grows line by line.
type recoveredLines struct {
	source *source
	key    string
	whole  *value
	target *value // whole, or the value of the key below it that was last
	join   string // between the lines of a text
	block  bool   // the value is a text of several lines, as "|" or ">" says
	closer byte   // of a list in brackets that has not ended, 0 if there is none
}

// open begins with what stands behind the key.
func (r *recoveredLines) open(line int, place Range) {
	r.target = r.text(line, place)
	r.join = " "
	if r.block = scalarTop.MatchString(r.target.text); r.block {
		if r.target.text[0] == '|' {
			r.join = "\n"
		}
		r.target.setText("")
	}
	if r.whole == nil {
		r.whole = r.target
	}
}

// add takes a line below the key: an item, a key of its own, more of a list in brackets or more of a text.
func (r *recoveredLines) add(line int) {
	s := r.source
	start, end := s.lineRange(line)
	at := skipWide(s.raw, start, end)
	text := s.raw[at:end]
	if text == "" || text[0] == '#' {
		return
	}
	empty := r.target.kind == scalarValue && r.target.text == "" && !r.block
	if place := itemMark.FindStringSubmatchIndex(text); place != nil && (empty || r.target.kind == listValue) {
		if r.target.kind = listValue; place[2] >= 0 {
			r.target.typed = nil
			r.target.items = append(r.target.items, plainText(s, line, Range{at + place[2], end}))
		}
		return
	}
	if r.closer != 0 {
		r.items(line, Range{at, end})
		return
	}
	if at == start { // at the margin a text may go on, but a list of tags does not
		if !r.block && r.whole.kind == scalarValue && r.whole.text != "" && !isListKey(r.key) {
			r.append(s.slice(at, end))
		}
		return
	}
	nested := &recovery{source: s}
	key, value, ok := nested.key(line, true)
	if ok && !r.block && (r.whole.kind == mappingValue || r.whole.kind == scalarValue && r.whole.text == "") {
		r.open(line, value)
		r.whole.kind, r.whole.typed = mappingValue, nil
		r.whole.fields = append(r.whole.fields, property{key: s.slice(key.Start, key.End), line: line, value: r.target})
		return
	}
	r.append(s.slice(at, end))
}

// append lengthens the text that was read last.
func (r *recoveredLines) append(more string) {
	last := r.target
	for last.kind == listValue && len(last.items) > 0 {
		last = last.items[len(last.items)-1]
	}
	if last.kind != scalarValue {
		return
	}
	if last.text != "" {
		more = last.text + r.join + more
	}
	last.setText(more)
}

// isListKey tells whether the values of a key are lists, however they are written.
func isListKey(key string) bool {
	switch strings.ToLower(key) {
	case "tags", "tag", "aliases", "alias", "cssclasses", "cssclass":
		return true
	}
	return false
}

// text makes a scalar, or a list of "[a, b]", of a part of raw. A list may lack its end, and text may follow it where the
// key is known to hold a list.
func (r *recoveredLines) text(line int, place Range) *value {
	s := r.source
	place = trimWide(s.raw, place)
	raw := s.raw[place.Start:place.End]
	list := isListKey(r.key)
	switch {
	case raw == "":
	case raw[0] == '[' && !strings.HasPrefix(raw, "[["), raw[0] == '[' && list:
		r.closer = ']'
	case list && raw[0] == '{' && !strings.HasPrefix(raw, "{{") && !strings.Contains(raw, ":"):
		r.closer = '}'
	case list && (raw[0] == '"' || raw[0] == '\'') && strings.Contains(raw, raw[:1]+","):
		r.closer = ','
		place.Start--
	}
	if r.closer == 0 {
		return plainText(s, line, place)
	}
	v := &value{kind: listValue, line: line, offset: place.Start}
	r.target = v
	rest := r.items(line, Range{place.Start + 1, place.End})
	switch after := strings.TrimSpace(rest); {
	case list, r.closer != 0 && len(v.items) > 1, r.closer == 0 && (after == "" || after[0] == '#'):
		if r.closer == ',' {
			r.closer = 0
		}
		return v
	}
	r.closer = 0
	return plainText(s, line, place)
}

// items takes the items of a list in brackets, and gives what stands behind its end.
func (r *recoveredLines) items(line int, place Range) (rest string) {
	text := r.source.raw[place.Start:place.End]
	items, end := splitFlow(text, r.closer)
	for _, item := range items {
		r.target.items = append(r.target.items, plainText(r.source, line, Range{place.Start + item.Start, place.Start + item.End}))
	}
	if end < 0 {
		return ""
	}
	r.closer = 0
	return text[end:]
}

// splitFlow divides the inside of a list in brackets at its commas, outside quotes and links. Lists within it are taken
// apart. end stands behind the bracket that ends it, -1 if there is none.
func splitFlow(text string, closer byte) (items []Range, end int) {
	depth := 0
	unquoted := map[byte]bool{} // quotes that have no partner
	for at := 0; at < len(text); {
		c := text[at]
		switch {
		case c == closer && closer != ',':
			if at++; depth == 0 {
				return items, at
			}
			depth--
		case isSpace(c) || c == ',':
			at++
		case strings.HasPrefix(text[at:], "[[") && strings.Contains(text[at:], "]]"):
			length := strings.Index(text[at:], "]]") + 2
			items = append(items, Range{at, at + length})
			at += length
		case c == '[' && closer == ']':
			depth++
			at++
		default:
			length := 0
			if (c == '"' || c == '\'') && !unquoted[c] {
				length = quotedLength(text[at:], closer)
				unquoted[c] = length == 0
			}
			if length == 0 {
				length = itemLength(text[at:], closer)
			}
			items = append(items, Range{at, at + length})
			at += length
		}
	}
	return items, -1
}

// itemLength is the length of an item without quotes: up to a comma or the end of the list.
func itemLength(text string, closer byte) int {
	if length := strings.IndexAny(text, ","+string(closer)); length > 0 {
		return length
	}
	return len(text)
}

// quotedLength is the length of an item in quotes, 0 if the closing one is missing: that before a comma or the end.
func quotedLength(text string, closer byte) int {
	for at := 1; at < len(text); at++ {
		if text[at] != text[0] {
			continue
		}
		after := skipSpace(text, at+1)
		if after == len(text) || text[after] == ',' || text[after] == closer {
			return at + 1
		}
	}
	return 0
}

func trimWide(text string, place Range) Range {
	place.Start = skipWide(text, place.Start, place.End)
	place.End = place.Start + len(strings.TrimRightFunc(text[place.Start:place.End], unicode.IsSpace))
	return place
}

// quotePairs are the quotes that people put around a value; a word processor bends them.
var quotePairs = []struct{ open, close string }{{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"”", "”"}, {"‘", "’"}}

// plainText makes a scalar of a part of raw, without the quotes around it. An opening quote without a partner goes, too.
func plainText(s *source, line int, place Range) *value {
	place = trimWide(s.raw, place)
	v := &value{line: line, offset: place.Start}
	raw := s.raw[place.Start:place.End]
	for _, quote := range quotePairs {
		inner, opened := strings.CutPrefix(raw, quote.open)
		bare, closed := strings.CutSuffix(inner, quote.close)
		switch {
		case !opened:
			continue
		case closed && !strings.Contains(bare, quote.close+","):
			place = Range{place.Start + len(quote.open), place.End - len(quote.close)}
		case !strings.Contains(inner, quote.close):
			place.Start += len(quote.open)
		}
		break
	}
	text := s.slice(place.Start, place.End)
	if strings.Contains(text, `\"`) {
		text = s.clean(strings.ReplaceAll(text, `\"`, `"`))
	}
	v.setText(text)
	return v
}

// setText makes a scalar of a redacted text.
func (v *value) setText(text string) {
	v.text, v.typed = text, nil
	if text != "" {
		v.typed = text
	}
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}
