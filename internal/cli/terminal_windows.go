package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// steerable makes the console understand escape sequences, until what it gives is called.
func steerable() (restore func()) {
	console := windows.Handle(os.Stdout.Fd())
	var mode uint32
	if windows.GetConsoleMode(console, &mode) != nil || windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) != nil {
		return func() {}
	}
	return func() { _ = windows.SetConsoleMode(console, mode) } // nothing more can be done
}
