// Package capture writes the text of a captured note: its frontmatter and its body, of parts in the form that package draft gives. It
// is pure.
package capture

import (
	"fmt"
	"strings"
	"time"

	"quarry/internal/draft"
)

// Status is the property status of a note that nobody has looked through yet.
const Status = "draft"

// Note is a captured note. Its fields are in the form that draft.Line, Tag and Text give.
type Note struct {
	Title, Type, Domain, Source string
	Tags                        []string
	Created                     time.Time
	Text                        string
}

// String is the note as it stands in its file. Title, domain, tags and source are read back from its frontmatter as they are, by YAML
// 1.1 and 1.2.
func (n Note) String() string {
	var b strings.Builder
	b.WriteString("---\n")
	for _, p := range []struct{ key, value string }{{"title", n.Title}, {"type", n.Type}, {"domain", n.Domain}} {
		if p.value != "" {
			fmt.Fprintf(&b, "%s: %s\n", p.key, draft.Scalar(p.value))
		}
	}
	if len(n.Tags) > 0 {
		b.WriteString("tags:\n")
		for _, tag := range n.Tags {
			fmt.Fprintf(&b, "  - %s\n", draft.Scalar(tag))
		}
	}
	fmt.Fprintf(&b, "created: %s\n", n.Created.Format("2006-01-02T15:04:05"))
	if n.Source != "" {
		fmt.Fprintf(&b, "source: %s\n", draft.Scalar(n.Source))
	}
	fmt.Fprintf(&b, "status: %s\n---\n%s\n", Status, n.Text)
	return b.String()
}
