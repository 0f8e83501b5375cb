package quarry_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"quarry"
)

// TestSecretsOfOldIndex holds that names and kinds that count as secrets since the index was made are in no answer that follows links,
// and that links are followed all the same.
func TestSecretsOfOldIndex(t *testing.T) {
	door := plantedNames[2]
	vault := vaultOf(t, map[string]string{
		"maps/" + door + " MOC.md": "---\ntype: moc\n---\n# Beer " + door + "\n\n[[Malt]] [[" + door + " yeast]] [[Hops]]\n",
		door + " yeast.md":         "---\n" + door + "_on: \"[[Water]]\"\n---\n# Yeast\n\nYeast ferments the wort at eighteen degrees for a week.\n",
		"Water.md":                 "# Water\n\nSoft water suits fermenting wort with ale yeast. [[" + door + " barrel]]\n",
		door + " barrel.md":        "# Barrel\n\nA barrel of oak holds wort and yeast for a week. [[Water]] [[" + door + " yeast]]\n",
		"Malt.md":                  "# Malt\n\nBarley is malted before brewing.\n",
		"Hops.md":                  "# Hops\n\nHops make the beer bitter. [[" + door + " yeast]]\n",
	})
	config := quarry.Config{VaultDir: vault, DatabasePath: filepath.Join(t.TempDir(), "index.db")}
	mustIndex(t, openConfig(t, config), quarry.IndexOptions{})
	config.VaultPatterns = []quarry.RedactionPattern{{Name: "door-code", Pattern: `(?i)kiln-door-[0-9]{6}`}} // kinds are in small letters
	for _, config.Audience = range []quarry.Audience{quarry.Owner, quarry.Client} {
		e := openConfig(t, config)
		vias, places := 0, 0
		for _, mode := range []quarry.Mode{quarry.Hybrid, quarry.Lexical, quarry.Vector} {
			for _, query := range []string{"yeast ferments wort", "soft water", "barrel of oak"} {
				answer, err := e.Search(t.Context(), quarry.SearchRequest{Query: query, Mode: mode, Expand: true, Limit: 1, Explain: true})
				if err != nil {
					t.Fatal(err)
				}
				checkAnswer(t, string(mode)+" "+query, answer)
				for _, r := range answer.Results {
					if r.Via != nil {
						vias++
					}
				}
			}
		}
		for _, topic := range []string{"yeast ferments wort", "hops beer bitter", "barley malted", "soft water"} {
			answer := contextOf(t, e, quarry.ContextRequest{Topic: topic})
			checkAnswer(t, topic, answer)
			for _, s := range answer.Sources {
				if s.Map != "" && len(s.Beside) > 0 && strings.Contains(s.Map, "[REDACTED:") {
					places++
				}
			}
		}
		if vias == 0 || places == 0 {
			t.Errorf("%s: %d passages by links, %d in a map", config.Audience, vias, places)
		}
	}
}

func checkAnswer(t *testing.T, what string, answer any) {
	t.Helper()
	encoded, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	checkHidden(t, what, encoded)
}
