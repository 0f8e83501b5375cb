package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

const (
	defaultWidth = 100 // columns, where there is no terminal to ask
	minWidth     = 40
	indent       = 4
)

// width is that of the terminal, with room for "…".
func (a *app) width() int {
	if a.io.Width == nil {
		return defaultWidth
	}
	if columns := a.io.Width() - 2; columns > 0 {
		return max(columns, minWidth)
	}
	return defaultWidth
}

// wrap breaks a line at spaces, and anywhere in a word that is wider than the row. Wide characters take two columns.
func wrap(line string, width int) []string {
	var rows []string
	for line != "" {
		end, columns, space := len(line), 0, -1
		for at, r := range line {
			if columns += runewidth.RuneWidth(r); columns > width {
				end = at
				break
			}
			if r == ' ' {
				space = at
			}
		}
		if end < len(line) && space > 0 {
			end = space
		}
		end = max(end, firstRune(line)) // one character a row at least
		rows = append(rows, strings.TrimRight(line[:end], " "))
		line = strings.TrimLeft(line[end:], " ")
	}
	return rows
}

func firstRune(s string) int {
	_, size := utf8.DecodeRuneInString(s)
	return size
}

// fits tells whether a line has room in a row of the terminal. Elsewhere there are no rows.
func (a *app) fits(line string) bool {
	return !a.io.OutTerminal || runewidth.StringWidth(line) <= a.width()
}

// printWrapped writes a line, on a terminal in rows that break at spaces, those after the first indented.
func (a *app) printWrapped(line string, indent int) { a.printStyled("", line, indent) }

// printStyled is printWrapped in a colour, "" for none.
func (a *app) printStyled(style, line string, indent int) {
	for _, row := range a.rows(line, indent) {
		if style != "" {
			row = a.style(style, row)
		}
		fmt.Fprintln(a.io.Out, row)
	}
}

// rows are those of a line, one at least: on a terminal they break at spaces, and those after the first are indented.
func (a *app) rows(line string, indent int) []string {
	if a.fits(line) {
		return []string{line}
	}
	text := strings.TrimLeft(line, " ")
	first := len(line) - len(text)
	rows := wrap(text, a.width()-max(first, indent))
	if len(rows) == 0 {
		return []string{""}
	}
	for i := range rows {
		margin := indent
		if i == 0 {
			margin = first
		}
		rows[i] = strings.Repeat(" ", margin) + rows[i]
	}
	return rows
}

// cutMiddle takes characters out of the middle of a text, with "…" in their place, until it is at most so many columns wide.
func cutMiddle(text string, columns int) string {
	if runewidth.StringWidth(text) <= columns {
		return text
	}
	left := max(columns-1, 2)
	end, wide := len(text), 0
	for end > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if wide += runewidth.RuneWidth(r); wide > left/2 {
			break
		}
		end -= size
	}
	return runewidth.Truncate(text, left-left/2, "") + "…" + text[end:]
}
