package layout_test

import (
	"path/filepath"
	"regexp"
	"testing"

	"quarry/intake"
	"quarry/internal/layout"
)

// What a new vault says of intake is read without a fault, also with what is commented out, and names no interest of anybody's.
func TestIntakeOfANewVault(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	lay(t, layout.Request{Dir: dir})
	made := contents(t, dir)
	open := regexp.MustCompile(`(?m)^# ([ a-z].*:.*)$`).ReplaceAllString(made["intake.yaml"], "$1")
	for _, rules := range []string{made["intake.yaml"], open} {
		if _, faults := intake.ParseRules([]byte(rules)); len(faults) > 0 {
			t.Errorf("%v in\n%s", faults, rules)
		}
	}
	if interests := intake.ParseInterests([]byte(made["interests.md"])); len(interests) > 0 {
		t.Errorf("interests of a new vault: %v", interests)
	}
}
