package health

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"quarry/internal/spelling"
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
func (e *Examination) tags(ctx context.Context) {
	if !e.selection.hasAny(TagSprawl, NearDuplicateTags) {
		return
	}
	uses := e.tagUses()
	e.tellSprawl(uses)
	e.tellNearTags(ctx, uses)
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
		Check: TagSprawl, Message: fmt.Sprintf("%d of %d tags are used by one note alone: %s", len(once), len(uses), listed(briefly(once), 5)),
		Remedy: "a tag that gathers nothing can go, or become a tag that others have, too: `quarry ls --tag NAME` shows its note", Related: once,
	})
}

// tellNearTags tells of spellings that come to the same when letter case, marks between words and plurals do not count, and of
// misspelt ones.
func (e *Examination) tellNearTags(ctx context.Context, uses []tagUse) {
	groups := groupTags(uses)
	for key, group := range groups {
		if to, ok := e.slips.meant[key]; ok && !e.slips.isWord[key] {
			groups[to] = append(groups[to], group...)
			delete(groups, key)
		}
	}
	for _, key := range until(ctx, sortedKeys(groups)) {
		if len(groups[key]) > 1 {
			e.tellTagGroup(groups[key])
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

// tellTagGroup tells of spellings of one tag. Those that differ in letter case alone are one tag to every app: that is no more
// than a hint, and `quarry ls` lists the notes of all of them.
func (e *Examination) tellTagGroup(group []tagUse) {
	slices.SortFunc(group, func(a, b tagUse) int {
		return cmp.Or(cmp.Compare(len(b.notes), len(a.notes)), strings.Compare(a.tag, b.tag))
	})
	var spelled, related []string
	for _, use := range group {
		spelled = append(spelled, fmt.Sprintf("#%s (%d)", brief(use.tag), len(use.notes)))
		related = append(related, use.tag)
	}
	wanted := wantedTag(group)
	rare := group[len(group)-1]
	if rare.tag == wanted {
		rare = group[0]
	}
	path := e.facts.Notes[rare.notes[0]].Path
	f := Finding{
		Check: NearDuplicateTags, Path: path, Line: e.line(path, PlaceOfTag, rare.tag), Related: related,
		Message: "one tag in several spellings: " + listed(spelled, 6),
	}
	f.Remedy = fmt.Sprintf("write #%s everywhere: `quarry ls --tag %s` lists the notes to change", brief(wanted), brief(rare.tag))
	if strings.EqualFold(rare.tag, wanted) {
		f.Remedy = fmt.Sprintf("write #%s everywhere: #%s stands in %s", brief(wanted), brief(rare.tag), e.noteList(rare.notes))
	}
	if !slices.ContainsFunc(group, func(use tagUse) bool { return !strings.EqualFold(use.tag, wanted) }) {
		f.Severity, f.Message = Hint, "one tag in several letter cases, which apps take for one: "+listed(spelled, 6)
	}
	e.add(f)
}

// wantedTag is the spelling to keep: the one of most notes, in lower case if some have that.
func wantedTag(group []tagUse) string {
	lower := strings.ToLower(group[0].tag)
	if slices.ContainsFunc(group, func(use tagUse) bool { return use.tag == lower }) {
		return lower
	}
	return group[0].tag
}

// noteList names some notes.
func (e *Examination) noteList(notes []int) string {
	var paths []string
	for _, i := range notes {
		paths = append(paths, e.facts.Notes[i].Path)
	}
	return listed(paths, 3)
}

// tagKey is what a tag comes to without letter case, marks between words and plurals, part by part. It is "" for tags of which
// a part has a digit: numbers, dates and versions are no spellings of each other.
func tagKey(tag string) string {
	parts := strings.Split(strings.ToLower(tag), "/")
	for i, part := range parts {
		if strings.ContainsFunc(part, unicode.IsDigit) {
			return ""
		}
		parts[i] = spelling.Singular(strings.Map(func(r rune) rune {
			if r == '-' || r == '_' || r == ' ' {
				return -1
			}
			return r
		}, part))
	}
	return strings.Join(parts, "/")
}
