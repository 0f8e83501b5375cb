package notetype

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quarry/internal/lazyregexp"
	"quarry/internal/spelling"
)

// ByHeading is the profile of notes for which none is named.
const ByHeading = "by_heading"

// profiles are the values of chunk_profile.
var profiles = []string{"short", "medium", "long", ByHeading, "default"}

// Profiles lists the names that chunk_profile can have; package chunk cuts by each of them.
func Profiles() []string { return slices.Clone(profiles) }

// Bounds on what one entry may imply: each kind becomes an edge for every link of the notes.
const (
	maxKinds     = 16
	maxKindBytes = 64
)

// MaxWeight is the largest retriever_weight.
const MaxWeight = 10

// texts are the value of a setting: one text, or a list.
type texts struct {
	list   []string
	lines  []int // of each in the file; none of a property
	isList bool
}

// fault is something that is wrong with a value; line is 0 where that is the line of the value.
type fault struct {
	line    int
	message string
}

// faultAt blames one of the texts.
func (v texts) faultAt(i int, format string, arguments ...any) fault {
	f := fault{message: fmt.Sprintf(format, arguments...)}
	if i < len(v.lines) {
		f.line = v.lines[i]
	}
	return f
}

// isAbsent tells of a key without a value.
func (v texts) isAbsent() bool {
	return !v.isList && (len(v.list) == 0 || strings.TrimSpace(v.list[0]) == "")
}

// textsOf reads a property; false where it is no text and no list of texts.
func textsOf(property any) (texts, bool) {
	switch value := property.(type) {
	case nil:
		return texts{}, true
	case string:
		return texts{list: []string{value}}, true
	case []string:
		return texts{list: value, isList: true}, true
	case []any:
		v := texts{isList: true}
		for _, item := range value {
			text, ok := item.(string)
			if !ok {
				return texts{}, false
			}
			v.list = append(v.list, text)
		}
		return v, true
	}
	return texts{}, false
}

// set sets a setting to a value that is there, and tells what is wrong with it. Of a list what is good counts; where nothing is,
// the setting stays absent.
func (e *entry) set(name string, value texts) []fault {
	if name == OverrideEdgeDefaults {
		kinds, faults := kindsOf(value)
		if len(kinds) > 0 || len(faults) == 0 {
			e.EdgeDefaults = kinds
		}
		return faults
	}
	if value.isList {
		return []fault{{message: "is a list, and takes one value"}}
	}
	text := strings.TrimSpace(value.list[0])
	if name == OverrideChunkProfile {
		profile := strings.ToLower(text)
		if !slices.Contains(profiles, profile) {
			return []fault{value.faultAt(0, "there is no chunk profile %q%s", shorten(text), suggestion(profile, profiles))}
		}
		e.ChunkProfile = profile
		return nil
	}
	weight, wrong := weightOf(text)
	if wrong != "" {
		return []fault{value.faultAt(0, "%s", wrong)}
	}
	e.RetrieverWeight = &weight
	return nil
}

var kindPattern = lazyregexp.New(`^[\p{L}_][\p{L}\p{N}_-]*$`)

// maxFaults is how many faults are told of a value, of more than that the first: one more than of a file.
const maxFaults = maxProblems + 1

// kindsOf reads names of relations, the first maxKinds good ones. Of one that is there twice the first counts.
func kindsOf(value texts) (kinds []string, faults []fault) {
	kinds = []string{}
	for i, text := range value.list {
		kind := strings.TrimSpace(text)
		if len(kind) <= maxKindBytes {
			kind = strings.ToLower(kind)
		}
		switch {
		case len(kind) > maxKindBytes || !kindPattern.MatchString(kind):
			if len(faults) == maxFaults {
				continue
			}
			faults = append(faults, value.faultAt(i, "%q is no name of a relation: letters, digits, - and _, a letter or _ first, at most %d bytes", shorten(text), maxKindBytes))
		case slices.Contains(kinds, kind):
		case len(kinds) == maxKinds:
			return kinds, append(faults, value.faultAt(i, "there are more than %d relations: the first %d count", maxKinds, maxKinds))
		default:
			kinds = append(kinds, kind)
		}
	}
	return kinds, faults
}

var numberPattern = lazyregexp.New(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$`)

func weightOf(text string) (weight float64, fault string) {
	if !numberPattern.MatchString(text) {
		return 0, fmt.Sprintf("%q is no number", shorten(text))
	}
	weight, err := strconv.ParseFloat(text, 64)
	if err != nil || weight < 0 || weight > MaxWeight {
		return 0, fmt.Sprintf("%s is not between 0 and %d", shorten(text), MaxWeight)
	}
	return weight + 0, "" // never -0
}

const maxShownCharacters = 40 // of a value in a message

func shorten(text string) string { return shortenTo(text, maxShownCharacters) }

func shortenTo(text string, most int) string {
	if characters := []rune(text[:min(len(text), 4*most+1)]); len(characters) > most {
		return string(characters[:most-1]) + "…"
	}
	return text
}

// suggestion names what a misspelt name is nearest to, or all there are where it is near none.
func suggestion(name string, names []string) string {
	best, least := "", 3
	for _, other := range names {
		if distance := spelling.Distance(shorten(name), other); distance < least && distance < len(other) {
			best, least = other, distance
		}
	}
	if best != "" {
		return " (did you mean " + best + "?)"
	}
	return " (there are " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + ")"
}
