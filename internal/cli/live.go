package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"quarry"
	"quarry/internal/mcpserver"
)

// liveEngine is the engine of a server that outlives its configuration: the files of the configuration are looked at before
// each request, and where they say something else a new engine answers. Where they cannot be read any more nothing does.
type liveEngine struct {
	app *app

	mu      sync.Mutex
	current *sharedEngine // nil before the first and after a configuration that cannot be read
	made    [sha256.Size]byte
	isMade  bool  // current is by what the files said, whose sum made is
	fault   error // of what was tried last

	requests int       // under way
	idleFrom time.Time // the end of the last one, or the start

	warm func(context.Context, *quarry.Engine) // reads into memory what the next search needs

	stop context.CancelFunc // ends keepFresh; nil where nothing is kept fresh
	work sync.WaitGroup
}

// sharedEngine closes its engine when it has been replaced and the last request is answered.
type sharedEngine struct {
	engine *quarry.Engine
	users  int // requests under way, and one while it is the current one
}

// openLive opens the first engine; its error is that of the configuration.
func (a *app) openLive(ctx context.Context) (*liveEngine, error) {
	l := &liveEngine{app: a, idleFrom: time.Now(), warm: func(ctx context.Context, engine *quarry.Engine) {
		_ = engine.Warm(ctx) // what is wrong the first answer tells
	}}
	_, release, err := l.acquire(ctx)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	release()
	return l, nil
}

// Acquire is an engine by the configuration as it is now.
func (l *liveEngine) Acquire(ctx context.Context) (*quarry.Engine, func(), error) {
	engine, release, err := l.acquire(context.WithoutCancel(ctx)) // others are answered by it, too
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", mcpserver.ErrConfiguration, err)
	}
	l.count(1)
	return engine, sync.OnceFunc(func() {
		release()
		l.count(-1)
	}), nil
}

// Redactor is the filter of the last configuration that could be read.
func (l *liveEngine) Redactor() *quarry.Redactor { return l.app.redactor() }

// Logger is that of the program, which gets the kinds of errors that nobody foresaw.
func (l *liveEngine) Logger() *slog.Logger {
	logger, err := l.app.logger()
	if err != nil { // the level has been read before
		return slog.New(slog.DiscardHandler)
	}
	return logger
}

func (l *liveEngine) acquire(ctx context.Context) (*quarry.Engine, func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if errors.Is(l.fault, quarry.ErrClosed) {
		return nil, nil, l.fault
	}
	if said, err := l.app.configurationSum(); err != nil {
		l.replace(nil, err)
		l.isMade = false // what could not be read may be readable the next time, without a change
	} else if !l.isMade || said != l.made {
		l.replace(l.app.openClient(ctx))
		now, err := l.app.configurationSum()
		l.made, l.isMade = said, l.fault == nil && err == nil && now == said // else it is tried again: the vault may be back, too
	}
	if l.fault != nil {
		return nil, nil, l.fault
	}
	shared := l.current
	shared.users++
	return shared.engine, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.leave(shared)
	}, nil
}

// replace puts an engine in the place of the current one, nil where there is none, for the reason fault, which is told once.
func (l *liveEngine) replace(engine *quarry.Engine, fault error) {
	if l.current != nil {
		l.leave(l.current)
		l.current = nil
	}
	if engine != nil {
		l.current = &sharedEngine{engine, 1}
		l.app.filter.Store(engine.Redactor())
	}
	if fault != nil && (l.fault == nil || l.fault.Error() != fault.Error()) {
		l.app.notice("quarry: %v; requests are refused until this is mended", fault)
	}
	l.fault = fault
}

func (l *liveEngine) leave(shared *sharedEngine) {
	if shared.users--; shared.users > 0 {
		return
	}
	if err := shared.engine.Close(); err != nil {
		l.app.notice("quarry: close the engine: %v", err)
	}
}

// Close closes the engine when the requests under way are answered.
func (l *liveEngine) Close() error {
	if l.stop != nil {
		l.stop()
		l.work.Wait()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = quarry.ErrClosed
	l.replace(nil, quarry.ErrClosed)
	return nil
}

// openClient opens an engine that answers a client.
func (a *app) openClient(ctx context.Context) (*quarry.Engine, error) {
	config, err := a.config()
	if err != nil {
		return nil, err
	}
	config.Audience = quarry.Client
	return quarry.Open(ctx, config)
}

// configurationSum identifies what the files of the configuration say now: the user's, and that of the vault which it names.
// They are read, not looked at from outside, since a file can change within one tick of its clock and keep its size.
func (a *app) configurationSum() (sum [sha256.Size]byte, err error) {
	sum256 := sha256.New()
	path, required := a.userConfigPath(), false
	if a.flags.config != "" {
		path, required = a.absolute(a.flags.config), true
	}
	user, err := readConfiguration(path, required)
	if err != nil {
		return sum, err
	}
	var own []byte
	if dir, err := a.vaultOfConfiguration(path, user); err == nil {
		if own, err = readConfiguration(filepath.Join(dir, vaultConfigName), false); err != nil {
			return sum, err
		}
	}
	fmt.Fprintf(sum256, "%d %t %t\n", len(user), user == nil, own == nil)
	sum256.Write(user)
	sum256.Write(own)
	return [sha256.Size]byte(sum256.Sum(nil)), nil
}

func (a *app) vaultOfConfiguration(path string, user []byte) (string, error) {
	parsed, err := parseSettings(path, user)
	if err != nil {
		return "", err
	}
	return a.findVault(parsed)
}
