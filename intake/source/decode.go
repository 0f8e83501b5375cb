package source

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"

	"quarry/internal/lazyregexp"
)

var (
	xmlEncoding  = lazyregexp.New(`(?i)^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([A-Za-z0-9._:\-]{1,40})["']`)
	metaEncoding = lazyregexp.New(`(?i)<meta\b[^>]{0,300}?\bcharset\s*=\s*["']?\s*([A-Za-z0-9._:\-]{1,40})`)
)

// toUTF8 is a file's text as UTF-8 without a byte order mark, by its mark, by what the server says, by what it says itself, and else
// as UTF-8 where it is that, as Windows-1252 where not. What is no character becomes U+FFFD.
func toUTF8(raw []byte, contentType string) []byte {
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		return valid(raw[3:])
	case bytes.HasPrefix(raw, []byte("\xff\xfe")), bytes.HasPrefix(raw, []byte("<\x00")):
		return decoded(raw, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM))
	case bytes.HasPrefix(raw, []byte("\xfe\xff")), bytes.HasPrefix(raw, []byte("\x00<")):
		return decoded(raw, unicode.UTF16(unicode.BigEndian, unicode.UseBOM))
	}
	start := raw[:min(len(raw), 4096)]
	names := []string{}
	if _, parameters, err := mime.ParseMediaType(contentType); err == nil {
		names = append(names, parameters["charset"])
	}
	for _, form := range []*lazyregexp.Regexp{xmlEncoding, metaEncoding} {
		if m := form.FindSubmatch(start); m != nil {
			names = append(names, string(m[1]))
		}
	}
	isUTF8 := utf8.Valid(raw)
	for _, name := range names {
		// A text that is UTF-8 by its bytes is not ASCII or Latin by accident, whatever a server's setting says of it.
		if known, canonical := charset.Lookup(name); known != nil && canonical != "utf-8" && (!isUTF8 || !isLatin(canonical)) {
			if strings.HasPrefix(canonical, "utf-16") { // it could not be read as ASCII so far
				continue
			}
			return decoded(raw, known)
		}
	}
	if isUTF8 {
		return raw
	}
	if mostlyUTF8(raw) {
		return valid(raw)
	}
	known, _ := charset.Lookup("windows-1252")
	return decoded(raw, known)
}

func isLatin(name string) bool {
	return strings.HasPrefix(name, "windows-125") || strings.HasPrefix(name, "iso-8859-") || name == "macintosh"
}

// mostlyUTF8 tells a UTF-8 text with a few broken bytes, as of a cut one, from one of another encoding.
func mostlyUTF8(raw []byte) bool {
	whole, broken := 0, 0
	for rest := raw[:min(len(raw), 1<<20)]; len(rest) > 0; {
		c, width := utf8.DecodeRune(rest)
		switch {
		case c == utf8.RuneError && width == 1:
			broken++
		case c >= utf8.RuneSelf:
			whole++
		}
		rest = rest[width:]
	}
	return broken <= 1 || whole > 8*broken
}

func decoded(raw []byte, from encoding.Encoding) []byte {
	text, err := from.NewDecoder().Bytes(raw)
	if err != nil {
		return valid(raw)
	}
	return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
}

func valid(raw []byte) []byte {
	if utf8.Valid(raw) {
		return raw
	}
	return bytes.ToValidUTF8(raw, []byte("\uFFFD"))
}
