package triage

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"quarry/intake"
	"quarry/intake/ledger"
	"quarry/intake/source"
	"quarry/internal/fetch"
)

// How often feeds are asked.
const (
	fetchersAtOnce = 6
	leastWait      = 30 * time.Minute
	mostWait       = 7 * 24 * time.Hour
	faultWait      = 10 * time.Minute // after one fault, doubled with each
)

// FetchOptions of Fetch.
type FetchOptions struct {
	AddOptions
	Only string // the feed of this address or name, also before its time; "": all that are due
}

// Fetched is what Fetch did. Its JSON form is part of the contract.
type Fetched struct {
	Asked     int `json:"asked"`
	Unchanged int `json:"unchanged"` // had nothing new
	NotDue    int `json:"not_due"`   // wanted to be asked later
	Report
}

// answer is what the server of a feed said.
type answer struct {
	feed     ledger.Feed
	response fetch.Response
	err      error
}

// Fetch asks the feeds that are due, one after the other of one server, and takes in what they have. Nothing else asks the network.
// A feed that fails is a problem and asked again later.
func (t *Triage) Fetch(ctx context.Context, options FetchOptions) (Fetched, error) {
	done := Fetched{Report: newReport()}
	feeds, err := t.due(ctx, options.Only, &done)
	if err != nil {
		return done, err
	}
	getter := t.options.Getter
	if getter == nil {
		getter = fetch.New(t.options.fetching())
	}
	run := t.newIntake(&done.Report)
	for one := range t.ask(ctx, getter, feeds) {
		done.Asked++
		options.say("fetching", done.Asked, len(feeds))
		if err == nil {
			err = t.answered(ctx, run, one, &done)
		}
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return done, err
	}
	return done, t.finish(ctx, run, options.AddOptions)
}

// fetching are the options of the client that asks for these.
func (o Options) fetching() fetch.Options { return fetch.Options{Now: o.Now, UserAgent: o.UserAgent} }

// due are the feeds that are asked now.
func (t *Triage) due(ctx context.Context, only string, done *Fetched) ([]ledger.Feed, error) {
	var due []ledger.Feed
	feeds, err := t.ledger.Feeds(ctx)
	if only != "" {
		feeds, err = t.feedsNamed(ctx, only)
	}
	if err != nil {
		return nil, err
	}
	for _, feed := range feeds {
		isHeld := feed.Next.After(t.now()) && (only == "" || strings.HasPrefix(feed.Fault, serverSaid))
		if feed.Gone && only == "" || isHeld {
			done.NotDue++
			continue
		}
		due = append(due, feed)
	}
	return due, nil
}

// ask asks feeds, several servers side by side, and gives the answers as they come. All of them have to be taken.
func (t *Triage) ask(ctx context.Context, getter Getter, feeds []ledger.Feed) <-chan answer {
	byServer := map[string][]ledger.Feed{}
	var servers []string
	for _, feed := range feeds {
		server := feed.Address
		if parsed, err := url.Parse(feed.Address); err == nil {
			server = parsed.Host
		}
		if byServer[server] == nil {
			servers = append(servers, server)
		}
		byServer[server] = append(byServer[server], feed)
	}
	answers := make(chan answer)
	go func() {
		defer close(answers)
		var group errgroup.Group
		group.SetLimit(fetchersAtOnce)
		for _, server := range servers {
			group.Go(func() error {
				for _, feed := range byServer[server] {
					if ctx.Err() != nil {
						return nil
					}
					response, err := getter.Get(ctx, fetch.Request{Address: feed.Address, ETag: feed.ETag, LastModified: feed.LastModified})
					answers <- answer{feed, response, err}
				}
				return nil
			})
		}
		_ = group.Wait() // none gives an error
	}()
	return answers
}

// serverSaid begins the fault of a feed whose server answered, and said when it wants to be asked again.
const serverSaid = "the server answered "

// answered takes in what a feed has, and keeps its state after that: a run that is killed in between asks once more.
func (t *Triage) answered(ctx context.Context, run *intaking, one answer, done *Fetched) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	feed, fault, hint, every := one.feed, "", "", time.Duration(0)
	switch {
	case one.err != nil:
		fault = one.err.Error()
	case one.response.Status == http.StatusNotModified:
		done.Unchanged++
	case one.response.Status != http.StatusOK:
		fault = fmt.Sprintf(serverSaid+"%d %s", one.response.Status, strings.ToLower(http.StatusText(one.response.Status)))
	default:
		batch, err := source.Read(ctx, source.Input{Name: shownName(feed), Content: one.response.Content, Address: one.response.FinalAddress, ContentType: one.response.ContentType, Now: t.now(), Attachments: t.options.Attachments})
		if err != nil {
			fault = err.Error()
			break
		}
		if !isFeed(batch.Kind) {
			fault, hint = "the answer is no feed", feedsOf(batch)
			break
		}
		for at := range batch.Signals {
			batch.Signals[at].Origin = one.feed.Address // whatever it redirects to today, or its items would be new ones
		}
		every = batch.Every
		done.Files++
		done.note(t, batch)
		if feed.Name == "" {
			feed.Name = t.clean(batch.Title)
		}
		if feed.Page == "" {
			feed.Page = batch.Address
		}
		if err := run.take(ctx, batch.Signals); err != nil {
			return err
		}
		if err := run.flush(ctx); err != nil {
			return err
		}
		if err := t.rename(ctx, batch.Signals, movedTo(one)); err != nil {
			return err
		}
	}
	if fault != "" {
		done.Failed++
		done.Problems = append(done.Problems, source.Problem{Where: t.clean(shownName(feed)), Reason: t.clean(join(fault, hint))})
	}
	return t.keepFeed(ctx, one, feed, t.clean(fault), every)
}

// movedTo is the address that a feed is asked at from now on.
func movedTo(one answer) string {
	if one.response.Permanent != "" && CheckAddress(one.response.Permanent) == nil {
		return one.response.Permanent
	}
	return one.feed.Address
}

// rename lets the signals of a feed that moved for good be known by its new address, too.
func (t *Triage) rename(ctx context.Context, signals []intake.Signal, address string) error {
	if len(signals) == 0 || signals[0].Origin == address {
		return nil
	}
	return t.ledger.Update(ctx, func(change *ledger.Change) error {
		for _, signal := range signals {
			known, err := change.Known(intake.Keys(signal))
			if err != nil {
				return err
			}
			signal.Origin = address
			if err := change.AddKeys(known, intake.Keys(signal)); err != nil {
				return err
			}
		}
		return nil
	})
}

// isFeed tells whether an answer of a kind is one: a login page, or what stands where a feed was, is no signal.
func isFeed(kind string) bool {
	return slices.Contains([]string{"rss", "atom", "rdf", "jsonfeed"}, kind)
}

// feedsOf says which feeds a page names, "" where it names none.
func feedsOf(batch source.Batch) string {
	const most = 3
	var addresses []string
	for _, one := range batch.Outlines[:min(len(batch.Outlines), most)] {
		if batch.Kind == "html" && CheckAddress(one.Address) == nil {
			addresses = append(addresses, fetch.Shown(one.Address))
		}
	}
	if len(addresses) == 0 {
		return ""
	}
	return "the page names " + strings.Join(addresses, ", ")
}

func shownName(feed ledger.Feed) string {
	if feed.Name != "" {
		return feed.Name
	}
	return fetch.Shown(feed.Address)
}

// keepFeed keeps when a feed is asked next, and what it is asked with.
func (t *Triage) keepFeed(ctx context.Context, one answer, feed ledger.Feed, fault string, every time.Duration) error {
	now := t.now()
	feed.Asked, feed.Fault = now, fault
	wait := min(max(every, one.response.MaxAge, leastWait), mostWait)
	if fault == "" {
		feed.Faults, feed.ETag, feed.LastModified = 0, one.response.ETag, one.response.LastModified
		feed.Address = movedTo(one)
	} else {
		feed.Faults++
		wait = min(faultWait<<min(feed.Faults-1, 10), mostWait)
	}
	feed.Next, feed.Gone = now.Add(wait), one.response.Gone
	if one.response.RetryAt.After(feed.Next) || fault != "" && !one.response.RetryAt.IsZero() {
		feed.Next = one.response.RetryAt
	}
	return t.ledger.Update(ctx, func(change *ledger.Change) error { return change.SetFeed(one.feed.Address, feed) })
}
