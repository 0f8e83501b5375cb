package cli

import (
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quarry/internal/lazyregexp"
)

// adviceCommand is a command that a text advises: its name and the rest.
var adviceCommand = lazyregexp.New("`quarry ([a-z]+)((?: [^`]*)?)`")

// placed is a text of the program in which the commands that it advises mean the same vault, index and configuration as the
// command line at hand.
func (a *app) placed(text string) string {
	flags := ""
	for _, flag := range []struct{ name, value string }{{"--vault", a.flags.vault}, {"--db", a.flags.db}, {"--config", a.flags.config}} {
		if flag.value != "" {
			flags += " " + flag.name + " " + shellQuoted(flag.value)
		}
	}
	if flags == "" || !strings.Contains(text, "`quarry ") {
		return text
	}
	return adviceCommand.ReplaceAllStringFunc(text, func(advised string) string {
		parts := adviceCommand.FindStringSubmatch(advised)
		if slices.Contains([]string{"help", "version", "completion"}, parts[1]) || strings.Contains(parts[2], "--help") {
			return advised
		}
		return "`quarry" + flags + " " + parts[1] + parts[2] + "`"
	})
}

// bareWord is what every shell takes as it stands.
var bareWord = lazyregexp.New(`^[\pL\pN_./:@%+=,-]+$`)

// shellQuoted is a word as a shell takes it: one of POSIX, on Windows also its own.
func shellQuoted(word string) string {
	switch {
	case bareWord.MatchString(word), runtime.GOOS == "windows" && bareWord.MatchString(strings.ReplaceAll(word, `\`, "/")):
		return word
	case runtime.GOOS == "windows":
		return `"` + word + `"` // no name of a file has a quotation mark there
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// replaceWhole replaces a name in a text where it is not part of a longer one.
func replaceWhole(text, name, by string) string {
	if name == "" {
		return text
	}
	var b strings.Builder
	for {
		at := strings.Index(text, name)
		if at < 0 {
			return b.String() + text
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if at == 0 && b.Len() > 0 {
			before, _ = utf8.DecodeLastRuneInString(b.String())
		}
		after, _ := utf8.DecodeRuneInString(text[at+len(name):])
		b.WriteString(text[:at])
		if isOfName(before) || before == '.' || isOfName(after) {
			b.WriteString(name)
		} else {
			b.WriteString(by)
		}
		text = text[at+len(name):]
	}
}

// isOfName tells of a character that goes on with the name of a file.
func isOfName(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/_-", r))
}
