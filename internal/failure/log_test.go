package failure_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quarry/internal/failure"
)

// A flood of errors leaves few lines, each answer has a number of its own, and the next line tells how many there were.
func TestLogRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var rate failure.LogRate
		logger := slog.New(slog.NewTextHandler(&log, nil))
		numbers := map[string]bool{}
		tell := func() string {
			number := rate.Unforeseen(t.Context(), logger, errors.New("diary"), "tool", "x")
			numbers[number] = true
			return number
		}
		for range 500 {
			if len(tell()) != 8 {
				t.Fatal("a number is not of 8 letters")
			}
		}
		if lines := strings.Count(log.String(), "\n"); lines != failure.LogLinesAtOnce || len(numbers) != 500 {
			t.Errorf("%d lines, %d numbers", lines, len(numbers))
		}
		log.Reset()
		time.Sleep(time.Second)
		want := fmt.Sprintf("tool=x number=%s kind=*errors.errorString untold=480\n", tell())
		tell()
		if said := log.String(); !strings.HasSuffix(said, want) || strings.Count(said, "\n") != 1 {
			t.Errorf("a second later: %q, not %q", said, want)
		}
	})
}
