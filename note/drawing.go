package note

import "strings"

// drawingElement is an element of a drawing in JSON.
type drawingElement struct {
	text, original, raw, name, link span
	deleted                         bool
}

// readDrawing takes the words and links of a drawing that is a file of JSON. What stands before a fault counts.
func readDrawing(n *Note, s *source) {
	n.Frontmatter, n.FrontmatterRaw = map[string]any{}, map[string]any{}
	if isBlank(s.raw) {
		return
	}
	var element drawingElement
	fault := readJSON(s.raw, 0, len(s.raw), func(r *jsonReader, token jsonToken) bool {
		depth := len(r.steps)
		if depth == 0 || !r.steps[0].object {
			return true
		}
		if key := s.keyOf(r.steps[0]); key != "elements" {
			if !isFormatKey(key) && (depth == 1 || depth == 2 && !r.steps[1].object) {
				n.addFieldOfFile(s, key, token, func() int { return s.line(token.start) })
			}
			return true
		}
		if depth < 2 || r.steps[1].object {
			return true
		}
		switch {
		case depth == 2 && token.kind == '{':
			element = drawingElement{}
		case depth == 2 && token.kind == '}':
			element.addTo(n, s)
			return len(n.Links) < maxFacts && len(n.Fragments) < maxFacts
		case depth == 3 && r.steps[2].object:
			element.set(s, s.keyOf(r.steps[2]), token)
		}
		return true
	})
	if fault != nil {
		n.addProblem(s.line(fault.offset), "the drawing is not valid JSON: "+fault.reason)
	}
}

// isFormatKey tells of what the format itself says of a drawing.
func isFormatKey(key string) bool { return key == "type" || key == "version" || key == "source" }

// maxJSONKeyBytes is more than any key has that a reader looks for, every character of it written as an escape.
const maxJSONKeyBytes = 128

// keyOf gives the key that is read in an object, for comparing only: it is not redacted.
func (s *source) keyOf(step jsonStep) string {
	if !step.object || step.keyEnd-step.keyStart > maxJSONKeyBytes {
		return ""
	}
	return unescapeJSON(s.raw[step.keyStart+1 : step.keyEnd-1])
}

func (e *drawingElement) set(s *source, key string, token jsonToken) {
	if key == "isDeleted" {
		e.deleted = s.raw[token.start:token.end] == "true"
	}
	if token.kind != '"' {
		return
	}
	place := span{token.start, token.end}
	switch key {
	case "text":
		e.text = place
	case "originalText":
		e.original = place
	case "rawText":
		e.raw = place
	case "name":
		e.name = place
	case "link":
		e.link = place
	}
}

// addTo puts in the words of an element: its text as it was typed, not as it is broken into lines, or the name of a frame.
func (e *drawingElement) addTo(n *Note, s *source) {
	if e.deleted {
		return
	}
	for _, place := range []span{e.raw, e.original, e.text, e.name} {
		if !isBlank(s.textOf(place)) {
			n.addCard(s, place, "")
			break
		}
	}
	link := s.textOf(e.link)
	if isBlank(link) {
		return
	}
	if inner, ok := strings.CutPrefix(link, "[["); ok && wikiEnd(link, 0) == len(link)-2 {
		if wiki, ok := parseWikiText(inner[:len(inner)-2]); ok {
			wiki.Raw = link
			n.addLinkAt(s, wiki, e.link.start+1)
		}
		return
	}
	if card := s.readCard(link); len(card.Links) > 0 {
		n.addCardLinks(s, card, e.link)
		return
	}
	if strings.Contains(link, "[[") {
		return // nothing closes it
	}
	path := Link{Raw: link, Display: link}
	path.setDestination(s, link)
	n.addLinkAt(s, path, e.link.start+1)
}
