package triage

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"quarry/intake/ledger"
	"quarry/intake/source"
)

// ErrAddress tells that no feed can be listed by this address.
var ErrAddress = errors.New("that is no address of a feed")

// CheckAddress tells what is wrong with an address that is to be listed: it is http or https, of a public server by all that its name
// tells, and holds no user name. The error matches ErrAddress.
func CheckAddress(address string) error {
	parsed, err := url.Parse(address)
	if err != nil || len(address) > 8<<10 {
		return fmt.Errorf("%w: it is not understood", ErrAddress)
	}
	host := strings.TrimSuffix(strings.ToLower(parsed.Hostname()), ".")
	switch {
	case parsed.Scheme != "http" && parsed.Scheme != "https":
		return fmt.Errorf("%w: it begins with neither https:// nor http://", ErrAddress)
	case host == "":
		return fmt.Errorf("%w: it names no server", ErrAddress)
	case parsed.User != nil:
		return fmt.Errorf("%w: it holds a user name or a password", ErrAddress)
	case !isPublicName(host):
		return fmt.Errorf("%w: %s is not on the public web", ErrAddress, host)
	}
	return nil
}

func isPublicName(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		ip = ip.Unmap()
		return ip.IsGlobalUnicast() && !ip.IsPrivate()
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last != host && !slices.Contains([]string{"local", "localhost", "internal", "lan", "home", "corp", "localdomain"}, last) && !strings.HasSuffix(host, ".home.arpa")
}

// AddFeed lists a feed; false where it is listed already. The error matches ErrAddress.
func (t *Triage) AddFeed(ctx context.Context, address, name string) (bool, error) {
	if err := CheckAddress(address); err != nil {
		return false, err
	}
	isNew := false
	err := t.ledger.Update(ctx, func(change *ledger.Change) (err error) {
		isNew, err = change.AddFeed(ledger.Feed{Address: address, Name: t.clean(name), Added: t.now()})
		return err
	})
	return isNew, err
}

// RemoveFeed takes a feed off the list, by its address or its name; its signals stay. The error matches ledger.ErrUnknown.
func (t *Triage) RemoveFeed(ctx context.Context, feed string) (string, error) {
	found, err := t.feedsNamed(ctx, feed)
	if err != nil {
		return "", err
	}
	return found[0].Address, t.ledger.Update(ctx, func(change *ledger.Change) error { return change.RemoveFeed(found[0].Address) })
}

// feedsNamed gives the feeds of an address, else of a name; there is one at least.
func (t *Triage) feedsNamed(ctx context.Context, named string) ([]ledger.Feed, error) {
	feeds, err := t.ledger.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	for _, same := range []func(ledger.Feed) bool{
		func(feed ledger.Feed) bool { return feed.Address == named },
		func(feed ledger.Feed) bool { return feed.Name != "" && strings.EqualFold(feed.Name, named) },
	} {
		var found []ledger.Feed
		for _, feed := range feeds {
			if same(feed) {
				found = append(found, feed)
			}
		}
		if len(found) > 0 {
			return found, nil
		}
	}
	return nil, fmt.Errorf("feed %q: %w", t.clean(named), ledger.ErrUnknown)
}

// FeedImport is what a list of feeds gave. Its JSON form is part of the contract.
type FeedImport struct {
	Added    int              `json:"added"`
	Known    int              `json:"known"`
	Problems []source.Problem `json:"problems"`
}

// ImportFeeds lists the feeds of an OPML file; those whose address no feed may have are problems.
func (t *Triage) ImportFeeds(ctx context.Context, name string, content []byte) (FeedImport, error) {
	done := FeedImport{Problems: []source.Problem{}}
	outlines, err := source.ReadOPML(content)
	if err != nil {
		return done, fmt.Errorf("read %s: %w", name, err)
	}
	return done, t.ledger.Update(ctx, func(change *ledger.Change) error {
		for _, one := range outlines {
			if err := CheckAddress(one.Address); err != nil {
				done.Problems = append(done.Problems, source.Problem{Where: t.clean(one.Title), Reason: t.clean(err.Error())})
				continue
			}
			title := one.Title
			if title == one.Address {
				title = ""
			}
			isNew, err := change.AddFeed(ledger.Feed{Address: one.Address, Name: t.clean(title), Page: one.Page, Folder: one.Folder, Added: t.now()})
			if err != nil {
				return err
			}
			if isNew {
				done.Added++
			} else {
				done.Known++
			}
		}
		return nil
	})
}

// ExportFeeds is the list of feeds as OPML.
func (t *Triage) ExportFeeds(ctx context.Context) ([]byte, error) {
	feeds, err := t.ledger.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	outlines := make([]source.Outline, 0, len(feeds))
	for _, feed := range feeds {
		title := feed.Name
		if title == "" {
			title = feed.Address
		}
		outlines = append(outlines, source.Outline{Title: title, Address: feed.Address, Page: feed.Page, Folder: feed.Folder})
	}
	return source.WriteOPML(outlines), nil
}
