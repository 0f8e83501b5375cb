package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// EachMail gives each mail of an mbox to a function, in order, for files of any size: one mail is held at a time. What it gives, Read
// takes for a mail. A mail over the bound of one is given as nil, with the place it has in the file from 1. Errors match ErrUnknown
// where it is no mbox, are those of the reader, or what the function gave, which ends it.
func EachMail(from io.Reader, take func(place int, mail []byte) error) error {
	b := bufio.NewReaderSize(from, 64<<10)
	if start, _ := b.Peek(64 << 10); !isMbox(start) { // an error comes again on reading
		return fmt.Errorf("it is no mbox: %w", ErrUnknown)
	}
	m := mailbox{take: take}
	for {
		line, err := b.ReadSlice('\n')
		if fault := m.line(line); fault != nil {
			return fault
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			m.isWithin = true
			continue
		}
		m.isWithin = false
		if errors.Is(err, io.EOF) {
			return m.flush()
		}
		if err != nil {
			return fmt.Errorf("read an mbox: %w", err)
		}
	}
}

type mailbox struct {
	take     func(place int, mail []byte) error
	mail     bytes.Buffer
	place    int
	isWithin bool // a line that began before
	isOver   bool // the mail is over its bound
}

func (m *mailbox) line(line []byte) error {
	if !m.isWithin && bytes.HasPrefix(line, []byte("From ")) && mboxLine.Match(line) {
		if err := m.flush(); err != nil {
			return err
		}
		m.place++
		return nil
	}
	if m.mail.Len()+len(line) > maxMailBytes {
		m.isOver = true
		m.mail.Reset()
	}
	if !m.isOver {
		m.mail.Write(line)
	}
	return nil
}

func (m *mailbox) flush() error {
	if m.place == 0 {
		return nil
	}
	var mail []byte
	if !m.isOver {
		mail = bytes.Clone(unquoteFrom(m.mail.Bytes()))
	}
	m.isOver = false
	m.mail.Reset()
	return m.take(m.place, mail)
}
