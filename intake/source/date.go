package source

import (
	"strconv"
	"strings"
	"time"

	"quarry/internal/lazyregexp"
)

var (
	isoDate   = lazyregexp.New(`^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt ]+|,\s*)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)?\s*(?i:(Z|[A-Z]{2,5}|(?:GMT|UTC)?[+-]\d{2}:?\d{2}|[+-]\d{2}))?$`)
	shortISO  = lazyregexp.New(`^(\d{4})(?:-(\d{2}))?$`)
	mailDate  = lazyregexp.New(`^(?:[\pL.]{2,12},?\s*)?(\d{1,2})[ \-.]+([A-Za-z]{3,9})[ \-.,]+(\d{4}|\d{2})(?:[, ]+(?:at )?(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*([A-Za-z]{1,5}|(?:GMT|UTC)?[+-]\d{2}:?\d{2})?(?:\s*\([^)]*\)|\s+[A-Za-z]{1,5})?$`)
	spokeDate = lazyregexp.New(`^(?:[A-Za-z.]{3,9},?\s+)?([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?:,?\s+(?:at )?(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AaPp])?\.?(?:[Mm]\.?)?)?\s*([A-Za-z]{2,5}|[+-]\d{2}:?\d{2})?$`)
	clockDate = lazyregexp.New(`^[A-Za-z]{3}\s+([A-Za-z]{3})\s+(\d{1,2})\s+(\d{1,2}):(\d{2}):(\d{2})(?:\s+([A-Za-z]{2,5}|[+-]\d{4}))?\s+(\d{4})$`)
)

var months = map[string]int{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12}

// zones are the names that dates of feeds and mails use, in hours from UTC; where several places use one, the one that RFC 822 means.
var zones = map[string]float64{
	"": 0, "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "IST": 5.5,
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "AKST": -9, "AKDT": -8, "HST": -10,
	"JST": 9, "KST": 9, "HKT": 8, "SGT": 8, "AWST": 8, "ACST": 9.5, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
}

// parseDate reads a date as feeds, mails and pages write it, in UTC. One without a zone is taken for UTC. ok is false for what is no
// date, and for years before 1970 or after 2199, which no signal has.
func parseDate(text string) (_ time.Time, ok bool) {
	if len(text) > 200 {
		return time.Time{}, false
	}
	text = strings.Join(strings.Fields(text), " ")
	if m := isoDate.FindStringSubmatch(text); m != nil {
		return dateOf(m[1], m[2], m[3], m[4:7], m[7])
	}
	if m := shortISO.FindStringSubmatch(text); m != nil {
		return dateOf(m[1], orOne(m[2]), "1", nil, "")
	}
	if m := mailDate.FindStringSubmatch(text); m != nil {
		return dateOf(m[3], m[2], m[1], m[4:7], m[7])
	}
	if m := spokeDate.FindStringSubmatch(text); m != nil {
		clock := m[4:7:7]
		if hour := number(m[4]); m[7] != "" && m[4] != "" {
			isAfternoon := strings.EqualFold(m[7], "p")
			switch {
			case isAfternoon && hour < 12:
				hour += 12
			case !isAfternoon && hour == 12:
				hour = 0
			}
			clock = []string{strconv.Itoa(hour), m[5], m[6]}
		}
		return dateOf(m[3], m[1], m[2], clock, m[8])
	}
	if m := clockDate.FindStringSubmatch(text); m != nil {
		return dateOf(m[7], m[1], m[2], m[3:6], m[6])
	}
	return time.Time{}, false
}

func orOne(text string) string {
	if text == "" {
		return "1"
	}
	return text
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// dateOf is the time of the parts of a date as they are written; the clock is hour, minute and second.
func dateOf(yearText, monthText, dayText string, clock []string, zone string) (time.Time, bool) {
	year, month, day := number(yearText), number(monthText), number(dayText)
	if len(yearText) == 2 { // as RFC 2822 reads it
		if year += 2000; year >= 2050 {
			year -= 100
		}
	}
	if month == 0 && len(monthText) >= 3 {
		month = months[strings.ToLower(monthText[:3])]
	}
	hour, minute, second := 0, 0, 0
	if len(clock) == 3 {
		hour, minute, second = number(clock[0]), number(clock[1]), number(clock[2])
	}
	offset, ok := offsetOf(zone)
	if !ok || year < 1970 || year > 2199 || month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60 {
		return time.Time{}, false
	}
	when := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	if when.Day() != day && hour < 24 { // the 31st of a month that has 30
		return time.Time{}, false
	}
	return when.Add(-offset), true
}

func offsetOf(zone string) (time.Duration, bool) {
	zone = strings.ToUpper(zone)
	if hours, ok := zones[zone]; ok {
		return time.Duration(hours * float64(time.Hour)), true
	}
	zone = strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(zone, "GMT"), "UTC"), ":", "")
	if len(zone) != 3 && len(zone) != 5 || zone[0] != '+' && zone[0] != '-' {
		return 0, len(zone) == 1 || len(zone) <= 5 && isLetters(zone) // a name that nobody knows is UTC
	}
	offset := time.Duration(number(zone[1:3])) * time.Hour
	if len(zone) == 5 {
		offset += time.Duration(number(zone[3:])) * time.Minute
	}
	if zone[0] == '-' {
		offset = -offset
	}
	return offset, offset <= 18*time.Hour && offset >= -18*time.Hour
}

func isLetters(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool { return c < 'A' || c > 'Z' }) < 0
}
