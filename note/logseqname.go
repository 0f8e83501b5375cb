package note

import (
	"strconv"
	"time"

	"quarry/internal/dialect"
)

// namePage gives a page its title where no property does, and a journal its date.
func namePage(n *Note, s *source, name string) {
	date := dialect.JournalDay(name)
	if date == "" {
		if n.Title == "" {
			n.Title = s.clean(dialect.PageName(dialect.Stem(name))) // a page with a "." for "/" states its title
		}
		return
	}
	title := dialect.DayTitle(date)
	switch n.Title {
	case "", title:
		n.Title = date
		n.Aliases = append(n.Aliases, title)
	case date:
		n.Aliases = append(n.Aliases, title)
	default:
		n.Aliases = append(n.Aliases, date, title)
	}
	if n.Created == "" {
		n.Created = date
	}
}

// dateOf makes a date of a time in unix milliseconds or of a day in any format of Logseq; any other text stays as it is.
func dateOf(text string) string {
	text = bareName(text)
	if date, ok := millisecondDate(text); ok {
		return date
	}
	if date, sure := dialect.ParseDay(text); sure {
		return date
	}
	return text
}

// millisecondDate reads a time in unix milliseconds, from 1973 to 2286, as a date in UTC.
func millisecondDate(text string) (string, bool) {
	if len(text) != 12 && len(text) != 13 {
		return "", false
	}
	milliseconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || milliseconds < 0 {
		return "", false
	}
	return time.UnixMilli(milliseconds).UTC().Format(time.DateOnly), true
}
