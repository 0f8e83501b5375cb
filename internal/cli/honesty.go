package cli

import (
	"context"
	"fmt"
	"strings"

	"quarry"
)

// tellStatus says in plain words what an answer is worth, where that is not simply good.
func (a *app) tellStatus(answer quarry.SearchAnswer) {
	switch answer.Status {
	case quarry.StatusEmptyIndex:
		a.notice("The index is empty. `quarry status` says what was skipped, `quarry index` reads the vault again.")
	case quarry.StatusNoResults:
		a.notice("Nothing found. Try fewer or other words, `--mode vector` for meaning alone, or fewer filters.")
	case quarry.StatusNothingRelevant:
		if len(answer.Results) > 0 {
			a.notice("These are the nearest passages; as far as their scores tell, the notes do not speak of this.")
			return
		}
		a.notice("The notes do not seem to speak of this. `--all` lists the nearest passages anyway; else try other words, fewer filters, or `quarry ls --tag TAG`.")
	case quarry.StatusWeak:
		a.notice("The match is weak: the notes may not speak of this.")
	}
}

// noticeFilters tells how many notes each filter leaves by itself, where together they left nothing.
func noticeFilters(ctx context.Context, engine *quarry.Engine, request quarry.SearchRequest, answer *quarry.SearchAnswer) error {
	parts := filterParts(request.Filter)
	var counts []string
	for _, part := range parts {
		notes, err := engine.List(ctx, quarry.ListRequest{Filter: part.filter})
		if err != nil {
			return err
		}
		counts = append(counts, fmt.Sprintf("%s %s", part.flag, counted(len(notes), "note")))
	}
	if len(counts) > 0 {
		answer.Notices = append(answer.Notices, "each filter by itself leaves: "+strings.Join(counts, " · "))
	}
	if request.Query == "" {
		return nil
	}
	request.Explain, request.Limit = true, 1
	again, err := engine.Search(ctx, request)
	if err != nil || again.Plan == nil || len(again.Plan.Filters) == 0 || again.Plan.Selected == nil {
		return err
	}
	answer.Notices = append(answer.Notices, fmt.Sprintf("the query itself filters (%s): %s of %d pass", strings.Join(again.Plan.Filters, ", "), counted(*again.Plan.Selected, "passage"), again.Plan.Passages))
	return nil
}

// filterPart is one of the filters that a command line gave, as it was written.
type filterPart struct {
	flag   string
	filter quarry.Filter
}

// filterParts takes a filter apart by kind. Archived notes are left out of each as of the whole.
func filterParts(f quarry.Filter) []filterPart {
	var parts []filterPart
	add := func(flag string, part quarry.Filter, wanted, excluded []string) {
		if len(wanted)+len(excluded) == 0 {
			return
		}
		for _, value := range wanted {
			flag += " " + value
		}
		for _, value := range excluded {
			flag += " -" + value
		}
		part.ExcludeArchived = f.ExcludeArchived
		parts = append(parts, filterPart{oneLine(flag), part})
	}
	add("--tag", quarry.Filter{Tags: f.Tags, NotTags: f.NotTags}, f.Tags, f.NotTags)
	add("--type", quarry.Filter{Types: f.Types, NotTypes: f.NotTypes}, f.Types, f.NotTypes)
	add("--status", quarry.Filter{Statuses: f.Statuses, NotStatuses: f.NotStatuses}, f.Statuses, f.NotStatuses)
	add("--domain", quarry.Filter{Domains: f.Domains, NotDomains: f.NotDomains}, f.Domains, f.NotDomains)
	add("--path", quarry.Filter{Globs: f.Globs, NotGlobs: f.NotGlobs}, f.Globs, f.NotGlobs)
	add("--folder", quarry.Filter{Folders: f.Folders, NotFolders: f.NotFolders}, f.Folders, f.NotFolders)
	add("--prop", quarry.Filter{Properties: f.Properties, NotProperties: f.NotProperties}, propertyNames(f.Properties), propertyNames(f.NotProperties))
	add("--since", quarry.Filter{Since: f.Since}, blankless(f.Since), nil)
	add("--until", quarry.Filter{Until: f.Until}, blankless(f.Until), nil)
	add("--links-to", quarry.Filter{LinksTo: f.LinksTo, NotLinksTo: f.NotLinksTo, Hops: f.Hops}, f.LinksTo, f.NotLinksTo)
	add("--linked-by", quarry.Filter{LinkedBy: f.LinkedBy, NotLinkedBy: f.NotLinkedBy, Hops: f.Hops}, f.LinkedBy, f.NotLinkedBy)
	return parts
}

func propertyNames(list []quarry.Property) []string {
	var names []string
	for _, p := range list {
		name := p.Key
		if p.Value != "" {
			name += "=" + p.Value
		}
		names = append(names, name)
	}
	return names
}

// blankless is a list of a text, without any for "".
func blankless(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}
