package bear

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"quarry/convert/export"
)

// Bounds of a zip.
const (
	maxEntries    = 200_000
	maxEntryBytes = 256 << 20 // unpacked
)

// archive takes what is in a zip as if it were unpacked: a backup where it lies, a text bundle as a folder of its name.
func (r *reader) archive(ctx context.Context, f file) {
	content, err := f.read()
	if err != nil {
		r.into.Problem(f.path, "%v", err)
		return
	}
	zipped, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		r.into.Problem(f.path, "%v", err)
		return
	}
	if len(zipped.File) > maxEntries {
		r.into.Problem(f.path, "over %d files: %v", maxEntries, export.ErrTooLarge)
		return
	}
	for _, entry := range zipped.File {
		if ctx.Err() != nil {
			return
		}
		r.entry(f, entry)
	}
}

func (r *reader) entry(f file, entry *zip.File) {
	name := entry.Name
	if strings.HasSuffix(name, "/") || strings.HasPrefix(name, "__MACOSX/") || path.Base(name) == ".DS_Store" {
		return
	}
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00") || !entry.Mode().IsRegular() {
		r.into.Problem(name, "%v", export.ErrOutside)
		return
	}
	if top, rest, found := strings.Cut(name, "/"); found && r.zips == 1 && isZip(top) {
		name = rest // the folder is called as the backup, by its date
	}
	if bundleOf(name) == "" && strings.EqualFold(path.Ext(f.path), ".textpack") {
		name = stem(path.Base(f.path)) + ".textbundle/" + name
	}
	made := file{path: path.Join(path.Dir(f.path), name), bytes: int64(min(entry.UncompressedSize64, 1<<62)), modified: entry.Modified.UTC()}
	if made.modified.Year() <= 1980 {
		made.modified = f.modified
	}
	made.read = func() ([]byte, error) {
		opened, err := entry.Open()
		if err != nil {
			return nil, err
		}
		defer func() { _ = opened.Close() }()
		unpacked, err := io.ReadAll(io.LimitReader(opened, maxEntryBytes+1))
		if err == nil && len(unpacked) > maxEntryBytes {
			err = export.ErrTooLarge
		}
		return unpacked, err
	}
	r.add(made)
}
