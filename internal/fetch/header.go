package fetch

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// isValidator tells whether a text may stand in a conditional request.
func isValidator(text string) bool {
	return text != "" && len(text) <= maxValidator && strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f }) < 0
}

func validator(answer *http.Response, name string) string {
	if text := answer.Header.Get(name); isValidator(text) {
		return text
	}
	return ""
}

// retryAt is when a server wants to be asked again, by Retry-After in seconds or as a date; with 429 and 503 an hour from now where
// it does not say.
func retryAt(answer *http.Response, now time.Time) time.Time {
	now = now.UTC()
	isBusy := answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusServiceUnavailable
	text := strings.TrimSpace(answer.Header.Get("Retry-After"))
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil && seconds >= 0 {
		return now.Add(bounded(seconds))
	}
	if when, err := http.ParseTime(text); err == nil {
		if wait := when.Sub(now); wait > 0 {
			return now.Add(min(wait, maxWait))
		}
		return now
	}
	if isBusy {
		return now.Add(time.Hour)
	}
	return time.Time{}
}

// bounded is a number of seconds, up to maxWait; multiplying first could overflow.
func bounded(seconds int64) time.Duration {
	return time.Duration(min(max(seconds, 0), int64(maxWait/time.Second))) * time.Second
}

// maxAge is how long an answer is fresh, by Cache-Control less its Age, else by Expires.
func maxAge(answer *http.Response, now time.Time) time.Duration {
	control := strings.ToLower(strings.Join(answer.Header.Values("Cache-Control"), ","))
	for directive := range strings.SplitSeq(control, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		if name == "no-store" || name == "no-cache" {
			return 0
		}
		if seconds, err := strconv.ParseInt(strings.Trim(value, `" `), 10, 64); name == "max-age" && err == nil {
			age, _ := strconv.ParseInt(answer.Header.Get("Age"), 10, 64) // 0 where there is none
			return bounded(seconds - max(age, 0))
		}
	}
	if when, err := http.ParseTime(answer.Header.Get("Expires")); err == nil {
		return min(max(when.Sub(now), 0), maxWait)
	}
	return 0
}

// readBody reads an answer, unpacked, up to a number of bytes.
func readBody(answer *http.Response, mostBytes int64) ([]byte, error) {
	if answer.ContentLength > mostBytes {
		return nil, tooLarge(mostBytes)
	}
	var body io.Reader = answer.Body
	switch encoding := strings.ToLower(strings.TrimSpace(answer.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
	case "gzip", "x-gzip":
		unpacked, err := gzip.NewReader(io.LimitReader(answer.Body, mostBytes+1))
		if err != nil {
			return nil, fmt.Errorf("unpack: %w", err)
		}
		body = unpacked
	default:
		return nil, fmt.Errorf("unpack: the encoding %q was not asked for", encoding)
	}
	content, err := io.ReadAll(io.LimitReader(body, mostBytes+1))
	if int64(len(content)) > mostBytes {
		return nil, tooLarge(mostBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	return content, nil
}

func tooLarge(mostBytes int64) error { return fmt.Errorf("%w: over %d bytes", ErrTooLarge, mostBytes) }
