//go:build !windows

package cli

// steerable is for consoles that have to be asked; here none has to.
func steerable() (restore func()) { return func() {} }
