package health

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quarry/graph"
)

// said is what is kept of what a note says.
type said struct {
	targets    []int32        // positions of the notes that it links to, ascending, each once, without itself
	troubled   []troubledLink // links that something may be told of, each target once, in reading order
	properties []propertyLinks
	fieldLines []int      // of links in its properties
	isSuspect  bool       // it may have a line that looks like a relation and is none
	isSpaced   bool       // it has a Markdown link that is none for a space
	linkLines  []linkLine // where isSuspect
	hasLinks   bool
	isBare     bool // it has no properties
	isQuery    bool // it shows a base, which lists notes by a query
	linksHere  int  // links of its text to itself
	body
}

// troubledLink is a link that something may be told of, with how often the note has it.
type troubledLink struct {
	source   int // position of the note
	link     *Link
	times    int
	relation string // as which its brackets are likely meant, "" where they do not look like one
	meant    []graph.Suggestion
}

// read goes through all contents once.
func (e *Examination) read(ctx context.Context) error {
	e.said = make([]said, len(e.facts.Notes))
	if e.facts.Contents == nil {
		return nil
	}
	reader := bodyReader{watched: e.slips.keys, met: map[uint64]bool{}}
	needsTexts := len(e.slips.keys) > 0 ||
		e.selection.hasAny(LinkOnly, DuplicateNote, NearDuplicateNote, ConflictCopy, DuplicateTitle, NearRelation, SpaceInLink)
	for content, err := range e.facts.Contents {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("read the notes: %w", err)
		}
		i, ok := e.at[content.Path]
		if !ok {
			continue
		}
		e.keepLinks(i, content.Links)
		s := &e.said[i]
		s.isBare = len(content.Properties) <= len("{}")
		if !needsTexts {
			continue
		}
		for _, text := range content.Texts {
			reader.add(text.Text)
		}
		e.slips.see(reader.met, e.facts.Notes[i].Tags)
		s.body = reader.take(e.isCompared(i))
		e.keepSuspects(i, &content)
	}
	return nil
}

// keepLinks keeps of the links of a note where they lead, and those that something may be told of.
func (e *Examination) keepLinks(i int, links []Link) {
	s := &e.said[i]
	s.hasLinks = len(links) > 0
	at, others := map[[2]string]int{}, map[string]bool{}
	for k := range links {
		link := &links[k]
		e.tally.Add(judgementOf(link))
		e.keepKind(i, link)
		if link.FromField && !link.Markdown && e.selection.Has(NearRelation) {
			s.fieldLines = append(s.fieldLines, link.Line)
		}
		switch to, isNote := e.at[link.Resolved]; {
		case isNote && to != i:
			s.targets = append(s.targets, int32(to)) //nolint:gosec // fewer notes than that
		case isNote && !link.Embed && !link.FromField:
			s.linksHere++
		case !isNote && link.Resolved != "" && !others[link.Resolved]:
			others[link.Resolved] = true
			e.attached++
			s.isQuery = s.isQuery || strings.HasSuffix(link.Resolved, ".base")
		}
		if !e.isTroubled(i, link) {
			continue
		}
		key := [2]string{link.Target, link.Subpath}
		if link.External {
			key[1] += "\n" // an address is no target
		}
		if k, ok := at[key]; ok {
			s.troubled[k].times++
			continue
		}
		at[key] = len(s.troubled)
		kept := *link
		s.troubled = append(s.troubled, troubledLink{source: i, link: &kept, times: 1, relation: e.relationMeant(&kept)})
	}
	slices.Sort(s.targets)
	s.targets = slices.Clip(slices.Compact(s.targets))
	e.roles[i].isMap = e.roles[i].isMap || s.isQuery
}

// judgementOf is what a tally counts.
func judgementOf(link *Link) *graph.Judgement {
	j := &graph.Judgement{IsAnchor: link.IsAnchor, IsNote: link.IsNote}
	j.State, j.Fault = link.State, link.Fault
	return j
}

// isTroubled tells of a link that something may be told of.
func (e *Examination) isTroubled(i int, link *Link) bool {
	if link.Hidden {
		return false
	}
	isAddress := link.External && !link.Markdown && !link.FromField && !link.Embed && e.roles[i].isNote && strings.Contains(link.Target, "://")
	return isAddress || link.State == graph.Ambiguous || link.Fault != graph.Sound && link.Fault != graph.NotNeeded
}
