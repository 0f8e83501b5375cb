package note

import (
	"encoding/json"
	"strings"
)

// canvasFile is a canvas by the JSON Canvas format, version 1.0.
type canvasFile struct {
	Nodes []struct {
		Type, Text, File, Subpath, URL, Label string
	}
	Edges []struct {
		Label string
	}
}

// readCanvas takes the links of a canvas: its file nodes, its link nodes, and the wiki-links in its text nodes.
// An empty file is an empty canvas; a broken one is reported.
func readCanvas(n *Note, s *source) {
	n.Frontmatter, n.FrontmatterRaw = map[string]any{}, map[string]any{}
	if strings.TrimSpace(s.raw) == "" {
		return
	}
	var canvas canvasFile
	if err := json.Unmarshal([]byte(s.raw), &canvas); err != nil {
		n.Problems = append(n.Problems, Problem{Reason: "the canvas is not valid JSON", Line: 1})
		return
	}
	for _, node := range canvas.Nodes {
		switch {
		case len(n.Links) >= maxFacts:
			return
		case node.Type == "file":
			n.Links = append(n.Links, canvasLink(s, Link{Raw: node.File, Target: node.File, Subpath: node.Subpath, Display: node.File, Embed: true}))
		case node.Type == "link":
			n.Links = append(n.Links, canvasLink(s, Link{Raw: node.URL, Target: node.URL, Display: node.URL, External: true}))
		case node.Type == "text":
			card := Parse("", []byte(node.Text), nil)
			for _, link := range card.Links {
				n.Links = append(n.Links, canvasLink(s, link))
			}
			for _, tag := range card.Tags {
				n.Tags = append(n.Tags, Tag{Tag: s.clean(tag.Tag), Line: 1, From: "body", Hidden: tag.Hidden})
			}
		}
	}
}

// canvasLink redacts a link; its place is that of the file, since JSON does not keep the places of its strings.
func canvasLink(s *source, link Link) Link {
	link.Raw, link.Target, link.Subpath = s.clean(link.Raw), s.clean(link.Target), s.clean(link.Subpath)
	link.Display, link.Relation = s.clean(link.Display), s.clean(link.Relation)
	link.Line, link.Column, link.Offset, link.InFrontmatter = 1, 1, 0, false
	return link
}
