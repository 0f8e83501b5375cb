package notion

import (
	"strings"
	"unicode/utf8"

	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// Signs that stand at the beginning of a line for the edges of a block until its lines are written.
const (
	signs      = "\uE0F4\uE0F5\uE0F6"
	signAside  = "\uE0F4"
	signToggle = "\uE0F5"
	signEnd    = "\uE0F6"
)

// maxBlocks bounds callouts within callouts.
const maxBlocks = 8

var (
	openAside   = lazyregexp.New(`(?m)^([ \t]*)<aside>[ \t]*`)
	openToggle  = lazyregexp.New(`(?m)^([ \t]*)<details[^>\n]*>\s*<summary>([^\n]*?)</summary>[ \t]*`)
	closeBlock  = lazyregexp.New(`(?m)[ \t]*</(?:aside|details)>[ \t]*$`)
	task        = lazyregexp.New(`(?m)^([ \t>]*[-*+] \[[ xX]\])[ \t]{2,}`)
	imageTag    = lazyregexp.New(`<img\b[^>\n]*>`)
	imageSource = lazyregexp.New(`\bsrc="([^"\n]*)"`)
	imageWidth  = lazyregexp.New(`\bwidth="(\d{1,4})(?:px)?"`)
	notionIcon  = lazyregexp.New(`^https://(?:www\.)?notion\.so/icons/`)
)

// body is the Markdown of a page below its properties.
func (r *reader) body(p *page, text string) string {
	text = strings.Map(func(c rune) rune {
		if strings.ContainsRune(signs, c) {
			return -1
		}
		return c
	}, text)
	text, code := markdown.HideCode(text)
	text = r.links(p, text)
	text = task.ReplaceAllString(text, "$1 ")
	text = imageTag.ReplaceAllStringFunc(text, func(tag string) string { return r.imageTag(p, tag) })
	text = openAside.ReplaceAllString(text, signAside+"$1\n$1")
	text = openToggle.ReplaceAllString(text, signToggle+"$1$2\n$1")
	text = closeBlock.ReplaceAllString(text, "\n"+signEnd)
	return callouts(code.Show(text))
}

func (r *reader) links(p *page, text string) string {
	return markdown.ReplaceLinks(text, func(l markdown.Link) (string, bool) {
		if l.IsImage {
			return r.embed(p, l.Address, l.Text, "")
		}
		otherwise := l.Text
		if pageID(l.Address) != "" {
			otherwise = "[" + l.Text + "](" + l.Address + ")"
		}
		return r.link(p, l.Address, l.Text, otherwise)
	})
}

// imageTag is what stays of an image that the export wrote as HTML: icons of Notion do not.
func (r *reader) imageTag(p *page, tag string) string {
	source := imageSource.FindStringSubmatch(tag)
	if source == nil {
		return tag
	}
	if notionIcon.MatchString(source[1]) {
		return ""
	}
	size := ""
	if width := imageWidth.FindStringSubmatch(tag); width != nil {
		size = width[1]
	}
	if made, ok := r.embed(p, source[1], "", size); ok {
		return made
	}
	return tag
}

// writer writes lines within callouts.
type writer struct {
	b       strings.Builder
	indents []string // of the open ones
	blank   bool     // a blank line is due
}

// callouts writes callouts and toggles, whose edges are marked, as callouts of Obsidian. An edge without its other is left out.
func callouts(text string) string {
	if !strings.ContainsAny(text, signs) {
		return text
	}
	lines := strings.Split(text, "\n")
	isPair := pairs(lines)
	w := &writer{}
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, signEnd):
			if isPair[i] {
				w.indents = w.indents[:len(w.indents)-1]
				w.blank = true
			}
		case strings.HasPrefix(line, signAside), strings.HasPrefix(line, signToggle):
			w.open(line, lines[i+1:], isPair[i])
		default:
			w.line(line)
		}
	}
	return w.b.String()
}

func pairs(lines []string) []bool {
	isPair := make([]bool, len(lines))
	var open []int
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, signAside), strings.HasPrefix(line, signToggle):
			open = append(open, i)
		case strings.HasPrefix(line, signEnd) && len(open) > 0:
			last := len(open) - 1
			if last < maxBlocks {
				isPair[i], isPair[open[last]] = true, true
			}
			open = open[:last]
		}
	}
	return isPair
}

// open begins a callout.
func (w *writer) open(line string, below []string, isPair bool) {
	isToggle := strings.HasPrefix(line, signToggle)
	line = strings.TrimPrefix(strings.TrimPrefix(line, signAside), signToggle)
	title := strings.TrimSpace(line)
	if !isPair {
		w.line(line)
		return
	}
	w.blank = w.blank || w.b.Len() > 0
	w.flush()
	w.indents = append(w.indents, line[:len(line)-len(strings.TrimLeft(line, " \t"))])
	if isToggle {
		w.line(strings.TrimRight("[!note]- "+title, " "))
		return
	}
	w.line("[!" + kindOf(below) + "]")
}

func (w *writer) line(line string) {
	if strings.TrimSpace(line) == "" {
		w.blank = true
		return
	}
	w.flush()
	if len(w.indents) > 0 {
		line = strings.TrimPrefix(line, w.indents[0])
		line = w.prefix() + line
	}
	w.b.WriteString(line + "\n")
}

// flush writes the blank line that is due: none right below the first line of a callout.
func (w *writer) flush() {
	if written := w.b.String(); w.blank && written != "" && !startsCallout.MatchString(lastLine(written)) {
		w.b.WriteString(strings.TrimRight(w.prefix(), " ") + "\n")
	}
	w.blank = false
}

var startsCallout = lazyregexp.New(`^[ \t>]*\[![a-z]+\]`)

func lastLine(text string) string {
	text = strings.TrimSuffix(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

func (w *writer) prefix() string {
	if len(w.indents) == 0 {
		return ""
	}
	return w.indents[0] + strings.Repeat("> ", len(w.indents))
}

var kinds = []struct{ icons, kind string }{{"💡", "tip"}, {"⚠🚧⚡", "warning"}, {"❗‼🚨", "important"}, {"❓❔", "question"}, {"✅✔", "success"}, {"❌⛔🚫", "failure"}, {"🐛", "bug"}, {"💬", "quote"}, {"ℹ", "info"}}

// kindOf is the kind of a callout by the icon that its text begins with.
func kindOf(below []string) string {
	for _, line := range below {
		if line = strings.TrimSpace(line); line != "" {
			return kindOfIcon(line)
		}
	}
	return "note"
}

func kindOfIcon(text string) string {
	icon, _ := utf8.DecodeRuneInString(text)
	for _, k := range kinds {
		if strings.ContainsRune(k.icons, icon) {
			return k.kind
		}
	}
	return "note"
}
