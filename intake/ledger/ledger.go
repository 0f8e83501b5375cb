// Package ledger keeps what intake knows: signals with their scores and what became of them, sources, what was learnt.
// It is one SQLite file in the user's data folder, which is not a cache: nothing in it can be made anew. Every change is an
// event that can be undone. Safe for concurrent use by processes.
package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver
)

// Errors of Open, to be told by errors.Is.
var (
	// ErrForeign tells that the file is no ledger.
	ErrForeign = errors.New("the file is no ledger of signals")
	// ErrNewer tells that the ledger is of a later version of the program.
	ErrNewer = errors.New("the ledger is of a newer version")
)

// ErrUnknown tells that the ledger knows no signal of this number, or no feed of this address.
var ErrUnknown = errors.New("the ledger does not know it")

// Ledger is an open ledger. It is safe for concurrent use.
type Ledger struct {
	db   *sql.DB
	path string
}

const (
	applicationID = 0x7172494e // "qrIN"
	busyMillis    = 60_000     // a run that writes notes holds the lock while it does
	maxOpen       = 4
)

// Open opens the ledger of a file, which is made where it is missing, with its folder; both are the user's alone. The error matches
// ErrForeign or ErrNewer where the file is left alone.
func Open(ctx context.Context, path string) (*Ledger, error) {
	if err := prepare(path); err != nil {
		return nil, fmt.Errorf("open the ledger %s: %w", path, err)
	}
	db, err := sql.Open("sqlite", dataSource(path))
	if err != nil {
		return nil, fmt.Errorf("open the ledger %s: %w", path, err)
	}
	db.SetMaxOpenConns(maxOpen)
	l := &Ledger{db: db, path: path}
	if err := l.migrate(ctx); err != nil {
		return nil, fmt.Errorf("open the ledger %s: %w", path, errors.Join(err, db.Close()))
	}
	return l, nil
}

// prepare makes folder and file for the user alone; SQLite gives its further files the rights of this one.
func prepare(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%w: it is no regular file", ErrForeign)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

func dataSource(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive's letter
	}
	query := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyMillis), "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "secure_delete(1)", "trusted_schema(0)",
	}}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: query.Encode()}).String()
}

// Path is where the ledger lies.
func (l *Ledger) Path() string { return l.path }

// Close closes the ledger.
func (l *Ledger) Close() error { return l.db.Close() }

// migrate brings the schema up to date, step by step.
func (l *Ledger) migrate(ctx context.Context) error {
	version, err := l.version(ctx, l.db)
	if err != nil || version == len(migrations) {
		return err
	}
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing where it was committed
	if version, err = l.version(ctx, tx); err != nil {
		return err // another process may have been here first
	}
	for ; version < len(migrations); version++ {
		if _, err := tx.ExecContext(ctx, migrations[version]); err != nil {
			return fmt.Errorf("migrate to version %d: %w", version+1, err)
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(migrations))); err != nil {
		return err
	}
	return tx.Commit()
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, arguments ...any) *sql.Row
	QueryContext(ctx context.Context, query string, arguments ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, arguments ...any) (sql.Result, error)
}

func (l *Ledger) version(ctx context.Context, q querier) (int, error) {
	var id, version, tables int
	err := q.QueryRowContext(ctx, "SELECT (SELECT * FROM pragma_application_id), (SELECT * FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)").Scan(&id, &version, &tables)
	switch {
	case err != nil && strings.Contains(err.Error(), "not a database"):
		return 0, ErrForeign
	case err != nil:
		return 0, err
	case id != applicationID && (id != 0 || version != 0 || tables != 0):
		return 0, ErrForeign
	case version > len(migrations):
		return 0, fmt.Errorf("%w: %d, and this program knows %d", ErrNewer, version, len(migrations))
	}
	return version, nil
}

// Update runs changes in one transaction that no other process writes beside. What do gives back as an error undoes all of it.
func (l *Ledger) Update(ctx context.Context, do func(*Change) error) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("write to the ledger: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // nothing where it was committed
	if err := do(&Change{ctx: ctx, tx: tx}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("write to the ledger: %w", err)
	}
	return nil
}

// Change is a transaction under way. It is used by one goroutine, within Update alone.
type Change struct {
	ctx context.Context // the one of Update
	tx  *sql.Tx
}
