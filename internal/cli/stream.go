package cli

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"quarry/internal/steering"
)

// stream writes a long document as it comes, whose strings hold no secret any more, so that it does not steer a terminal either.
// No character is parted from what is to be done with it.
type stream struct {
	to     io.Writer
	change func(piece []byte) []byte // of whole characters; it may change the bytes that it gets
	parted []byte                    // the beginning of a character
}

// document writes a document of JSON: in one line for programs, indented for a person at a terminal.
func (a *app) document() *stream {
	s := &stream{to: a.out.to, change: escaped}
	if a.io.OutTerminal {
		in := &indenter{}
		s.change = func(piece []byte) []byte { return in.indented(escaped(piece)) }
	}
	return s
}

// picture writes a document in a language that has no escapes for what steers.
func (a *app) picture() *stream { return &stream{to: a.out.to, change: plainBytes} }

func (s *stream) Write(piece []byte) (int, error) {
	count := len(piece)
	if len(s.parted) > 0 {
		piece = slices.Concat(s.parted, piece)
	}
	whole := wholeCharacters(piece)
	_, err := s.to.Write(s.change(piece[:whole:whole]))
	s.parted = append(s.parted[:0], piece[whole:]...)
	if err != nil {
		return 0, err
	}
	return count, nil
}

// Flush writes what is left.
func (s *stream) Flush() error {
	_, err := s.to.Write(s.change(s.parted))
	s.parted = nil
	return err
}

// wholeCharacters is how many bytes of a piece stand before a character that its end may part.
func wholeCharacters(piece []byte) int {
	for at := len(piece) - 1; at >= max(len(piece)-utf8.UTFMax, 0); at-- {
		if utf8.RuneStart(piece[at]) {
			if utf8.FullRune(piece[at:]) {
				break
			}
			return at
		}
	}
	return len(piece)
}

// escaped is a piece of a JSON document without what steers.
func escaped(piece []byte) []byte {
	for _, c := range piece {
		if c >= 0x7f {
			return steering.EscapeJSON(piece)
		}
	}
	return piece
}

// plainBytes is a piece of a text without what steers.
func plainBytes(piece []byte) []byte {
	for _, c := range piece {
		if c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return []byte(printable(string(piece)))
		}
	}
	return piece
}

// indenter lays a JSON document out, piece by piece.
type indenter struct {
	depth               int
	inString, isEscaped bool
	isFresh             bool // nothing stands in the innermost list or object yet
}

func (in *indenter) indented(piece []byte) []byte {
	laid := make([]byte, 0, 2*len(piece))
	row := func() { laid = append(append(laid, '\n'), strings.Repeat("  ", in.depth)...) }
	for _, c := range piece {
		if in.inString {
			laid = append(laid, c)
			in.inString = in.isEscaped || c != '"'
			in.isEscaped = !in.isEscaped && c == '\\'
			continue
		}
		isEnd := c == '}' || c == ']'
		switch {
		case isEnd:
			in.depth--
			if !in.isFresh {
				row()
			}
		case in.isFresh:
			row()
		}
		in.isFresh = c == '{' || c == '['
		laid = append(laid, c)
		switch c {
		case '{', '[':
			in.depth++
		case ',':
			row()
		case ':':
			laid = append(laid, ' ')
		case '"':
			in.inString = true
		}
	}
	return laid
}
