//go:build !windows

package cli

import "os"

// watchParent gives a function that tells whether the process that started this one is still there: an orphan gets another parent.
// It is nil where the first process of the system is the parent.
func watchParent() (isThere func() bool, forget func()) {
	parent := os.Getppid()
	if parent <= 1 {
		return nil, nil
	}
	return func() bool { return os.Getppid() == parent }, func() {}
}
