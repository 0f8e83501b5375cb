package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Feed is a source that the user listed.
type Feed struct {
	Address      string    `json:"address"`
	Name         string    `json:"name"`
	Page         string    `json:"page,omitempty"`
	Folder       []string  `json:"folder"`
	Added        time.Time `json:"added"`
	Asked        time.Time `json:"asked,omitzero"` // last
	Next         time.Time `json:"next,omitzero"`  // not asked before; zero: now
	Fault        string    `json:"fault,omitempty"`
	Faults       int       `json:"faults,omitempty"` // one after the other
	Gone         bool      `json:"gone,omitempty"`   // its server said that it is gone for good
	ETag         string    `json:"-"`
	LastModified string    `json:"-"`
}

// Feeds gives the feeds in the order of their addresses.
func (l *Ledger) Feeds(ctx context.Context) (found []Feed, err error) {
	rows, err := l.db.QueryContext(ctx, "SELECT address, name, page, folder, added_at, etag, last_modified, asked_at, next_at, fault, faults, is_gone FROM feeds ORDER BY address")
	if err != nil {
		return nil, wrapRead(err)
	}
	defer func() { err = errors.Join(err, wrapRead(rows.Close())) }()
	found = []Feed{}
	for rows.Next() {
		var one Feed
		var folder string
		var added, asked, next int64
		if err := rows.Scan(&one.Address, &one.Name, &one.Page, &folder, &added, &one.ETag, &one.LastModified, &asked, &next, &one.Fault, &one.Faults, &one.Gone); err != nil {
			return nil, wrapRead(err)
		}
		if err := json.Unmarshal([]byte(folder), &one.Folder); err != nil {
			return nil, wrapRead(err)
		}
		one.Added, one.Asked, one.Next = moment(added), moment(asked), moment(next)
		found = append(found, one)
	}
	return found, wrapRead(rows.Err())
}

// AddFeed lists a feed; false where it is listed already.
func (c *Change) AddFeed(feed Feed) (bool, error) {
	if feed.Folder == nil {
		feed.Folder = []string{}
	}
	folder, err := json.Marshal(feed.Folder)
	if err != nil {
		return false, fmt.Errorf("list a feed: %w", err)
	}
	done, err := c.tx.ExecContext(c.ctx, "INSERT OR IGNORE INTO feeds (address, name, page, folder, added_at) VALUES (?, ?, ?, ?, ?)", feed.Address, feed.Name, feed.Page, string(folder), seconds(feed.Added))
	if err != nil {
		return false, fmt.Errorf("list a feed: %w", err)
	}
	count, err := done.RowsAffected()
	return count > 0, err
}

// SetFeed keeps what an answer said of the feed that was asked at an address; feed.Address may be a new one. A feed that was removed
// meanwhile stays so.
func (c *Change) SetFeed(asked string, feed Feed) error {
	_, err := c.tx.ExecContext(c.ctx, `UPDATE OR REPLACE feeds SET address = ?, name = ?, page = ?, etag = ?, last_modified = ?, asked_at = ?, next_at = ?, fault = ?, faults = ?, is_gone = ? WHERE address = ?`,
		feed.Address, feed.Name, feed.Page, feed.ETag, feed.LastModified, seconds(feed.Asked), seconds(feed.Next), feed.Fault, feed.Faults, feed.Gone, asked)
	if err != nil {
		return fmt.Errorf("keep the state of a feed: %w", err)
	}
	return nil
}

// RemoveFeed takes a feed off the list; its signals stay. The error matches ErrUnknown.
func (c *Change) RemoveFeed(address string) error {
	done, err := c.tx.ExecContext(c.ctx, "DELETE FROM feeds WHERE address = ?", address)
	if err != nil {
		return fmt.Errorf("remove a feed: %w", err)
	}
	if count, err := done.RowsAffected(); err != nil || count == 0 {
		return errors.Join(err, fmt.Errorf("feed %s: %w", address, ErrUnknown))
	}
	return nil
}

// Import is an item of an export that became a file.
type Import struct {
	Format string // "notion"
	Item   string // what the export calls it
	Path   string // of the file, below the vault
	Hash   string // of the file as it was written
	At     time.Time
}

// Imports gives what was imported of a format, by item.
func (l *Ledger) Imports(ctx context.Context, format string) (found map[string]Import, err error) {
	rows, err := l.db.QueryContext(ctx, "SELECT item, path, hash, at FROM imports WHERE format = ?", format)
	if err != nil {
		return nil, wrapRead(err)
	}
	defer func() { err = errors.Join(err, wrapRead(rows.Close())) }()
	found = map[string]Import{}
	for rows.Next() {
		one := Import{Format: format}
		var at int64
		if err := rows.Scan(&one.Item, &one.Path, &one.Hash, &at); err != nil {
			return nil, wrapRead(err)
		}
		one.At = moment(at)
		found[one.Item] = one
	}
	return found, wrapRead(rows.Err())
}

// Remember keeps what was imported, in the place of what was known of the same items.
func (c *Change) Remember(imports []Import) error {
	for _, one := range imports {
		if _, err := c.tx.ExecContext(c.ctx, "INSERT OR REPLACE INTO imports (format, item, path, hash, at) VALUES (?, ?, ?, ?, ?)", one.Format, one.Item, one.Path, one.Hash, seconds(one.At)); err != nil {
			return fmt.Errorf("remember an import: %w", err)
		}
	}
	return nil
}
