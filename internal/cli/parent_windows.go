package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// watchParent gives a function that tells whether the process that started this one is still there. It is nil where that cannot be
// told.
func watchParent() (isThere func() bool, forget func()) {
	handle, err := windows.OpenProcess(windows.SYNCHRONIZE|windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(os.Getppid()))
	if err != nil {
		return nil, nil
	}
	if !isOlder(handle) { // the parent is gone already, and its number is another process's
		_ = windows.CloseHandle(handle)
		return nil, nil
	}
	return func() bool {
		state, err := windows.WaitForSingleObject(handle, 0)
		return err != nil || state != windows.WAIT_OBJECT_0
	}, func() { _ = windows.CloseHandle(handle) }
}

// isOlder tells whether a process began before this one.
func isOlder(handle windows.Handle) bool {
	var theirs, ours, exit, kernel, user windows.Filetime
	if windows.GetProcessTimes(handle, &theirs, &exit, &kernel, &user) != nil ||
		windows.GetProcessTimes(windows.CurrentProcess(), &ours, &exit, &kernel, &user) != nil {
		return true
	}
	return theirs.Nanoseconds() <= ours.Nanoseconds()
}
