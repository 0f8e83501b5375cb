package graph

import (
	"fmt"
	"io"
	"strconv"
)

// WriteOptions say how a graph is written. The zero value writes all of it as it is.
type WriteOptions struct {
	// Clean takes out of a title, a path, a name what is not to be seen. It is called once for each distinct text; the ids of
	// passages are those of their notes with a number behind. nil: nothing.
	Clean func(text string) string
	// Written leaves out the edges that types of notes imply, and mirror images.
	Written bool
}

// scribe writes a graph in one format.
type scribe struct {
	*Assembled
	wish
	clean  func(string) string
	escape func(string) string
	known  map[string]string
	// Texts of notes and names, clean and escaped.
	paths, ids, labels []string

	to  io.Writer
	out []byte
	err error
}

const scribeBytes = 1 << 16 // that are written at once

func (a *Assembled) scribe(to io.Writer, options WriteOptions, escape func(string) string) *scribe {
	s := &scribe{
		Assembled: a, wish: wish{written: options.Written}, clean: options.Clean, escape: escape, known: map[string]string{},
		paths: make([]string, len(a.notes)), ids: make([]string, len(a.notes)), labels: make([]string, len(a.names)), to: to,
	}
	for i := range a.notes {
		s.paths[i], s.ids[i] = s.text(a.notes[i].path), s.text(a.notes[i].id)
	}
	for i, name := range a.names {
		s.labels[i] = s.text(name)
	}
	return s
}

// text cleans and escapes.
func (s *scribe) text(raw string) string {
	text, ok := s.known[raw]
	if !ok {
		text = raw
		if s.clean != nil {
			text = s.clean(raw)
		}
		text = s.escape(text)
		s.known[raw] = text
	}
	return text
}

// nodes writes each node.
func (s *scribe) nodes(node func(i int)) {
	for i := range s.notes {
		node(i)
		if !s.flushed(scribeBytes) {
			return
		}
	}
	s.known = map[string]string{} // edges have no texts of their own
}

// edges writes each edge.
func (s *scribe) edges(edge func(*row)) {
	s.rows(s.wish, func(r *row) bool {
		edge(r)
		return s.flushed(scribeBytes)
	})
}

// flushed writes what has come together once it is enough.
func (s *scribe) flushed(enough int) bool {
	if len(s.out) >= enough && s.err == nil {
		_, s.err = s.to.Write(s.out)
		s.out = s.out[:0]
	}
	return s.err == nil
}

// done writes the rest.
func (s *scribe) done(format string) error {
	if !s.flushed(1) {
		return fmt.Errorf("write graph as %s: %w", format, s.err)
	}
	return nil
}

func (s *scribe) put(texts ...string) {
	for _, text := range texts {
		s.out = append(s.out, text...)
	}
}

// end is the name of a note or a passage.
func (s *scribe) end(of end) {
	if of.passage < 0 {
		s.put(s.paths[of.note])
		return
	}
	s.put(s.ids[of.note])
	s.out = appendChunk(s.out, of.passage)
}

// chunkID is that of the passage that says so, nothing where there is none.
func (s *scribe) chunkID(r *row) {
	if r.passage >= 0 {
		s.end(end{r.evidence, r.passage})
	}
}

func (r *row) scope() string {
	if r.passage < 0 {
		return InNote
	}
	return InPassage
}

// lines are those that say so, with something between.
func (s *scribe) lines(r *row, between byte) {
	for i, line := range r.lines {
		if i > 0 {
			s.out = append(s.out, between)
		}
		s.out = strconv.AppendInt(s.out, int64(line), 10)
	}
}

func (s *scribe) number(figure float64) { s.out = strconv.AppendFloat(s.out, figure, 'f', -1, 64) }
