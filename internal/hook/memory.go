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

	"github.com/gofrs/flock"

	"quarry"
	"quarry/internal/keep"
)

// Bounds of what is remembered of sessions.
const (
	maxGiven      = 400 // passages of a session, the last ones
	maxSessions   = 200
	sessionExpiry = 7 * 24 * time.Hour
	maxListed     = 2000 // files looked at when old ones are dropped
	lockPatience  = 20 * time.Millisecond
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

// claim gives those of some keys that the session has not got, and remembers them as given: of two calls at the same time each key
// is one's. Where nothing can be remembered, none is given.
func (m memory) claim(keys []string) map[string]bool {
	unlock, ok := m.lock()
	if !ok {
		return nil
	}
	defer unlock()
	fresh, known := m.fresh(keys, len(keys))
	if len(fresh) == 0 {
		return nil
	}
	isFirst := len(known) == 0
	for _, key := range keys {
		if fresh[key] {
			known = append(known, key)
		}
	}
	if m.write(known) != nil {
		return nil
	}
	if isFirst {
		m.prune()
	}
	return fresh
}

// withdraw forgets keys that were claimed and did not reach the session.
func (m memory) withdraw(keys []string) {
	unlock, ok := m.lock()
	if !ok {
		return
	}
	defer unlock()
	_, known := m.fresh(nil, 0)
	_ = m.write(slices.DeleteFunc(known, func(key string) bool { return slices.Contains(keys, key) })) // at worst the session does not get them
}

func (m memory) write(keys []string) error {
	content, err := json.Marshal(given{keys[max(0, len(keys)-maxGiven):]})
	if err != nil {
		return err
	}
	return m.folder.Write(m.name, content)
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

// lock keeps other processes out of what is remembered of sessions; false where somebody else has it for too long. The system lets go
// of it when its process ends. The file stays: who removed it could let two processes in.
func (m memory) lock() (unlock func(), ok bool) {
	if os.MkdirAll(m.folder.Dir, 0o700) != nil {
		return nil, false
	}
	file := flock.New(m.folder.Dir+".lock", flock.SetPermissions(0o600))
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		held, err := file.TryLock()
		switch {
		case held:
			return func() { _ = file.Close() }, true
		case err != nil, time.Since(start) > lockPatience:
			_ = file.Close()
			return nil, false
		}
	}
}

// prune drops what is old, and the oldest of too many sessions. It runs when a session gets its first passage.
func (m memory) prune() {
	dir, err := os.Open(m.folder.Dir)
	if err != nil {
		return
	}
	entries, err := dir.ReadDir(maxListed) // the others come another time
	_ = dir.Close()
	if err != nil {
		return
	}
	type file struct {
		name string
		time time.Time
	}
	var files []file
	for _, entry := range entries {
		info, err := entry.Info()
		switch {
		case err != nil || !info.Mode().IsRegular() || entry.Name() == m.name:
		case m.now.Sub(info.ModTime()) > sessionExpiry:
			_ = m.folder.Remove(entry.Name())
		case strings.HasSuffix(entry.Name(), ".json"):
			files = append(files, file{entry.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return b.time.Compare(a.time) })
	for _, old := range files[min(len(files), maxSessions-1):] {
		_ = m.folder.Remove(old.name)
	}
	if len(entries) < maxListed {
		_ = m.folder.RemoveStrays(m.now.Add(-time.Hour))
	}
}
