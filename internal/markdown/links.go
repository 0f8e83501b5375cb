package markdown

import "strings"

// Link is an inline link or image of a Markdown text.
type Link struct {
	Text    string // Markdown, in which links are replaced by then
	Address string // as it is written, without "<>" around it
	IsImage bool
}

// Bounds of links: a link's text and an address in "<>", in bytes, links within links, and brackets within an address.
const (
	maxAngled        = 4096
	maxLinkText      = 64 << 10
	maxLinkNesting   = 16
	maxAddressNested = 32
)

// ReplaceLinks is a Markdown text in which replace has written each inline link and image, those within another first; ok false leaves
// one as it is. Code has to be hidden before. An address may hold blanks, as some programs write it. Time is linear.
func ReplaceLinks(text string, replace func(Link) (markdown string, ok bool)) string {
	out := make([]byte, 0, len(text))
	var open []int // where "[" stands in out
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			out = append(out, c, text[i+1])
			i++
			continue
		case c == '\n' && strings.HasPrefix(text[i+1:], "\n"):
			open = open[:0]
		case c == '[':
			if len(open) == maxLinkNesting {
				open = append(open[:0], open[1:]...)
			}
			open = append(open, len(out))
		case c == ']' && len(open) > 0:
			start := open[len(open)-1]
			open = open[:len(open)-1]
			address, end, ok := parseAddress(text[i+1:])
			if !ok || len(out)-start > maxLinkText {
				break
			}
			link := Link{Text: string(out[start+1:]), Address: address, IsImage: start > 0 && out[start-1] == '!'}
			made, ok := replace(link)
			if !ok {
				made = string(out[start:]) + text[i:i+1+end]
			} else if link.IsImage {
				start--
			}
			out = append(out[:start], made...)
			i += end
			continue
		}
		out = append(out, text[i])
	}
	return string(out)
}

// parseAddress reads "(address "title")" at the beginning of a text; end is behind it.
func parseAddress(text string) (address string, end int, ok bool) {
	if !strings.HasPrefix(text, "(") {
		return "", 0, false
	}
	if strings.HasPrefix(text, "(<") {
		line, _, _ := strings.Cut(text[:min(len(text), maxAngled)], "\n")
		closing := strings.Index(line, ">")
		if closing < 0 {
			return "", 0, false
		}
		rest := line[closing+1:]
		bracket := strings.Index(rest, ")")
		return text[2:closing], closing + 2 + bracket, bracket >= 0
	}
	depth := 0
	for i := 0; i < len(text) && depth <= maxAddressNested; i++ {
		switch text[i] {
		case '\n':
			return "", 0, false
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return withoutTitle(strings.TrimSpace(text[1:i])), i + 1, true
			}
		}
	}
	return "", 0, false
}

// withoutTitle is an address without the quoted title behind it.
func withoutTitle(address string) string {
	for _, quote := range []string{`"`, "'"} {
		if at := strings.Index(address, " "+quote); at >= 0 && strings.HasSuffix(address, quote) && len(address) > at+2 {
			return strings.TrimSpace(address[:at])
		}
	}
	return address
}
