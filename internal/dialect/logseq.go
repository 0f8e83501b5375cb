package dialect

import (
	"path"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Logseq makes a file name of a page name: what a file name cannot hold is percent-encoded, "___" as "%5F%5F%5F" among it,
// and then "/" becomes "___". Before its version 0.8.9 it wrote "%2F" or "." for "/".

// journalFolder is where Logseq keeps one note for each day.
const journalFolder = "journals"

// PageName decodes the name of a file of Logseq, without folder and extension, into that of its page: "___" is a slash, and
// in what lies between, each "%" with two hex digits is a byte. Bytes that do not give text stay as they are written:
// "%00" and other control characters, and what is no UTF-8. A "." stays one.
func PageName(stem string) string {
	parts := strings.Split(stem, "___")
	for i, part := range parts {
		parts[i] = percentDecode(part)
	}
	return strings.Join(parts, "/")
}

func percentDecode(text string) string {
	if strings.IndexByte(text, '%') < 0 {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		decoded, length := percentRun(text[i:])
		switch {
		case length == 0:
			out.WriteByte(text[i])
			length = 1
		case utf8.Valid(decoded):
			out.Write(decoded)
		default:
			out.WriteString(text[i : i+length])
		}
		i += length
	}
	return out.String()
}

// percentRun decodes the bytes that text begins with, all as long as they stand side by side, and gives their length in
// text; 0 if there are none.
func percentRun(text string) (decoded []byte, length int) {
	for ; length+2 < len(text) && text[length] == '%'; length += 3 {
		b, err := strconv.ParseUint(text[length+1:length+3], 16, 8)
		if err != nil || b < ' ' || b == 0x7F {
			break
		}
		decoded = append(decoded, byte(b))
	}
	return decoded, length
}

// JournalDay gives the day of a file of Logseq, by its path with slashes, as 2006-01-02: its folder is "journals", and its
// name is a day in any format of ParseDay that leaves no doubt. Else it is "".
func JournalDay(file string) string {
	if !strings.EqualFold(path.Base(path.Dir(file)), journalFolder) {
		return ""
	}
	if day, sure := ParseDay(Stem(file)); sure {
		return day
	}
	return ""
}

// Stem is the last segment of a path with slashes, of a note without its ".md" or ".markdown", in any letter case.
func Stem(file string) string {
	base := path.Base(file)
	for _, end := range []string{".md", ".markdown"} {
		if cut := len(base) - len(end); cut > 0 && strings.EqualFold(base[cut:], end) {
			return base[:cut]
		}
	}
	return base
}
