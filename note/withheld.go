package note

import (
	"sort"
	"strings"

	"quarry/secret"
)

// hiddenSecret was found in a text that was made of lines of the file, not in these lines: by the path of keys to it, or
// decoded.
type hiddenSecret struct {
	value, name string
	start, end  int // bytes of the lines
}

// hide notes a value that is to be withheld in lines of the file.
func (s *source) hide(value, name string, first, last int) {
	if len(s.lines) == 0 {
		return
	}
	first = min(max(first, 1), len(s.lines))
	last = min(max(last, first), len(s.lines))
	_, end := s.lineRange(last)
	if start := s.lines[first-1]; start < end {
		s.hidden = append(s.hidden, hiddenSecret{strings.TrimSpace(value), name, start, end})
	}
}

// withhold puts what was hidden to the secrets of the file: where the value stands in its lines, else all of them.
func (s *source) withhold() {
	if len(s.hidden) == 0 {
		return
	}
	names := map[string]string{}
	for _, h := range s.hidden {
		if h.value != "" && h.name != secret.Unscanned {
			names[h.value] = h.name
		}
	}
	places := map[string][]int{} // ascending
	ok := true
	if known := newKnownSecrets(names); known != nil {
		ok = known.each(s.raw, func(at, value int) {
			places[known.values[value]] = append(places[known.values[value]], at)
		})
	}
	spans := s.spans
	done := map[hiddenSecret]bool{}
	for _, h := range s.hidden {
		if done[h] {
			continue
		}
		done[h] = true
		list := places[h.value]
		from := sort.SearchInts(list, h.start)
		to := sort.SearchInts(list, h.end)
		if !ok || from == to {
			spans = append(spans, secret.Span{Start: h.start, End: h.end, Name: h.name})
			continue
		}
		for _, at := range list[from:to] {
			spans = append(spans, secret.Span{Start: at, End: at + len(h.value), Name: h.name})
		}
	}
	s.setSpans(spans)
}
