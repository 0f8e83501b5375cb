package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"quarry"
	"quarry/internal/budget"
)

// readAnswer is the document of obsidian_read_note.
type readAnswer struct {
	Results   []readResult `json:"results"`
	Truncated bool         `json:"truncated,omitempty"` // notes that a pattern matches are left out
	Notices   []string     `json:"notices,omitempty"`
}

// readResult is a note or a part of one, as far as there is room.
type readResult struct {
	quarry.Excerpt
	Next    string           `json:"next,omitempty"`    // the address of what was cut off
	Outline []outlineHeading `json:"outline,omitempty"` // headings of the note behind the cut
}

// outlineHeading is a heading of a note with its line.
type outlineHeading struct {
	Line  int    `json:"line"`
	Level int    `json:"level"`
	Text  string `json:"text"`
}

const (
	maxOutline           = 40  // headings
	outlineShare         = 5   // of the room, as a fraction
	leastOutlineRoom     = 800 // characters of an answer, below which it has no outline
	maxHeadingCharacters = 80
	bareShare            = 2 // of the room, as a fraction, for what stands around the texts of several notes
)

// readNote gives the document of what an address means. A long text is cut at a line, with the address of the rest.
func readNote(ctx context.Context, engine *quarry.Engine, a arguments) ([]byte, error) {
	address, maxTokens := a.text("file_path"), a.integer("max_tokens", defaultMaxTokens)
	if isBlank(address) {
		a.fail("file_path", "is missing")
	}
	if err := a.err(); err != nil {
		return nil, err
	}
	excerpts, err := engine.Read(ctx, []string{address}, 0)
	if err != nil {
		return nil, err
	}
	r := &reader{ctx: ctx, engine: engine, excerpts: excerpts, isLargest: maxTokens == maxMaxTokens}
	limit := budget.CharactersPerToken * maxTokens
	for room := limit; ; {
		document, surplus, err := bounded(r.answer(room), engine.Redactor(), limit)
		if err != nil || surplus <= 0 || room <= 0 {
			return document, err
		}
		room -= surplus
	}
}

// reader cuts what was read to a room.
type reader struct {
	ctx      context.Context
	engine   *quarry.Engine
	excerpts []quarry.Excerpt
	headings []outlineHeading // of the only note; nil before they are needed

	isLargest bool // no answer may be longer
}

// answer is the answer whose document has about so many characters, or the least there is.
func (r *reader) answer(room int) readAnswer {
	answer := readAnswer{Results: []readResult{}}
	left := room - sizeOf(answer)
	for i := range r.excerpts {
		bare := r.excerpts[i]
		bare.Text = ""
		if size := sizeOf(readResult{Excerpt: bare}) + 1; i == 0 || size <= left-room/bareShare { // with the comma
			left -= size
			answer.Results = append(answer.Results, readResult{Excerpt: bare})
			continue
		}
		answer.Truncated = true
		answer.Notices = []string{fmt.Sprintf("%d more notes match; narrow the pattern, or read them one by one", len(r.excerpts)-i)}
		left -= sizeOf(answer.Notices)
		break
	}
	for i := range answer.Results {
		one := &answer.Results[i]
		one.Text = r.excerpts[i].Text
		if utf8.RuneCountInString(one.Text) > left || textSize(one.Text) > left {
			*one = r.cut(r.excerpts[i], left, len(r.excerpts) == 1 && room >= leastOutlineRoom)
		}
		left -= textSize(one.Text)
	}
	return answer
}

// cut is a result that is cut to a room, with an outline of what follows where it has one.
func (r *reader) cut(whole quarry.Excerpt, room int, hasOutline bool) readResult {
	bare := whole
	bare.Text = ""
	room -= sizeOf(cutTo(whole, 0, r.isLargest)) - sizeOf(readResult{Excerpt: bare}) // for what is said of the cut
	if !hasOutline {
		return cutTo(whole, room, r.isLargest)
	}
	result := cutTo(whole, room-room/outlineShare, r.isLargest)
	result.Outline = r.outline(result, room/outlineShare)
	return result
}

// cutTo cuts an excerpt at the end of a line, so that its text has room, and says how to go on; where no answer may be longer, not by a
// larger max_tokens.
func cutTo(whole quarry.Excerpt, room int, isLargest bool) readResult {
	cut := readResult{Excerpt: whole}
	cut.Text, cut.Truncated = "", true
	say := func(notice string) { cut.Notices = append(slices.Clip(cut.Notices), notice) }
	count := strings.Count(strings.TrimSuffix(whole.Text, "\n"), "\n") + 1
	isByLine := count == whole.LineEnd-whole.LineStart+1 // a passage can be another text than its lines
	end, kept := wholeLines(whole.Text, room)
	cut.Text = whole.Text[:end]
	if kept == 0 && room > minCutCharacters { // a line that has no room by itself
		line, _, _ := strings.Cut(whole.Text, "\n")
		cut.Text, kept = prefix(line, room-1)+"…", 1
		said := fmt.Sprintf("line %d is longer than max_tokens: its rest is left out", whole.LineStart)
		if !isLargest {
			said += fmt.Sprintf("; read %s:%d:1 with a larger one", whole.FilePath, whole.LineStart)
		}
		say(said)
	}
	switch {
	case !isByLine && isLargest:
		say("the text is cut to max_tokens, which is the largest")
		return cut
	case !isByLine:
		say("the text is cut to max_tokens; a larger one gives more of it")
		return cut
	case kept == 0:
		say("max_tokens is too small for a line of this note")
	}
	cut.LineEnd = max(whole.LineStart+kept-1, whole.LineStart)
	if count > kept {
		cut.Next = fmt.Sprintf("%s:%d:%d", whole.FilePath, whole.LineStart+kept, count-kept)
	}
	return cut
}

// wholeLines are the first lines of a text that have room: where they end, and how many they are.
func wholeLines(text string, room int) (end, count int) {
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(line) > room { // without writing a line of megabytes
			break
		}
		if room -= textSize(line); room < 0 {
			break
		}
		end += len(line)
		count++
	}
	return end, count
}

// outline lists the headings behind a cut, without those of the deepest levels where they would be too many.
func (r *reader) outline(cut readResult, room int) []outlineHeading {
	if r.headings == nil {
		r.headings = r.readHeadings(cut.FilePath)
	}
	var behind []outlineHeading
	for _, h := range r.headings {
		if h.Line > cut.LineEnd {
			behind = append(behind, h)
		}
	}
	for level := 6; level >= 1; level-- {
		if len(behind) <= maxOutline && sizeOf(behind) <= room {
			return behind
		}
		if level > 1 {
			behind = upTo(behind, level-1)
		}
	}
	behind = behind[:min(len(behind), maxOutline)]
	for len(behind) > 0 && sizeOf(behind) > room {
		behind = behind[:len(behind)-1]
	}
	return behind
}

// upTo are the headings of no deeper level than the one given, all of them where there are none.
func upTo(headings []outlineHeading, level int) []outlineHeading {
	var kept []outlineHeading
	for _, h := range headings {
		if h.Level <= level {
			kept = append(kept, h)
		}
	}
	if len(kept) == 0 {
		return headings
	}
	return kept
}

func (r *reader) readHeadings(path string) []outlineHeading {
	headings := []outlineHeading{}
	parsed, err := r.engine.Parse(r.ctx, path)
	if err != nil {
		return headings // the text is as good without
	}
	for _, h := range parsed.Headings {
		text := []rune(h.Plain)
		if len(text) > maxHeadingCharacters {
			text = append(text[:maxHeadingCharacters:maxHeadingCharacters], '…')
		}
		headings = append(headings, outlineHeading{Line: h.Line, Level: h.Level, Text: string(text)})
	}
	return headings
}

// textSize is how many characters a text has inside a document.
func textSize(text string) int { return sizeOf(text) - len(`""`) }
