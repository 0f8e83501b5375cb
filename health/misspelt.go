package health

import (
	"context"
	"maps"
	"slices"
	"strings"

	"quarry/internal/notetype"
	"quarry/internal/spelling"
)

const (
	// minTypo is how long a word is from which on one letter less, more or other is likely a slip; short words are one letter
	// apart and mean different things.
	minTypo = 6
	// maxSlips bounds with how many names of one form each is compared.
	maxSlips = 64
	// manyMore is how many times as many notes the right spelling has as the slip, more those of a long word.
	manyMore, more = 3, 2
	// maxNameBytes bounds the names that are compared.
	maxNameBytes = 200
	// longWord is how long a word is from which on few others are a letter away.
	longWord = 8
)

// slipWatch are the tags that look misspelt, until the notes show that they are words of their own.
type slipWatch struct {
	meant  map[string]string // what is likely meant, by key
	keys   map[uint64]string // keys by the hash of the word in them that differs
	isWord map[string]bool   // keys whose word stands in a note that does not have the tag
}

func newSlipWatch(uses []tagUse) slipWatch {
	counts := map[string]int{}
	for key, group := range groupTags(uses) {
		for _, use := range group {
			counts[key] += len(use.notes)
		}
	}
	w := slipWatch{meant: slips(counts), keys: map[uint64]string{}, isWord: map[string]bool{}}
	for key, to := range w.meant {
		word, _ := differingPart(key, to)
		s := scanner{word: func(hash uint64, _ bool) { w.keys[hash] = key }}
		s.words(word, true)
	}
	return w
}

// see takes note of the watched words of a note with some tags.
func (w *slipWatch) see(met map[uint64]bool, tags []string) {
	for hash := range met {
		key := w.keys[hash]
		if !slices.ContainsFunc(tags, func(tag string) bool { return tagKey(tag) == key }) {
			w.isWord[key] = true
		}
	}
}

// slips maps names that are likely misspelt to what is likely meant. Names are compared that have a form with one letter taken
// out in common (Garbe's symmetric delete, 2012), so the work grows with their number.
func slips(counts map[string]int) map[string]string {
	byForm := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if len(name) < minTypo || len(name) > maxNameBytes {
			continue
		}
		byForm[name] = append(byForm[name], name)
		for i := range len(name) {
			form := name[:i] + name[i+1:]
			byForm[form] = append(byForm[form], name)
		}
	}
	meant := map[string]string{}
	for _, like := range byForm {
		for _, rare := range like {
			for _, common := range like[:min(len(like), maxSlips)] {
				if isSlip(rare, common, counts) && (meant[rare] == "" || counts[common] > counts[meant[rare]] ||
					counts[common] == counts[meant[rare]] && common < meant[rare]) {
					meant[rare] = common
				}
			}
		}
	}
	for rare := range meant {
		for to, ok := meant[meant[rare]]; ok; to, ok = meant[meant[rare]] {
			meant[rare] = to
		}
	}
	return meant
}

// isSlip tells whether one name is likely another one misspelt: a letter of a long word, not the first, is missing, doubled,
// changed, or has changed places with its neighbour, and many more notes have the other.
func isSlip(rare, common string, counts map[string]int) bool {
	if rare == common || counts[common] < more*counts[rare] || rare[0] != common[0] || strings.Count(rare, "/") != strings.Count(common, "/") {
		return false
	}
	a, b := differingPart(rare, common)
	if len(a) < minTypo || len(b) < minTypo || len(a) < longWord && counts[common] < manyMore*counts[rare] {
		return false
	}
	return isOneEdit(a, b)
}

// differingPart gives the parts of two nested names that differ, "" where several do.
func differingPart(a, b string) (partA, partB string) {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	for i := range x {
		if x[i] == y[i] {
			continue
		}
		if partA != "" {
			return "", ""
		}
		partA, partB = x[i], y[i]
	}
	return partA, partB
}

// manyOfType is how many notes make a type that types.yaml does not know one that it should rather than a slip.
const manyOfType = 3

// types finds notes of a type that types.yaml does not know, and without the file those whose type is misspelt.
func (e *Examination) types(ctx context.Context) {
	if !e.selection.Has(UnknownType) {
		return
	}
	byType := map[string][]int{}
	for i := range e.facts.Notes {
		if kind := e.facts.Notes[i].Type; kind != "" && !e.roles[i].isTemplate {
			byType[kind] = append(byType[kind], i)
		}
	}
	near := e.nearTypes(byType)
	for _, kind := range until(ctx, sortedKeys(byType)) {
		notes := byType[kind]
		first := e.originalOf(notes)
		path := e.facts.Notes[first].Path
		to, isNear := near[kind]
		if !isNear && (e.facts.Types == nil || e.isKnownType(kind)) {
			continue
		}
		f := Finding{Check: UnknownType, Path: path, Line: e.line(path, PlaceOfProperty, "type"), Related: e.others(notes, first)}
		switch {
		case isNear && (e.facts.Types == nil || len(notes) < manyOfType):
			f.Message = "the type " + brief(kind) + " is likely " + brief(to) + " misspelt"
			f.Remedy = "write `type: " + brief(to) + "`"
		default:
			f.Severity = Hint
			f.Message = "types.yaml does not know the type " + brief(kind) + ": its defaults are used for " + counted(len(notes), "note", "notes")
			f.Remedy = "give " + brief(kind) + " an entry in types.yaml, or use one of " + listed(e.facts.Types, 8)
			if isNear {
				f.Remedy = "give " + brief(kind) + " an entry in types.yaml; or write `type: " + brief(to) + "` where that is meant"
			}
		}
		e.add(f)
	}
}

// isKnownType tells of a type that types.yaml has, as it compares names.
func (e *Examination) isKnownType(kind string) bool {
	return slices.ContainsFunc(e.facts.Types, func(name string) bool { return notetype.Key(name) == notetype.Key(kind) })
}

// nearTypes maps types to the one that is likely meant: a known one, or, without types.yaml, one that many more notes have.
func (e *Examination) nearTypes(byType map[string][]int) map[string]string {
	near := map[string]string{}
	if e.facts.Types == nil {
		counts := map[string]int{}
		for kind, notes := range byType {
			counts[kind] = len(notes)
		}
		return slips(counts)
	}
	known := slices.Sorted(slices.Values(e.facts.Types))
	for kind := range byType {
		if len(kind) > maxNameBytes || e.isKnownType(kind) {
			continue
		}
		lower := strings.ToLower(kind)
		for _, name := range known {
			if tagKey(name) == tagKey(kind) || len(lower) >= 4 && isOneEdit(lower, name) {
				near[kind] = name
				break
			}
		}
	}
	return near
}

// isOneEdit tells whether two names differ by a letter, or by two that changed places.
func isOneEdit(a, b string) bool {
	edits, ok := spelling.Edits(a, b, 1)
	return ok && edits == 1
}
