//go:build !windows

package vault

import (
	"io/fs"
	"syscall"
)

// nonBlocking keeps the opening of a named pipe from waiting for a writer.
const nonBlocking = syscall.O_NONBLOCK

func inode(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino)
	}
	return 0
}
