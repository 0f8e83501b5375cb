package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const byteOrderMark = "\ufeff"

// lineReader reads lines of maxMessageBytes at most.
type lineReader struct {
	in      *bufio.Reader
	isBegun bool
}

func newLineReader(in io.Reader) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 64<<10)}
}

// next gives the next line; what follows the last end of a line is one, too. Of one that is too long it gives the beginning.
func (r *lineReader) next() (line []byte, isTooLong bool, err error) {
	for {
		part, err := r.in.ReadSlice('\n')
		if room := maxMessageBytes - len(line); len(part) > room {
			part, isTooLong = part[:room], true
		}
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if !r.isBegun { // some editors and shells begin a text so
			r.isBegun, line = true, bytes.TrimPrefix(line, []byte(byteOrderMark))
		}
		line = bytes.TrimSpace(line)
		if err != nil && len(line) > 0 {
			err = nil // it comes again with the next
		}
		return line, isTooLong, err
	}
}

// eachMessage hands on what a line says, one message at a time: older clients send several at once, in a list. It ends where the
// function gives false.
func eachMessage(line []byte, isTooLong bool, take func(jsonrpc.Message, json.RawMessage, *refusal) bool) bool {
	one := func(raw json.RawMessage) bool {
		message, fault := readMessage(raw)
		return take(message, raw, fault)
	}
	switch {
	case isTooLong:
		return take(nil, nil, &refusal{idOfHead(line), jsonrpc.CodeInvalidRequest, tooLongToRead})
	case len(line) == 0:
		return true
	case !json.Valid(line):
		return take(nil, nil, &refusal{nil, jsonrpc.CodeParseError, "the line is no JSON"})
	case line[0] != '[':
		return one(line)
	}
	list := json.NewDecoder(bytes.NewReader(line)) // one at a time: a list may hold a million
	if _, err := list.Token(); err != nil || !list.More() {
		return one(nil)
	}
	for list.More() {
		var raw json.RawMessage
		if list.Decode(&raw) != nil || !one(raw) {
			return false
		}
	}
	return true
}
