package note_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"quarry/note"

	"github.com/google/go-cmp/cmp"
)

// taskLines shows the tasks of a note, one a line.
func taskLines(n *note.Note) string {
	var out strings.Builder
	for _, task := range n.Tasks {
		parent := 0
		if task.ParentLine != nil {
			parent = *task.ParentLine
		}
		fmt.Fprintf(&out, "%d in %d [%s] %q\n", task.Line, parent, task.Status, task.Text)
	}
	return out.String()
}

// TestTasksOfManyLines holds that a note of more lines than are read as Markdown gives the tasks that it would give else.
func TestTasksOfManyLines(t *testing.T) {
	text := "# A\n- [ ] a ^b\n  - [x] c %%d%%\n\t- e\n\t\t- [/] f\n  1. [ ] g\n- h\n\n  - [-] i\n\nj\n\n10) [ ] k [[l]]\n* [?] m\n+ [ ]\n- [] n\n- [ ]o\n" +
		"- [ ](p)\n- [xy] q\n```\n- [ ] r\n```\n> - [ ] s\n>   - [ ] t\n\n%%\n- [ ] u\n%%\n\n- [ ] [v](w)\r\n-\t[ ] x\n"
	want := taskLines(parse(text))
	if strings.Count(want, "\n") != 13 {
		t.Errorf("tasks:\n%s", want)
	}
	n := parse(text + strings.Repeat("\n", 150_000))
	if diff := cmp.Diff(want, taskLines(n)); diff != "" || len(n.Problems) != 1 {
		t.Errorf("%s, problems %v", diff, n.Problems)
	}
}

// TestMemoryOfManyTasks holds that a note of very many tasks is read within 200 MB, garbage included, and keeps them.
func TestMemoryOfManyTasks(t *testing.T) {
	for _, count := range []int{149_000, 390_000} {
		text := []byte(strings.Repeat("- [ ] task abcdef\n", count))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n := note.Parse("a.md", text, nil)
		runtime.ReadMemStats(&after)
		if len(n.Tasks) != count {
			t.Errorf("%d tasks of %d", len(n.Tasks), count)
		}
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 200 {
			t.Errorf("%d tasks took %d MB", count, took)
		}
	}
}
