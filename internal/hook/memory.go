package hook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
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
	maxListed     = 2000                  // files looked at when old ones are dropped
	lockCount     = 256                   // sessions share so many locks
	lockPatience  = 50 * time.Millisecond // who has a lock needs a millisecond or two
	tidyInterval  = time.Hour
)

// tidied names the file whose time tells when old sessions were dropped last.
const tidied = "tidied"

// errBusy tells that somebody else has the session's lock for too long.
var errBusy = errors.New("the memory of sessions is busy")

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
	if _, err := os.Lstat(filepath.Join(m.folder.Dir, m.name)); err != nil {
		return
	}
	if unlock, err := m.lock(lockPatience); err == nil {
		defer unlock()
	}
	_ = m.folder.Remove(m.name) // at worst the session does not get again what it got
}

// claim gives those of some keys that the session has not got, and remembers them as given: of two calls at the same time each key
// is one's. An error tells that nothing is claimed: errBusy after so much patience, that of the context where it ended before
// something was remembered, another where nothing can be remembered.
func (m memory) claim(ctx context.Context, keys []string, patience time.Duration) (map[string]bool, error) {
	unlock, err := m.lock(patience)
	if err != nil {
		return nil, err
	}
	defer unlock()
	fresh, known := m.fresh(keys, len(keys))
	if len(fresh) == 0 {
		return nil, nil
	}
	for _, key := range keys {
		if fresh[key] {
			known = append(known, key)
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return fresh, m.write(known)
}

// withdraw forgets keys that were claimed and did not reach the session.
func (m memory) withdraw(keys []string) {
	unlock, err := m.lock(lockPatience)
	if err != nil {
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

// locks is where the locks are.
func (m memory) locks() keep.Folder { return keep.Folder{Dir: m.folder.Dir + ".locks"} }

// lock keeps other processes out of what is remembered of the session; errBusy where somebody else has its lock for too long. The
// system lets go of it when its process ends. Locks are shared between sessions by a hash, so that there is a fixed number of files,
// which stay: who removed one could let two processes in.
func (m memory) lock(patience time.Duration) (unlock func(), err error) {
	dir := m.locks().Dir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("lock what is remembered of a session: %w", err)
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(m.name))
	file := flock.New(filepath.Join(dir, fmt.Sprintf("%02x", hash.Sum32()%lockCount)), flock.SetPermissions(0o600))
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		held, err := file.TryLock()
		switch {
		case held:
			return func() { _ = file.Close() }, nil
		case err != nil:
			return nil, fmt.Errorf("lock what is remembered of a session: %w", errors.Join(err, file.Close()))
		case time.Since(start) >= patience:
			_ = file.Close()
			return nil, errBusy
		}
	}
}

// tidy drops old sessions beside other work, where that was not done for a while. Stop ends it, after one session at least; the
// others come the next time.
func (m memory) tidy(ctx context.Context) (stop func()) {
	if info, err := os.Stat(filepath.Join(m.locks().Dir, tidied)); err == nil && m.now.Sub(info.ModTime()).Abs() < tidyInterval {
		return func() {}
	}
	ctx, end := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if m.prune(ctx) {
			_ = m.locks().Write(tidied, nil) // at worst it is done once more
		}
	}()
	return func() {
		end()
		<-done
	}
}

// prune drops what is old, and the oldest of too many sessions; false where some may be left.
func (m memory) prune(ctx context.Context) bool {
	dir, err := os.Open(m.folder.Dir)
	if err != nil {
		return false
	}
	entries, _ := dir.ReadDir(maxListed) // an error tells of the end
	_ = dir.Close()
	var sessions []os.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && entry.Name() != m.name && strings.HasSuffix(entry.Name(), ".json") {
			sessions = append(sessions, info)
		}
	}
	slices.SortFunc(sessions, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for i, session := range sessions {
		if i >= len(sessions)-maxSessions+1 && m.now.Sub(session.ModTime()) <= sessionExpiry {
			break
		}
		m.drop(session)
		if ctx.Err() != nil {
			return false
		}
	}
	return len(entries) < maxListed && m.folder.RemoveStrays(m.now.Add(-time.Hour)) == nil
}

// drop forgets another session, if nothing was given to it since it was looked at.
func (m memory) drop(session os.FileInfo) {
	other := memory{m.folder, session.Name(), m.now}
	unlock, err := other.lock(0)
	if err != nil {
		return
	}
	defer unlock()
	if now, err := os.Lstat(filepath.Join(m.folder.Dir, other.name)); err == nil && now.ModTime().Equal(session.ModTime()) {
		_ = m.folder.Remove(other.name)
	}
}
