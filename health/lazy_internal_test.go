package health

import (
	"regexp"
	"testing"
)

// A pattern that cannot be compiled would be noticed with its first use alone.
func TestPatternsCompile(t *testing.T) {
	for _, pattern := range []func() *regexp.Regexp{
		propertyLine, tightLine, itemLine, ordering, conflictName, copyName, hostName, linksInOneText, bareProperty, destinationWithSpace,
		lineMarks, taskBox, edgeTitle, relationWithin, anyLink,
	} {
		if first, second := pattern(), pattern(); first != second {
			t.Errorf("%v is compiled twice", first)
		}
	}
}
