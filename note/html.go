package note

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// htmlParser reads HTML blocks by the seven kinds of CommonMark 0.31, section 4.6, without regular expressions.
type htmlParser struct{}

var blockTags = func() map[string]bool {
	tags := map[string]bool{}
	for tag := range strings.FieldsSeq(`address article aside base basefont blockquote body caption center col colgroup dd
		details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr
		html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table
		tbody td tfoot th thead title tr track ul`) {
		tags[tag] = true
	}
	return tags
}()

// rawTags hold text until their end tag.
var rawTags = []string{"script", "pre", "style", "textarea"}

func (htmlParser) Trigger() []byte             { return []byte{'<'} }
func (htmlParser) CanInterruptParagraph() bool { return true }
func (htmlParser) CanAcceptIndentedLine() bool { return false }

func (htmlParser) Close(ast.Node, text.Reader, parser.Context) {}

func (htmlParser) Open(_ ast.Node, reader text.Reader, context parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	rest := strings.TrimLeft(util.BytesToReadOnlyString(line), " ")
	kind := htmlKind(rest)
	if kind == 0 || kind == ast.HTMLBlockType7 && ast.IsParagraph(context.LastOpenedBlock().Node) {
		return nil, parser.NoChildren
	}
	node := ast.NewHTMLBlock(kind)
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

func (htmlParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	block := node.(*ast.HTMLBlock)
	line, segment := reader.PeekLine()
	if block.HTMLBlockType >= ast.HTMLBlockType6 {
		if util.IsBlank(line) {
			return parser.Close
		}
	} else {
		last := block.Lines().At(block.Lines().Len() - 1)
		if htmlEnds(block.HTMLBlockType, segmentText(util.BytesToReadOnlyString(reader.Source()), last)) {
			return parser.Close
		}
	}
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// htmlKind tells which kind of block a line that starts with "<" begins, 0 for none.
func htmlKind(line string) ast.HTMLBlockType {
	switch {
	case strings.HasPrefix(line, "<!--"):
		return ast.HTMLBlockType2
	case strings.HasPrefix(line, "<?"):
		return ast.HTMLBlockType3
	case strings.HasPrefix(line, "<![CDATA["):
		return ast.HTMLBlockType5
	case strings.HasPrefix(line, "<!") && len(line) > 2 && isLetter(line[2]):
		return ast.HTMLBlockType4
	}
	name, after, closing := tagName(line)
	if name == "" {
		return 0
	}
	ends := after == "" || isSpace(after[0]) || after[0] == '>'
	lower := strings.ToLower(name)
	for _, raw := range rawTags {
		if lower == raw {
			if !closing && ends {
				return ast.HTMLBlockType1
			}
			return 0
		}
	}
	if blockTags[lower] && (ends || strings.HasPrefix(after, "/>")) {
		return ast.HTMLBlockType6
	}
	if length := tagLength(line); length > 0 && strings.TrimSpace(line[length:]) == "" {
		return ast.HTMLBlockType7
	}
	return 0
}

// tagName reads "<name" or "</name".
func tagName(line string) (name, after string, closing bool) {
	rest := strings.TrimPrefix(line, "<")
	rest, closing = strings.CutPrefix(rest, "/")
	end := 0
	for end < len(rest) && end < 64 && (isLetter(rest[end]) || end > 0 && (isDigit(rest[end]) || rest[end] == '-')) {
		end++
	}
	return rest[:end], rest[end:], closing
}

func htmlEnds(kind ast.HTMLBlockType, line string) bool {
	switch kind {
	case ast.HTMLBlockType1:
		for at := strings.Index(line, "</"); at >= 0; {
			name, after, _ := tagName(line[at:])
			for _, raw := range rawTags {
				if strings.EqualFold(name, raw) && strings.HasPrefix(after, ">") {
					return true
				}
			}
			next := strings.Index(line[at+2:], "</")
			if next < 0 {
				return false
			}
			at += 2 + next
		}
		return false
	case ast.HTMLBlockType2:
		return strings.Contains(line, "-->")
	case ast.HTMLBlockType3:
		return strings.Contains(line, "?>")
	case ast.HTMLBlockType4:
		return strings.Contains(line, ">")
	}
	return strings.Contains(line, "]]>")
}

// tagLength gives the length of the HTML tag, opening or closing, that text starts with, 0 if it is none
// (CommonMark 0.31, section 6.6). Line ends count as white space.
func tagLength(text string) int {
	name, after, closing := tagName(text)
	if name == "" {
		return 0
	}
	at := len(text) - len(after)
	for {
		spaced := skipSpace(text, at)
		if spaced == len(text) {
			return 0
		}
		switch {
		case text[spaced] == '>':
			return spaced + 1
		case closing:
			return 0
		case strings.HasPrefix(text[spaced:], "/>"):
			return spaced + 2
		case spaced == at:
			return 0
		}
		if at = attributeEnd(text, spaced); at < 0 {
			return 0
		}
	}
}

// attributeEnd gives the end of the attribute that begins at, -1 if none does.
func attributeEnd(text string, at int) int {
	start := at
	for at < len(text) && (isLetter(text[at]) || text[at] == '_' || text[at] == ':' || at > start && (isDigit(text[at]) || text[at] == '.' || text[at] == '-')) {
		at++
	}
	if at == start {
		return -1
	}
	equals := skipSpace(text, at)
	if equals == len(text) || text[equals] != '=' {
		return at
	}
	at = skipSpace(text, equals+1)
	if at == len(text) {
		return -1
	}
	if quote := text[at]; quote == '"' || quote == '\'' {
		end := strings.IndexByte(text[at+1:], quote)
		if end < 0 {
			return -1
		}
		return at + 1 + end + 1
	}
	start = at
	for at < len(text) && !isSpace(text[at]) && strings.IndexByte("\"'=<>`", text[at]) < 0 {
		at++
	}
	if at == start {
		return -1
	}
	return at
}

func skipSpace(text string, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
