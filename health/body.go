package health

import (
	"context"
	"fmt"
	"slices"
)

// body is what a note says, in figures.
type body struct {
	words    int      // all
	own      int      // outside of links and headings
	links    int      // that its text has
	shingles []uint32 // hashes of all runs of shingleWords words, ascending, each once
	sketch   []uint32 // see sketchOf; nil where the note is too short to be compared
}

const (
	shingleWords = 4
	// maxWords of a note are compared; further ones are not looked at.
	maxWords = 1 << 17
	// minWords from which on two notes can be copies of each other: fewer are the same by chance.
	minWords = 12
)

// isCompared tells of a note whose copies are looked for. Notes of a day and templates are made alike.
func (e *Examination) isCompared(i int) bool {
	r := e.roles[i]
	return r.isNote && !r.isDaily && !r.isTemplate
}

// bodyReader makes a body of passages. Its memory serves one note after the other.
type bodyReader struct {
	body
	recent   [shingleWords]uint64 // hashes of the last words
	shingles []uint32
	watched  map[uint64]string // words that are looked for
	met      map[uint64]bool   // those that the note has
}

func (r *bodyReader) add(text string) {
	s := scanner{word: r.word}
	s.scan(text)
	r.links += s.links
}

func (r *bodyReader) word(hash uint64, isOwn bool) {
	if r.words == maxWords {
		return
	}
	if r.watched[hash] != "" {
		r.met[hash] = true
	}
	r.recent[r.words%shingleWords] = hash
	r.words++
	if isOwn {
		r.own++
	}
	if r.words < shingleWords {
		return
	}
	var shingle uint64
	for k := range shingleWords {
		shingle = mixed(shingle + r.recent[(r.words+k)%shingleWords])
	}
	r.shingles = append(r.shingles, uint32(shingle)) //nolint:gosec // the lower half is spread as well as the whole
}

// take gives the body and begins anew.
func (r *bodyReader) take(isCompared bool) body {
	done := r.body
	if isCompared && done.words >= minWords {
		slices.Sort(r.shingles)
		done.shingles = slices.Clone(slices.Compact(r.shingles))
		done.sketch = sketchOf(done.shingles)
	}
	*r = bodyReader{shingles: r.shingles[:0], watched: r.watched, met: map[uint64]bool{}}
	return done
}

// minLinks from which on a note is one of links.
const minLinks = 3

// bodies finds notes of links alone and empty ones.
func (e *Examination) bodies(ctx context.Context) {
	for i := range until(ctx, e.facts.Notes) {
		n, r := &e.facts.Notes[i], e.roles[i]
		if !r.isNote || r.isDaily || r.isTemplate {
			continue
		}
		s := &e.said[i]
		if n.Passages == 0 && s.isBare && !s.hasLinks && len(n.Tags) == 0 {
			e.tellEmpty(i)
		}
		if r.isMap || r.isArchived {
			continue
		}
		if links := s.links - s.linksHere; links >= minLinks && s.own < links {
			e.add(Finding{
				Check: LinkOnly, Path: n.Path,
				Message: fmt.Sprintf("%d links and %s beside them: nothing says why they stand together", links, counted(s.own, "word", "words")),
				Remedy:  "say what each link is for; or make it a map, with `type: moc` in its properties",
			})
		}
	}
}

func (e *Examination) tellEmpty(i int) {
	message := "the note is empty"
	if in := e.degree[i].in; in > 0 {
		message += ", though " + counted(in, "note links", "notes link") + " to it"
	}
	e.add(Finding{Check: EmptyNote, Path: e.facts.Notes[i].Path, Message: message, Remedy: "write it, or delete it"})
}
