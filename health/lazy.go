package health

import (
	"regexp"
	"sync"
)

// lazy is a pattern that is compiled when it is first asked for: those of this package take milliseconds, and most commands check
// nothing.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
