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
