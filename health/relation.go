package health

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"quarry/graph"
)

// A relation has one of few forms, and what nearly has one makes plain links. That cannot be seen in the graph, so it is told:
//   - a line "rel: NAME [[A]] [[B]] (context)", or "> [!edge] NAME: [[A]] [[B]]", that has anything else in it;
//   - brackets "[[rel:NAME A]]" whose name is no word, or that have a space behind "rel:";
//   - a property that holds several links in one text, or a link without quotes.

// linkLine is a line of a note that has links.
type linkLine struct {
	line        int
	hasRelation bool // one of them has a relation of the line
}

// kindUse is a kind of relation with where it was met.
type kindUse struct {
	kind  string
	count int
	path  string // the first note that has it
	line  int
}

var (
	// lineMarks are what may stand before a relation: marks of quotes and lists.
	lineMarks = lazy(`^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*`)
	taskBox   = lazy(`^\[.\][ \t]+`)
	edgeTitle = lazy(`(?i)^\[!edge\][-+]?[ \t]*`)
	// relationWithin is a relation behind other text.
	relationWithin = lazy(`[\s(]rel:[ \t]*[\pL_][\pL\pN_-]*[ \t]+\[\[`)
	// anyLink is a link of either kind.
	anyLink = lazy(`\[\[([^\[\]\n]+)\]\]|\[([^\[\]\n]*)\]\(([^()\n]+)\)`)
)

// maxRelationBytes of a line are looked at: a longer one is a paragraph.
const maxRelationBytes = 2000

// nearRelation is a line that looks like a relation.
type nearRelation struct {
	written string // the line without what may stand before it
	rest    string // behind the mark of a relation
	isEdge  bool   // of a callout
	isSound bool   // it has the form of one
	isLater bool   // other text stands before it
}

// relationIn tells of a line that looks like a relation.
func relationIn(line string) (nearRelation, bool) {
	if len(line) > maxRelationBytes || !strings.Contains(line, ":") && !strings.Contains(line, "[!") || strings.Contains(line, "%%") {
		return nearRelation{}, false // a comment is for nobody
	}
	marks := lineMarks().FindString(line)
	text := strings.TrimRight(line[len(marks):], " \t\r")
	box := taskBox().FindString(text)
	near := nearRelation{written: text}
	if title := edgeTitle().FindString(text); title != "" && strings.Contains(marks, ">") {
		near.isEdge, near.rest = true, text[len(title):]
		name := relationName(near.rest)
		rest, hasColon := strings.CutPrefix(near.rest[len(name):], ":")
		near.isSound = hasColon && name != "" && isLinksAlone(rest)
		return near, true
	}
	bare := text[len(box):]
	if rest, ok := cutMark(bare); ok {
		near.rest = rest
		name := relationName(strings.TrimLeft(rest, " \t"))
		near.isSound = box == "" && strings.HasPrefix(bare, "rel:") && name != "" && isLinksAlone(strings.TrimLeft(rest, " \t")[len(name):])
		return near, true
	}
	if at := relationWithin().FindStringIndex(text); at != nil {
		near.isLater, near.rest = true, text[strings.Index(text[at[0]:], "rel:")+at[0]+len("rel:"):]
		return near, true
	}
	return nearRelation{}, false
}

// cutMark takes the mark of a relation off, in any letter case.
func cutMark(text string) (rest string, ok bool) {
	const mark = "rel:"
	if len(text) < len(mark) || !strings.EqualFold(text[:len(mark)], mark) {
		return text, false
	}
	return text[len(mark):], true
}

// relationName is the name of a relation at the start of a text.
func relationName(text string) string {
	for i, r := range text {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || r != '-' && !unicode.IsNumber(r)) {
			return text[:i]
		}
	}
	return text
}

// isLinksAlone tells of links in double brackets and, behind them, one text in parentheses at most.
func isLinksAlone(text string) bool {
	count := 0
	for {
		text = strings.TrimSpace(text)
		at := anyLink().FindStringIndex(text)
		if at == nil || at[0] > 0 || !strings.HasPrefix(text, "[[") {
			break
		}
		text = text[at[1]:]
		count++
	}
	return count > 0 && (text == "" || text[0] == '(' && text[len(text)-1] == ')')
}

// maxNameWords is how many words the name of a relation may be meant to have: more are a sentence.
const maxNameWords = 3

// meant writes what is between the links of a near relation as one, "" where it looks like prose.
func (n *nearRelation) meant(links []string) string {
	name, tail := n.rest, ""
	if at := anyLink().FindAllStringIndex(n.rest, -1); len(at) > 0 {
		name = n.rest[:at[0][0]]
		if last := at[len(at)-1][1]; !n.isLater {
			tail = strings.Trim(n.rest[last:], " \t,;.\\")
		}
	}
	words := strings.Fields(strings.Trim(name, " \t:!"))
	switch {
	case len(words) > maxNameWords:
		return ""
	case len(words) == 0, slices.ContainsFunc(words, isNoWord):
		words = []string{"NAME"}
	}
	if tail = strings.TrimSpace(tail); tail != "" && !strings.HasPrefix(tail, "(") {
		tail = "(" + tail + ")"
	}
	joined := strings.Join(links, " ")
	if tail != "" {
		joined += " " + tail
	}
	if n.isEdge {
		return fmt.Sprintf("`> [!edge] %s: %s`", asName(words), joined)
	}
	return fmt.Sprintf("`rel: %s %s`", asName(words), joined)
}

// isNoWord tells of what cannot be a word of a name: an address, code, a sign.
func isNoWord(word string) bool {
	return strings.ContainsFunc(strings.Trim(word, ",:"), func(r rune) bool {
		return r != '-' && r != '_' && r != '\'' && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r)
	})
}

// asName makes one name of words.
func asName(words []string) string {
	name := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return '_'
	}, strings.Join(words, "_"))
	if relationName(name) != name {
		return "_" + name
	}
	return name
}

// linksOf lists the links of a text as relations have them: in double brackets.
func linksOf(text string) []string {
	var links []string
	for _, found := range anyLink().FindAllStringSubmatch(text, maxRelated) {
		switch {
		case found[1] != "":
			links = append(links, found[0])
		case !strings.Contains(found[3], "://"):
			links = append(links, "[["+strings.ReplaceAll(linkPath(found[3]), "%20", " ")+"]]")
		}
	}
	return links
}

// relations tells of all that looks like a relation and is none.
func (e *Examination) relations(ctx context.Context) {
	if !e.selection.Has(NearRelation) {
		return
	}
	for i := range until(ctx, e.said) {
		if e.roles[i].isTemplate || !e.roles[i].isNote {
			continue
		}
		for k := range e.said[i].troubled {
			e.tellBrackets(&e.said[i].troubled[k])
		}
		for _, p := range e.said[i].properties {
			e.tellProperty(i, p)
		}
		if e.said[i].isSuspect && e.facts.Lines != nil {
			e.tellLines(i, e.facts.Lines(e.facts.Notes[i].Path))
		}
	}
	e.bareLinks(ctx)
	e.tellKinds(ctx)
}

// tellLines tells of the lines of a note whose links are plain though they look like a relation.
func (e *Examination) tellLines(i int, lines []string) {
	hasLinks := map[int]bool{} // and whether one of them has a relation
	for _, l := range e.said[i].linkLines {
		hasLinks[l.line] = hasLinks[l.line] || l.hasRelation
	}
	for at, line := range lines {
		near, ok := relationIn(line)
		if !ok || near.isSound || near.isLater && !e.isKindOfRelation(near.rest) {
			continue
		}
		links := []string{}
		if hasRelation, has := hasLinks[at+1]; has && !hasRelation {
			links = linksOf(near.rest)
		} else if !has && near.isEdge {
			links = linksBelow(lines[at+1:], at+2, hasLinks)
		}
		if len(links) == 0 {
			continue
		}
		if meant := near.meant(links); meant != "" {
			e.tellNearLine(i, at+1, &near, meant)
		}
	}
}

// isKindOfRelation tells of a text that begins with the name of a relation as people write it: in the middle of a sentence any other
// word is prose.
func (e *Examination) isKindOfRelation(text string) bool {
	name := strings.ToLower(relationName(strings.TrimLeft(text, " \t")))
	return strings.ContainsAny(name, "_-") || e.kinds[name] != nil
}

func (e *Examination) tellNearLine(i, line int, near *nearRelation, meant string) {
	remedy := "write " + cut(meant, maxText/2)
	if near.isLater {
		remedy += ", in a line of its own"
	}
	e.add(Finding{
		Check: NearRelation, Path: e.facts.Notes[i].Path, Line: line,
		Message: brief(near.written) + " looks like a relation and is none: its links are plain",
		Remedy:  remedy,
	})
}

// linksBelow lists the plain links of the lines of a callout below its title, the first of which has a number.
func linksBelow(lines []string, number int, hasLinks map[int]bool) []string {
	var links []string
	for k, line := range lines {
		if !strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") || strings.Contains(line, "[!") {
			break
		}
		if hasRelation, has := hasLinks[number+k]; has && !hasRelation {
			links = append(links, linksOf(line)...)
		}
	}
	return links[:min(len(links), maxRelated)]
}

// relationMeant writes brackets that look like a relation as they are likely meant, "" where they do not.
func (e *Examination) relationMeant(link *Link) string {
	if link.Markdown || link.External || link.Fault != graph.NoNote {
		return ""
	}
	rest, hasMark := cutMark(link.Target)
	words := strings.Fields(rest)
	switch {
	case hasMark:
	case link.RelationInside && len(words) > 1 && e.files().has(strings.Join(words[1:], " ")): // "[[rel:depends on A]]": the target is "on A"
		words = append([]string{link.Relation}, words...)
	default:
		return ""
	}
	name, target := words[:min(len(words), 1)], "NOTE"
	for split := min(len(words)-1, maxNameWords); split > 0; split-- { // the longest name of a note that there is, else all but a word
		if rest := strings.Join(words[split:], " "); split == 1 && target == "NOTE" || e.files().has(rest) {
			name, target = words[:split], rest
		}
	}
	if len(name) == 0 {
		name = []string{"NAME"}
	}
	text := ""
	if link.Display != link.Target && link.Display != link.Target+link.Subpath {
		text = link.Display
	}
	return brackets("rel:"+asName(name)+" "+brief(target+link.Subpath), text, e.facts.Customs.TextFirst)
}

// writtenBrackets are the brackets as they stand in the note, with what was taken for the name of a relation.
func writtenBrackets(link *Link) string {
	if link.RelationInside {
		return fmt.Sprintf("[[rel:%s %s]]", brief(link.Relation), brief(link.Target+link.Subpath))
	}
	return shown(link)
}

func (e *Examination) tellBrackets(w *troubledLink) {
	if w.relation != "" {
		e.add(Finding{
			Check: NearRelation, Path: e.facts.Notes[w.source].Path, Line: w.link.Line,
			Message: fmt.Sprintf("%s looks like a relation and is none: behind rel: stands one word, then the note", writtenBrackets(w.link)),
			Remedy:  "write " + w.relation,
		})
	}
}

// keepKind counts the kinds of relations.
func (e *Examination) keepKind(i int, link *Link) {
	if link.Relation == "" {
		return
	}
	kind := strings.ToLower(link.Relation)
	use := e.kinds[kind]
	if path := e.facts.Notes[i].Path; use == nil || path < use.path {
		if use == nil {
			use = &kindUse{kind: kind}
			e.kinds[kind] = use
		}
		use.path, use.line = path, link.Line
	}
	use.count++
}

// wordMarks takes out what stands between the words of a name.
var wordMarks = strings.NewReplacer("-", "", "_", "", " ", "")

// tellKinds tells of kinds that differ in the marks between words alone.
func (e *Examination) tellKinds(ctx context.Context) {
	alike := map[string][]*kindUse{}
	for _, kind := range until(ctx, sortedKeys(e.kinds)) {
		key := wordMarks.Replace(kind)
		alike[key] = append(alike[key], e.kinds[kind])
	}
	for _, key := range until(ctx, sortedKeys(alike)) {
		uses := alike[key]
		if len(uses) < 2 {
			continue
		}
		slices.SortStableFunc(uses, func(a, b *kindUse) int { return cmp.Compare(b.count, a.count) })
		var names []string
		for _, use := range uses {
			names = append(names, fmt.Sprintf("%s (%d)", brief(use.kind), use.count))
		}
		wanted := uses[max(0, slices.IndexFunc(uses, func(use *kindUse) bool { return relationName(use.kind) == use.kind }))] // a word
		rare := uses[len(uses)-1]
		if rare == wanted {
			rare = uses[0]
		}
		e.add(Finding{
			Check: NearRelation, Severity: Hint, Path: rare.path, Line: rare.line,
			Message: "one relation in several spellings, which are kinds of their own: " + listed(names, 6),
			Remedy:  fmt.Sprintf("write %s everywhere: `quarry links %q --kind %q` shows what is to be changed", brief(wanted.kind), rare.path, brief(rare.kind)),
		})
	}
}
