package search

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// maxDepth is how deep brackets may stand in each other, and maxOperators how many filters and exclusions a query may have.
	maxDepth     = 16
	maxOperators = 32
)

// nodeKind is what a part of a query is.
type nodeKind int

const (
	allNode    nodeKind = iota // of the children each counts
	anyNode                    // the children are alternatives
	textNode                   // words
	phraseNode                 // words side by side
	filterNode
)

// node is a part of a query.
type node struct {
	kind     nodeKind
	not      bool
	key      string // of a filter
	text     string // words as written, or the value of a filter
	meant    string // what was made of the value, where it is another: a day of "last monday"
	children []*node
}

// parsedQuery is a query as it was understood.
type parsedQuery struct {
	root    *node
	notices []string
	// includesArchived: the query asks for a status, or for archived notes.
	includesArchived bool
}

// parseLanguage reads the operators of a query; isDate tells what since: and until: take. Nothing is an error: what cannot be
// understood is text. AND binds closer than OR.
func parseLanguage(query string, isDate func(text string) bool) parsedQuery {
	l := lexer{query: query, isDate: isDate}
	isDeep := l.run()
	p := parser{tokens: l.tokens}
	root := p.alternatives("")
	out := parsedQuery{root: root, includesArchived: p.includesArchived}
	if isDeep {
		out.notices = append(out.notices, fmt.Sprintf("brackets deeper than %d were left out", maxDepth))
	}
	if p.operators > maxOperators {
		out.notices = append(out.notices, fmt.Sprintf("only the first %d filters and exclusions of the query were used", maxOperators))
	}
	if len(l.ignored) > 0 {
		slices.Sort(l.ignored)
		out.notices = append(out.notices, "looked for as words anywhere in a passage: what stands behind "+strings.Join(slices.Compact(l.ignored), ", "))
	}
	for _, written := range l.plain {
		out.notices = append(out.notices, fmt.Sprintf("%s is no date and was taken for text", written))
	}
	return out
}

// parser makes a tree of tokens. It goes as deep as maxDepth.
type parser struct {
	tokens           []token
	at               int
	operators        int
	includesArchived bool
}

func (p *parser) peek() *token {
	for p.at < len(p.tokens) && p.tokens[p.at].isIgnored {
		p.at++
	}
	if p.at == len(p.tokens) {
		return nil
	}
	return &p.tokens[p.at]
}

// alternatives reads up to a closing bracket. key is that of the brackets: in tag:(a OR b) both are tags.
func (p *parser) alternatives(key string) *node {
	list := []*node{p.joined(key)}
	for t := p.peek(); t != nil && t.kind == orToken; t = p.peek() {
		p.at++
		list = append(list, p.joined(key))
	}
	list = slices.DeleteFunc(list, func(n *node) bool { return len(n.children) == 0 })
	switch len(list) {
	case 0:
		return &node{kind: allNode}
	case 1:
		return list[0]
	}
	return &node{kind: anyNode, children: list}
}

// joined reads up to an OR or a closing bracket.
func (p *parser) joined(key string) *node {
	all := &node{kind: allNode}
	isApart := false // what comes next stands behind AND
	for t := p.peek(); t != nil && t.kind != closeToken && t.kind != orToken; t = p.peek() {
		if t.kind == andToken && p.joins(all) {
			p.at++
			isApart = true
			continue
		}
		list := p.one(key)
		if isApart && len(list) > 0 { // of one kind as they may be, both count
			last := len(all.children) - 1
			all.children[last] = &node{kind: allNode, children: []*node{all.children[last]}}
			list = []*node{{kind: allNode, children: list}}
			isApart = false
		}
		all.children = append(all.children, list...)
	}
	return all
}

// joins tells whether the AND here stands between two parts of which one is more than a word.
func (p *parser) joins(all *node) bool {
	if len(all.children) == 0 || p.at+1 == len(p.tokens) {
		return false
	}
	next := p.tokens[p.at+1]
	isOperand := next.kind == openToken || next.kind == filterToken || next.kind == phraseToken || next.kind == wordToken
	return isOperand && (next.kind != wordToken || next.not || all.children[len(all.children)-1].kind != textNode)
}

// one reads a single part, which a filter with several values makes several; none where it says nothing.
func (p *parser) one(key string) []*node {
	t := p.peek()
	p.at++
	switch t.kind {
	case openToken:
		if t.key != "" {
			key = t.key
		}
		n := p.alternatives(key)
		if end := p.peek(); end != nil && end.kind == closeToken {
			p.at++
		}
		if len(n.children) == 0 {
			return nil
		}
		n.not = t.not
		return []*node{n}
	case filterToken:
		return p.filter(t.key, t)
	case wordToken, phraseToken:
		if key != "" {
			return p.filter(key, &token{text: t.text, not: t.not, quoted: t.kind == phraseToken})
		}
	default: // an AND that joins nothing
	}
	if t.not && !p.count() {
		return nil
	}
	kind := textNode
	if t.kind == phraseToken {
		kind = phraseNode
	}
	if t.kind == andToken {
		return []*node{{kind: kind, text: "AND"}}
	}
	return []*node{{kind: kind, not: t.not, text: t.text}}
}

// count tells whether another operator may be used.
func (p *parser) count() bool {
	p.operators++
	return p.operators <= maxOperators
}

// isListed tells of which filters a comma parts values.
func isListed(key string) bool {
	return key == "tag" || key == "type" || key == "status" || key == "domain"
}

// filter makes the nodes of a filter, one a value; those with a "-" in front are excluded.
func (p *parser) filter(key string, t *token) (list []*node) {
	if key == "include" {
		p.includesArchived = p.includesArchived || !t.not
		return nil
	}
	values := []string{t.text}
	if !t.quoted && isListed(key) {
		values = strings.Split(t.text, ",")
	}
	for _, value := range values {
		n := &node{kind: filterNode, key: key, text: strings.TrimSpace(value), not: t.not}
		if rest, isExcluded := strings.CutPrefix(n.text, "-"); isExcluded && !t.quoted && !isDated(key) {
			n.text, n.not = rest, !t.not
		}
		n.text = cleanValue(key, n.text)
		if n.text == "" && key[0] != '[' || !p.count() {
			continue
		}
		p.includesArchived = p.includesArchived || key == "status" && !n.not
		list = append(list, n)
	}
	return list
}

func isDated(key string) bool { return key == "since" || key == "until" }

// cleanValue takes off what people write around a value.
func cleanValue(key, value string) string {
	value = strings.TrimSpace(value)
	switch key {
	case "tag":
		return strings.TrimSuffix(strings.TrimPrefix(value, "#"), "/")
	case "folder":
		return strings.Trim(strings.TrimPrefix(value, "./"), "/")
	case "path":
		return strings.TrimPrefix(strings.TrimPrefix(value, "./"), "/")
	}
	return value
}

// together gives the parts of a query that all count.
func (n *node) together() []*node {
	nodes := []*node{n}
	for len(nodes) == 1 && nodes[0].kind == allNode && !nodes[0].not {
		nodes = nodes[0].children
	}
	return nodes
}

// eachWanted visits the words and phrases that are looked for, in order. required tells of what every passage has to meet.
func (n *node) eachWanted(required bool, visit func(leaf *node, required bool)) {
	if n.not {
		return
	}
	switch n.kind {
	case allNode, anyNode:
		for _, child := range n.children {
			child.eachWanted(required && n.kind == allNode, visit)
		}
	case textNode, phraseNode:
		visit(n, required)
	case filterNode:
	}
}

// String writes the part in the language again.
func (n *node) String() string {
	sign := ""
	if n.not {
		sign = "-"
	}
	switch n.kind {
	case textNode:
		return sign + n.text
	case phraseNode:
		return sign + `"` + n.text + `"`
	case filterNode:
		if name, isProperty := strings.CutPrefix(n.key, "["); isProperty {
			if n.text != "" {
				name += ":" + n.text
			}
			return sign + "[" + name + "]"
		}
		written := n.text
		if strings.ContainsAny(written, " \t,()") {
			written = `"` + written + `"`
		}
		if n.meant != "" {
			written += " (" + n.meant + ")"
		}
		return sign + n.key + ":" + written
	}
	if len(n.children) == 1 && n.kind == allNode && !n.not {
		return n.children[0].String()
	}
	joiner := " "
	if n.kind == anyNode {
		joiner = " OR "
	}
	parts := make([]string, len(n.children))
	for i, child := range n.children {
		parts[i] = child.String()
	}
	return sign + "(" + strings.Join(parts, joiner) + ")"
}
