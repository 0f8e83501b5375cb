package index

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"quarry/chunk"
	"quarry/internal/dialect"
	"quarry/internal/notetype"
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
	Types   *notetype.Types    // nil: there are none, and no note overrides anything
}

// Reading is that of a run, by a dialect.
func (c Config) Reading(d dialect.Dialect) Reading { return Reading{d, c.Filter, c.Rules, c.Types} }

// Understand is the pure part of the write path: a file's bytes in, its facts and redacted text out, under the name that
// StoredPath gives, and what the note says of its class.
func (r Reading) Understand(name string, raw []byte) (*note.Note, sensitivity.Declaration) {
	text, complaint := note.Decode(raw)
	parsed := note.Reader{Dialect: r.Dialect, Filter: r.Filter}.Read(name, text)
	said := r.Rules.Declared(saidBy(parsed, string(text)))
	if complaint != "" {
		parsed.Problems = append(parsed.Problems, note.Problem{Reason: complaint})
	}
	if said.Unknown != "" || said.Empty {
		parsed.Problems = append(parsed.Problems, r.classProblem(said, string(text)))
	}
	parsed.Problems = append(parsed.Problems, complaintsOf(parsed, r.Types)...)
	return parsed, said
}

// complaintsOf tells what of a note's own settings cannot be used, and in which line. Which of them count at all is decided by the
// overrides of the types: the reasons alone, for what the index holds of a note, are those of Types.Complaints.
func complaintsOf(n *note.Note, types *notetype.Types) []note.Problem {
	var problems []note.Problem
	for _, c := range types.Complaints(n.FrontmatterRaw) {
		problems = append(problems, note.Problem{Reason: c.Reason(), Line: propertyLine(n, c.Property)})
	}
	return problems
}

// propertyLine gives the line of a note's properties that begins with a name, 0 where none does.
func propertyLine(n *note.Note, name string) int {
	for line := 2; line < n.BodyLine && line < len(n.LineOffsets); line++ {
		key, _, found := strings.Cut(n.Text[n.LineOffsets[line-1]:n.LineOffsets[line]], ":")
		if found && strings.Trim(key, " \t\"'") == name {
			return line
		}
	}
	return 0
}

// classProblem tells of a class that was not understood.
func (r Reading) classProblem(said sensitivity.Declaration, text string) note.Problem {
	shown, _ := r.Filter.Redact(said.Unknown)
	reason := "sensitivity: " + shorten(strings.Join(strings.Fields(shown), " ")) + " is no class; the note is kept private"
	if said.Empty {
		reason = "sensitivity: no class is named; the note is kept private"
	}
	return note.Problem{Reason: reason, Line: r.Rules.Line(text)}
}

const maxShownCharacters = 40 // of a value in a problem

func shorten(text string) string {
	if characters := []rune(text); len(characters) > maxShownCharacters {
		return string(characters[:maxShownCharacters-1]) + "…"
	}
	return text
}

// saidBy is all of a note that may tell its class: its properties and inline fields, the keys of a file of data, of a canvas
// and of a base. Where something could not be read, or was no longer there to be read, its text is searched.
func saidBy(n *note.Note, text string) sensitivity.Said {
	said := sensitivity.Said{Properties: n.FrontmatterRaw, Doubtful: changedLines(n, text)}
	for _, field := range n.Fields {
		said.Fields = append(said.Fields, sensitivity.Field{Key: field.Key, Value: field.Value})
	}
	if n.Kind == note.Data || n.Kind == note.Base {
		for _, fragment := range n.Fragments {
			for line := range strings.Lines(fragment.Text) {
				key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
				said.Fields = append(said.Fields, sensitivity.Field{Key: key, Value: value})
			}
		}
	}
	isMerged := n.Kind == note.Data && strings.Contains(text, "<<:")
	if len(n.Problems) > 0 || isMerged {
		said.Doubtful = text
	} else if n.Kind != note.Data && n.Kind != note.Base && n.Kind != note.Canvas {
		said.Doubtful += "\n" + doubtfulHead(n, text)
	}
	return said
}

// changedLines gives the lines of a file in which there was a secret: it may have taken a property with it.
func changedLines(n *note.Note, text string) string {
	if len(n.Redactions) == 0 {
		return ""
	}
	split := func(text string) []string {
		return strings.Split(lineFeeds.Replace(strings.TrimPrefix(text, "\ufeff")), "\n")
	}
	before, after := split(text), split(n.Text)
	if len(before) != len(after) {
		return text
	}
	var changed []string
	for i, line := range before {
		if line != after[i] {
			changed = append(changed, line)
		}
	}
	return strings.Join(changed, "\n")
}

var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// doubtfulHead gives the text of properties that were not read, or perhaps not in full: broken ones, some that have no end,
// that begin below what nobody sees, are in TOML or JSON, or take over those of another mapping. "" where there are none.
func doubtfulHead(n *note.Note, text string) string {
	body := skipUnseen(text)
	fence := body[:min(len(body), len("---"))]
	switch {
	case fence == "---" || fence == "+++" || fence == ";;;":
	case n.Kind == note.Plain && beginsJSON(body):
		fence = "}"
	default:
		return ""
	}
	head, rest := headOf(body, fence)
	switch {
	case len(n.FrontmatterErrors) > 0: // the first line like a fence may be within a text of the properties
		if more, behind := headOf(strings.TrimLeft(rest, "-"), fence); behind != "" {
			head += more
		}
	case n.BodyLine > 1 && !strings.Contains(head, "<<"):
		return ""
	}
	return head
}

// skipUnseen drops what is not seen, and comments of HTML, from the start of a text.
func skipUnseen(text string) string {
	for {
		text = strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) })
		inner, isComment := strings.CutPrefix(text, "<!--")
		_, behind, hasEnd := strings.Cut(inner, "-->")
		if !isComment || !hasEnd {
			return text
		}
		text = behind
	}
}

// beginsJSON tells of an object at the start of a text: a brace and the quote of a key.
func beginsJSON(text string) bool {
	inner, ok := strings.CutPrefix(text, "{")
	return ok && strings.HasPrefix(strings.TrimLeft(inner, " \t\r\n"), `"`)
}

// headOf parts a text behind its first line, and what follows that, before the next line that is the fence. rest is "" where
// there is none.
func headOf(body, fence string) (head, rest string) {
	at := 0
	for line := range strings.Lines(body) {
		if at > 0 && strings.TrimRight(line, " \t\r\n") == fence {
			return body[:at], body[at:]
		}
		at += len(line)
	}
	return body, ""
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

// ProfileOf is the profile by which a note is cut: that of its type or its own, ByHeading where none is named.
func ProfileOf(n *note.Note, types *notetype.Types) chunk.Profile {
	settings, _ := types.Of(n.Type, n.FrontmatterRaw)
	return cmp.Or(chunk.Profile(settings.ChunkProfile), chunk.ByHeading)
}

// Cut gives the passages of a note in order, as its type and its properties want them.
func Cut(n *note.Note, types *notetype.Types) []Piece {
	marker := secret.Marker(secret.Unscanned)
	isAny := slices.ContainsFunc(n.Redactions, func(c secret.Count) bool { return c.Name == secret.Unscanned })
	var pieces []Piece
	count := 0
	for _, p := range chunk.Split(n, ProfileOf(n, types)) {
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

// whyNotCarry says why what the old index holds of a note cannot go into a new one, whose file nobody can read now; "" where it can.
func (r *run) whyNotCarry(n *store.Note) string {
	isUnplaced := MayBeRedacted(n.Path) && r.config.Rules.HasSecret() // nobody knows in which folder it lies
	switch {
	case r.plan.known.meta[store.MetaSettings] != r.plan.meta[store.MetaSettings]:
		return "left out: the settings changed, and it could not be read anew"
	case isUnplaced, r.config.Rules.Of(n.Path, n.Sensitivity) == sensitivity.Secret:
		return "left out: it may be secret by the rules of now, and could not be read anew"
	}
	return ""
}
