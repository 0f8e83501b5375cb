package secret_test

import (
	"strings"
	"testing"

	"quarry/secret"
)

// TestVerdictsOfTests holds that the name of a passed test is no password, and that whatever is not the line of a test runner is one.
func TestVerdictsOfTests(t *testing.T) {
	token := "gh" + "p_" + newMaker(41).of(alnum, 36)
	for text, isSecret := range map[string]bool{
		"--- PASS: TestLogin2 (0.00s)":               false,
		"--- PASS: Name1234 (0.00s)":                 false,
		"\t--- PASS: TestLogin2/the_3rd#01 (0.123s)": false,
		"app-1  | --- PASS: FuzzParse9 (1.00s)":      false,
		"PASS: TestLogin42 (0.01s)":                  false,
		"PASS: tests/login42.sh (12 ms)":             false,
		"PASS: hunter2xyz":                           true,
		"PASS: hunter2xyz (5s)":                      true,
		"PASS: testing2xyz (5s)":                     true,
		"PASS: TestLogin42":                          true,
		"--- PASS: hunter2xyz":                       true,
		"pass: TestLogin42 (0.01s)":                  true,
		"Pass: TestLogin42 (0.01s)":                  true,
		"DB_PASS: TestLogin42 (0.01s)":               true,
		"PASS=TestLogin42 (0.01s)":                   true,
		"Password: TestLogin42 (0.01s)":              true,
		"PASS: TestLogin42\n(0.01s)":                 true,
		"--- PASS: Test/" + token + " (0.00s)":       true,
		"--- PASS: Test/pass=hunter2xyz (0.00s)":     true,
	} {
		redacted, _ := secret.Redact(text)
		if got := strings.Contains(redacted, "[REDACTED:"); got != isSecret {
			t.Errorf("%q became %q", text, redacted)
		}
	}
}
