package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quarry"
	"quarry/internal/keep"
)

// Bounds of what is remembered of sessions.
const (
	maxGiven      = 400 // passages of a session, the last ones
	maxSessions   = 200
	sessionExpiry = 7 * 24 * time.Hour
	lockPatience  = 20 * time.Millisecond
	lockExpiry    = 2 * time.Second // of a lock that a process left which was killed
)

// memory is what a session got: hashes of passages in a file of its own, whose name is a hash of the session's.
type memory struct {
	folder keep.Folder
	name   string
	now    time.Time
}

// given is the content of the file.
type given struct {
	Given []string `json:"given"` // keys of passages, the oldest first
}

func memoryOf(engine *quarry.Engine, e event, now time.Time) memory {
	sum := sha256.Sum256([]byte(string(e.client) + "\x00" + e.session))
	return memory{folder: keep.Folder{Dir: filepath.Join(engine.StateDir(), "sessions")}, name: hex.EncodeToString(sum[:12]) + ".json", now: now}
}

// forget drops what is remembered.
func (m memory) forget() {
	_ = m.folder.Remove(m.name) // at worst the session does not get again what it got
}

// claim gives those of some keys that the session has not got, the first ones up to a number, and remembers them as given: of two
// calls at the same time each key is one's. Where nothing can be remembered, none is given. A dry run remembers nothing.
func (m memory) claim(keys []string, most int, isDry bool) map[string]bool {
	if isDry {
		fresh, _ := m.fresh(keys, most)
		return fresh
	}
	if os.MkdirAll(m.folder.Dir, 0o700) != nil {
		return nil
	}
	unlock, ok := m.lock()
	if !ok {
		return nil
	}
	defer unlock()
	fresh, known := m.fresh(keys, most)
	if len(fresh) == 0 {
		return nil
	}
	isFirst := len(known) == 0
	for _, key := range keys {
		if fresh[key] {
			known = append(known, key)
		}
	}
	content, err := json.Marshal(given{known[max(0, len(known)-maxGiven):]})
	if err != nil || m.folder.Write(m.name, content) != nil {
		return nil
	}
	if isFirst {
		m.prune()
	}
	return fresh
}

// fresh are the first keys that are not known, and those that are.
func (m memory) fresh(keys []string, most int) (fresh map[string]bool, known []string) {
	var before given
	if info, err := os.Stat(filepath.Join(m.folder.Dir, m.name)); err == nil && m.now.Sub(info.ModTime()) < sessionExpiry {
		if content, err := m.folder.Read(m.name); err == nil && json.Unmarshal(content, &before) != nil {
			before = given{}
		}
	}
	fresh = map[string]bool{}
	for _, key := range keys {
		if len(fresh) < most && !slices.Contains(before.Given, key) {
			fresh[key] = true
		}
	}
	return fresh, before.Given
}

// lock keeps others out of the session's file; false where somebody else has it for too long.
func (m memory) lock() (unlock func(), ok bool) {
	path := filepath.Join(m.folder.Dir, strings.TrimSuffix(m.name, ".json")+".lock")
	for start := time.Now(); time.Since(start) < lockPatience; time.Sleep(time.Millisecond) {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			_ = file.Close()
			return func() { _ = os.Remove(path) }, true
		}
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > lockExpiry {
			_ = os.Remove(path)
		}
	}
	return nil, false
}

// prune drops what is old, and the oldest of too many sessions. It runs when a session gets its first passage.
func (m memory) prune() {
	names, err := m.folder.Names()
	if err != nil {
		return
	}
	type file struct {
		name string
		time time.Time
	}
	var files []file
	for _, name := range names {
		info, err := os.Stat(filepath.Join(m.folder.Dir, name))
		switch {
		case err != nil || name == m.name:
		case m.now.Sub(info.ModTime()) > sessionExpiry:
			_ = m.folder.Remove(name)
		case strings.HasSuffix(name, ".json"):
			files = append(files, file{name, info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return b.time.Compare(a.time) })
	for _, old := range files[min(len(files), maxSessions-1):] {
		_ = m.folder.Remove(old.name)
	}
	_ = m.folder.RemoveStrays(m.now.Add(-time.Hour))
}
