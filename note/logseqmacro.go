package note

import "strings"

// lostMacros are those that a reader of a passage has no use for: what the app computes, not what it shows.
var lostMacros = map[string]bool{
	"query": true, "renderer": true, "function": true, "cards": true, "namespace": true, "youtube-timestamp": true,
	"zotero-imported-file": true, "zotero-linked-file": true,
}

// mediaMacros show what lies at an address.
var mediaMacros = map[string]bool{
	"video": true, "youtube": true, "vimeo": true, "bilibili": true, "tweet": true, "twitter": true, "audio": true, "img": true,
}

// macro reads "{{name arguments}}" on one line.
func (l *inlineReader) macro(i int) int {
	if !strings.HasPrefix(l.text[i:], "{{") || i < l.noMacro {
		return i + 1
	}
	close := l.macroEnd(i)
	if close < 0 {
		return i + 1
	}
	place := Range{i, close + 2}
	name, arguments, _ := strings.Cut(strings.TrimLeft(l.text[i+2:close], "{ \t"), " ")
	at := close - len(arguments)
	for at < close && isSpace(l.text[at]) {
		at++
	}
	argument := Range{at, at + len(strings.TrimRight(l.text[at:close], "} \t"))}
	switch name = strings.ToLower(name); {
	case name == "embed":
		l.embed(place, argument)
	case name == "cloze":
		l.omit(Range{place.Start, argument.Start})
		l.omit(Range{argument.End, place.End})
		l.blot(place.Start, argument.Start)
		l.blot(argument.End, place.End)
		return argument.Start
	case mediaMacros[name]:
		if address := l.slice(argument.Start, argument.End); isExternal(address) && !strings.ContainsAny(address, " \t") {
			l.addLink(place, Link{Target: address, Display: address, Embed: true, External: true})
		}
	case lostMacros[name]:
		l.omitMacro(place)
	}
	l.blot(place.Start, place.End)
	return place.End
}

// macroEnd finds the "}}" of a macro on its line, -1 if there is none. The line and the mark are looked for once for all
// macros before them.
func (l *inlineReader) macroEnd(i int) int {
	if i >= l.lineEnd {
		l.lineEnd = i + lineLength(l.text[i:])
	}
	if l.macroMark < i+2 {
		l.macroMark = l.lineEnd
		if next := strings.Index(l.text[i+2:l.lineEnd], "}}"); next >= 0 {
			l.macroMark = i + 2 + next
		}
	}
	if l.macroMark >= l.lineEnd {
		l.noMacro = l.lineEnd
		return -1
	}
	for strings.HasPrefix(l.text[l.macroMark+1:l.lineEnd], "}}") {
		l.macroMark++
	}
	return l.macroMark
}

// embed reads what an embed shows: a block or a page.
func (l *inlineReader) embed(place, argument Range) {
	text := l.text[argument.Start:argument.End]
	if id := blockReference(text); id > 0 && len(text) == id+4 {
		l.addLink(place, Link{Embed: true, Subpath: "#^" + l.slice(argument.Start+2, argument.End-2)})
		l.omitMacro(place)
		return
	}
	if len(text) < 5 || len(text) > maxReferenceBytes || !strings.HasPrefix(text, "[[") || !strings.HasSuffix(text, "]]") {
		return
	}
	if link, ok := pageLink(l.slice(argument.Start+2, argument.End-2)); ok {
		link.Embed = true
		l.addLink(place, link)
	}
}

// omitMacro keeps a macro out of passages, and its line where it is alone on one.
func (l *inlineReader) omitMacro(place Range) {
	s := l.source
	hidden := Range{l.raw(place.Start), l.raw(place.End)}
	start, end := hidden.Start, hidden.End
	for start > 0 && isSpaceOrTab(s.raw[start-1]) {
		start--
	}
	if end = skipBlank(s.raw, end, len(s.raw)); isLineEnd(s.raw, end) && (start == 0 || isLineEnd(s.raw, start-1)) {
		hidden = s.wholeLines(s.line(hidden.Start), s.line(hidden.Start))
	}
	l.note.Omit = append(l.note.Omit, hidden)
}
