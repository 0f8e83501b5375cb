package cli

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"quarry/convert"
)

// importMemory keeps what was imported into one vault: a line of JSON for each change, the last one of an item counts. It lies beside
// the ledger of signals, since it cannot be made anew.
type importMemory struct {
	path   string
	items  map[[2]string][]convert.Item // by format and ID
	file   *os.File                     // open once something is written
	lock   *flock.Flock                 // keeps other imports out, whose names would be the same
	redact func(string) string
}

// errImporting tells that another process imports into the same vault.
var errImporting = errors.New("another import into this vault is running")

// importPatience is how long an import waits for another one to end.
const importPatience = 10 * time.Second

// openImports reads the memory of a vault, which is this process's own until it is closed. A line that was cut by a killed process is
// passed over.
func (a *app) openImports(ctx context.Context, vaultDir string) (_ *importMemory, err error) {
	place, err := a.ledgerPath(vaultDir)
	if err != nil {
		return nil, err
	}
	m := &importMemory{path: filepath.Join(filepath.Dir(place), "imports.jsonl"), items: map[[2]string][]convert.Item{}, redact: a.redacted}
	if err := m.hold(ctx); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = m.Close()
		}
	}()
	file, err := os.Open(m.path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what was imported: %w", err)
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var item convert.Item
		if json.Unmarshal(lines.Bytes(), &item) == nil {
			m.keep(item)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read what was imported: %w", err)
	}
	return m, nil
}

// hold waits for its turn.
func (m *importMemory) hold(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Dir(m.path), 0o700); err != nil {
		return fmt.Errorf("keep what is imported: %w", err)
	}
	m.lock = flock.New(m.path + ".lock")
	waiting, cancel := context.WithTimeout(ctx, importPatience)
	defer cancel()
	switch held, err := m.lock.TryLockContext(waiting, 20*time.Millisecond); {
	case held:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case waiting.Err() != nil:
		return &hinted{errImporting, "run this one when that has ended"}
	default:
		return fmt.Errorf("keep what is imported: %w", err)
	}
}

func (m *importMemory) keep(item convert.Item) {
	key := [2]string{item.Format, item.ID}
	for i, known := range m.items[key] {
		if known.From == item.From {
			m.items[key][i] = item
			return
		}
	}
	m.items[key] = append(m.items[key], item)
}

// Imported gives the items of a format and an ID.
func (m *importMemory) Imported(format, id string) []convert.Item {
	found := slices.Clone(m.items[[2]string{format, markOf(id)}])
	for i := range found {
		found[i].ID = id
	}
	return found
}

// markOf stands for an ID or the place of an export: titles may be in them, and secrets in titles.
func markOf(name string) string {
	if name == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:12])
}

// Remember writes items at the end of the file, and waits until they are on disk.
func (m *importMemory) Remember(items []convert.Item) error {
	if m.file == nil {
		if err := os.MkdirAll(filepath.Dir(m.path), 0o700); err != nil {
			return err
		}
		file, err := os.OpenFile(m.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return err
		}
		m.file = file
	}
	text := []byte("\n") // ends a line that a killed process may have left
	for _, item := range items {
		item.ID = markOf(item.ID)
		m.keep(item)
		if m.redact(item.Path) != item.Path {
			item.Path = "" // the file is known by its bytes
		}
		line, err := json.Marshal(item)
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
	}
	if _, err := m.file.Write(text); err != nil {
		return err
	}
	return m.file.Sync()
}

// Close closes the file.
func (m *importMemory) Close() error {
	var err error
	if m.file != nil {
		err = m.file.Close()
	}
	return errors.Join(err, m.lock.Close())
}

// paths are those of the notes of a format that were written.
func (m *importMemory) paths(format string) []string {
	var paths []string
	for key, items := range m.items {
		for _, item := range items {
			if key[0] == format && item.IsDone && filepath.Ext(item.Path) == ".md" {
				paths = append(paths, item.Path)
			}
		}
	}
	return paths
}
