package setup

import "strings"

// isPlainWord tells that no shell takes a word for anything but itself; more are further characters that it takes as they are.
func isPlainWord(word, more string) bool {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:"
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !strings.ContainsRune(plain+more, r) })
}

func quoteEach(words []string, quote func(string) string) string {
	quotedWords := make([]string, len(words))
	for i, word := range words {
		quotedWords[i] = quote(word)
	}
	return strings.Join(quotedWords, " ")
}

// quoteShell writes a command line for the shells of Unix: sh, bash, zsh and fish alike.
func quoteShell(words []string) string {
	return quoteEach(words, func(word string) string {
		if isPlainWord(word, "") {
			return word
		}
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	})
}

// quotePowerShell writes a command line for PowerShell, which takes a quoted word at the beginning for a text unless "&" stands
// before it.
func quotePowerShell(words []string) string {
	line := quoteEach(words, func(word string) string {
		if isPlainWord(word, `\`) {
			return word
		}
		return "'" + strings.ReplaceAll(word, "'", "''") + "'"
	})
	if strings.HasPrefix(line, "'") {
		return "& " + line
	}
	return line
}

// quoteWindows writes a command line that PowerShell and cmd.exe both run: where a word needs quotes, by way of "cmd /c call",
// as neither may begin with one.
func quoteWindows(words []string) string {
	isPlain := true
	line := quoteEach(words, func(word string) string {
		if isPlainWord(word, `\`) {
			return word
		}
		isPlain = false
		return `"` + word + `"`
	})
	if isPlain {
		return line
	}
	return "cmd /c call " + line
}
