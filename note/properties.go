package note

import (
	"strings"
)

// useProperties fills the fields of the note that its properties decide.
func useProperties(n *Note, s *source, list []property) {
	for _, entry := range list {
		n.Frontmatter[entry.key] = entry.value.typedTree()
		n.FrontmatterRaw[entry.key] = entry.value.textTree()
		useProperty(n, entry)
		propertyLinks(n, s, entry.key, entry.value)
	}
	for _, entry := range list { // the plural wins: the singular is of old
		if strings.EqualFold(entry.key, "tag") {
			propertyTags(n, entry.value, true)
		}
		if strings.EqualFold(entry.key, "alias") {
			n.Aliases = append(n.Aliases, aliases(entry.value)...)
		}
	}
}

// useProperty takes a property that the program knows by name, in any letter case.
func useProperty(n *Note, entry property) {
	text := strings.TrimSpace(entry.value.firstText())
	switch strings.ToLower(entry.key) {
	case "title":
		n.Title = text
	case "aliases":
		n.Aliases = append(n.Aliases, aliases(entry.value)...)
	case "tags":
		propertyTags(n, entry.value, false)
	case "id":
		n.DeclaredID = text
	case "type":
		n.Type = text
	case "status":
		n.Status = text
	case "domain":
		n.Domain = text
	case "source":
		n.Source = text
	case "created":
		n.Created = text
	case "updated":
		n.Updated = text
	case "excalidraw-plugin":
		n.Kind = Excalidraw
	case "kanban-plugin":
		n.Kind = Kanban
	}
}

// firstText is the text of a scalar, or of the first scalar of a list.
func (v *value) firstText() string {
	switch {
	case v.kind == scalarValue:
		return v.text
	case v.kind == listValue && len(v.items) > 0 && v.items[0].kind == scalarValue:
		return v.items[0].text
	}
	return ""
}

func (v *value) typedTree() any {
	return v.tree(func(scalar *value) any { return scalar.typed })
}

func (v *value) textTree() any {
	return v.tree(func(scalar *value) any { return scalar.text })
}

func (v *value) tree(scalar func(*value) any) any {
	switch v.kind {
	case listValue:
		list := make([]any, len(v.items))
		for i, item := range v.items {
			list[i] = item.tree(scalar)
		}
		return list
	case mappingValue:
		fields := make(map[string]any, len(v.fields))
		for _, field := range v.fields {
			fields[field.key] = field.value.tree(scalar)
		}
		return fields
	}
	return scalar(v)
}

// aliases takes the items of a list, or a text that may hold several, divided by commas.
func aliases(v *value) []string {
	var list []string
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" && !isPlaceholder(text) {
			list = append(list, text)
		}
	}
	switch v.kind {
	case scalarValue:
		for _, part := range strings.Split(v.text, ",") {
			add(part)
		}
	case listValue:
		for _, item := range v.items {
			if item.kind == mappingValue { // a name with a colon in it
				for _, field := range item.fields {
					add(strings.TrimSpace(field.key + ": " + field.value.firstText()))
				}
				continue
			}
			add(item.firstText())
		}
	}
	return list
}

// propertyTags takes tags from a list or, as Obsidian has done up to 1.8, from a text divided by commas or spaces; the
// latter are marked legacy, and so is all that stands in nested lists.
func propertyTags(n *Note, v *value, legacy bool) {
	if v.kind == listValue {
		for _, item := range v.items {
			propertyTags(n, item, legacy || item.kind == listValue)
		}
		return
	}
	if v.kind != scalarValue || isPlaceholder(v.text) {
		return
	}
	parts := strings.FieldsFunc(v.text, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' })
	for _, part := range parts {
		tag := strings.Trim(strings.TrimPrefix(part, "#"), "“”„‘’")
		if tag == "" || strings.Trim(tag, "0123456789") == "" {
			continue
		}
		n.Tags = append(n.Tags, Tag{Tag: tag, Line: v.line, From: "frontmatter", Legacy: legacy || len(parts) > 1})
	}
}

// propertyLinks takes the values that are one wiki-link and nothing else. The relation is the key, nested keys dotted.
func propertyLinks(n *Note, s *source, key string, v *value) {
	switch v.kind {
	case listValue:
		for _, item := range v.items {
			propertyLinks(n, s, key, item)
		}
	case mappingValue:
		for _, field := range v.fields {
			propertyLinks(n, s, key+"."+field.key, field.value)
		}
	default:
		text := strings.TrimSpace(v.text)
		inner, opened := strings.CutPrefix(text, "[[")
		inner, closed := strings.CutSuffix(inner, "]]")
		if !opened || !closed || len(n.Links) >= maxFacts || strings.Contains(inner, "[[") || strings.Contains(inner, "]]") {
			return
		}
		link, ok := parseWikiText(inner)
		if !ok || strings.ContainsAny(text, "\r\n") {
			return
		}
		link.Raw, link.Relation, link.RelationInside, link.InFrontmatter = text, key, false, true
		_, end := s.lineRange(v.line)
		if at := strings.Index(s.raw[min(v.offset, end):end], "[["); at >= 0 {
			v.offset += at
		}
		link.Line, link.Column, link.Offset = s.place(v.offset)
		n.Links = append(n.Links, link)
	}
}
