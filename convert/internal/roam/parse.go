package roam

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"
)

// maxDepth bounds blocks in each other: deeper ones become siblings, since each level is written again before every line below it.
const maxDepth = 40

// block is a block of a page, or the page itself.
type block struct {
	title, text, uid string
	heading          int  // 1 to 3; 0: none
	isNumbered       bool // its children are
	created, edited  time.Time
	children         []*block
	page             *block // nil of a page
	depth            int    // 0 of a page
	isPlain          bool   // written in a way that no link can mean: in a table, or as a heading
}

var errNotRoam = errors.New("it is no JSON export of Roam")

// parse reads the pages of an export. An error may come with the pages before it; isDeep tells that some blocks were deeper than
// maxDepth. Its own stack is on the heap, so that no depth of the input ends it.
func parse(ctx context.Context, content []byte) (pages []*block, isDeep bool, err error) {
	decoder := json.NewDecoder(bytes.NewReader(content))
	if token, err := decoder.Token(); err != nil || token != json.Delim('[') {
		return nil, false, errNotRoam
	}
	p := &parser{decoder: decoder}
	for count := 0; ; count++ {
		if count%4096 == 0 && ctx.Err() != nil {
			return p.pages, p.isDeep, ctx.Err()
		}
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && len(p.stack) == 0 {
			return p.pages, p.isDeep, nil
		}
		if err == nil {
			err = p.take(token)
		}
		if err != nil {
			return p.pages, p.isDeep, err
		}
	}
}

// parser holds where in the export it is: a stack of blocks, with nil for an array.
type parser struct {
	decoder *json.Decoder
	stack   []*block
	opened  []*block // the blocks of the stack
	pages   []*block
	isDeep  bool
}

func (p *parser) take(token json.Token) error {
	switch t := token.(type) {
	case json.Delim:
		switch t {
		case '{':
			p.open()
		case '[':
			p.stack = append(p.stack, nil)
		default:
			p.close()
		}
	case string:
		if len(p.stack) > 0 && p.stack[len(p.stack)-1] != nil {
			return p.property(t)
		}
	}
	return nil
}

func (p *parser) open() {
	b := &block{depth: min(len(p.opened), maxDepth)}
	if len(p.opened) > maxDepth {
		p.isDeep = true
	}
	if len(p.opened) == 0 {
		p.pages = append(p.pages, b)
	} else {
		parent := p.opened[min(len(p.opened), maxDepth)-1]
		b.page = p.opened[0]
		parent.children = append(parent.children, b)
	}
	p.stack, p.opened = append(p.stack, b), append(p.opened, b)
}

func (p *parser) close() {
	if len(p.stack) == 0 { // the end of the array of pages
		return
	}
	if p.stack[len(p.stack)-1] != nil {
		p.opened = p.opened[:len(p.opened)-1]
	}
	p.stack = p.stack[:len(p.stack)-1]
}

// property reads the value of a property. That of "children" is left to take.
func (p *parser) property(name string) error {
	token, err := p.decoder.Token()
	if err != nil {
		return err
	}
	b := p.stack[len(p.stack)-1]
	switch v := token.(type) {
	case json.Delim:
		if name == "children" && v == '[' {
			p.stack = append(p.stack, nil)
			return nil
		}
		return p.skip()
	case string:
		b.setText(strings.TrimPrefix(name, ":"), v)
	case float64:
		b.setNumber(strings.TrimPrefix(name, ":"), v)
	}
	return nil
}

// skip reads to the end of the value that was just opened.
func (p *parser) skip() error {
	for depth := 1; depth > 0; {
		token, err := p.decoder.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	return nil
}

func (b *block) setText(name, value string) {
	switch name {
	case "title":
		b.title = strings.TrimSpace(value)
	case "string", "block/string":
		b.text = value
	case "uid", "block/uid":
		b.uid = value
	case "view-type", "children-view-type", "children/view-type":
		b.isNumbered = strings.TrimPrefix(value, ":") == "numbered"
	}
}

func (b *block) setNumber(name string, value float64) {
	when := time.Time{}
	if value > 0 && value < 1<<48 {
		when = time.UnixMilli(int64(value)).UTC()
	}
	switch name {
	case "heading":
		b.heading = int(min(max(value, 0), 6))
	case "create-time", "create/time":
		b.created = when
	case "edit-time", "edit/time":
		b.edited = when
	}
}
