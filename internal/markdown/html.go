package markdown

import (
	"bytes"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/marker"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"

	"quarry/internal/lazyregexp"
)

func fromHTML(source string, options Options) (string, Lost, error) {
	root, err := html.Parse(strings.NewReader(strings.ToValidUTF8(source, "\uFFFD")))
	if err != nil {
		return "", nil, fmt.Errorf("read HTML: %w", err)
	}
	c := &cleaner{options: options, lost: Lost{}}
	if options.Prepare != nil {
		options.Prepare(root)
	}
	if top := topHeading(root); top > 0 && options.TopHeading > 0 {
		c.shift = options.TopHeading - top
	}
	c.clean(root, 0)
	out, err := c.converter().ConvertNode(root)
	if err != nil {
		return "", nil, fmt.Errorf("write Markdown: %w", err)
	}
	return tidy(show.Replace(string(out))), c.lost, nil
}

// converter is the library with our own hand for text, links and images.
func (c *cleaner) converter() *converter.Converter {
	made := converter.NewConverter(
		converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(
			base.NewBasePlugin(),
			commonmark.NewCommonmarkPlugin(commonmark.WithHorizontalRule("---"), commonmark.WithListEndComment(false)),
			strikethrough.NewStrikethroughPlugin(),
			table.NewTablePlugin(table.WithHeaderPromotion(true), table.WithNewlineBehavior(table.NewlineBehaviorPreserve), table.WithSkipEmptyRows(true),
				table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal)),
		),
	)
	made.Register.TextTransformer(func(_ converter.Context, text string) string { return hide.Replace(escapeText(text)) }, converter.PriorityEarly)
	made.Register.RendererFor("a", converter.TagTypeInline, c.link, converter.PriorityEarly)
	made.Register.RendererFor("img", converter.TagTypeInline, c.image, converter.PriorityEarly)
	made.Register.RendererFor("input", converter.TagTypeInline, checkbox, converter.PriorityEarly)
	made.Register.RendererFor("mark", converter.TagTypeInline, marked, converter.PriorityEarly)
	made.Register.RendererFor("blockquote", converter.TagTypeBlock, quoted, converter.PriorityEarly)
	return made
}

// The library writes these as entities in any text, where Markdown needs that of few, which are escaped by then.
var (
	hide = strings.NewReplacer("<", "\uE000", ">", "\uE001", "&", "\uE002")
	show = strings.NewReplacer("\uE000", "<", "\uE001", ">", "\uE002", "&", "  <br />", "<br>", "<br />", "<br>")
)

// escapeText escapes a text of the document, which may begin a line.
func escapeText(text string) string {
	trimmed := strings.TrimLeft(text, " \t\n")
	return text[:len(text)-len(trimmed)] + escapeLine(trimmed)
}

func (c *cleaner) link(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	var inner bytes.Buffer
	ctx.RenderChildNodes(ctx, &inner, n)
	text := inner.String()
	if strings.Contains(strings.TrimSpace(text), "\n") { // blocks within a link
		_, _ = w.WriteString(text)
		return converter.RenderSuccess
	}
	before, after := spaces(text)
	text = strings.TrimSpace(text)
	_, _ = w.WriteString(before + c.linkText(c.resolve(attribute(n, "href")), text) + after)
	return converter.RenderSuccess
}

func (c *cleaner) linkText(target, text string) string {
	if c.options.Link != nil && target != "" {
		if made, ok := c.options.Link(target, text); ok {
			return made
		}
	}
	switch {
	case text == "" || target == "" || strings.HasPrefix(target, "#"):
		return text
	case text == escape(target) || text == hide.Replace(escape(target)):
		return target
	case web(target), strings.HasPrefix(target, "mailto:"), !strings.Contains(strings.SplitN(target, "/", 2)[0], ":"):
		return "[" + text + "](" + escapeAddress(target) + ")"
	}
	c.lost["address that is no link"]++
	return text
}

func (c *cleaner) image(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	if n.Namespace == rawNamespace {
		_, _ = w.WriteString(attribute(n, "markdown"))
		return converter.RenderSuccess
	}
	target, alternative := c.resolve(attribute(n, "src")), escape(strings.Join(strings.Fields(attribute(n, "alt")), " "))
	if isPixel(n) || target == "" {
		c.lost["tracking pixel"]++
		return converter.RenderSuccess
	}
	if c.options.Image != nil {
		if made, ok := c.options.Image(target, alternative); ok {
			_, _ = w.WriteString(made)
			return converter.RenderSuccess
		}
	}
	if strings.Contains(strings.SplitN(target, "/", 2)[0], ":") && !web(target) {
		c.lost["picture inside the text"]++
		_, _ = w.WriteString(alternative)
		return converter.RenderSuccess
	}
	_, _ = w.WriteString("![" + alternative + "](" + escapeAddress(target) + ")")
	return converter.RenderSuccess
}

// isPixel knows images of at most two pixels, which are there to be counted.
func isPixel(n *html.Node) bool {
	for _, name := range []string{"width", "height"} {
		if size, err := strconv.Atoi(strings.TrimSuffix(attribute(n, name), "px")); err == nil && size <= 2 {
			return true
		}
	}
	return pixelStyle.MatchString(attribute(n, "style"))
}

var pixelStyle = lazyregexp.New(`(?i)(?:^|;)\s*(?:width|height)\s*:\s*[012]px`)

func checkbox(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	box := "[ ]"
	if has(n, "checked") {
		box = "[x]"
	}
	if next := n.NextSibling; next == nil || next.Type != html.TextNode || strings.TrimLeft(next.Data, " \t\n") == next.Data {
		box += " "
	}
	_, _ = w.WriteString(box)
	return converter.RenderSuccess
}

// quoted is the library's quotation, but for code in it, whose lines it leaves without a mark.
func quoted(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	var inner bytes.Buffer
	ctx.RenderChildNodes(ctx, &inner, n)
	text := strings.TrimSpace(strings.ReplaceAll(inner.String(), string(marker.MarkerCodeBlockNewline), "\n"))
	if text == "" {
		return converter.RenderSuccess
	}
	_, _ = w.WriteString("\n\n> " + strings.ReplaceAll(tidy(text), "\n", "\n> ") + "\n\n")
	return converter.RenderSuccess
}

func marked(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	var inner bytes.Buffer
	ctx.RenderChildNodes(ctx, &inner, n)
	if text := strings.TrimSpace(inner.String()); text == "" || strings.Contains(text, "\n") {
		_, _ = w.Write(inner.Bytes())
	} else {
		before, after := spaces(inner.String())
		_, _ = w.WriteString(before + "==" + text + "==" + after)
	}
	return converter.RenderSuccess
}

// spaces is whether a text begins and ends with white space, as one blank each.
func spaces(text string) (before, after string) {
	if strings.TrimLeft(text, " \t\n") != text {
		before = " "
	}
	if strings.TrimRight(text, " \t\n") != text {
		after = " "
	}
	return before, after
}

// resolve is an address as the document means it; "" where it is none.
func (c *cleaner) resolve(target string) string {
	target = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, target)
	if c.options.Base == nil || strings.HasPrefix(target, "#") || strings.HasPrefix(target, "data:") {
		return target
	}
	parsed, err := url.Parse(target)
	if err != nil {
		return target
	}
	return c.options.Base.ResolveReference(parsed).String()
}

func web(target string) bool {
	lower := strings.ToLower(target[:min(len(target), 8)])
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
}

var addressEscapes = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", `\`, "%5C", "\t", "%09", "\n", "", "\r", "")

// escapeAddress is an address within "(…)"; a balanced pair of brackets stays.
func escapeAddress(target string) string {
	if isBalanced(target) {
		return strings.NewReplacer(" ", "%20", "<", "%3C", ">", "%3E", `\`, "%5C", "\n", "", "\r", "").Replace(target)
	}
	return addressEscapes.Replace(target)
}

func isBalanced(text string) bool {
	open := 0
	for _, r := range text {
		switch r {
		case '(':
			open++
		case ')':
			open--
		}
		if open < 0 || open > 8 {
			return false
		}
	}
	return open == 0
}

var listItem = lazyregexp.New(`^( *)(?:[-*+]|\d{1,9}[.)]) `)

// headingNumber is a number that begins a heading, where it begins no list.
var headingNumber = lazyregexp.New(`^([ >]*#{1,6} \d{1,9})\\([.)])`)

// tidy takes away blanks at the ends of lines, all but one of empty lines, and those before the list within an item; code stays.
func tidy(text string) string {
	var b strings.Builder
	blank, fence, before := 0, "", ""
	for line := range strings.SplitSeq(text, "\n") {
		inner := strings.TrimLeft(line, " >")
		if fence != "" {
			if strings.HasPrefix(inner, fence) && strings.Trim(inner, fence[:1]+" ") == "" {
				fence = ""
			}
		} else {
			if line = strings.TrimRight(line, " \t"); line == "" {
				blank++
				continue
			}
			if blank > 0 && b.Len() > 0 && !isListWithin(before, line) {
				b.WriteByte('\n')
			}
			blank, before, fence = 0, line, fenceOf(inner)
			line = headingNumber.ReplaceAllString(line, "$1$2")
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return strings.TrimSpace(b.String())
}

// isListWithin tells whether a line begins a list within the item that the line before it is.
func isListWithin(before, line string) bool {
	outer, within := listItem.FindStringSubmatch(before), listItem.FindStringSubmatch(line)
	return outer != nil && within != nil && len(within[1]) > len(outer[1])
}

func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		if run := len(line) - len(strings.TrimLeft(line, mark)); run >= 3 {
			return strings.Repeat(mark, run)
		}
	}
	return ""
}
