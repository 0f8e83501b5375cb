package index

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strings"
	"time"

	"quarry/internal/dialect"
	"quarry/internal/sensitivity"
	"quarry/note"
	"quarry/store"
	"quarry/vault"
)

// outcome is what became of one job. At most one of note, touch and gone is set; problems may stand beside any.
type outcome struct {
	job      job
	note     *store.Note
	touch    *store.File // same content, other facts
	gone     bool        // the file vanished, or may no longer be read by rule
	kept     bool        // it could not be read: what the index holds stays
	problems []store.Problem
	skipped  int
	failed   int
	err      error // of the run, not of the file
}

// process reads one file and turns it into what is stored. It is safe for concurrent use.
func (r *run) process(ctx context.Context, j job) outcome {
	out := outcome{job: j}
	raw, file, err := r.config.Source.Read(ctx, j.file.Path)
	if err != nil {
		return out.fail(err, r.plan.naming)
	}
	sum := sha256.Sum256(raw)
	facts := store.File{
		Path: j.name, SizeBytes: file.SizeBytes, ModifiedNanoseconds: file.ModifiedNanoseconds, Inode: file.Inode,
		ContentHash: hex.EncodeToString(sum[:]),
	}
	isSame := j.old != nil && j.old.ContentHash == facts.ContentHash
	if isSame && *j.old != facts {
		out.touch = &facts
	}
	if isSame && !j.again {
		return out
	}
	parsed, said := r.config.Reading(dialect.Dialect(r.plan.meta[store.MetaDialect])).Understand(j.name, raw)
	if r.config.Rules.Of(j.file.Path, said.Name()) == sensitivity.Secret {
		return out.withhold(said)
	}
	pieces := Cut(parsed, r.config.Types)
	out.problems = r.plan.naming.problemsOf(j.name, parsed, pieces)
	if isSame {
		return out
	}
	stored := toStore(parsed, facts)
	stored.Sensitivity = said.Name()
	stored.EmbeddedAtUnix = float64(r.config.Started.UnixMilli()) / 1000
	stored.Passages = passagesOf(parsed, pieces)
	placeLinks(&stored)
	if err := r.embed(ctx, &stored); err != nil {
		out.err = fmt.Errorf("embed %s: %w", j.name, err)
		return out
	}
	out.note = &stored
	return out
}

// withhold drops a note that is never indexed.
func (o outcome) withhold(said sensitivity.Declaration) outcome {
	o.gone, o.skipped = true, 1
	problem := store.Problem{Path: o.job.name, State: "skipped", Reason: secretByProperty}
	if !said.Made {
		problem.Reason = secretByDefault
	}
	o.problems = []store.Problem{problem}
	return o
}

func (o outcome) fail(err error, by naming) outcome {
	reason, state := by.redacted(plainReason(err)), "failed"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		o.gone = true
		return o
	case errors.Is(err, vault.ErrTooLarge), errors.Is(err, vault.ErrNotRegular), errors.Is(err, vault.ErrOutside):
		o.gone, o.skipped, state = true, 1, "skipped"
	default:
		o.kept, o.failed = true, 1
	}
	o.problems = []store.Problem{{Path: o.job.name, State: state, Reason: reason}}
	return o
}

// plainReason is the innermost cause, without the path, which stands beside it already and may hold a secret.
func plainReason(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

func (n naming) problemsOf(name string, parsed *note.Note, pieces []Piece) []store.Problem {
	var problems []store.Problem
	add := func(reason string, line int) {
		problem := store.Problem{Path: name, State: "warning", Reason: n.redacted(reason)}
		if line > 0 {
			problem.Line = &line
		}
		problems = append(problems, problem)
	}
	for _, e := range parsed.FrontmatterErrors {
		reason := "frontmatter: " + e.Message
		if e.Recovered {
			reason += " (the properties were read line by line)"
		}
		add(reason, e.Line)
	}
	for _, p := range parsed.Problems {
		add(p.Reason, p.Line)
	}
	if count, line := withheldOf(pieces); count > 0 {
		add(unscannedReason(count), line)
	}
	return problems
}

func toStore(n *note.Note, file store.File) store.Note {
	out := store.Note{
		File: file, DeclaredID: n.DeclaredID, Kind: string(n.Kind), Title: n.Title, Type: n.Type, Status: n.Status,
		Domain: n.Domain, Source: n.Source, Created: n.Created, Updated: n.Updated, Aliases: n.Aliases,
	}
	if out.Updated == "" {
		out.Updated = time.Unix(0, file.ModifiedNanoseconds).UTC().Format(time.DateOnly)
	}
	seen := map[string]bool{}
	for _, tag := range n.Tags {
		if folded := strings.ToLower(tag.Tag); !seen[folded] {
			seen[folded] = true
			out.Tags = append(out.Tags, tag.Tag)
		}
	}
	if len(n.FrontmatterRaw) > 0 { // as written: a filter asks for 007, not for 7
		if encoded, err := json.Marshal(n.FrontmatterRaw); err == nil {
			out.Frontmatter = encoded
		}
	}
	for _, found := range n.Redactions {
		out.Redactions = append(out.Redactions, store.Redaction(found))
	}
	for _, h := range n.Headings {
		out.Headings = append(out.Headings, store.Heading{Level: h.Level, Text: h.Text})
	}
	for _, b := range n.Blocks {
		out.BlockIDs = append(out.BlockIDs, b.ID)
	}
	out.Links = linksOf(n)
	return out
}

func linksOf(n *note.Note) []store.Link {
	var links []store.Link
	for _, l := range n.Links {
		links = append(links, store.Link{
			Target: l.Target, Subpath: l.Subpath, Display: l.Display, Relation: l.Relation, Embed: l.Embed,
			Markdown: l.Markdown, External: l.External, Hidden: l.Hidden, Line: l.Line, FromField: l.InFrontmatter,
			RelationInside: l.RelationInside,
		})
	}
	return links
}

func passagesOf(n *note.Note, pieces []Piece) []store.Passage {
	var passages []store.Passage
	for _, p := range pieces {
		if p.Withheld {
			continue
		}
		passages = append(passages, store.Passage{
			Path: n.Path, Index: p.Index, Section: sectionTrail(n, p.HeadingPath), HeadingPath: p.HeadingPath, Text: p.Text,
			IndexText: p.IndexText, HeadingContext: p.HeadingContext, LineStart: p.LineStart, LineEnd: p.LineEnd,
		})
	}
	return passages
}

// sectionTrail joins the headings above a passage below the note's first H1, which mostly is its title and stands in the
// heading context: a passage deep in a note is found by the words of every heading above it.
func sectionTrail(n *note.Note, path []string) string {
	if len(path) > 0 && len(n.Headings) > 0 && n.Headings[0].Level == 1 && path[0] == n.Headings[0].Plain {
		path = path[1:]
	}
	return strings.Join(path, " > ")
}

// placeLinks notes for each link which passage holds it, the first of several. Passages of a canvas need not stand in the
// order of their lines, and may share some: there the one with the fewest lines goes first.
func placeLinks(n *store.Note) {
	order := make([]int, len(n.Links)) // of the links by line
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(n.Links[a].Line, n.Links[b].Line) })
	next := make([]int, len(order)+1) // of each place in order: the first from there on that has no passage yet, or nearer to it
	for i := range next {
		next[i] = i
	}
	for _, number := range byNearness(n.Passages) {
		p := n.Passages[number]
		at := sort.Search(len(order), func(i int) bool { return n.Links[order[i]].Line >= p.LineStart })
		for at = free(next, at); at < len(order) && n.Links[order[at]].Line <= p.LineEnd; at = free(next, at) {
			n.Links[order[at]].ChunkOrd = number + 1
			next[at] = at + 1
		}
	}
}

// byNearness gives the order in which passages take links: their own, or that of their sizes where they overlap.
func byNearness(passages []store.Passage) []int {
	order := make([]int, len(passages))
	overlap := false
	for i := range order {
		order[i] = i
		overlap = overlap || i > 0 && passages[i].LineStart < passages[i-1].LineEnd
	}
	if overlap {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(passages[a].LineEnd-passages[a].LineStart, passages[b].LineEnd-passages[b].LineStart)
		})
	}
	return order
}

// free follows next to the first place that is free, and makes the way shorter for those that come after.
func free(next []int, at int) int {
	for next[at] != at {
		next[at] = next[next[at]]
		at = next[at]
	}
	return at
}
