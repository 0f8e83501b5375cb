// Package keep keeps small files in a folder of the user's own, which can be thrown away at any moment: each is there as a whole
// or not at all, and readable for the user alone. It knows nothing of what they hold.
package keep

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// MaxBytes bounds a file: a larger one is neither written nor read.
const MaxBytes = 8 << 20

// temporaryPrefix begins the names of files that are being written.
const temporaryPrefix = ".tmp-"

// ErrUnfit tells that the name or the size is none that is kept, or that what lies there is no file of this package.
var ErrUnfit = errors.New("it cannot be kept")

// Folder is a folder of kept files. Its methods may be called from several goroutines and processes: of two that write one name,
// one counts as a whole.
type Folder struct{ Dir string }

// Read gives the content of a file. The error matches fs.ErrNotExist where there is none.
func (f Folder) Read(name string) ([]byte, error) {
	content, err := f.read(name)
	if err != nil {
		return nil, fmt.Errorf("read what is kept of %s: %w", name, err)
	}
	return content, nil
}

func (f Folder) read(name string) ([]byte, error) {
	if !isName(name) {
		return nil, ErrUnfit
	}
	path := filepath.Join(f.Dir, name)
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > MaxBytes:
		return nil, ErrUnfit
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(file, MaxBytes+1))
	if err = errors.Join(err, file.Close()); err == nil && len(content) > MaxBytes {
		err = ErrUnfit
	}
	return content, err
}

// Write puts a file in the place of the one of its name. The folder is made where it is missing.
func (f Folder) Write(name string, content []byte) error {
	if err := f.write(name, content); err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	return nil
}

func (f Folder) write(name string, content []byte) error {
	if !isName(name) || len(content) > MaxBytes {
		return ErrUnfit
	}
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		return err
	}
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return err
	}
	temporary := filepath.Join(f.Dir, temporaryPrefix+hex.EncodeToString(random[:]))
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(temporary, filepath.Join(f.Dir, name))
	}
	if err != nil {
		_ = os.Remove(temporary)
	}
	return err
}

// Remove takes a file away; one that is not there is no error.
func (f Folder) Remove(name string) error {
	if !isName(name) {
		return fmt.Errorf("forget %s: %w", name, ErrUnfit)
	}
	if err := os.Remove(filepath.Join(f.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget what is kept of %s: %w", name, err)
	}
	return nil
}

// Names gives the names of the kept files, sorted. A folder that is missing has none.
func (f Folder) Names() ([]string, error) {
	entries, err := os.ReadDir(f.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list what is kept: %w", err)
	}
	var names []string
	for _, entry := range entries {
		if entry.Type().IsRegular() && isName(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

// RemoveStrays takes away what processes that were killed before a time have left half written.
func (f Folder) RemoveStrays(before time.Time) error {
	entries, err := os.ReadDir(f.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("list what is kept: %w", err)
	}
	var faults []error
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), temporaryPrefix) {
			continue
		}
		if info, err := entry.Info(); err == nil && info.ModTime().Before(before) {
			faults = append(faults, os.Remove(filepath.Join(f.Dir, entry.Name())))
		}
	}
	return errors.Join(faults...)
}

// isName takes lower-case letters, digits, "-" and a dot within alone, so that a name means one file on every system.
func isName(name string) bool {
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' {
			return false
		}
	}
	return name != "" && len(name) <= 128 && name[0] != '.' && name[len(name)-1] != '.'
}
