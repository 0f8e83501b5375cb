package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// configured gives what the engine is told, by the user's file and the vault's own.
func configured(t *testing.T, user, own string) (quarry.Config, string, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"user.toml": user, "vault/.quarry.toml": own} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, _, talk := newPage()
	a.flags.vault, a.flags.config, a.flags.db = filepath.Join(dir, "vault"), filepath.Join(dir, "user.toml"), filepath.Join(dir, "index.db")
	a.flags.logLevel = "warn"
	config, err := a.config()
	return config, talk.String(), err
}

// A vault's own table of types counts before the user's, and names no file outside of the vault.
func TestTypesOfBothFiles(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "types.yaml")
	quoted := "'" + outside + "'"
	for _, test := range []struct {
		name, user, own string
		want            quarry.TypesConfig
		notice          string
	}{
		{"nothing", "", "", quarry.TypesConfig{}, ""},
		{"the user's", "[types]\nfile = \"meta/t.yaml\"\noverrides = [\"edge_defaults\"]", "", quarry.TypesConfig{File: "meta/t.yaml", Overrides: []string{"edge_defaults"}}, ""},
		{"the user's, absolute", "[types]\nfile = " + quoted, "", quarry.TypesConfig{File: outside}, ""},
		{"the vault's", "", "[types]\nfile = \"t.yaml\"", quarry.TypesConfig{File: "t.yaml"}, ""},
		{"the vault's before the user's", "[types]\nfile = \"a.yaml\"\noverrides = [\"edge_defaults\"]", "[types]\nfile = \"b.yaml\"\noverrides = []", quarry.TypesConfig{File: "b.yaml", Overrides: []string{}}, ""},
		{"each key by itself", "[types]\nfile = \"a.yaml\"", "[types]\noverrides = [\"chunk_profile\"]", quarry.TypesConfig{File: "a.yaml", Overrides: []string{"chunk_profile"}}, ""},
		{"the vault's, absolute", "[types]\nfile = \"a.yaml\"", "[types]\nfile = " + quoted, quarry.TypesConfig{File: "a.yaml"}, "types.file is ignored: a file in the vault cannot name places outside of it"},
		{"the vault's, above it", "", "[types]\nfile = \"a/../../t.yaml\"", quarry.TypesConfig{}, "types.file is ignored"},
	} {
		config, talk, err := configured(t, test.user, test.own)
		if diff := cmp.Diff(test.want, config.Types); err != nil || diff != "" {
			t.Errorf("%s: error %v (-want +got): %s", test.name, err, diff)
		}
		if (test.notice == "") != (talk == "") || !strings.Contains(talk, test.notice) {
			t.Errorf("%s: said %q, want %q", test.name, talk, test.notice)
		}
	}
}

// A mistake in the table is told with its line, in either file.
func TestMistakesInTypes(t *testing.T) {
	for _, test := range []struct{ text, want, hint string }{
		{"\n[types]\nfile = \"\"", `:3: types.file: it takes the path of a file`, `leave the key out for "types.yaml"`},
		{"[types]\nfile = \" \"", ":2: types.file: it takes", ""},
		{"[types]\nfile = 3", ":2: types.file takes a text in quotes", "docs/configuration.md"},
		{"[types]\noverrides = [\n  \"edge_defaults\",\n  \"chunk_profil\"]", `:4: types.overrides, entry 2: "chunk_profil" is no property that a type decides`, "did you mean chunk_profile?"},
		{"[types]\noverrides = [\"weight of all\"]", ":2: types.overrides, entry 1: ", "overrides takes chunk_profile, edge_defaults, retriever_weight"},
		{"[types]\noverrides = \"edge_defaults\"", ":2: types.overrides takes a list of texts", ""},
		{"types = \"types.yaml\"", ":1: types takes a table", ""},
		{"[types]\n\nfiles = \"x\"", ":3: types.files: there is no such key", "did you mean file?"},
		{"overrides = []", ":1: overrides: there is no such key", "overrides stands in the table [types]"},
	} {
		for _, files := range [][2]string{{test.text, ""}, {"", test.text}} {
			_, _, err := configured(t, files[0], files[1])
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%q: %v, want %q", test.text, err, test.want)
				continue
			}
			if advised, ok := err.(*hinted); !ok || !strings.Contains(advised.hint, test.hint) { //nolint:errorlint // the error itself
				t.Errorf("%q: %#v, want the hint %q", test.text, err, test.hint)
			}
		}
	}
}

// What leads out of the vault is a mistake of the user's, and does not count in the vault's own file.
func TestTypesOutsideOfTheVault(t *testing.T) {
	_, _, err := configured(t, "\n[types]\nfile = \"../types.yaml\"", "")
	if err == nil || !strings.Contains(err.Error(), "user.toml:3: types.file: the path leads out of the vault") {
		t.Errorf("the user's: %v", err)
	}
	if _, talk, err := configured(t, "", "[types]\nfile = \"../types.yaml\""); err != nil || !strings.Contains(talk, "types.file is ignored") {
		t.Errorf("the vault's: %v, %s", err, talk)
	}
}
