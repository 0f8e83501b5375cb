//go:build !linux

package vault

import "os"

// startFolder opens the folder that root is.
func startFolder(root *os.Root) (folder, error) { return rootFolder{root}.open(".") }
