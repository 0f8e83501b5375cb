package date_test

import (
	"strings"
	"testing"
	"time"

	"quarry/internal/date"
)

// The 11th of March 2026 is a Wednesday.
var today = time.Date(2026, 3, 11, 23, 30, 0, 0, time.FixedZone("west", -8*60*60))

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"2026-01-31":                      "2026-01-31",
		"2024-02":                         "2024-02-01 2024-02-29",
		"2025":                            "2025-01-01 2025-12-31",
		"0d":                              "2026-03-11",
		"7d":                              "2026-03-04",
		"2w":                              "2026-02-25",
		"1m":                              "2026-02-11",
		"3M":                              "2025-12-11",
		"1y":                              "2025-03-11",
		"today":                           "2026-03-11",
		" Yesterday ":                     "2026-03-10",
		"wednesday":                       "2026-03-11",
		"monday":                          "2026-03-09",
		"Thu":                             "2026-03-05",
		"last wednesday":                  "2026-03-04",
		"last monday":                     "2026-03-09",
		"last  sunday":                    "2026-03-08",
		"this friday":                     "2026-03-13",
		"this sunday":                     "2026-03-15",
		"this week":                       "2026-03-09 2026-03-15",
		"last week":                       "2026-03-02 2026-03-08",
		"last-week":                       "2026-03-02 2026-03-08",
		"this month":                      "2026-03-01 2026-03-31",
		"last_month":                      "2026-02-01 2026-02-28",
		"this year":                       "2026-01-01 2026-12-31",
		"last year":                       "2025-01-01 2025-12-31",
		"3 days ago":                      "2026-03-08",
		"2 weeks ago":                     "2026-02-25",
		"a month ago":                     "2026-02-11",
		"1 year ago":                      "2025-03-11",
		"last 3 days":                     "2026-03-08 2026-03-11",
		"past 2 weeks":                    "2026-02-25 2026-03-11",
		"january":                         "2026-01-01 2026-01-31",
		"MAR":                             "2026-03-01 2026-03-31",
		"april":                           "2025-04-01 2025-04-30",
		"sept":                            "2025-09-01 2025-09-30",
		"january 2026":                    "2026-01-01 2026-01-31",
		"jan 2024":                        "2024-01-01 2024-01-31",
		"2024 february":                   "2024-02-01 2024-02-29",
		"february, 2023":                  "2023-02-01 2023-02-28",
		"999999d":                         "",
		"999999y":                         "",
		"":                                "",
		"d":                               "",
		"7":                               "",
		"7x":                              "",
		"7dd":                             "",
		"-7d":                             "",
		"1234567d":                        "",
		"2026-02-30":                      "",
		"2026-13":                         "",
		"20260131":                        "",
		"26":                              "",
		"soon":                            "",
		"７d":                              "",
		"last":                            "",
		"last of":                         "",
		"last 3":                          "",
		"3 days":                          "",
		"days ago 3":                      "",
		"january 26":                      "",
		"january february":                "",
		"ago ago ago":                     "",
		strings.Repeat(" ", 50) + "today": "",
	} {
		got := ""
		if span, ok := date.Parse(text, today); ok {
			got = span.First.Format(time.DateOnly)
			if !span.First.Equal(span.Last) {
				got += " " + span.Last.Format(time.DateOnly)
			}
		}
		if got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

func TestWithoutToday(t *testing.T) {
	for text, want := range map[string]bool{"2026-01-31": true, "2026": true, "7d": false, "today": false, "january": false} {
		if _, ok := date.Parse(text, time.Time{}); ok != want {
			t.Errorf("%q is a date: %t", text, ok)
		}
	}
}

// A month that is too short for the day ends earlier.
func TestMonthsBack(t *testing.T) {
	for text, want := range map[string]string{"1m": "2024-02-29", "13m": "2023-02-28", "1y": "2023-03-31", "4m": "2023-11-30"} {
		span, ok := date.Parse(text, time.Date(2024, 3, 31, 0, 0, 0, 0, time.UTC))
		if got := span.First.Format(time.DateOnly); !ok || got != want {
			t.Errorf("%s before the 31st of March gives %s, want %s", text, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"2026-01-31", "last monday", "3 days ago", "january 2026", "999999m", "0001", "last 999999 years", "\xff", "a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		span, ok := date.Parse(text, today)
		if ok && (span.Last.Before(span.First) || len(span.First.Format(time.DateOnly)) != len(time.DateOnly)) {
			t.Errorf("%q gives %v", text, span)
		}
	})
}
