package note

import "strings"

// minEncodedBytes is how long an encoded file is, at the least, to be kept out of passages.
const minEncodedBytes = 200

// encoded gives the stretches of text that are files written as letters (data:…;base64,…): nobody reads or asks for them.
func encoded(text string) []Range {
	const mark = ";base64,"
	var runs []Range
	for at := 0; ; {
		next := strings.Index(text[at:], mark)
		if next < 0 {
			return runs
		}
		start := at + next + len(mark)
		for at = start; at < len(text) && isBase64(text[at]); {
			at++
		}
		if at-start >= minEncodedBytes {
			runs = append(runs, Range{start, at})
		}
	}
}

func isBase64(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || strings.IndexByte("+/=-_", c) >= 0
}

// withoutEncoded gives a text without what encoded finds in it.
func withoutEncoded(text string) string {
	runs := encoded(text)
	if len(runs) == 0 {
		return text
	}
	var out strings.Builder
	at := 0
	for _, run := range runs {
		out.WriteString(text[at:run.Start])
		at = run.End
	}
	out.WriteString(text[at:])
	return out.String()
}
