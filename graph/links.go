package graph

import (
	"iter"
	"path"
	"slices"
	"strings"

	"quarry/internal/filename"
	"quarry/store"
)

// Link is an outgoing link of a note with what became of it.
type Link struct {
	Target     string  `json:"target"`   // as written, decoded, without subpath
	Subpath    string  `json:"subpath"`  // with "#", "" if none
	Kind       string  `json:"kind"`     // References, or the relation in lower case
	Resolved   *string `json:"resolved"` // path of the file, nil if there is none
	State      State   `json:"state"`
	Rule       string  `json:"rule_id"`
	Confidence float64 `json:"confidence"` // 0 to 1
	Line       int     `json:"line"`       // 1-based
	Hidden     bool    `json:"hidden"`     // inside a comment
	Fault      Fault   `json:"-"`          // what is wrong with it
}

// Backlink is a link of another note that leads here.
type Backlink struct {
	Source string `json:"source"` // path of the note that holds it
	Link
}

// Related is a note that belongs here without being linked; higher scores are nearer.
type Related struct {
	Path  string  `json:"path"`
	Score float64 `json:"score"`
}

// Surroundings are the links around one note, each occurrence for itself. Never nil slices.
type Surroundings struct {
	Note    string     `json:"note"`
	Out     []Link     `json:"out"`  // in reading order
	Back    []Backlink `json:"back"` // by source, then in reading order; without the note's own
	Related []Related  `json:"related"`
}

// Around gives the links from and to a note, by its path; all are the links of the whole vault, as store.Catalog yields
// them. It fails only where the sequence does.
func Around(path string, all iter.Seq2[store.LinksOf, error], resolver *Resolver) (Surroundings, error) {
	s := Surroundings{Note: path, Out: []Link{}, Back: []Backlink{}, Related: []Related{}}
	mayMean := resolver.mayMean(path)
	for from, err := range all {
		if err != nil {
			return Surroundings{}, err
		}
		if from.Path == path {
			for i := range from.Links {
				s.Out = append(s.Out, resolver.Judge(&from.Links[i], path).Link)
			}
			continue
		}
		s.Back = append(s.Back, resolver.backlinks(path, from, mayMean)...)
	}
	slices.SortStableFunc(s.Out, func(a, b Link) int { return a.Line - b.Line })
	slices.SortStableFunc(s.Back, func(a, b Backlink) int {
		if order := strings.Compare(a.Source, b.Source); order != 0 {
			return order
		}
		return a.Line - b.Line
	})
	return s, nil
}

// backlinks gives the links of one note that lead to path. mayMean tells faster than resolving does that a link does not.
func (r *Resolver) backlinks(path string, from store.LinksOf, mayMean func(store.Link) bool) []Backlink {
	var found []Backlink
	withoutOutlines := r.WithOutlines(nil) // reading one costs more than finding the file
	for i := range from.Links {
		link := &from.Links[i]
		if mayMean(*link) && withoutOutlines.follow(link, from.Path).resolution.Path == path {
			found = append(found, Backlink{Source: from.Path, Link: r.Judge(link, from.Path).Link})
		}
	}
	return found
}

// followed is a link with its meaning.
type followed struct {
	resolution Resolution
	kind, rule string
	confidence float64
	target     string
	plain      bool // what looks like a relation in the brackets belongs to the target
}

// follow finds what a stored link of a note means, and which rule makes an edge of it.
func (r *Resolver) follow(link *store.Link, source string) followed {
	f := followed{kind: References, rule: RuleWikilink, confidence: 1, target: link.Target}
	switch {
	case link.FromField:
		f.rule = RuleProperty
	case link.Relation != "":
		f.rule, f.confidence = RuleInline, inlineConfidence
	case link.Markdown:
		f.rule = RuleMarkdown
	}
	if link.Relation != "" {
		f.kind = strings.ToLower(link.Relation)
	}
	if link.External {
		f.resolution = Resolution{State: External}
		return f
	}
	if f.rule == RuleInline && link.RelationInside && r.hasRelationNames {
		// A file may be called just what looks like a relation in the brackets; then it is a plain link.
		whole := "rel:" + link.Relation + " " + link.Target
		if plain := r.Resolve(whole, link.Subpath, source); plain.Path != "" {
			return followed{resolution: plain, kind: References, rule: RuleWikilink, confidence: 1, target: whole, plain: true}
		}
	}
	target := link.Target
	if r.rules.destinations && link.Markdown && target != "" && target[0] != '/' {
		target = "./" + target
	}
	f.resolution = r.Resolve(target, link.Subpath, source)
	if link.Markdown && f.resolution.State == Unresolved {
		f.resolution = r.withoutExtension(target, source)
	}
	return f
}

// withoutExtension finds the file that a Markdown destination names by its path where the name has no extension, such as
// LICENSE: a link in brackets could only mean a note.
func (r *Resolver) withoutExtension(target, source string) Resolution {
	key := filename.Fold(target)
	if len(target) > filename.MaxBytes || strings.IndexByte(filename.LastSegment(key), '.') >= 0 {
		return Resolution{State: Unresolved}
	}
	found := noPick
	if key[0] != '/' {
		found = r.exact(path.Join(filename.FolderPrefix(filename.Fold(source)), key))
	}
	if found.file < 0 && !isRelative(key) {
		found = r.exact(path.Clean(strings.TrimLeft(key, "/")))
	}
	path, sure := r.spelled(found, target)
	switch {
	case path == "":
		return Resolution{State: Unresolved}
	case !sure:
		return Resolution{Path: path, State: Ambiguous}
	}
	return Resolution{Path: path, State: OK}
}

// link gives the public form.
func (f followed) link(of *store.Link) Link {
	link := Link{
		Target: f.target, Subpath: of.Subpath, Kind: f.kind, State: f.resolution.State,
		Rule: f.rule, Confidence: f.confidence, Line: of.Line, Hidden: of.Hidden,
	}
	if f.resolution.Path != "" {
		link.Resolved = &f.resolution.Path
	}
	return link
}
