package markdown

import "strings"

func fromText(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = escape(lines[i])
	}
	return strings.Join(lines, "\n")
}

var marks = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "#", `\#`, "<", `\<`)

func escape(text string) string { return marks.Replace(text) }
