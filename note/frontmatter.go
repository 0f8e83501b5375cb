package note

import (
	"strings"

	"quarry/internal/lazyregexp"
)

// maxFrontmatterBytes is the largest block that is read as YAML; a larger one is read line by line up to here.
const maxFrontmatterBytes = 64 << 10

// frontmatter is where the properties stand in the file. Offsets are bytes in raw, End exclusive, without the fences.
type frontmatter struct {
	start, end int
	lastLine   int // of the closing fence
	bodyStart  int
}

// splitFrontmatter finds the block between the first line "---" and the next one. White space behind the dashes is
// allowed; a blank first line, text behind the dashes or a missing end make all of it body.
func splitFrontmatter(s *source) (frontmatter, bool) {
	if !strings.HasPrefix(s.raw, "---") || !isFence(s.lineText(1)) {
		return frontmatter{}, false
	}
	for line := 2; line <= len(s.lines); line++ {
		start := s.lines[line-1]
		if !strings.HasPrefix(s.raw[start:], "---") || !isFence(s.lineText(line)) {
			continue
		}
		next := len(s.raw)
		if line < len(s.lines) {
			next = s.lines[line]
		}
		return frontmatter{start: s.lines[1], end: start, lastLine: line, bodyStart: next}, true
	}
	return frontmatter{}, false
}

// lacksEnd tells whether a note without properties begins as if it had some: behind three dashes at the margin stand a key
// and, directly below it, another one or an item.
func lacksEnd(s *source) bool {
	if len(s.lines) < 3 || !isFence(s.lineText(1)) {
		return false
	}
	second, third := s.lineText(2), s.lineText(3)
	return propertyHead.MatchString(second) && (propertyHead.MatchString(third) || propertyItem.MatchString(third))
}

var (
	propertyHead = lazyregexp.New(`^[\p{L}_][\p{L}\p{N}_-]*(?: [\p{L}\p{N}_-]+){0,2}:(?:[ \t].*)?$`)
	propertyItem = lazyregexp.New(`^[ \t]*-[ \t]+[^ \t-]`)
)

func isFence(line string) bool {
	return strings.TrimRight(line, " \t") == "---"
}

// readFrontmatter fills everything of the note that comes from its properties. It returns them and where the body begins.
// Where the block is no mapping and nothing could be recovered its text counts as body, and inner gives its bytes.
func readFrontmatter(n *Note, s *source) (list []property, bodyStart int, inner Range) {
	n.Frontmatter, n.FrontmatterRaw = map[string]any{}, map[string]any{}
	block, found := splitFrontmatter(s)
	if !found {
		if lacksEnd(s) {
			n.Problems = append(n.Problems, Problem{Reason: "the properties are never closed by a line of three dashes", Line: 1})
		}
		return nil, 0, Range{}
	}
	n.BodyLine = block.lastLine + 1
	n.Sections = append(n.Sections, Section{Type: "yaml", LineStart: 1, LineEnd: block.lastLine})
	properties, faults := readProperties(s, block)
	n.FrontmatterErrors = append(n.FrontmatterErrors, faults...)
	if len(properties) == 0 && len(faults) > 0 {
		n.BodyLine = 2
		return nil, block.bodyStart, Range{block.start, block.end}
	}
	useProperties(n, s, properties)
	return properties, block.bodyStart, Range{}
}

// readProperties reads the block as YAML, or line by line where it is none.
func readProperties(s *source, block frontmatter) ([]property, []FrontmatterError) {
	if strings.TrimSpace(s.raw[block.start:block.end]) == "" {
		return nil, nil
	}
	var fault FrontmatterError
	if block.end-block.start > maxFrontmatterBytes {
		fault = FrontmatterError{Line: 1, Message: "the properties are larger than 64 KB"}
	} else {
		properties, faults, err := parseYAML(s, block)
		if err == nil {
			return properties, faults
		}
		fault.Line, fault.Message = yamlFault(s, err, s.line(block.start))
	}
	properties := recoverProperties(s, block)
	fault.Recovered = len(properties) > 0
	return properties, []FrontmatterError{fault}
}
