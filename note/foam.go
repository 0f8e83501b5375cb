package note

import "strings"

// Foam writes a definition for each wiki-link at the end of a note, so that other readers can follow it:
// "[name]: folder/name.md "Title"", of old between the lines "[//begin]: # …" and "[//end]: # …". They repeat what the
// links say, and are no text of the note.

// readFoam reads a note of Foam: tags in one text are as good as a list.
func readFoam(n *Note, s *source, name string) {
	readMarkdown(n, s, name)
	for i := range n.Tags {
		n.Tags[i].Legacy = false
	}
	omitGenerated(n, s)
}

// omitGenerated keeps generated definitions out of passages.
func omitGenerated(n *Note, s *source) {
	labels := map[string]bool{"//begin": true, "//end": true}
	for _, link := range n.Links {
		inner, opened := strings.CutPrefix(strings.TrimPrefix(link.Raw, "!"), "[[")
		if inner, closed := strings.CutSuffix(inner, "]]"); opened && closed {
			target, _, _ := strings.Cut(inner, "|")
			labels[normalLabel(inner)], labels[normalLabel(target)] = true, true
		}
	}
	for _, section := range n.Sections {
		if section.Type != "definition" {
			continue
		}
		for line := section.LineStart; line <= section.LineEnd; line++ {
			text := strings.TrimLeft(s.lineText(line), " ")
			end := labelEnd(text, 1)
			if end <= 0 || text[0] != '[' || !labels[normalLabel(text[1:end])] {
				continue
			}
			if _, to, _ := strings.Cut(text[end:], ":"); !isExternal(strings.TrimLeft(to, " \t<")) { // Foam writes paths alone
				n.Omit = append(n.Omit, s.wholeLines(line, line))
			}
		}
	}
}
