package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// section is a part of a file of instructions, between two marks. It is a piece.
type section struct {
	file, name string
	text       string // ends with a new line
}

func (s *section) path() string { return s.file }

func (s *section) marks() (begin, end string) {
	return "<!-- quarry " + s.name + ": begin, kept by `quarry setup` -->", "<!-- quarry " + s.name + ": end -->"
}

// find is where the section is, from the first byte of its first line to the last of its last one.
func (s *section) find(content []byte) (start, end int, isThere bool, err error) {
	begin, finish := s.marks()
	start = bytes.Index(content, []byte(begin))
	if start < 0 {
		return 0, 0, false, nil
	}
	length := bytes.Index(content[start:], []byte(finish))
	if length < 0 {
		line := 1 + bytes.Count(content[:start], []byte{'\n'})
		return 0, 0, false, &FileError{Path: s.file, Line: line, Problem: "the section begins here and has no end"}
	}
	return start, start + length + len(finish), true, nil
}

func (s *section) lines() []string {
	begin, end := s.marks()
	lines := append([]string{begin}, strings.Split(strings.TrimSuffix(s.text, "\n"), "\n")...)
	return append(lines, end)
}

func (s *section) put(content []byte) ([]byte, error) {
	start, end, isThere, err := s.find(content)
	if err != nil {
		return nil, err
	}
	if isThere {
		return replaceBlock(content, start, end, s.lines()), nil
	}
	return appendBlock(content, s.lines()), nil
}

func (s *section) take(content []byte) (result []byte, isGone bool, err error) {
	start, end, isThere, err := s.find(content)
	if err != nil || !isThere {
		return content, false, err
	}
	result, isGone = removeBlock(content, start, end)
	return result, isGone, nil
}

// whole is a file that is all of quarry's. It is a piece. A mark in it holds the hash of the rest, so that a file which somebody
// has changed is told from one that can be replaced. The hash is another one for each number of folders that were made for the
// file: those go with it, and no others.
type whole struct {
	file    string
	text    string // holds sumPlace once
	folders int    // that have to be made for the file, when it is new
	// fixed: the file can hold no mark, and is ours if it is this text.
	fixed bool
}

// sumPlace stands for the hash in a text.
const sumPlace = "{{sum}}"

// markBefore is what the hash follows.
const markBefore = "kept by `quarry setup` "

func (w *whole) path() string { return w.file }

func (w *whole) content() []byte {
	if w.fixed {
		return []byte(w.text)
	}
	return []byte(strings.Replace(w.text, sumPlace, sumOf(w.text, w.folders), 1))
}

// mostFolders is how many folders set-up makes for a file at most.
const mostFolders = 4

func sumOf(text string, folders int) string {
	sum := sha256.Sum256([]byte(text + strings.Repeat("\x00", folders)))
	return hex.EncodeToString(sum[:6])
}

// state tells whose a file is.
func (w *whole) state(content []byte) (isOurs, isChanged bool) {
	if w.fixed {
		return bytes.Equal(content, []byte(w.text)), false
	}
	isOurs, folders := readMark(content)
	return isOurs, isOurs && folders < 0
}

// readMark tells whether a file has the mark, and how many folders were made for it; -1 where it was changed since.
func readMark(content []byte) (isOurs bool, folders int) {
	text := strings.ReplaceAll(string(content), "\r\n", "\n")
	at := strings.Index(text, markBefore)
	if at < 0 || len(text) < at+len(markBefore)+12 {
		return false, -1
	}
	at += len(markBefore)
	sum, rest := text[at:at+12], text[:at]+sumPlace+text[at+12:]
	for folders := range mostFolders + 1 {
		if sumOf(rest, folders) == sum {
			return true, folders
		}
	}
	return true, -1
}

func (w *whole) put(content []byte) ([]byte, error) {
	if content == nil {
		return w.content(), nil
	}
	isOurs, isChanged := w.state(content)
	if !isOurs {
		return nil, fmt.Errorf("%s is there: %w", w.file, ErrNotOurs)
	}
	if isChanged {
		return content, nil
	}
	if !w.fixed {
		_, w.folders = readMark(content)
	}
	if result := w.content(); !bytes.Equal(result, bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))) {
		return result, nil
	}
	return content, nil
}

func (w *whole) take(content []byte) (result []byte, isGone bool, err error) {
	isOurs, isChanged := w.state(content)
	return content, isOurs && !isChanged, nil
}

// note tells what is not done to a file, "" where nothing is to be told.
func (w *whole) note(content []byte) string {
	if isOurs, isChanged := w.state(content); isOurs && isChanged {
		return w.file + " was changed by hand: it is left as it is"
	}
	return ""
}
