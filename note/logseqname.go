package note

import (
	"path"
	"strconv"
	"strings"
	"time"
)

// Logseq makes a file name of a page name: "/" becomes "___", and what a file name cannot hold is percent-encoded. Before
// its version 0.8.9 it wrote "%2F" or "." for "/"; a page with a "." for "/" states its title, so a "." stays here.

// namePage gives a page its title where no property does, and a journal its date.
func namePage(n *Note, s *source, name string) {
	base := path.Base(name)
	if strings.HasSuffix(strings.ToLower(base), ".md") {
		base = base[:len(base)-len(".md")]
	}
	day, isJournal := journalDay(name, base)
	if !isJournal {
		if n.Title == "" {
			n.Title = s.clean(pageName(base))
		}
		return
	}
	date, title := day.Format(time.DateOnly), journalTitle(day)
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

// pageName decodes the name of a file.
func pageName(base string) string {
	parts := strings.Split(base, "___")
	for i, part := range parts {
		parts[i] = percentDecode(part)
	}
	return strings.Join(parts, "/")
}

// journalDay reads the date of a file in the folder journals: 2031_01_31 or 2031-01-31.
func journalDay(name, base string) (time.Time, bool) {
	if path.Base(path.Dir(name)) != "journals" || len(base) != len(time.DateOnly) {
		return time.Time{}, false
	}
	day, err := time.Parse(time.DateOnly, strings.ReplaceAll(base, "_", "-"))
	return day, err == nil
}

// journalTitle is the title that Logseq gives a day if not told otherwise: "Jan 31st, 2031".
func journalTitle(day time.Time) string {
	number := day.Day()
	suffix := "th"
	if number < 11 || number > 13 {
		switch number % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return day.Format("Jan 2") + suffix + day.Format(", 2006")
}

// dateOf makes a date of a time in unix milliseconds or of the title of a day; any other text stays as it is.
func dateOf(text string) string {
	text = bareName(text)
	if date, ok := millisecondDate(text); ok {
		return date
	}
	head, year, ok := strings.Cut(text, ", ")
	if !ok || len(head) < 6 || len(year) != 4 {
		return text
	}
	day, err := time.Parse("Jan 2 2006", head[:len(head)-2]+" "+year)
	if err != nil || !strings.EqualFold(journalTitle(day), text) {
		return text
	}
	return day.Format(time.DateOnly)
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
