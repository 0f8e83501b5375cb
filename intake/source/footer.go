package source

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"quarry/internal/lazyregexp"
)

func charsetReader(name string, input io.Reader) (io.Reader, error) {
	known, _ := charset.Lookup(name)
	if known == nil {
		return input, nil // read as UTF-8
	}
	return known.NewDecoder().Reader(input), nil
}

var (
	leaving  = lazyregexp.New(`(?i)\bun-?subscri|opt[-_ ]?out\b|\babmeld|\babbestell|\baustragen\b|désabonn|desabonn|désinscri|desinscri|\bdarse de baja\b|cancelar (?:la |tu )?suscripci|\bcancella(?:re)? l.iscrizione|disiscri|uitschrijven|afmelden|wypisz|avregistrer|avsluta prenumeration|отписаться|退订|配信停止|(?:manage|update|change|edit) (?:your |my )?(?:e-?mail |mailing |subscription |notification )*(?:preferences|settings|subscriptions?)\b|e-?mail[-_ ]preferences`)
	becauses = lazyregexp.New(`(?i)\byou(?:'re| are)? ?(?:get|got|receiv\w*|getting)\b.{0,80}\b(?:because|as you|since you)\b|\bthis (?:e-?mail|message|newsletter) was sent\b|\bsie erhalten (?:diese|den)\b.{0,80}\b(?:weil|da sie)\b|\bdu (?:erhältst|bekommst) (?:diese|den)\b.{0,80}\b(?:weil|da du)\b|\bvous recevez ce\b.{0,80}\bcar\b|\b(?:view|read|open) (?:this |it |the )?(?:e-?mail |message |newsletter )?(?:in|on) (?:your |the |a )?(?:web ?)?browser\b|\bview (?:it |this )?online\b|\bim browser (?:ansehen|anzeigen|öffnen|lesen)\b|\bvoir (?:cet e-?mail )?dans (?:le|votre) navigateur\b|all rights reserved|alle rechte vorbehalten`)
)

// isLeaving tells whether an address or a text is about leaving a list.
func isLeaving(text string) bool { return leaving.MatchString(text[:min(len(text), 2000)]) }

const (
	maxFooter      = 700     // characters of a block that is taken for a footer
	maxFooterBytes = 4 << 20 // of a mail that is looked through for one
)

// withoutFooters is the HTML of a mail without the blocks that tell why it was sent and how to leave.
func withoutFooters(source string, leave map[string]bool) (string, error) {
	if len(source) > maxFooterBytes {
		return "", ErrTooLarge
	}
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return "", fmt.Errorf("read HTML: %w", err)
	}
	sizes := map[*html.Node]size{}
	measure(root, sizes)
	var found []*html.Node
	for n := range root.Descendants() {
		if n.DataAtom == atom.A && (leave[attributeIn(n, "href")] || isLeaving(attributeIn(n, "href")) || sizes[n].text < 200 && isLeaving(textOf(n))) ||
			n.Type == html.TextNode && len(n.Data) < 4000 && becauses.MatchString(n.Data) {
			found = append(found, n)
		}
	}
	for _, n := range found[:min(len(found), 100)] {
		if block := footerBlock(n, sizes); block.Parent != nil {
			removeWithRule(block)
		}
	}
	var b strings.Builder
	if err := html.Render(&b, root); err != nil {
		return "", fmt.Errorf("write HTML: %w", err)
	}
	return b.String(), nil
}

// size is how much lies in an element.
type size struct{ text, nodes int } // bytes and nodes

func measure(n *html.Node, sizes map[*html.Node]size) size {
	sum := size{nodes: 1}
	if n.Type == html.TextNode {
		sum.text = len(strings.Join(strings.Fields(n.Data), " "))
	}
	for child := range n.ChildNodes() {
		inner := measure(child, sizes)
		sum.text += inner.text
		sum.nodes += inner.nodes
	}
	sizes[n] = sum
	return sum
}

// footerBlock is the block that a piece of a footer stands in, as long as it is short, and what holds nothing else.
func footerBlock(n *html.Node, sizes map[*html.Node]size) *html.Node {
	block := n
	for p := n.Parent; p != nil && p.DataAtom != atom.Body && p.DataAtom != atom.Html; p = p.Parent {
		isAlone := sizes[p].text == sizes[block].text
		if !isAlone && isBlockNode(block) || sizes[p].text > maxFooter || sizes[p].nodes > 500 || hasContent(p) {
			break
		}
		block = p
	}
	return block
}

func isBlockNode(n *html.Node) bool {
	return isOneOf(n, atom.P, atom.Div, atom.Td, atom.Li, atom.Tr, atom.Footer, atom.Section, atom.Center, atom.Table, atom.Ul, atom.Tbody)
}

// hasContent tells a block with a heading or a picture that says something, which is no footer.
func hasContent(n *html.Node) bool {
	for d := range n.Descendants() {
		if isOneOf(d, atom.H1, atom.H2, atom.H3, atom.Pre, atom.Blockquote) || d.DataAtom == atom.Img && len(attributeIn(d, "alt")) > 20 {
			return true
		}
	}
	return false
}

func isOneOf(n *html.Node, kinds ...atom.Atom) bool {
	for _, kind := range kinds {
		if n.DataAtom == kind {
			return true
		}
	}
	return false
}

// removeWithRule removes a block and the line drawn before it.
func removeWithRule(n *html.Node) {
	for before := n.PrevSibling; before != nil; before = before.PrevSibling {
		if before.DataAtom == atom.Hr {
			n.Parent.RemoveChild(before)
			break
		}
		if before.Type != html.TextNode || strings.TrimSpace(before.Data) != "" {
			break
		}
	}
	n.Parent.RemoveChild(n)
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func attributeIn(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// withoutFooter is a plain text without its signature and the paragraphs that tell how to leave.
func withoutFooter(text string, leave map[string]bool) string {
	if at := signature(text); at >= 0 {
		text = text[:at]
	}
	paragraphs := strings.Split(text, "\n\n")
	kept := paragraphs[:0]
	for _, paragraph := range paragraphs {
		if len(paragraph) <= maxFooter && (isLeaving(paragraph) || becauses.MatchString(strings.ReplaceAll(paragraph, "\n", " "))) {
			continue
		}
		for address := range leave {
			paragraph = strings.ReplaceAll(paragraph, address, "")
		}
		kept = append(kept, withoutLeavingLines(paragraph))
	}
	return strings.Join(kept, "\n\n")
}

// withoutLeavingLines drops the lines of a long paragraph that tell how to leave.
func withoutLeavingLines(paragraph string) string {
	if !leaving.MatchString(paragraph) {
		return paragraph
	}
	var lines []string
	for line := range strings.SplitSeq(paragraph, "\n") {
		if !isLeaving(line) || len(line) > maxFooter {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// signature is where the last signature begins, -1 where there is none or much stands behind it.
func signature(text string) int {
	at := strings.LastIndex(text, "\n-- \n")
	if at < 0 || len(text)-at > 2000 {
		return -1
	}
	return at
}

var plainAddress = lazyregexp.New(`https?://[^\s<>"]+`)

// unwrapText puts the addresses that a plain text means in the place of those that count clicks.
func unwrapText(text string) string {
	return plainAddress.ReplaceAllStringFunc(text, func(address string) string {
		end := len(strings.TrimRight(address, ".,;:!?)]}'*"))
		if target := unwrapped(address[:end]); target != address[:end] && webAddress(target) != "" {
			return webAddress(target) + address[end:]
		}
		return address
	})
}
