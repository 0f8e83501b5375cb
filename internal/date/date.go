// Package date reads days and spans of days as people write them: 2026-01-31, 7d, "last monday", "january 2026".
package date

import (
	"strconv"
	"strings"
	"time"
)

// maxBytes bounds what can be a date, and maxCountDigits how far back it can count.
const (
	maxBytes       = 40
	maxCountDigits = 6
)

// Span is a run of days, from the first to the last, inclusive, both at 00:00 UTC.
type Span struct{ First, Last time.Time }

// Parse reads a day or a span of days, without regard to case; ok is false for anything else. today is the day that relative
// ones count from, whatever its hour. "monday" is the last one up to today, "last monday" one before today; weeks begin on
// Mondays; a month without a year is the last that has begun; months that are counted back end where a month has no such day.
// Where today is the zero time, relative ones are none.
// The time is linear in a text of bounded length. Safe for concurrent use.
func Parse(text string, today time.Time) (span Span, ok bool) {
	if len(text) > maxBytes {
		return Span{}, false
	}
	year, month, day := today.Date()
	today = time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	text = strings.ToLower(strings.TrimSpace(text))
	if span, ok = numbered(text); ok {
		return span, span.First.Year() > 0
	}
	if today.IsZero() || strings.HasPrefix(text, "-") {
		return Span{}, false
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '_' || r == '-' || r == ',' })
	switch len(words) {
	case 1:
		span, ok = oneWord(words[0], today)
	case 2:
		span, ok = twoWords(words[0], words[1], today)
	case 3:
		span, ok = threeWords(words, today)
	}
	return span, ok && span.First.Year() > 0
}

// numbered reads 2026-01-31, 2026-01 and 2026.
func numbered(text string) (Span, bool) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return oneDay(day), true
	}
	if day, err := time.Parse("2006-01", text); err == nil {
		return monthOf(day), true
	}
	if len(text) == len("2006") {
		if day, err := time.Parse("2006", text); err == nil {
			return yearOf(day), true
		}
	}
	return Span{}, false
}

func oneWord(word string, today time.Time) (Span, bool) {
	switch word {
	case "today", "now":
		return oneDay(today), true
	case "yesterday":
		return oneDay(today.AddDate(0, 0, -1)), true
	}
	if weekday, ok := weekdays[word]; ok {
		return oneDay(lastWeekday(weekday, today)), true
	}
	if month, ok := months[word]; ok {
		year := today.Year()
		if month > today.Month() {
			year--
		}
		return monthOf(time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)), true
	}
	if word == "" {
		return Span{}, false
	}
	count, ok := number(word[:len(word)-1])
	unit, known := map[byte]string{'d': "day", 'w': "week", 'm': "month", 'y': "year"}[word[len(word)-1]]
	return oneDay(back(today, count, unit)), ok && known
}

func twoWords(first, second string, today time.Time) (Span, bool) {
	if month, ok := months[first]; ok {
		return inYear(month, second)
	}
	if month, ok := months[second]; ok {
		return inYear(month, first)
	}
	weekday, isWeekday := weekdays[second]
	switch {
	case isWeekday && (first == "last" || first == "past"):
		return oneDay(lastWeekday(weekday, today.AddDate(0, 0, -1))), true
	case isWeekday && first == "this":
		return oneDay(weekOf(today).First.AddDate(0, 0, (int(weekday)+6)%7)), true
	case first == "this" && isUnit[second]:
		return around(today, second), true
	case (first == "last" || first == "past" || first == "previous") && isUnit[second]:
		return around(back(around(today, second).First, 1, second), second), true
	}
	return Span{}, false
}

func threeWords(words []string, today time.Time) (Span, bool) {
	unit := strings.TrimSuffix(words[1], "s")
	count, ok := number(words[0])
	if words[0] == "a" || words[0] == "an" || words[0] == "one" {
		count, ok = 1, true
	}
	if ok && isUnit[unit] && words[2] == "ago" {
		return oneDay(back(today, count, unit)), true
	}
	unit = strings.TrimSuffix(words[2], "s")
	count, ok = number(words[1])
	if ok && isUnit[unit] && (words[0] == "last" || words[0] == "past") {
		return Span{back(today, count, unit), today}, true
	}
	return Span{}, false
}

var isUnit = map[string]bool{"day": true, "week": true, "month": true, "year": true}

// around is the day, week, month or year that holds a day.
func around(day time.Time, unit string) Span {
	switch unit {
	case "week":
		return weekOf(day)
	case "month":
		return monthOf(day)
	case "year":
		return yearOf(day)
	}
	return oneDay(day)
}

// back counts units back. Where a month is too short for the day, it is its last.
func back(day time.Time, count int, unit string) time.Time {
	switch unit {
	case "day":
		return day.AddDate(0, 0, -count)
	case "week":
		return day.AddDate(0, 0, -7*count)
	case "year":
		count *= 12
	}
	month := monthOf(time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, -count, 0))
	return month.First.AddDate(0, 0, min(day.Day(), month.Last.Day())-1)
}

func oneDay(day time.Time) Span { return Span{day, day} }

func weekOf(day time.Time) Span {
	monday := lastWeekday(time.Monday, day)
	return Span{monday, monday.AddDate(0, 0, 6)}
}

func monthOf(day time.Time) Span {
	first := day.AddDate(0, 0, 1-day.Day())
	return Span{first, first.AddDate(0, 1, -1)}
}

func yearOf(day time.Time) Span {
	first := time.Date(day.Year(), time.January, 1, 0, 0, 0, 0, time.UTC)
	return Span{first, first.AddDate(1, 0, -1)}
}

func inYear(month time.Month, year string) (Span, bool) {
	span, ok := numbered(year)
	if !ok || len(year) != len("2006") {
		return Span{}, false
	}
	return monthOf(time.Date(span.First.Year(), month, 1, 0, 0, 0, 0, time.UTC)), true
}

// lastWeekday is the last such day up to a day.
func lastWeekday(weekday time.Weekday, day time.Time) time.Time {
	return day.AddDate(0, 0, -(int(day.Weekday())-int(weekday)+7)%7)
}

// number reads a count in ASCII digits.
func number(text string) (count int, ok bool) {
	if len(text) > maxCountDigits || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	count, err := strconv.Atoi(text)
	return count, err == nil
}

var weekdays, months = namesOfDays(), namesOfMonths()

func namesOfDays() map[string]time.Weekday {
	names := map[string]time.Weekday{"tues": time.Tuesday, "thur": time.Thursday, "thurs": time.Thursday}
	for day := time.Sunday; day <= time.Saturday; day++ {
		name := strings.ToLower(day.String())
		names[name], names[name[:3]] = day, day
	}
	return names
}

func namesOfMonths() map[string]time.Month {
	names := map[string]time.Month{"sept": time.September}
	for month := time.January; month <= time.December; month++ {
		name := strings.ToLower(month.String())
		names[name], names[name[:3]] = month, month
	}
	return names
}
