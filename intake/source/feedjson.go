package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	feedjson "github.com/mmcdole/gofeed/json"

	"quarry/intake"
	"quarry/internal/markdown"
)

// maxJSONBytes bounds a file of JSON: what it is read into takes several times as much.
const maxJSONBytes = 32 << 20

var (
	errNoJSON = errors.New("JSON of a kind that is not read here")
	isPlaces  = []byte(`"text/x-moz-place`)
)

// kindOfJSON tells what an object of JSON is by the names in it.
func kindOfJSON(text []byte) (kindReader, error) {
	if len(text) > maxJSONBytes {
		return nil, fmt.Errorf("%w: JSON over %d MiB", ErrTooLarge, maxJSONBytes>>20)
	}
	names, isFeed := topNames(text)
	switch {
	case isFeed && names["items"], isFeed && names["title"]:
		return (*reader).jsonFeed, nil
	case names["roots"]:
		return (*reader).chrome, nil
	case bytes.Contains(text, isPlaces) && (names["children"] || names["root"] || names["typeCode"]):
		return (*reader).firefox, nil
	}
	return nil, fmt.Errorf("%w: %w", errNoJSON, ErrUnknown)
}

// topNames are the names of an object's members as far as it can be read, and whether its version is that of JSON Feed.
func topNames(text []byte) (names map[string]bool, isFeed bool) {
	names = map[string]bool{}
	_ = eachMember(text, func(d *json.Decoder, name string) error {
		names[name] = true
		if name != "version" {
			return skipValue(d)
		}
		var version any
		if err := d.Decode(&version); err != nil {
			return err
		}
		text, _ := version.(string)
		isFeed = strings.Contains(text, "jsonfeed.org/version")
		return nil
	})
	return names, isFeed
}

// eachMember gives each member of an object to a function, which takes its value off the decoder.
func eachMember(text []byte, member func(d *json.Decoder, name string) error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(err, ErrDamaged)
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		name, ok := t.(string)
		if !ok {
			return ErrDamaged
		}
		if err := member(d, name); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// skipValue passes a value token by token, so that the part of a cut file that is whole is seen.
func skipValue(d *json.Decoder) error {
	depth := 0
	for {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			if depth++; depth > 1000 {
				return ErrDamaged
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// jsonFeed reads JSON Feed 1 and 1.1; of a cut one the items before the cut.
func (r *reader) jsonFeed(text []byte) error {
	r.batch.Kind = "jsonfeed"
	items, about := []json.RawMessage{}, map[string]json.RawMessage{}
	err := eachMember(text, func(d *json.Decoder, name string) error {
		if name == "items" {
			return eachItem(d, &items)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if len(about) < 1000 {
			about[name] = value
		}
		return nil
	})
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if len(items) == 0 {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		r.problem("", "the feed is damaged, its whole items are taken: "+err.Error())
	}
	head := r.jsonHead(about)
	for _, raw := range items {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		r.jsonItem(raw, head)
	}
	return nil
}

func eachItem(d *json.Decoder, items *[]json.RawMessage) error {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errors.Join(err, ErrDamaged)
	}
	for d.More() {
		var item json.RawMessage
		if err := d.Decode(&item); err != nil {
			return err
		}
		if len(*items) < 2*maxSignals {
			*items = append(*items, item)
		}
	}
	_, err := d.Token()
	return err
}

func (r *reader) jsonHead(about map[string]json.RawMessage) feedHead {
	text := func(name string) string {
		var value string
		_ = json.Unmarshal(about[name], &value) // of another type: as if it were not there
		return value
	}
	var authors []*feedjson.Author
	var author *feedjson.Author
	_ = json.Unmarshal(about["authors"], &authors)
	_ = json.Unmarshal(about["author"], &author)
	head := feedHead{title: oneLine(text("title"), maxTitle), author: jsonAuthors(authors, author), base: baseOf(text("home_page_url"), r.in.Address, text("feed_url"))}
	r.setHead(head)
	return head
}

func jsonAuthors(authors []*feedjson.Author, author *feedjson.Author) string {
	var names []string
	for _, one := range append(authors, author) {
		if one != nil {
			names = append(names, one.Name)
		}
	}
	return strings.Join(distinct(names), ", ")
}

func (r *reader) jsonItem(raw json.RawMessage, head feedHead) {
	var item feedjson.Item
	if err := json.Unmarshal(raw, &item); err != nil {
		r.problem(item.Title, "the item cannot be read: "+err.Error())
		return
	}
	s := intake.Signal{Identity: oneLine(item.ID, 1000), Title: oneLine(item.Title, maxTitle), Author: jsonAuthors(item.Authors, item.Author), Tags: distinct(item.Tags)}
	if s.Identity == "" || item.ID == "null" {
		r.leave("an item without an id", s.Title)
		return
	}
	for _, address := range []string{item.URL, item.ExternalURL} {
		if s.Address == "" && address != "" {
			s.Address = resolved(head.base, address)
		}
	}
	if s.Author == "" {
		s.Author = head.author
	}
	s.Created = r.firstDate(nameOf(s), item.DatePublished, item.DateModified)
	if item.DatePublished != "" {
		s.Updated = after(s.Created, r.firstDate(nameOf(s), item.DateModified))
	}
	s.Body = r.jsonBody(item, nameOf(s), baseFor(s.Address, head))
	if item.Attachments != nil {
		for _, attachment := range *item.Attachments {
			s.Body += enclosed(head.base, attachment.URL)
		}
	}
	r.addItem(s, head)
}

func (r *reader) jsonBody(item feedjson.Item, name string, base *url.URL) string {
	if strings.TrimSpace(item.ContentHTML) != "" {
		if body := r.fromHTML(name, item.ContentHTML, base); body != "" {
			return body
		}
	}
	if strings.TrimSpace(item.ContentText) != "" {
		return markdown.FromText(item.ContentText)
	}
	return markdown.FromText(item.Summary)
}
