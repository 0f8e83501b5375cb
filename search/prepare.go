package search

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"quarry/store"
)

// prepared is what can be told of a passage by itself, whatever stands before it.
type prepared struct {
	result Result // without secrets
	text   imprint
}

// mostBeside is how many passages are prepared at once, at most: an answer has few, and other searches go on.
const mostBeside = 4

// prepared makes passages ready side by side, and looks at the files of those that are likely to be listed: reading files takes most of
// the time, and none of it from the processor.
func (f *filling) prepared(places []int, found []store.Found) []*prepared {
	list := make([]*prepared, len(found))
	likely := f.likely(found)
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < len(found); i = int(next.Add(1)) - 1 {
			p := &prepared{result: f.result(&f.candidates[places[i]], found[i])}
			f.redact(&p.result)
			if f.repeats != nil {
				p.text = imprintOf(p.result.Title, p.result.ChunkText)
			}
			list[i] = p
			if i < likely {
				f.presences.of(found[i])
			}
		}
	}
	var beside sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), mostBeside, len(found)) - 1 {
		beside.Go(work)
	}
	work()
	beside.Wait()
	return list
}

// likely is how many of the passages that were fetched are listed if none is left out.
func (f *filling) likely(found []store.Found) int {
	room := f.budget.left
	for i := range found {
		if room <= 0 || len(f.listed)+i >= f.request.Limit {
			return i
		}
		room -= utf8.RuneCountInString(found[i].Text)
	}
	return len(found)
}

// presences looks at each file once in a search, at some side by side.
type presences struct {
	look func(store.File) Presence

	mu    sync.Mutex
	known map[string]func() Presence // by path
}

func newPresences(look func(store.File) Presence) *presences {
	return &presences{look: look, known: map[string]func() Presence{}}
}

// of is the presence of a passage's file. It is safe for concurrent use.
func (p *presences) of(found store.Found) Presence {
	if p.look == nil {
		return Fresh
	}
	file := found.Note.File
	p.mu.Lock()
	look, isKnown := p.known[file.Path]
	if !isKnown {
		look = sync.OnceValue(func() Presence { return p.look(file) })
		p.known[file.Path] = look
	}
	p.mu.Unlock()
	return look()
}
