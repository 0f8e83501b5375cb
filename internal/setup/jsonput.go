package setup

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// node is what is put into a file: a string, a number (int), a list ([]node) or an object.
type node any

// object is one with its keys in order.
type object []field

type field struct {
	key   string
	value node
}

// list of strings, as a node.
func nodes(texts []string) []node {
	list := make([]node, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}

// put adds a value: under the last key of a path, or where isElement is set, at the end of the list there. Objects and lists that
// are not there yet are made.
func (f *jsonc) put(path []string, value node, isElement bool) error {
	if f.isBlank {
		return f.putRoot(wrap(path, value, isElement))
	}
	for depth := len(path); ; depth-- {
		found, err := f.find(path[:depth]...)
		if err != nil {
			return err
		}
		if found == nil {
			continue
		}
		c, ok := compositeOf(found)
		if wantsList := isElement && depth == len(path); !ok || wantsList != (c.array != nil) {
			return f.errorAt(found.StartOffset, "%s is no %s", nameOf(path[:depth]), map[bool]string{true: "list", false: "object"}[wantsList])
		}
		if depth == len(path) {
			return f.insert(c, "", value)
		}
		return f.insert(c, path[depth], wrap(path[depth+1:], value, isElement))
	}
}

// wrap puts a value into the objects of a path.
func wrap(path []string, value node, isElement bool) node {
	if isElement {
		value = []node{value}
	}
	for i := len(path) - 1; i >= 0; i-- {
		value = object{{path[i], value}}
	}
	return value
}

// putRoot writes the whole of a file that holds no value yet. What it holds stays behind it.
func (f *jsonc) putRoot(value node) error {
	if f.text == nil && !f.hasMark { // there was no file
		text := f.render(value, "", layoutLines)
		f.text = []byte(text + f.style.newline)
		return f.parse()
	}
	root := value.(object)
	text := "{ " + quoted(root[0].key) + ": " + f.render(root[0].value, "", layoutLines) + " }"
	return f.splice(0, 0, text)
}

// insert adds a piece behind the last one of an object, or of a list, which has no keys.
func (f *jsonc) insert(c composite, key string, value node) error {
	if c.count() == 0 {
		return f.insertFirst(c, key, value)
	}
	last := c.at(c.count() - 1)
	base, extra := last.EndOffset, c.after()
	comma, isTrailing := c.hasTrailingComma()
	if isTrailing {
		base = comma + 1
	}
	comments, isLine := commentsEnd(extra)
	space, indent, layout := f.layoutAmong(c)
	switch {
	case isLine && !strings.Contains(space, "\n"):
		space = f.style.newline
	case comments > 0 && space == "":
		space = " "
	}
	piece := space + f.piece(key, value, indent, layout)
	if isTrailing {
		return f.splice(base+comments, base+comments, piece+",")
	}
	between := string(f.text[base : base+comments])
	return f.splice(base, base+comments, ","+between+piece)
}

// insertFirst adds a piece to what is empty: right behind the bracket, so that it can be told to have been empty; or behind the
// comments in it.
func (f *jsonc) insertFirst(c composite, key string, value node) error {
	extra, open := c.after(), c.value.StartOffset+1
	line := f.lineIndent(c.value.StartOffset)
	layout := layoutLines
	if f.style.isOneLine {
		layout = f.inlineLayout()
	}
	comments, isLine := commentsEnd(extra)
	if comments == 0 {
		return f.splice(open, open, f.piece(key, value, line, layout))
	}
	space := " "
	if layout == layoutLines || isLine {
		space = f.style.newline + line + f.style.unit
		line += f.style.unit
	}
	return f.splice(open+comments, open+comments, space+f.piece(key, value, line, layout))
}

// layoutAmong is how a piece is laid out behind those that are there: the white space before it, its indentation, its layout.
func (f *jsonc) layoutAmong(c composite) (space, indent string, layout layout) {
	last := c.before(c.count() - 1)
	if indent, isMulti := indentOf(last); isMulti {
		return f.style.newline + indent, indent, layoutLines
	}
	space = " "
	if f.style.isCompact || c.count() > 1 && len(last) == 0 {
		space = ""
	}
	if bytes.ContainsRune(f.text[c.value.StartOffset:c.value.EndOffset], '\n') {
		return space, f.lineIndent(c.value.StartOffset), layoutLines
	}
	return space, "", f.inlineLayout()
}

func (f *jsonc) inlineLayout() layout {
	if f.style.isCompact {
		return layoutCompact
	}
	return layoutInline
}

// lineIndent is the indentation of the line that an offset is in.
func (f *jsonc) lineIndent(offset int) string {
	line := f.text[bytes.LastIndexByte(f.text[:offset], '\n')+1 : offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// commentsEnd is the length of white space up to the end of the last comment in it, without the end of its line; 0 where there
// is no comment. isLine tells that this one runs to the end of its line.
func commentsEnd(extra []byte) (end int, isLine bool) {
	for i := 0; i < len(extra); i++ {
		length := commentLength(extra[i:])
		if length == 0 {
			continue
		}
		isLine = extra[i+1] == '/'
		i = min(i+length, len(extra)-1)
		if end = i + 1; isLine {
			end = len(bytes.TrimRight(extra[:end], "\r\n"))
		}
	}
	return end, isLine
}

// layout is how a value is written.
type layout int

const (
	layoutLines   layout = iota // a line for each piece
	layoutInline                // { "a": 1, "b": 2 }
	layoutCompact               // { "a":1,"b":2 }
)

func (f *jsonc) piece(key string, value node, indent string, layout layout) string {
	if key == "" {
		return f.render(value, indent, layout)
	}
	return quoted(key) + colon(layout) + f.render(value, indent, layout)
}

func colon(layout layout) string {
	if layout == layoutCompact {
		return ":"
	}
	return ": "
}

func comma(layout layout) string {
	if layout == layoutCompact {
		return ","
	}
	return ", "
}

// render writes a value. A composite has white space behind its opening bracket, see jsonc; but lists of strings.
func (f *jsonc) render(value node, indent string, layout layout) string {
	switch v := value.(type) {
	case string:
		return quoted(v)
	case int:
		return strconv.Itoa(v)
	case []node:
		if texts, ok := allStrings(v); ok {
			return "[" + strings.Join(texts, comma(layout)) + "]"
		}
		pieces := make([]string, len(v))
		for i, element := range v {
			pieces[i] = f.render(element, indent+f.style.unit, layout)
		}
		return f.bracketed("[", pieces, "]", indent, layout)
	case object:
		pieces := make([]string, len(v))
		for i, m := range v {
			pieces[i] = f.piece(m.key, m.value, indent+f.style.unit, layout)
		}
		return f.bracketed("{", pieces, "}", indent, layout)
	}
	return "null"
}

func (f *jsonc) bracketed(open string, pieces []string, end, indent string, layout layout) string {
	switch layout {
	case layoutLines:
		line := f.style.newline + indent
		return open + line + f.style.unit + strings.Join(pieces, ","+line+f.style.unit) + line + end
	case layoutCompact:
		return open + " " + strings.Join(pieces, comma(layout)) + end
	default:
		return open + " " + strings.Join(pieces, comma(layout)) + " " + end
	}
}

// allStrings gives a list of strings as JSON writes them.
func allStrings(list []node) ([]string, bool) {
	texts := make([]string, len(list))
	for i, element := range list {
		text, ok := element.(string)
		if !ok {
			return nil, false
		}
		texts[i] = quoted(text)
	}
	return texts, true
}

// replace puts another value in the place of one, in one line.
func (f *jsonc) replace(old *hujson.Value, value node) error {
	return f.splice(old.StartOffset, old.EndOffset, f.render(value, "", layoutInline))
}
