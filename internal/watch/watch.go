// Package watch tells what changes below a folder.
package watch
