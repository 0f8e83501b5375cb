package index

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quarry/chunk"
	"quarry/internal/dialect"
	"quarry/internal/sensitivity"
	"quarry/note"
	"quarry/secret"
	"quarry/store"
)

// Reading is all that decides how the bytes of a file are understood. It is safe for concurrent use.
type Reading struct {
	Dialect dialect.Dialect
	Filter  *secret.Filter     // nil: the default one
	Rules   *sensitivity.Rules // nil: the default ones
}

// Reading is that of a run, by a dialect.
func (c Config) Reading(d dialect.Dialect) Reading { return Reading{d, c.Filter, c.Rules} }

// Understand is the pure part of the write path: a file's bytes in, its facts and redacted text out, under the name that
// StoredPath gives, and what the note says of its class.
func (r Reading) Understand(name string, raw []byte) (*note.Note, sensitivity.Declaration) {
	text, complaint := note.Decode(raw)
	parsed := note.Reader{Dialect: r.Dialect, Filter: r.Filter}.Read(name, text)
	if complaint != "" {
		parsed.Problems = append(parsed.Problems, note.Problem{Reason: complaint})
	}
	said := r.declared(parsed, string(text))
	if said.Unknown != "" {
		shown, _ := r.Filter.Redact(said.Unknown)
		parsed.Problems = append(parsed.Problems, note.Problem{
			Reason: "sensitivity: " + shorten(strings.Join(strings.Fields(shown), " ")) + " is no class; the note is kept private",
		})
	}
	return parsed, said
}

const maxShownCharacters = 40 // of a value in a problem

func shorten(text string) string {
	if characters := []rune(text); len(characters) > maxShownCharacters {
		return string(characters[:maxShownCharacters-1]) + "…"
	}
	return text
}

// declared is what a note says of its class: in its properties, in inline fields, in a file of data. Where properties were
// meant but could not be read for certain, their text is searched, and what is not understood makes the note private.
func (r Reading) declared(n *note.Note, text string) sensitivity.Declaration {
	said := r.Rules.Declared(n.FrontmatterRaw)
	for _, field := range n.Fields {
		said = said.And(r.Rules.Named(field.Key, field.Value))
	}
	switch n.Kind {
	case note.Data:
		for _, fragment := range n.Fragments {
			for line := range strings.Lines(fragment.Text) {
				key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
				said = said.And(r.Rules.Named(key, value))
			}
		}
	case note.Canvas, note.Base:
	default:
		if head, isDoubtful := doubtfulHead(n, text); isDoubtful {
			said = said.And(r.Rules.Stated(head))
		}
	}
	return said
}

const (
	maxHeadBytes = 1 << 20 // of properties without an end
	maxHeadLines = 100
)

// doubtfulHead gives the text of properties that were not read, or perhaps not in full: broken ones, some that have no end,
// that begin below blank lines or are in TOML, and those of which a secret may have swallowed a line.
func doubtfulHead(n *note.Note, text string) (string, bool) {
	body := strings.TrimLeft(text, "\ufeff \t\r\n")
	fence := body[:min(len(body), len("---"))]
	if fence != "---" && fence != "+++" {
		return "", false
	}
	isSound := n.BodyLine > 1 && len(n.FrontmatterErrors) == 0
	head := headOf(body, fence)
	isWhole := len(n.Redactions) == 0 || strings.Contains(n.Text, head)
	if isSound && isWhole {
		return "", false
	}
	return head, true
}

// headOf is what stands between the first fence and the next one, or the beginning of all the rest.
func headOf(body, fence string) string {
	at, lines := 0, 0
	for line := range strings.Lines(body) {
		isFence := strings.TrimRight(line, " \t\r\n") == fence
		if lines > 0 && isFence {
			return body[:at]
		}
		at += len(line)
		lines++
	}
	return openHead(body)
}

func openHead(body string) string {
	at, lines := 0, 0
	for line := range strings.Lines(body[:min(len(body), maxHeadBytes)]) {
		if lines++; lines > maxHeadLines {
			break
		}
		at += len(line)
	}
	return body[:at]
}

// Piece is a passage as it is stored, or, Withheld, one that is not: it holds what could not be looked through for secrets.
type Piece struct {
	chunk.Passage
	Withheld bool // Index is -1 then: ids number those that are stored
}

func unscannedReason(passages int) string {
	reason := "looks so much like secrets that it could not be checked: not indexed"
	if passages > 1 {
		reason += fmt.Sprintf(" (%d passages, the first of them here)", passages)
	}
	return reason
}

// withheldOf counts the passages that are not stored, and gives the first line of the first.
func withheldOf(pieces []Piece) (count, line int) {
	for _, piece := range pieces {
		if piece.Withheld {
			count++
			line = cmp.Or(line, piece.LineStart)
		}
	}
	return count, line
}

// Cut gives the passages of a note in order.
func Cut(n *note.Note) []Piece {
	marker := secret.Marker(secret.Unscanned)
	isAny := slices.ContainsFunc(n.Redactions, func(c secret.Count) bool { return c.Name == secret.Unscanned })
	var pieces []Piece
	count := 0
	for _, p := range chunk.Split(n, chunk.ByHeading) {
		piece := Piece{Passage: p}
		if piece.Withheld = isAny && (strings.Contains(p.Text, marker) || strings.Contains(p.IndexText, marker)); piece.Withheld {
			piece.Index = -1
		} else {
			piece.Index = count
			count++
		}
		pieces = append(pieces, piece)
	}
	return pieces
}

// mayCarry tells whether what the old index holds of a note can go into a new one, though nobody can read the file now: it
// is not secret by now, and holds nothing that the filter of now would keep out.
func (r *run) mayCarry(n *store.Note) bool {
	if r.config.Rules.Of(n.Path, n.Sensitivity) == sensitivity.Secret {
		return false
	}
	if r.plan.known.meta[store.MetaSettings] == r.plan.meta[store.MetaSettings] {
		return true
	}
	texts := []string{n.Title, n.Source, n.DeclaredID, string(n.Frontmatter)}
	texts = slices.Concat(texts, n.Tags, n.Aliases)
	for _, h := range n.Headings {
		texts = append(texts, h.Text)
	}
	for _, l := range n.Links {
		texts = append(texts, l.Target, l.Subpath, l.Display, l.Relation)
	}
	for _, p := range n.Passages {
		texts = append(texts, p.Text, p.IndexText)
	}
	return len(r.config.Filter.Find([]byte(strings.Join(texts, "\n\n")))) == 0
}
