package source

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"

	"quarry/internal/lazyregexp"
)

// oneLine is a text with single blanks, cut with "…" at a number of characters.
func oneLine(text string, most int) string {
	if len(text) > 16*most { // no more than could be shown
		text = text[:16*most]
	}
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }), " ")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	cut := string([]rune(text)[:most-1])
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ") + "…"
}

const maxTitle = 300 // characters

var (
	inlineTag = lazyregexp.New(`(?i)</?(?:b|i|u|s|em|strong|code|tt|span|a|sup|sub|small|font|mark|abbr|cite|q|p|div|br|wbr|img|kbd|var|samp|del|ins|h[1-6]|nobr|bdi)(?:\s[^<>]*)?/?>`)
	anyTag    = lazyregexp.New(`(?i)<(?:/?(?:p|div|span|a|b|i|u|s|em|strong|br|hr|img|ul|ol|li|dl|dt|dd|h[1-6]|table|thead|tbody|tr|td|th|pre|code|blockquote|iframe|figure|figcaption|section|article|header|footer|small|sup|sub|font|center|video|audio|script|style|input|form|button|details|summary|kbd|mark|del|ins|cite|q|abbr|picture|source|svg)(?:\s[^<>]*)?/?>|!--|!\[CDATA\[)`)
)

// titleOf is a title that may be HTML: without tags that shape it, with references resolved once; "x < y" stays.
func titleOf(text string) string {
	return oneLine(html.UnescapeString(inlineTag.ReplaceAllString(text, "")), maxTitle)
}

// plainOf is what a reader sees of HTML, in one line.
func plainOf(source string) string {
	var b strings.Builder
	z := nethtml.NewTokenizer(strings.NewReader(source))
	hidden := 0
	for b.Len() < 64<<10 {
		switch z.Next() {
		case nethtml.ErrorToken:
			return oneLine(b.String(), maxTitle)
		case nethtml.StartTagToken:
			if name, _ := z.TagName(); isUnseen(string(name)) {
				hidden++
			}
		case nethtml.EndTagToken:
			if name, _ := z.TagName(); isUnseen(string(name)) && hidden > 0 {
				hidden--
			}
		case nethtml.TextToken:
			if hidden == 0 {
				b.Write(z.Text())
			}
		}
	}
	return oneLine(b.String(), maxTitle)
}

func isUnseen(name string) bool { return name == "script" || name == "style" || name == "template" }

func looksHTML(text string) bool { return anyTag.MatchString(text) }

var (
	lineMarks    = lazyregexp.New(`^(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)]|\[[ xX]\])\s+)+`)
	markdownLink = lazyregexp.New(`!?\[((?:[^\[\]\\]|\\.)*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)`)
	escapedSign  = lazyregexp.New(`\\([!-/:-@\[-` + "`" + `{-~])`)
	marks        = strings.NewReplacer("**", "", "~~", "", "`", "", "==", "")
	sentenceEnd  = lazyregexp.New(`[.!?…]["'”’»)]*(?:\s|$)|[。！？]`)
)

// firstSentence is a title out of a body of Markdown: its first sentence as a reader sees it.
func firstSentence(body string) string {
	for line := range strings.SplitSeq(body, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "|") || line == "---" {
			continue
		}
		line = lineMarks.ReplaceAllString(line[:min(len(line), 2000)], "")
		line = markdownLink.ReplaceAllString(line, "$1")
		line = oneLine(escapedSign.ReplaceAllString(marks.Replace(line), "$1"), 2000)
		if strings.IndexFunc(line, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) < 0 {
			continue
		}
		for _, at := range sentenceEnd.FindAllStringIndex(line, -1) {
			if end := at[1]; utf8.RuneCountInString(line[:end]) >= 12 {
				line = line[:end]
				break
			}
		}
		return oneLine(line, 100)
	}
	return ""
}

// unescapeXML resolves references of XML and HTML.
func unescapeXML(text string) string { return html.UnescapeString(text) }

// distinct is a list without blanks, empty ones and what repeats in another case, of at most maxTags.
func distinct(tags []string) []string {
	var list []string
	seen := map[string]bool{}
	for _, tag := range tags {
		tag = oneLine(tag, 100)
		if key := strings.ToLower(tag); tag != "" && !seen[key] && len(list) < maxTags {
			seen[key] = true
			list = append(list, tag)
		}
	}
	return list
}
