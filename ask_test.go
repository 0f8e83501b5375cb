package quarry_test

import (
	"encoding/json"
	"strings"
	"testing"

	"quarry"
)

// TestLongQueriesKeepNoSecret asks queries that are longer than what is looked at, with secrets at every place where one may be cut.
func TestLongQueriesKeepNoSecret(t *testing.T) {
	engine := indexed(t, quarry.Config{VaultDir: vaultOf(t, map[string]string{"a.md": "# Kiln\n\nharbour\n"})})
	token := "ghp" + "_" + strings.Repeat("aB3dE6gH9", 4)
	secrets := strings.Repeat(token+" ", 1+(80<<10)/len(token))
	for name, query := range map[string]string{
		"at the end of what is read":   strings.Repeat("harbour ", 508) + token + strings.Repeat(" more", 100_000),
		"at the end of what is shown":  strings.Repeat("harbour ", 8<<10-2) + token + strings.Repeat(" more", 1_000),
		"nothing else":                 secrets,
		"nothing else, and cut in one": "x" + secrets + strings.Repeat(" more", 100_000),
		"none":                         strings.Repeat("harbour ", 1<<20),
	} {
		answer, err := engine.Search(t.Context(), quarry.SearchRequest{Query: query, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		for length := len(token); length >= 12; length-- {
			if strings.Contains(string(encoded), token[:length]) {
				t.Errorf("%s: %d characters of a secret are told", name, length)
				break
			}
		}
		if notice := strings.Join(answer.Notices, " "); !strings.Contains(notice, "was cut") && !strings.HasPrefix(name, "nothing") {
			t.Errorf("%s: %q says nothing of the cut", name, notice)
		}
	}
}
