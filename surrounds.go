package quarry

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quarry/graph"
)

// surrounds adds to the links around a note what else a request asks for, and takes out what it does not.
type surrounds struct {
	finder  *finder
	at      found
	request LinksRequest
	links   *NoteLinks
}

func (s *surrounds) look(ctx context.Context) error {
	if s.request.Related > 0 && s.at.isNote {
		related, err := s.related(ctx)
		if err != nil {
			return err
		}
		s.links.Related = related
	}
	kinds := kindsOf(s.request.Kinds)
	if s.request.Hops > 1 {
		reached, err := s.reached(ctx, kinds)
		if err != nil {
			return err
		}
		s.links.Reached = reached
	}
	if len(kinds) > 0 {
		if err := s.addImplied(ctx, kinds); err != nil {
			return err
		}
		s.links.Out = slices.DeleteFunc(s.links.Out, func(l graph.Link) bool { return !slices.Contains(kinds, l.Kind) })
		s.links.Back = slices.DeleteFunc(s.links.Back, func(l graph.Backlink) bool { return !slices.Contains(kinds, l.Kind) })
	}
	if s.request.Unresolved {
		s.links.Out = slices.DeleteFunc(s.links.Out, func(l graph.Link) bool { return !isDead(l.State) })
		s.links.Back = s.links.Back[:0]
	}
	return nil
}

// kindsOf gives the kinds as edges have them.
func kindsOf(asked []string) []string {
	var kinds []string
	for _, kind := range asked {
		if kind = strings.ToLower(strings.TrimSpace(kind)); kind != "" {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

var ways = map[Way]graph.Direction{EitherWay: graph.Both, WayOut: graph.Forward, WayBack: graph.Backward}

// reached lists the notes that are further than one link away, along edges of the kinds asked for, else along all that people
// wrote. Never nil.
func (s *surrounds) reached(ctx context.Context, kinds []string) ([]ReachedNote, error) {
	network, err := s.network(ctx, kinds)
	if err != nil {
		return nil, err
	}
	way, ok := ways[s.request.Way]
	if !ok {
		return nil, fmt.Errorf("there is no way %q for hops to go", s.request.Way)
	}
	reached := network.Reach([]string{s.at.path}, way, s.request.Hops)
	return slices.DeleteFunc(reached, func(r ReachedNote) bool { return r.Hops < 2 }), nil
}

func (s *surrounds) network(ctx context.Context, kinds []string) (*graph.Network, error) {
	if len(kinds) == 0 {
		web, err := s.finder.engine.webOf(ctx, s.finder)
		if err != nil {
			return nil, err
		}
		return web.whole(), nil
	}
	built, err := s.finder.graph(ctx)
	if err != nil {
		return nil, err
	}
	return built.Network(kinds...), nil
}
