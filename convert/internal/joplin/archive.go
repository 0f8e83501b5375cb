package joplin

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"

	"quarry/convert/export"
)

// maxEntries bounds the files of a tar.
const maxEntries = 200_000

// archive takes what is in a tar. It is held in memory until the import ends, for the resources in it.
func (r *reader) archive(ctx context.Context, name string) {
	content, err := r.tree.Read(name)
	if err != nil {
		r.into.Problem(name, "%v", err)
		return
	}
	source := bytes.NewReader(content)
	entries := tar.NewReader(source)
	for count := 0; ctx.Err() == nil; count++ {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil && count == maxEntries {
			err = export.ErrTooLarge
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			r.into.Problem(name, "%v; what came before is taken", err)
			return
		}
		entryName := strings.TrimPrefix(entry.Name, "./")
		start := int64(len(content) - source.Len())
		switch {
		case entry.Typeflag == tar.TypeDir:
		case entry.Typeflag != tar.TypeReg || !fs.ValidPath(entryName) || strings.Contains(entryName, `\`):
			r.into.Problem(entryName, "%v", export.ErrOutside)
		case entry.Size > int64(len(content))-start:
			r.into.Problem(entryName, "it ends before its end")
		default:
			part := content[start : start+entry.Size]
			r.file(file{entryName, func() ([]byte, error) { return part, nil }}, entry.Size)
		}
	}
}
