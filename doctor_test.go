package quarry_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// planted is a fault of the example vault, as examples/doctor.jsonl lists it.
type planted struct {
	Check    string `json:"check"`
	Severity string `json:"severity"`
	Path     string `json:"path"`
	Line     int    `json:"line"`
}

func plantedFaults(t *testing.T) []planted {
	t.Helper()
	file, err := os.ReadFile("examples/doctor.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var list []planted
	for scanner := bufio.NewScanner(bytes.NewReader(file)); scanner.Scan(); {
		var one planted
		if err := json.Unmarshal(scanner.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		list = append(list, one)
	}
	return list
}

// exampleCopy is the example vault in a folder of its own.
func exampleCopy(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "vault")
	if err := os.CopyFS(dir, os.DirFS("examples/vault")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func doctorOf(t *testing.T, e *quarry.Engine, request quarry.DoctorRequest) quarry.Health {
	t.Helper()
	health, err := e.Doctor(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	return health
}

func foundBy(health quarry.Health) []planted {
	list := []planted{}
	for _, f := range health.Findings {
		list = append(list, planted{f.Check, string(f.Severity), f.Path, f.Line})
	}
	return list
}

// TestDoctorExample holds that each fault that was planted in the example vault is found, and nothing else; each with a message, a
// remedy, and related notes that are no nil.
func TestDoctorExample(t *testing.T) {
	e := openConfig(t, quarry.Config{VaultDir: "examples/vault", DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true})
	mustIndex(t, e, quarry.IndexOptions{})
	health := doctorOf(t, e, quarry.DoctorRequest{})
	if diff := cmp.Diff(plantedFaults(t), foundBy(health)); diff != "" {
		t.Errorf("planted and found (-planted +found):\n%s", diff)
	}
	for _, f := range health.Findings {
		if f.Message == "" || f.Remedy == "" || f.Related == nil {
			t.Errorf("%+v", f)
		}
	}
	again := doctorOf(t, e, quarry.DoctorRequest{})
	if diff := cmp.Diff(health, again); diff != "" {
		t.Errorf("asked again: %s", diff)
	}
}

// TestDoctorFindsEveryKind holds that the example has a fault of each kind, but for those of an index, of files that cannot be
// read, and of settings.
func TestDoctorFindsEveryKind(t *testing.T) {
	has := map[string]bool{}
	for _, fault := range plantedFaults(t) {
		has[fault.Check] = true
	}
	elsewhere := []string{"failed_file", "skipped_file", "no_index", "stale_index", "old_settings", "other_model", "stale_graph", "damaged_index", "synced_index", "index_in_vault", "unused_setting"}
	for _, check := range quarry.HealthChecks() {
		if has[check.Name] == slices.Contains(elsewhere, check.Name) {
			t.Errorf("%s: planted %v", check.Name, has[check.Name])
		}
	}
}

// mend takes one fault out of the example vault.
type mend struct {
	check, path string
	file        string // "": path
	old, new    string // both "": the file goes
}

var mends = []mend{
	{"alias_link", "06-daily/2026-03-05.md", "", "[[PgBouncer]]", "[[Postgres connection pool|PgBouncer]]"},
	{"dead_attachment", "01-projects/Workbench/Workbench.md", "", "![[leg-vice.png]]", ""},
	{"dead_block", "03-resources/Books/Thinking in Systems.md", "", "#^fewer-is-more", "#^fewer"},
	{"dead_heading", "01-projects/Tidebook/Roadmap.md", "", "Restoring to a given minute", "Restoring to a point in time"},
	{"dead_link", "06-daily/2026-03-05.md", "", "Postgres conection pool", "Postgres connection pool"},
	{"duplicate_id", "02-areas/Garden/Compost.md", "", "id: garden-3", "id: garden-1"},
	{"moved_heading", "05-signals/security/2026-02-20-shorter-certificates.md", "", "[[Refresh token rotation#Signing", "[[Login and sessions#Signing"},
	{"address_in_brackets", "03-resources/Travel/Lofoten in winter.md", "", "[[https://ferry.example.org/moskenes|timetable]]", "[timetable](https://ferry.example.org/moskenes)"},
	{"ambiguous_link", "06-daily/2026-03-05.md", "", "[[Shopping]]", "[[02-areas/Kitchen/Shopping]]"},
	{"conflict_copy", "02-areas/Kitchen/Shopping (conflicted copy 2026-03-01).md", "", "", ""},
	{"dead_link", "01-projects/Tidebook/Incident 2026-02-11 Nightly backup.md", "", "[[Harbour gateways]]", "harbour gateways"},
	{"duplicate_note", "00-inbox/Dovetails from the tablet.md", "", "", ""},
	{"duplicate_title", "02-areas/Garden/Water from the roof.md", "", "title: Water butts", "title: Water from the roof"},
	{"faulty_note", "02-areas/Garden/Seeds to order.md", "", "title: Seeds: what to order", "title: Seeds to order"},
	{"near_duplicate_note", "00-inbox/Thinking in Systems draft.md", "", "", ""},
	{"near_duplicate_tags", "03-resources/Books/The Mythical Man-Month.md", "", "tags: [books]", "tags: [book]"},
	{"near_duplicate_tags", "03-resources/Databases/缓存失效.md", "", "relability", "reliability"},
	{"near_relation", "02-areas/Operations/Deploys.md", "", "[[Backups]], [[Postgres", "[[Backups]] [[Postgres"},
	{"space_in_link", "02-areas/Garden/Beans.md", "", "(Seeds to order.md)", "(Seeds%20to%20order.md)"},
	{"unknown_type", "05-signals/programming/2026-03-02-queues-are-lists.md", "", "type: singal", "type: signal"},
	{"empty_note", "00-inbox/Untitled.md", "", "", ""},
	{"link_only", "03-resources/Databases/Postgres reading.md", "", "- [[Backups]]", "In this order: how many connections and why, where the time goes, what is kept and for how long.\n- [[Backups]]"},
	{"missing_map", "02-areas/Garden/Raised beds.md", "02-areas/Garden/Garden.md", "", "---\ntype: moc\n---\n[[Beans]] [[Compost]] [[Crop rotation]] [[Frost]] [[Raised beds]] [[Seeds to order]] [[Slugs]] [[Tomatoes]] [[Water butts]] [[Water from the roof]] [[Home]]\n"},
	{"orphan", "03-resources/Books/The Mythical Man-Month.md", "03-resources/Books/A Philosophy of Software Design.md", "I like the first half.", "I like the first half, as [[The Mythical Man-Month]] does."},
	{"orphan_cluster", "02-areas/Sailing/Knots.md", "01-projects/Tidebook/Tidebook.md", "gets a code for the lock box.", "gets a code for the lock box. Who ties the boats up: [[Knots]]."},
	{"site_links", "02-areas/Operations/On-call.md", "", "[the handbook](/handbook/reviews)", "the handbook"},
	{"tag_sprawl", "", "05-signals/programming/2026-03-02-queues-are-lists.md", ", queueing, latency, kanban-boards, throughput, lean, batching, utilisation, toyota, flow, stock, variance, multitasking, handover, deadlines, estimates, planning", ""},
	{"unknown_type", "02-areas/Kitchen/Shopping.md", "types.yaml", "types:\n", "types:\n  list:\n    chunk_profile: short\n"},
}

// TestDoctorMends holds that each planted fault that is mended takes its finding away, and no other.
func TestDoctorMends(t *testing.T) {
	all := plantedFaults(t)
	if len(mends) != len(all) {
		t.Errorf("%d mends of %d faults", len(mends), len(all))
	}
	for i, m := range mends {
		t.Run(fmt.Sprintf("%02d-%s", i, m.check), func(t *testing.T) {
			t.Parallel()
			at := slices.IndexFunc(all, func(p planted) bool { return p.Check == m.check && p.Path == m.path })
			if at < 0 {
				t.Fatal("no such fault is planted")
			}
			dir := exampleCopy(t)
			m.apply(t, dir)
			e := openConfig(t, quarry.Config{VaultDir: dir, DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true})
			mustIndex(t, e, quarry.IndexOptions{})
			want := slices.Delete(slices.Clone(all), at, at+1)
			if diff := cmp.Diff(want, foundBy(doctorOf(t, e, quarry.DoctorRequest{}))); diff != "" {
				t.Errorf("mended (-want +found):\n%s", diff)
			}
		})
	}
}

func (m mend) apply(t *testing.T, dir string) {
	t.Helper()
	name := m.path
	if m.file != "" {
		name = m.file
	}
	file := filepath.Join(dir, filepath.FromSlash(name))
	text, err := os.ReadFile(file)
	switch {
	case m.old == "" && m.new == "":
		err = os.Remove(file)
	case m.old == "" && errors.Is(err, fs.ErrNotExist):
		err = os.WriteFile(file, []byte(m.new), 0o600)
	case !strings.Contains(string(text), m.old):
		t.Fatalf("%s does not hold %q", name, m.old)
	default:
		err = os.WriteFile(file, []byte(strings.Replace(string(text), m.old, m.new, 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
