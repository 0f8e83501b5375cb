package quarry

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quarry/graph"
	"quarry/internal/notetype"
	"quarry/store"
)

// implied tells which kinds of edges the types of notes imply, by the types that the index was made with.
type implied struct {
	types *notetype.Types
	// own has the properties of the notes that may say so themselves, by path.
	own map[string]map[string]any
}

// impliedIn reads properties of those notes alone that have the one that matters.
func impliedIn(ctx context.Context, v *view) (*implied, error) {
	types, err := notetype.Decode(v.meta[store.MetaTypes])
	if err != nil {
		return nil, fmt.Errorf("read the types of the index: %w", err)
	}
	i := &implied{types: types, own: map[string]map[string]any{}}
	if types == nil {
		return i, nil
	}
	overriding := Filter{Properties: []Property{{Key: notetype.OverrideEdgeDefaults}}}
	notes, err := v.Notes(ctx, store.NoteQuery{Filter: overriding})
	if err != nil {
		return nil, err
	}
	for k := range notes {
		n, ok, err := v.Note(ctx, notes[k].Path)
		if err != nil {
			return nil, err
		}
		var properties map[string]any
		if ok && json.Unmarshal(n.Frontmatter, &properties) == nil { // what cannot be read says nothing
			i.own[n.Path] = properties
		}
	}
	return i, nil
}

// kinds are what each reference of a note to another one implies.
func (i *implied) kinds(n *store.Note) []string {
	if i.types == nil {
		return nil
	}
	settings, _ := i.types.Of(n.Type, i.own[n.Path])
	return settings.EdgeDefaults
}

// addImplied adds the edges of some kinds that the types of notes imply: who asks for a kind wants them, too.
func (s *surrounds) addImplied(ctx context.Context, kinds []string) error {
	if s.finder.view.meta[store.MetaTypes] == "" {
		return nil
	}
	built, err := s.finder.graph(ctx)
	if err != nil {
		return err
	}
	for i := range built.Edges {
		e := &built.Edges[i]
		isHere := e.Source == s.links.Note || e.Target == s.links.Note
		if !isHere || e.Mirrored || !strings.HasPrefix(e.Rule, graph.RuleDefaults) || !slices.Contains(kinds, e.Kind) {
			continue
		}
		for _, line := range e.Lines {
			link := graph.Link{Target: e.Target, Kind: e.Kind, Resolved: &e.Target, State: graph.OK, Rule: e.Rule, Confidence: e.Confidence, Line: line}
			if e.Source == s.links.Note {
				s.links.Out = append(s.links.Out, link)
			} else {
				s.links.Back = append(s.links.Back, graph.Backlink{Source: e.Source, Link: link})
			}
		}
	}
	slices.SortStableFunc(s.links.Out, func(a, b graph.Link) int { return cmp.Compare(a.Line, b.Line) })
	slices.SortStableFunc(s.links.Back, func(a, b graph.Backlink) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), cmp.Compare(a.Line, b.Line))
	})
	return nil
}
