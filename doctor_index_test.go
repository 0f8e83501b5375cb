package quarry_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quarry"
)

// sound are notes in which nothing is to be found.
var sound = map[string]string{
	"Home.md":   "# Home\n\nThe way in: [[Kiln]] and [[Wheel]].\n",
	"Kiln.md":   "# Kiln\n\nClay is fired slowly. The bowls come from the [[Wheel]].\n",
	"Wheel.md":  "# Wheel\n\nCentring takes a year to learn. Then on to the [[Kiln#Kiln]].\n",
	"empty.png": "",
}

func checksOf(health quarry.Health) []string {
	list := []string{}
	for _, f := range health.Findings {
		list = append(list, f.Check)
	}
	return list
}

func wantChecks(t *testing.T, what string, health quarry.Health, want ...string) {
	t.Helper()
	if got := checksOf(health); !slices.Equal(got, append([]string{}, want...)) {
		t.Errorf("%s: found %q, want %q: %+v", what, got, want, health.Findings)
	}
}

// TestDoctorOfIndex holds what Doctor says of the index itself, from before the first run until it is damaged.
func TestDoctorOfIndex(t *testing.T) {
	vault, db := vaultOf(t, sound), filepath.Join(t.TempDir(), "index.db")
	config := quarry.Config{VaultDir: vault, DatabasePath: db, NoModel: true}
	e := openConfig(t, config)
	wantChecks(t, "before the first run", doctorOf(t, e, quarry.DoctorRequest{}), "no_index")
	if _, err := os.Stat(db); err == nil {
		t.Error("Doctor made an index")
	}
	mustIndex(t, e, quarry.IndexOptions{})
	health := doctorOf(t, e, quarry.DoctorRequest{})
	wantChecks(t, "a sound vault", health)
	if health.Notes != 3 || health.Index != db || health.Vault != vault || health.Findings == nil {
		t.Errorf("%+v", health)
	}
	writeNote(t, vault, "Kiln.md", "# Kiln\n\nClay is fired. [[Wheel]] and [[Nowhere]].\n")
	wantChecks(t, "a changed file", doctorOf(t, e, quarry.DoctorRequest{}), "stale_index")
	mustIndex(t, e, quarry.IndexOptions{})
	wantChecks(t, "a dead link", doctorOf(t, e, quarry.DoctorRequest{}), "dead_link")
	wantChecks(t, "without dead links", doctorOf(t, e, quarry.DoctorRequest{Skip: []string{"dead_link"}}))
	wantChecks(t, "orphans alone", doctorOf(t, e, quarry.DoctorRequest{Only: []string{"orphan"}}))
	if _, err := e.Doctor(t.Context(), quarry.DoctorRequest{Only: []string{"orphans"}}); !errors.Is(err, quarry.ErrUnknownCheck) {
		t.Errorf("an unknown check: %v", err)
	}
	config.Sensitivity = []quarry.SensitivityConfig{{Folders: map[string]string{"jurnal": "private"}}}
	wantChecks(t, "rules", doctorOf(t, openConfig(t, config), quarry.DoctorRequest{Skip: []string{"dead_link"}}), "old_settings", "unused_setting")
	config.Sensitivity = nil
	damage(t, db)
	if got := checksOf(doctorOf(t, openConfig(t, config), quarry.DoctorRequest{})); !slices.Contains(got, "damaged_index") {
		t.Errorf("a torn page: %q", got)
	}
}

// damage changes a text within the file of an index, so that it is still a file of that kind.
func damage(t *testing.T, db string) {
	t.Helper()
	content, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.ReplaceAll(string(content), "Centring takes a year", "Centrung takes a year")
	if changed == string(content) {
		t.Fatal("the text is not in the file")
	}
	if err := os.WriteFile(db, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDoctorOfModel tells of vectors of another model.
func TestDoctorOfModel(t *testing.T) {
	vault, db := vaultOf(t, sound), filepath.Join(t.TempDir(), "index.db")
	mustIndex(t, open(t, vault, db), quarry.IndexOptions{})
	wantChecks(t, "the same model", doctorOf(t, open(t, vault, db), quarry.DoctorRequest{}))
	wantChecks(t, "no model", doctorOf(t, openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, NoModel: true}), quarry.DoctorRequest{}))
}

// TestDoctorOfPlace tells of an index where it should not lie.
func TestDoctorOfPlace(t *testing.T) {
	for folder, want := range map[string]string{".quarry": "index_in_vault", "Dropbox": "synced_index"} {
		vault := vaultOf(t, sound)
		e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: filepath.Join(vault, folder, "index.db"), NoModel: true})
		mustIndex(t, e, quarry.IndexOptions{})
		if got := checksOf(doctorOf(t, e, quarry.DoctorRequest{})); !slices.Contains(got, want) {
			t.Errorf("%s: %q", folder, got)
		}
	}
}

// TestDoctorOfFiles tells of files that could not be taken in, each with its line, and not of those that are kept out on purpose.
func TestDoctorOfFiles(t *testing.T) {
	notes := map[string]string{
		"Home.md": "# Home\n\n[[Broken]] [[Large]]\n", "Broken.md": "---\ntitle: a: b\n---\nWords of it. [[Home]]\n", "Large.md": strings.Repeat("word ", 500),
		"Vault.md": "---\nsensitivity: secret\n---\nNobody is shown this.\n", "types.yaml": "types:\n  note:\n    chunk_profile: smalll\n",
	}
	vault := vaultOf(t, notes)
	e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true, MaxFileBytes: 1000})
	mustIndex(t, e, quarry.IndexOptions{})
	health := doctorOf(t, e, quarry.DoctorRequest{Only: []string{"failed_file", "skipped_file", "faulty_note"}})
	want := []planted{{"faulty_note", "notice", "Broken.md", 2}, {"faulty_note", "notice", "types.yaml", 3}, {"skipped_file", "notice", "Large.md", 0}}
	if got := foundBy(health); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestDoctorOfClient holds that a client is told nothing of the file of the index, nor of settings.
func TestDoctorOfClient(t *testing.T) {
	vault := vaultOf(t, map[string]string{"Home.md": "# Home\n\n[[Kiln]]\n", "Kiln.md": "# Kiln\n\n[[Home]] [[Diary zyx]]\n", "diary/Diary zyx.md": "# Diary zyx\n\n[[Nowherezyx]] #tagzyx\n"})
	config := quarry.Config{
		VaultDir: vault, DatabasePath: filepath.Join(vault, "dbzyx", "index.db"), NoModel: true, Audience: quarry.Client,
		Sensitivity: []quarry.SensitivityConfig{{Folders: map[string]string{"diary": "private", "jurnalzyx": "private"}}},
	}
	client := openConfig(t, config)
	wantChecks(t, "no index", doctorOf(t, client, quarry.DoctorRequest{}), "no_index")
	config.Audience = quarry.Owner
	owner := openConfig(t, config)
	mustIndex(t, owner, quarry.IndexOptions{})
	health := doctorOf(t, client, quarry.DoctorRequest{})
	wantChecks(t, "client", health, "dead_link") // as if the note were not there
	if health.Index != "" || health.Notes != 2 || strings.Contains(strings.ReplaceAll(health.Findings[0].Message, "Diary zyx", "")+health.Findings[0].Remedy[len("write the note Diary zyx"):], "zyx") {
		t.Errorf("%+v", health)
	}
	if got := checksOf(doctorOf(t, owner, quarry.DoctorRequest{})); !slices.Contains(got, "index_in_vault") || !slices.Contains(got, "unused_setting") {
		t.Errorf("owner: %q", got)
	}
}
