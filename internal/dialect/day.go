package dialect

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// maxDayBytes is longer than any name of a day.
const maxDayBytes = 64

// ParseDay reads a day as Logseq writes it in titles and names of files, in any of the formats that it offers and in any
// letter case, and gives it as 2006-01-02, "" if it is none: "Sep 14th, 2020", "14th September 2020", "Monday, 09/14/2020",
// "2020-09-14", "2020_09_14", "20200914" and their like. sure is false where day and month could be the other way round, and
// where there is no day.
func ParseDay(name string) (day string, sure bool) {
	if len(name) < len("20060102") || len(name) > maxDayBytes {
		return "", false
	}
	name = strings.ToLower(name)
	month, numbers := 0, []string{}
	for _, word := range strings.FieldsFunc(name, isDaySeparator) {
		switch number, isNumber := dayNumber(word); {
		case isNumber:
			numbers = append(numbers, number)
		case weekdays[word]:
		case month == 0 && months[word] != 0:
			month = months[word]
		default:
			return "", false
		}
	}
	if month != 0 && len(numbers) == 2 {
		return certain(date(numbers[1], strconv.Itoa(month), numbers[0]))
	}
	switch {
	case month != 0:
		return "", false
	case len(numbers) == 1 && len(numbers[0]) == 8:
		return certain(date(numbers[0][:4], numbers[0][4:6], numbers[0][6:]))
	case len(numbers) != 3:
		return "", false
	case len(numbers[0]) == 4:
		return certain(date(numbers[0], numbers[1], numbers[2]))
	}
	return europeanOrAmerican(numbers, name)
}

func certain(day string) (string, bool) { return day, day != "" }

// europeanOrAmerican reads a day with the year at its end. With slashes the month is first, with dots the day; dashes
// leave it open, unless only one order makes a date.
func europeanOrAmerican(numbers []string, name string) (day string, sure bool) {
	dayFirst, monthFirst := date(numbers[2], numbers[1], numbers[0]), date(numbers[2], numbers[0], numbers[1])
	switch {
	case dayFirst == "", monthFirst != "" && strings.Contains(name, "/"):
		return certain(monthFirst)
	case monthFirst == "", monthFirst == dayFirst, strings.Contains(name, "."):
		return certain(dayFirst)
	}
	return dayFirst, false
}

func isDaySeparator(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("-_/.,年月日", r)
}

// dayNumber takes the ending off an ordinal number; ok is false for what is no number of at most eight digits.
func dayNumber(word string) (number string, ok bool) {
	for _, ending := range [...]string{"st", "nd", "rd", "th"} {
		if before, found := strings.CutSuffix(word, ending); found {
			word = before
			break
		}
	}
	return word, word != "" && len(word) <= 8 && strings.Trim(word, "0123456789") == ""
}

// date joins a year of four digits, a month and a day; "" if there is no such day.
func date(year, month, day string) string {
	m, _ := strconv.Atoi(month) // digits alone
	d, _ := strconv.Atoi(day)
	y, _ := strconv.Atoi(year)
	at := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if len(year) != 4 || len(month) > 2 || len(day) > 2 || int(at.Month()) != m || at.Day() != d {
		return ""
	}
	return at.Format(time.DateOnly)
}

// months and weekdays hold the English names in full and by their first three letters, in lower case.
var months, weekdays = func() (map[string]int, map[string]bool) {
	byName, isWeekday := map[string]int{}, map[string]bool{}
	for month := time.January; month <= time.December; month++ {
		name := strings.ToLower(month.String())
		byName[name], byName[name[:3]] = int(month), int(month)
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		name := strings.ToLower(day.String())
		isWeekday[name], isWeekday[name[:3]] = true, true
	}
	return byName, isWeekday
}()

// DayTitle is the title that Logseq gives a day if not told otherwise: "Jan 31st, 2031" for 2031-01-31. What is no day in
// that form stays as it is.
func DayTitle(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	ending := "th"
	if number := at.Day(); number < 11 || number > 13 {
		switch number % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return at.Format("Jan 2") + ending + at.Format(", 2006")
}
