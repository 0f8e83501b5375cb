package quarry_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quarry"
	"quarry/store"
	"quarry/store/sqlite"
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

// TestDoctorWithoutTheCheck holds that an index that is damaged or missing is an error where the finding is not asked for.
func TestDoctorWithoutTheCheck(t *testing.T) {
	vault, db := vaultOf(t, sound), filepath.Join(t.TempDir(), "index.db")
	e := open(t, vault, db)
	orphans := quarry.DoctorRequest{Only: []string{"orphan"}}
	if _, err := e.Doctor(t.Context(), orphans); !errors.Is(err, quarry.ErrNoIndex) {
		t.Errorf("no index: %v", err)
	}
	mustIndex(t, e, quarry.IndexOptions{})
	content, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(content); i++ {
		content[i] = 0xa5
	}
	if err := os.WriteFile(db, content, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := open(t, vault, db)
	if found, err := damaged.Doctor(t.Context(), orphans); !errors.Is(err, quarry.ErrDamaged) {
		t.Errorf("damaged: %+v, %v", found, err)
	}
	wantChecks(t, "damaged", doctorOf(t, damaged, quarry.DoctorRequest{}), "damaged_index")
}

// setMeta changes metadata of an index.
func setMeta(t *testing.T, db string, values map[string]string) {
	t.Helper()
	opened, err := sqlite.Open(t.Context(), sqlite.Options{Path: db})
	if err != nil {
		t.Fatal(err)
	}
	update, err := opened.Begin(t.Context(), store.Incremental)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(update.SetMeta(t.Context(), values), update.Commit(t.Context()), opened.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestDoctorOfModel tells of vectors of another model, where there is one.
func TestDoctorOfModel(t *testing.T) {
	vault, db := vaultOf(t, sound), filepath.Join(t.TempDir(), "index.db")
	mustIndex(t, open(t, vault, db), quarry.IndexOptions{})
	without := quarry.Config{VaultDir: vault, DatabasePath: db, NoModel: true}
	wantChecks(t, "the same model", doctorOf(t, open(t, vault, db), quarry.DoctorRequest{}))
	wantChecks(t, "no model", doctorOf(t, openConfig(t, without), quarry.DoctorRequest{}))
	setMeta(t, db, map[string]string{store.MetaModel: "clay-minilm", store.MetaModelHash: "0c0ffee0"})
	health := doctorOf(t, open(t, vault, db), quarry.DoctorRequest{})
	wantChecks(t, "another model", health, "other_model")
	if !strings.Contains(health.Findings[0].Message, "clay-minilm") {
		t.Errorf("%+v", health.Findings)
	}
	without.Audience, without.NoModel = quarry.Client, false
	wantChecks(t, "another model, for a client", doctorOf(t, openConfig(t, without), quarry.DoctorRequest{}))
}

// TestDoctorOfGraph tells the owner of a graph that is not there.
func TestDoctorOfGraph(t *testing.T) {
	vault, db := vaultOf(t, sound), filepath.Join(t.TempDir(), "index.db")
	config := quarry.Config{VaultDir: vault, DatabasePath: db, NoModel: true}
	e := openConfig(t, config)
	mustIndex(t, e, quarry.IndexOptions{})
	setMeta(t, db, map[string]string{store.MetaGraph: ""})
	wantChecks(t, "owner", doctorOf(t, e, quarry.DoctorRequest{}), "stale_graph")
	config.Audience = quarry.Client
	wantChecks(t, "client", doctorOf(t, openConfig(t, config), quarry.DoctorRequest{}))
	mustIndex(t, e, quarry.IndexOptions{})
	wantChecks(t, "after a run", doctorOf(t, e, quarry.DoctorRequest{}))
}

// TestDoctorOfPlace tells of an index where it should not lie, however the place is written.
func TestDoctorOfPlace(t *testing.T) {
	for folder, want := range map[string]string{".quarry": "index_in_vault", "Dropbox": "synced_index"} {
		vault := vaultOf(t, sound)
		e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: filepath.Join(vault, folder, "index.db"), NoModel: true})
		mustIndex(t, e, quarry.IndexOptions{})
		if got := checksOf(doctorOf(t, e, quarry.DoctorRequest{})); !slices.Contains(got, want) {
			t.Errorf("%s: %q", folder, got)
		}
	}
	vault := vaultOf(t, sound)
	t.Chdir(vault)
	e := openConfig(t, quarry.Config{VaultDir: ".", DatabasePath: filepath.Join(".quarry", "index.db"), NoModel: true})
	mustIndex(t, e, quarry.IndexOptions{})
	wantChecks(t, "a relative path", doctorOf(t, e, quarry.DoctorRequest{}), "index_in_vault")
}

// TestDoctorOfTypes tells of types.yaml when it changed, and while it is no YAML, and then goes by the types of the index.
func TestDoctorOfTypes(t *testing.T) {
	notes := map[string]string{"types.yaml": "types:\n  note:\n    chunk_profile: short\n", "Home.md": "---\ntype: notes\n---\n# Home\n\n[[Kiln]]\n", "Kiln.md": "---\ntype: firing\n---\n# Kiln\n\nHot. [[Home]]\n"}
	vault := vaultOf(t, notes)
	e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true})
	mustIndex(t, e, quarry.IndexOptions{})
	wantChecks(t, "a slip and a new type", doctorOf(t, e, quarry.DoctorRequest{}), "unknown_type", "unknown_type")
	writeNote(t, vault, "types.yaml", "types:\n  notes:\n    chunk_profile: short\n  firing:\n    chunk_profile: short\n")
	wantChecks(t, "changed", doctorOf(t, e, quarry.DoctorRequest{Skip: []string{"unknown_type"}}), "old_settings")
	writeNote(t, vault, "types.yaml", "types:\n\tnotes:\n")
	mustIndex(t, e, quarry.IndexOptions{})
	wantChecks(t, "no YAML", doctorOf(t, e, quarry.DoctorRequest{}), "failed_file", "unknown_type", "unknown_type")
}

// TestDoctorOfOtherFiles holds that a link to a file that is there is never dead, whatever the file is.
func TestDoctorOfOtherFiles(t *testing.T) {
	vault := vaultOf(t, map[string]string{
		"README.md": "# Readme\n\n[licence](LICENSE) [make](Makefile) [box](docker/Dockerfile) [folder](docker/) [data](data.xyz) [[Note]]\n", "Note.md": "# Note\n\n[up](./README.md) [licence](/LICENSE)\n",
		"LICENSE": "x", "Makefile": "x", "docker/Dockerfile": "x", "data.xyz": "x",
	})
	e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true})
	mustIndex(t, e, quarry.IndexOptions{})
	wantChecks(t, "files", doctorOf(t, e, quarry.DoctorRequest{}))
}

// TestDoctorEndsInTime holds that an examination ends with its context.
func TestDoctorEndsInTime(t *testing.T) {
	e := openConfig(t, quarry.Config{VaultDir: "examples/vault", DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true})
	mustIndex(t, e, quarry.IndexOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Doctor(ctx, quarry.DoctorRequest{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestDoctorOfLines holds that lines are those of the note itself, and none where its file is gone, not those of a note of that name
// elsewhere.
func TestDoctorOfLines(t *testing.T) {
	vault := vaultOf(t, map[string]string{
		"Home.md": "# Home\n\n[[a/Kiln]] [[b/Kiln]] #clay-pot\n", "a/Kiln.md": "# Kiln\n\n#claypot [[Home]] [[b/Kiln]]\n", "b/Kiln.md": "# Kiln\n\nWords.\n\n#claypot #clay-pot [[Home]]\n", "c.md": "# C\n\n#clay-pot [[Home]]\n",
	})
	e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true})
	mustIndex(t, e, quarry.IndexOptions{})
	tags := quarry.DoctorRequest{Only: []string{"near_duplicate_tags"}}
	if got := foundBy(doctorOf(t, e, tags)); len(got) != 1 || got[0].Path != "a/Kiln.md" || got[0].Line != 3 {
		t.Errorf("%+v", got)
	}
	if err := os.Remove(filepath.Join(vault, "a", "Kiln.md")); err != nil {
		t.Fatal(err)
	}
	if got := foundBy(doctorOf(t, e, tags)); len(got) != 1 || got[0].Path != "a/Kiln.md" || got[0].Line != 0 {
		t.Errorf("its file is gone: %+v", got)
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
	writeNote(t, vault, "Kiln.md", "# Kiln\n\nHotter. [[Home]]\n")
	writeNote(t, vault, "diary/Diary zyx.md", "# Diary zyx\n\nChanged, too.\n")
	health = doctorOf(t, client, quarry.DoctorRequest{Skip: []string{"dead_link"}})
	wantChecks(t, "a changed note", health, "stale_index")
	if !strings.HasPrefix(health.Findings[0].Message, "1 file is") {
		t.Errorf("%+v", health.Findings)
	}
	setMeta(t, config.DatabasePath, map[string]string{store.MetaSettings: "of before"})
	wantChecks(t, "other settings", doctorOf(t, client, quarry.DoctorRequest{Skip: []string{"dead_link"}}), "stale_index", "old_settings")
}
