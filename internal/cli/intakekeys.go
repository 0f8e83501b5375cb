package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"golang.org/x/term"

	"quarry/intake/ledger"
	"quarry/intake/triage"
)

// mostReviewed is how many signals the list with keys holds at once; more come when it is empty.
const mostReviewed = 500

// resizeEvery is how often the size of the terminal is looked at.
const resizeEvery = 300 * time.Millisecond

// reviewOnTerminal shows the queue as a list with keys, where the terminal can be steered.
func (a *app) reviewOnTerminal(ctx context.Context, t *triage.Triage) error {
	if a.io.Env("TERM") == "dumb" {
		return a.showQueue(ctx, t, 0)
	}
	r := &reviewer{app: a, ctx: ctx, triage: t}
	if err := r.load(0); err != nil {
		return err
	}
	if len(r.entries) == 0 {
		a.notice("Nothing waits for you.")
		return nil
	}
	input := int(os.Stdin.Fd())
	before, err := term.MakeRaw(input)
	if err != nil {
		return a.showQueue(ctx, t, 0) // a terminal without keys
	}
	defer func() { _ = term.Restore(input, before) }() // nothing more can be done
	defer steerable()()
	a.draw("\x1b[?1049h\x1b[?25l")
	err = r.run(func() (int, int) {
		columns, rows, err := term.GetSize(int(os.Stdout.Fd()))
		if err != nil || columns < 1 || rows < 1 {
			return 80, 24
		}
		return columns, rows
	})
	a.draw("\x1b[?25h\x1b[?1049l")
	return err
}

// draw writes to the terminal at once.
func (a *app) draw(text string) {
	fmt.Fprint(a.io.Out, text)
	a.out.Flush()
}

// run reads keys and draws until the user or ctx ends it.
func (r *reviewer) run(size func() (columns, rows int)) error {
	keys := make(chan []string)
	done := make(chan struct{})
	defer close(done)
	go r.readKeys(keys, done)
	clock := time.NewTicker(resizeEvery)
	defer clock.Stop()
	isStale := true
	for {
		columns, rows := size()
		if isStale || columns != r.columns || rows != r.rows {
			r.columns, r.rows = columns, rows
			r.app.draw("\x1b[H\x1b[2J" + r.view())
		}
		select {
		case <-r.ctx.Done():
			return r.ctx.Err()
		case <-clock.C:
			isStale = false
		case pressed, ok := <-keys:
			if !ok {
				return nil
			}
			for _, key := range pressed {
				if r.press(key) {
					return nil
				}
			}
			isStale = true
		}
	}
}

// readKeys sends the keys that are pressed until the input or done ends.
func (r *reviewer) readKeys(keys chan<- []string, done <-chan struct{}) {
	defer close(keys)
	buffer := make([]byte, 256)
	for {
		count, err := r.app.io.In.Read(buffer)
		if count > 0 {
			select {
			case keys <- keysOf(string(buffer[:count])):
			case <-done:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// namedKeys are keys that send more than a character, or none that shows.
var namedKeys = []struct{ sent, key string }{
	{"\x1b[A", "up"},
	{"\x1b[B", "down"},
	{"\x1bOA", "up"},
	{"\x1bOB", "down"},
	{"\x1b[5~", "page up"},
	{"\x1b[6~", "page down"},
	{"\x1b[H", "home"},
	{"\x1b[F", "end"},
	{"\x1b[1~", "home"},
	{"\x1b[4~", "end"},
	{"\x1b[C", "enter"},
	{"\x1b[D", "escape"},
	{"\r", "enter"},
	{"\n", "enter"},
	{"\x03", "quit"},
	{"\x04", "quit"},
	{" ", "page down"},
}

// keysOf tells keys apart in what a terminal sent.
func keysOf(sent string) []string {
	var keys []string
next:
	for len(sent) > 0 {
		for _, one := range namedKeys {
			if len(sent) >= len(one.sent) && sent[:len(one.sent)] == one.sent {
				keys, sent = append(keys, one.key), sent[len(one.sent):]
				continue next
			}
		}
		if sent[0] == '\x1b' {
			if len(sent) == 1 {
				return append(keys, "escape")
			}
			sent = sent[escapeLength(sent):] // of a key that means nothing here
			continue
		}
		for _, r := range sent {
			keys, sent = append(keys, string(r)), sent[len(string(r)):]
			break
		}
	}
	return keys
}

// escapeLength is how long the sequence is that a text begins with.
func escapeLength(text string) int {
	if text[1] != '[' && text[1] != 'O' {
		return 2
	}
	for at := 2; at < len(text); at++ {
		if text[at] >= 0x40 {
			return at + 1
		}
	}
	return len(text)
}

// load reads the queue and puts the cursor on a signal, where it is there.
func (r *reviewer) load(id int64) error {
	entries, err := r.triage.Queue(r.ctx, mostReviewed)
	if err != nil {
		return err
	}
	if entries, err = withoutSecrets(r.app, entries); err != nil {
		return err
	}
	counts, err := r.triage.Ledger().Counts(r.ctx)
	if err != nil {
		return err
	}
	r.entries, r.total = entries, counts[ledger.Queued]
	for at, entry := range entries {
		if entry.ID == id {
			r.at = at
		}
	}
	r.at = max(min(r.at, len(entries)-1), 0)
	return nil
}
