package compress_test

import (
	"strings"
	"testing"

	"quarry/internal/compress"
)

// TestFreeText keeps what belongs to a failure and is told in words of its own, among much that goes.
func TestFreeText(t *testing.T) {
	session := "============================= test session starts ==============================\n" +
		quiet("tests/test_%d.py::test_crate PASSED                                   [ 10%%]", 60) +
		"\n=================================== FAILURES ===================================\n______ test_press ______\n"
	end := "=========================== short test summary info ============================\nFAILED tests/test_press.py::test_press\n========================= 1 failed, 60 passed in 0.33s =========================\n"
	xml := "<?xml version=\"1.0\"?>\n<testsuites><testsuite name=\"depot\" tests=\"62\" failures=\"1\">\n" + quiet(`<testcase name="crate_%d" classname="depot" time="0.001" status="run"/>`, 60)
	for name, row := range map[string]struct {
		text string
		want []string // lines
	}{
		"message behind an assertion": {
			session + "E   AssertionError: the crates differ\n      \n      Differing items:\n      {'weight': 3} != {'weight': 4}\n/project/tests/test_press.py:12: AssertionError\n" + end,
			[]string{"      Differing items:", "      {'weight': 3} != {'weight': 4}"},
		},
		"frames as Python shows them": {
			session + "Traceback (most recent call last):\n" +
				strings.Repeat("  File \"/usr/lib/python3.11/site-packages/pluggy/_callers.py\", line 7, in _multicall\n    teardown.throw(exception)\n", 20) +
				"  File \"/project/tests/test_press.py\", line 12, in test_press\n    raise ScaleBroken(\"press 7\")\npress.ScaleBroken: press 7\n    weighed twice\n" + end,
			[]string{`  File "/project/tests/test_press.py", line 12, in test_press`, `    raise ScaleBroken("press 7")`, "press.ScaleBroken: press 7", "    weighed twice"},
		},
		"a group of exceptions": {
			session + "  + Exception Group Traceback (most recent call last):\n  |   File \"/project/press.py\", line 3, in press\n  |     weigh(crate)\n  |     ^^^^^^^^^^^^\n" +
				"  |   File \"/project/scale.py\", line 9, in weigh\n  |     raise Several(\"two\")\n  | press.Several: two of them (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n    | ValueError: no weight\n    +------------------------------------\n" + end,
			[]string{`  |   File "/project/scale.py", line 9, in weigh`, "  | press.Several: two of them (2 sub-exceptions)", "    | ValueError: no weight"},
		},
		"values in a report": {
			xml + "<testcase name=\"press\" classname=\"depot\" time=\"0.1\">\n<failure type=\"testCodeFailure\" message=\"not equal\">\n[Error: not equal] {\n    expected: { a: 1, c: 'crate 7' },\n        second line of the message\n}\n</failure>\n</testcase>\n</testsuite></testsuites>\n",
			[]string{"    expected: { a: 1, c: 'crate 7' },", "        second line of the message"},
		},
		"a test that was not started": {
			xml + "\t<testcase name=\"press\" classname=\"press\" time=\"0\" status=\"notrun\">\n\t\t<skipped message=\"Unable to find executable\"/>\n\t\t<system-out>Unable to find executable: /opt/press</system-out>\n\t</testcase>\n</testsuite></testsuites>\n",
			[]string{"<testcase name=\"press\" classname=\"press\" time=\"0\" status=\"notrun\">", "<skipped message=\"Unable to find executable\"/>"},
		},
	} {
		for _, aim := range []int{0, 1500} {
			got := compress.Compress(row.text, compress.Options{MaxCharacters: aim})
			if got.Kind != compress.Tests || got.Dropped < 40 {
				t.Errorf("%s: %s, %d lines dropped", name, got.Kind, got.Dropped)
			}
			for _, line := range row.want {
				if !strings.Contains("\n"+got.Text, "\n"+line+"\n") {
					t.Errorf("%s, aim %d: lost %q:\n%s", name, aim, line, got.Text)
				}
			}
		}
	}
}

// TestMoreRunners knows passed tests by the lines of these runners, whatever their names say, and keeps the failed one.
func TestMoreRunners(t *testing.T) {
	for name, row := range map[string]struct {
		text string
		want []string // lines
	}{
		"node": {
			quiet("✔ crate %d handles an error (0.67085ms)", 60) + "✖ press (1.78ms)\n  AssertionError: no weight\nℹ tests 61\nℹ pass 60\nℹ fail 1\n",
			[]string{"✖ press (1.78ms)", "  AssertionError: no weight", "ℹ fail 1"},
		},
		"unittest with descriptions": {
			quiet("test_crate_%[1]d (test_depot.Crates.test_crate_%[1]d)\nWeighs crate %[1]d without an error ... ok", 60) +
				"test_press (test_depot.Crates.test_press)\nPresses once ... FAIL\n\nRan 61 tests in 0.002s\n\nFAILED (failures=1)\n",
			[]string{"test_press (test_depot.Crates.test_press)", "Presses once ... FAIL", "FAILED (failures=1)"},
		},
		"ctest": {
			quiet("      Start %2[1]d: crate_error_%[1]d\n%2[1]d/61 Test #%[1]d: crate_error_%[1]d ...............   Passed    0.01 sec", 60) +
				"      Start 60: press\n60/61 Test #60: press ...............***Failed    0.01 sec\n98% tests passed, 1 tests failed out of 61\n",
			[]string{"      Start 60: press", "60/61 Test #60: press ...............***Failed    0.01 sec"},
		},
	} {
		got := compress.Compress(row.text, compress.Options{})
		if got.Kind != compress.Tests || got.Dropped < 60 || !strings.Contains(got.Text, "… 60 passed tests\n") || strings.Contains(got.Text, "error") {
			t.Errorf("%s: %s, %d lines dropped:\n%s", name, got.Kind, got.Dropped, got.Text)
		}
		for _, line := range row.want {
			if !strings.Contains(got.Text, line+"\n") {
				t.Errorf("%s: lost %q:\n%s", name, line, got.Text)
			}
		}
	}
}
