package intake

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// minContentCharacters is how much text two signals at different addresses must share to be the same for it: a title and a line of
// thanks are no sign.
const minContentCharacters = 120

// Keys are what makes two signals the same: each is a line of its own kind ("id:", "url:" or "text:"), and two signals that share one
// are one. There is always at least one. The kinds:
//
//   - id: what the source calls it, within that source; a Message-ID is one everywhere.
//   - url: its canonical address, whatever its scheme, "www." and a slash at its end. A capture or a tool's output is more than the
//     page that it is about, and many items of a feed may lead to its front page: of these the address says nothing.
//   - text: a hash of title and body, where there is enough of it or nothing else.
func Keys(signal Signal) []string {
	keys := []string{}
	if identity := strings.TrimSpace(signal.Identity); identity != "" {
		if signal.Channel == Mail {
			keys = append(keys, "id:mail:"+short(identity))
		} else {
			keys = append(keys, "id:"+short(strings.ToLower(strings.TrimSpace(signal.Origin))+"\n"+identity))
		}
	}
	if address := addressKey(signal); address != "" {
		keys = append(keys, address)
	}
	if text := plainLetters(signal.Title + "\n" + signal.Body); len(text) >= minContentCharacters || len(keys) == 0 {
		keys = append(keys, "text:"+short(text))
	}
	return keys
}

func addressKey(signal Signal) string {
	address, err := CanonicalAddress(signal.Address)
	if err != nil || (signal.Channel == Capture || signal.Channel == Tool) && strings.TrimSpace(signal.Body) != "" {
		return ""
	}
	_, rest, _ := strings.Cut(address, "://")
	rest = strings.TrimPrefix(rest, "www.")
	base, query, hasQuery := strings.Cut(rest, "?")
	if !hasQuery {
		base, query, hasQuery = strings.Cut(rest, "#")
		query = "#" + query
	}
	base = strings.TrimSuffix(base, "/")
	if isFrontPage := !hasQuery && !strings.Contains(base, "/"); isFrontPage && (signal.Channel == Feed || signal.Channel == Mail) {
		return ""
	}
	if hasQuery {
		base += "?" + query
	}
	return "url:" + base
}

func short(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// plainLetters are the letters and digits of a text in lower case, its words apart by one space: what is left when all marks go.
func plainLetters(text string) string {
	var b strings.Builder
	isGap := false
	for _, c := range norm.NFKC.String(strings.ToValidUTF8(text, " ")) {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			isGap = b.Len() > 0
			continue
		}
		if isGap {
			b.WriteByte(' ')
			isGap = false
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
