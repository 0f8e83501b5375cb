package quarry

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quarry/store"
)

// archivedHits is how many archived passages are looked at.
const archivedHits = 5

// tell adds to an answer what there is to know of the index, and, where nothing good was found, what may be the reason. named is the
// filter of the request with the names of notes whose links decide.
func (a *asking) tell(ctx context.Context, named Filter, pattern *likePattern, answer *SearchAnswer) error {
	e, v := a.finder.engine, a.finder.view
	notices := answer.Notices
	if a.request.NoHints {
		answer.Notices = orEmpty(slices.Concat(notices, e.notices(v.meta)))
		return nil
	}
	if answer.Status != StatusOK && answer.Status != StatusEmptyIndex {
		isBetter, err := a.archivedIsBetter(ctx, answer, pattern)
		if err != nil {
			return err
		}
		if isBetter {
			notices = append(notices, "archived notes match better when they are taken in")
		}
	}
	if answer.Status == StatusNoResults {
		ofFilters, err := a.tellOfFilters(ctx, named, answer.Asked)
		if err != nil {
			return err
		}
		notices = append(notices, ofFilters...)
	}
	if answer.Status != StatusOK {
		if count := e.countChanged(ctx, v); count > 0 {
			notices = append(notices, changedNotice(count))
		}
	}
	answer.Notices = orEmpty(slices.Concat(notices, e.notices(v.meta)))
	return nil
}

// archivedIsBetter asks once more, of archived notes alone, where those were left out. It goes by what can be listed: a passage that
// the audience may not see counts for nothing.
func (a *asking) archivedIsBetter(ctx context.Context, answer *SearchAnswer, pattern *likePattern) (bool, error) {
	if filter := &a.request.Filter; !filter.ExcludeArchived || len(filter.Statuses) > 0 {
		return false, nil
	}
	archivedAlone := store.NoteQuery{Filter: Filter{Statuses: []string{"archived"}}, Limit: 1}
	if archived, err := a.finder.view.Notes(ctx, archivedAlone); err != nil || len(archived) == 0 {
		return false, err
	}
	again := *a
	again.request.Filter.ExcludeArchived, again.request.Filter.Statuses = false, []string{"archived"}
	again.request.Limit, again.request.Explain, again.request.All, again.request.Expand = archivedHits, true, true, false
	archived, err := again.answer(ctx, pattern)
	if err != nil {
		return false, err
	}
	least := a.searcher.Settings.Weak
	if len(answer.Results) == 0 {
		least = a.searcher.Settings.Nothing
	}
	return slices.ContainsFunc(archived.Results, func(r SearchResult) bool {
		return !isRanked(r) || r.Explain.Confidence >= least
	}), nil
}

// tellOfFilters tells of a filter that left nothing, and of what the operators of the query ask for beside, which values no note has,
// and how many notes each filter leaves by itself.
func (a *asking) tellOfFilters(ctx context.Context, named, asked Filter) ([]string, error) {
	if len(wantedValues(named))+len(wantedValues(asked))+len(filterParts(named)) == 0 {
		return nil, nil
	}
	ofNow, err := a.finder.view.ofNow()
	if err != nil {
		return nil, err
	}
	notices, err := a.finder.engine.unknownValues(ctx, ofNow, slices.Concat(wantedValues(named), wantedValues(asked)))
	if err != nil {
		return nil, err
	}
	counts, err := a.countByFilter(ctx, named)
	isTold := len(notices) > 0 && len(counts) == 1 && strings.HasSuffix(counts[0], " 0 notes") // the one filter is that value
	if err != nil || len(counts) == 0 || isTold {
		return notices, err
	}
	return append(notices, "each filter by itself leaves: "+strings.Join(counts, " · ")), nil
}

// countByFilter tells how many notes each filter leaves by itself.
func (a *asking) countByFilter(ctx context.Context, named Filter) ([]string, error) {
	parts := filterParts(named)
	if len(parts) == 0 {
		return nil, nil
	}
	ofNow, err := a.finder.view.ofNow()
	if err != nil {
		return nil, err
	}
	e := a.finder.engine
	var counts []string
	for _, part := range parts {
		filter, err := e.byLinks(ctx, ofNow, part.filter)
		if err != nil {
			return nil, err
		}
		notes, err := ofNow.Notes(ctx, store.NoteQuery{Filter: anySpelling(filter)})
		if err != nil {
			return nil, fmt.Errorf("count the notes of a filter: %w", err)
		}
		counts = append(counts, fmt.Sprintf("%s %s", e.shown(strings.Join(strings.Fields(part.text), " ")), counted(len(notes), "note")))
	}
	return counts, nil
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// filterPart is one kind of filter, as a query would have it.
type filterPart struct {
	text   string
	filter Filter
}

// filterParts takes a filter apart by kind. Archived notes are left out of each as of the whole.
func filterParts(f Filter) []filterPart {
	var parts []filterPart
	add := func(key string, part Filter, wanted, excluded []string) {
		if len(wanted)+len(excluded) == 0 {
			return
		}
		var words []string
		for _, value := range wanted {
			words = append(words, key+":"+value)
		}
		for _, value := range excluded {
			words = append(words, "-"+key+":"+value)
		}
		part.ExcludeArchived = f.ExcludeArchived
		parts = append(parts, filterPart{strings.Join(words, " "), part})
	}
	add("tag", Filter{Tags: f.Tags, NotTags: f.NotTags}, f.Tags, f.NotTags)
	add("type", Filter{Types: f.Types, NotTypes: f.NotTypes}, f.Types, f.NotTypes)
	add("status", Filter{Statuses: f.Statuses, NotStatuses: f.NotStatuses}, f.Statuses, f.NotStatuses)
	add("domain", Filter{Domains: f.Domains, NotDomains: f.NotDomains}, f.Domains, f.NotDomains)
	add("path", Filter{Globs: f.Globs, NotGlobs: f.NotGlobs}, f.Globs, f.NotGlobs)
	add("folder", Filter{Folders: f.Folders, NotFolders: f.NotFolders}, f.Folders, f.NotFolders)
	add("property", Filter{Properties: f.Properties, NotProperties: f.NotProperties}, propertyTexts(f.Properties), propertyTexts(f.NotProperties))
	add("path", Filter{Paths: f.Paths, NotPaths: f.NotPaths}, f.Paths, f.NotPaths)
	add("file", Filter{Files: f.Files, NotFiles: f.NotFiles}, f.Files, f.NotFiles)
	add("title", Filter{Titles: f.Titles, NotTitles: f.NotTitles}, f.Titles, f.NotTitles)
	add("section", Filter{Sections: f.Sections, NotSections: f.NotSections}, f.Sections, f.NotSections)
	add("since", Filter{Since: f.Since}, textOrNone(f.Since), nil)
	add("until", Filter{Until: f.Until}, textOrNone(f.Until), nil)
	add("links-to", Filter{LinksTo: f.LinksTo, NotLinksTo: f.NotLinksTo, Hops: f.Hops}, f.LinksTo, f.NotLinksTo)
	add("linked-by", Filter{LinkedBy: f.LinkedBy, NotLinkedBy: f.NotLinkedBy, Hops: f.Hops}, f.LinkedBy, f.NotLinkedBy)
	return parts
}

func propertyTexts(list []Property) []string {
	var texts []string
	for _, p := range list {
		text := p.Key
		if p.Value != "" {
			text += "=" + p.Value
		}
		texts = append(texts, text)
	}
	return texts
}

func textOrNone(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}
