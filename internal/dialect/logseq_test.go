package dialect_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"quarry/internal/dialect"
)

func TestPageName(t *testing.T) {
	for stem, want := range map[string]string{
		"":                   "",
		"Kiln":               "Kiln",
		"a___b___c":          "a/b/c",
		"a%2Fb":              "a/b",
		"Why%3F":             "Why?",
		"a%5F%5F%5Fb":        "a___b", // underscores of the name itself
		"a%5f__b":            "a___b",
		"a__b":               "a__b",
		"a____b":             "a/_b", // the separator is found from the left, as "_/" is written "%5F/"
		"a%5F___b":           "a_/b",
		"a%25___2Fb":         "a%/2Fb", // what was taken apart does not join again
		"%252F":              "%2F",    // decoded once
		"100%":               "100%",
		"50%zz %4":           "50%zz %4",
		"%+1%-1":             "%+1%-1",
		"Caf%C3%A9":          "Café",
		"%c3%28 x%3F":        "%c3%28 x?", // no UTF-8
		"%E2%82":             "%E2%82",
		"%00":                "%00",
		"a%00%41":            "a%00A",
		"%0A%1f%7F%41":       "%0A%1f%7FA",
		"a.b":                "a.b",
		"\xff%41":            "\xffA",
		"%F0%9F%9A%A7 works": "🚧 works",
	} {
		if got := dialect.PageName(stem); got != want {
			t.Errorf("PageName(%q) = %q, want %q", stem, got, want)
		}
	}
}

func FuzzPageName(f *testing.F) {
	for _, seed := range []string{"a___b", "%5F%5F%5F", "%00", "%C3%28", "%", "100%", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, stem string) {
		name := dialect.PageName(stem)
		if len(name) > len(stem) || utf8.ValidString(stem) && !utf8.ValidString(name) {
			t.Errorf("PageName(%q) = %q", stem, name)
		}
		if !strings.ContainsAny(stem, "%_") && name != stem {
			t.Errorf("PageName(%q) = %q", stem, name)
		}
	})
}

func TestParseDay(t *testing.T) {
	for text, want := range map[string]string{
		"May 6th, 2031": "2031-05-06", "MAY 6th, 2031": "2031-05-06", "6th May 2031": "2031-05-06", "may 6, 2031": "2031-05-06",
		"Tuesday, 05/06/2031": "2031-05-06", "Tue, 06.05.2031": "2031-05-06", "2031-05-06": "2031-05-06", "2031_05_06": "2031-05-06",
		"20310506": "2031-05-06", "2031年05月06日": "2031-05-06", "21-05-2031": "2031-05-21", "05-21-2031": "2031-05-21",
	} {
		if got, sure := dialect.ParseDay(text); got != want || !sure {
			t.Errorf("ParseDay(%q) = %q, %t", text, got, sure)
		}
	}
	if got, sure := dialect.ParseDay("06-05-2031"); got != "2031-05-06" || sure {
		t.Errorf("a day that can be read in two ways: %q, %t", got, sure)
	}
	for _, text := range []string{"", "May 2031", "2031-02-30", "2031-13-01", "99999999", "Kiln 2031-05-06", "2031-05-06 14:00", strings.Repeat("2031-05-06 ", 9)} {
		if got, sure := dialect.ParseDay(text); got != "" || sure {
			t.Errorf("ParseDay(%q) = %q, %t", text, got, sure)
		}
	}
}

func TestJournalDay(t *testing.T) {
	for file, want := range map[string]string{
		"journals/2031_05_06.md":      "2031-05-06",
		"Journals/2031-05-06.MD":      "2031-05-06",
		"a/journals/20310506.md":      "2031-05-06",
		"journals/May 6th, 2031.md":   "2031-05-06",
		"journals/06-05-2031.md":      "", // may be June
		"journals/Kiln.md":            "",
		"journals/old/2031_05_06.md":  "",
		"pages/2031_05_06.md":         "",
		"2031_05_06.md":               "",
		"my journals/2031_05_06.md":   "",
		"journals/2031_05_06 more.md": "",
		"":                            "",
	} {
		if got := dialect.JournalDay(file); got != want {
			t.Errorf("JournalDay(%q) = %q, want %q", file, got, want)
		}
	}
}

// TestDayTitle holds that the title of each day of a year is read as that day.
func TestDayTitle(t *testing.T) {
	for day, want := range map[string]string{
		"2031-01-01": "Jan 1st, 2031", "2031-01-02": "Jan 2nd, 2031", "2031-01-03": "Jan 3rd, 2031", "2031-01-04": "Jan 4th, 2031",
		"2031-02-11": "Feb 11th, 2031", "2031-02-12": "Feb 12th, 2031", "2031-02-13": "Feb 13th, 2031", "2031-12-31": "Dec 31st, 2031",
		"2031-03-22": "Mar 22nd, 2031", "2031-03-23": "Mar 23rd, 2031", "Kiln": "Kiln", "": "",
	} {
		if got := dialect.DayTitle(day); got != want {
			t.Errorf("DayTitle(%q) = %q, want %q", day, got, want)
		}
	}
	for at := time.Date(2032, time.January, 1, 0, 0, 0, 0, time.UTC); at.Year() == 2032; at = at.AddDate(0, 0, 1) {
		day := at.Format(time.DateOnly)
		if got, sure := dialect.ParseDay(dialect.DayTitle(day)); got != day || !sure {
			t.Errorf("the title of %s is read as %q", day, got)
		}
	}
}

func TestStem(t *testing.T) {
	for file, want := range map[string]string{"a/b.md": "b", "b.MD": "b", "a.b.md": "a.b", "a.Markdown": "a", "b.txt": "b.txt", ".md": ".md", "x/md": "md"} {
		if got := dialect.Stem(file); got != want {
			t.Errorf("Stem(%q) = %q, want %q", file, got, want)
		}
	}
}
