package budget

import "quarry"

// MostRelated is how many related notes are listed at most.
const MostRelated = 20

// Links are the lists around a note that are asked for by name; none: all of them.
type Links struct {
	Out, Back, Related bool
	Kinds              []string // of links alone; none: all
}

// All tells that no list was asked for by name.
func (l Links) All() bool { return !l.Out && !l.Back && !l.Related }

// Request asks the engine for what is handed out, with so many related notes where they are not asked for by name.
func (l Links) Request(note string, hops, related int) quarry.LinksRequest {
	request := quarry.LinksRequest{Note: note, Kinds: l.Kinds, Hops: hops, Way: l.Way()}
	switch {
	case l.Related:
		request.Related = MostRelated
	case l.All() && len(l.Kinds) == 0: // what is near has no kind
		request.Related = related
	}
	return request
}

// Way is that of the hops.
func (l Links) Way() quarry.Way {
	switch {
	case l.Out && !l.Back:
		return quarry.WayOut
	case l.Back && !l.Out:
		return quarry.WayBack
	}
	return quarry.EitherWay
}

// Leave takes out of an answer what was not asked for.
func (l Links) Leave(links *quarry.NoteLinks) {
	if !l.Related && (!l.All() || links.LineStart > 0) { // what is near a part is not known
		links.Related = links.Related[:0]
	}
	if l.All() {
		return
	}
	if !l.Out {
		links.Out, links.AliasOf = links.Out[:0], nil
	}
	if !l.Back {
		links.Back = links.Back[:0]
	}
}

// CutLinks leaves the first items of the lists that have room, and of the aliases those of links that are left; isCut tells that
// something had none. No tokens are no bound.
func CutLinks(links *quarry.NoteLinks, maxTokens int) (isCut bool) {
	b, aliases, kept := New(maxTokens), map[string]string{}, 0
	for i := range links.Out {
		link := &links.Out[i]
		size := sizeOf(link)
		note, isAlias := links.AliasOf[link.Target]
		if _, known := aliases[link.Target]; isAlias && !known {
			size += sizeOf(link.Target) + sizeOf(note)
		}
		if !b.Takes(size) {
			break
		}
		if isAlias {
			aliases[link.Target] = note
		}
		kept++
	}
	links.Out, links.AliasOf = links.Out[:kept], aliases
	links.Back, links.Related, links.Reached = Within(b, links.Back), Within(b, links.Related), Within(b, links.Reached)
	return b.IsSpent()
}

// CutDeadLinks leaves the first dead links that have room; isTwice where the links themselves stand in another list, too.
func CutDeadLinks(dead []quarry.DeadLink, isTwice bool, maxTokens int) (kept []quarry.DeadLink, isCut bool) {
	b := New(maxTokens)
	for i := range dead {
		size := sizeOf(&dead[i])
		if isTwice {
			size += sizeOf(&dead[i].Link)
		}
		if !b.Takes(size) {
			return dead[:i], true
		}
	}
	return dead, false
}
