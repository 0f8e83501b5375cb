package health

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A vault has a sprawl of tags where most of many are used once, and there is no more than a few notes for each.
const (
	minSprawl      = 30 // tags that are used once
	minSprawlShare = .6 // of all tags
)

// tagUse is a tag with the notes that have it.
type tagUse struct {
	tag   string // as spelled most, the first in byte order of equals
	notes []int  // ascending
}

// tags finds what is wrong with the tags of the whole vault. Those of templates do not count.
func (e *Examination) tags() {
	if !e.selection.hasAny(TagSprawl, NearDuplicateTags) {
		return
	}
	uses := e.tagUses()
	e.tellSprawl(uses)
	e.tellNearTags(uses)
}

// tagUses lists the tags by spelling.
func (e *Examination) tagUses() []tagUse {
	byTag := map[string][]int{}
	for i := range e.facts.Notes {
		if e.roles[i].isTemplate {
			continue
		}
		for _, tag := range e.facts.Notes[i].Tags {
			if notes := byTag[tag]; len(notes) == 0 || notes[len(notes)-1] != i {
				byTag[tag] = append(notes, i)
			}
		}
	}
	uses := make([]tagUse, 0, len(byTag))
	for tag, notes := range byTag {
		uses = append(uses, tagUse{tag, notes})
	}
	slices.SortFunc(uses, func(a, b tagUse) int { return strings.Compare(a.tag, b.tag) })
	return uses
}

func (e *Examination) tellSprawl(uses []tagUse) {
	var once []string
	for _, use := range uses {
		if len(use.notes) == 1 {
			once = append(once, use.tag)
		}
	}
	if len(once) < minSprawl || float64(len(once)) < minSprawlShare*float64(len(uses)) {
		return
	}
	e.add(Finding{
		Check: TagSprawl, Message: fmt.Sprintf("%d of %d tags are used by one note alone: %s", len(once), len(uses), listed(once, 5)),
		Remedy: "a tag that gathers nothing can go, or become a tag that others have, too: `quarry ls --tag NAME` shows its note", Related: once,
	})
}

// tellNearTags tells of spellings that come to the same when letter case, marks between words and plurals do not count, and of
// misspelt ones.
func (e *Examination) tellNearTags(uses []tagUse) {
	groups := groupTags(uses)
	for key, group := range groups {
		if to, ok := e.slips.meant[key]; ok && !e.slips.isWord[key] {
			groups[to] = append(groups[to], group...)
			delete(groups, key)
		}
	}
	for _, group := range groups {
		if len(group) > 1 {
			e.tellTagGroup(group)
		}
	}
}

func groupTags(uses []tagUse) map[string][]tagUse {
	groups := map[string][]tagUse{}
	for _, use := range uses {
		if key := tagKey(use.tag); key != "" {
			groups[key] = append(groups[key], use)
		}
	}
	return groups
}

func (e *Examination) tellTagGroup(group []tagUse) {
	slices.SortFunc(group, func(a, b tagUse) int {
		if byUse := len(b.notes) - len(a.notes); byUse != 0 {
			return byUse
		}
		return strings.Compare(a.tag, b.tag)
	})
	var spelled, related []string
	for _, use := range group {
		spelled = append(spelled, fmt.Sprintf("#%s (%d)", use.tag, len(use.notes)))
		related = append(related, use.tag)
	}
	rare := group[len(group)-1]
	path := e.facts.Notes[rare.notes[0]].Path
	e.add(Finding{
		Check: NearDuplicateTags, Path: path, Line: e.line(path, PlaceOfTag, rare.tag),
		Message: "one tag in several spellings: " + listed(spelled, 6),
		Remedy:  fmt.Sprintf("write #%s everywhere: `quarry ls --tag %s` lists the notes to change", group[0].tag, rare.tag), Related: related,
	})
}

// tagKey is what a tag comes to without letter case, marks between words and plurals, part by part. It is "" for tags of which
// a part has a digit: numbers, dates and versions are no spellings of each other.
func tagKey(tag string) string {
	parts := strings.Split(strings.ToLower(tag), "/")
	for i, part := range parts {
		if strings.ContainsFunc(part, unicode.IsDigit) {
			return ""
		}
		parts[i] = singular(strings.Map(func(r rune) rune {
			if r == '-' || r == '_' || r == ' ' {
				return -1
			}
			return r
		}, part))
	}
	return strings.Join(parts, "/")
}

// minPlural is how many letters a word has from which on an s at its end is taken for that of a plural: "css" has none.
const minPlural = 4

// singular takes an English plural off. What it makes of a word is only compared with what it makes of others.
func singular(word string) string {
	switch {
	case len(word) < minPlural, strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"):
		return word
	case strings.HasSuffix(word, "ies") && len(word) > minPlural:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "sses"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "s"):
		return word[:len(word)-1]
	}
	return word
}
