package cli

import (
	"strings"

	"quarry"
)

// asFlags puts a notice of the engine into the words of the command line.
func asFlags(notice string) string {
	return strings.Replace(notice, "when all is asked for", "with --all", 1)
}

// tellStatus says in plain words what an answer is worth, where that is not simply good. Notices have told why.
func (a *app) tellStatus(answer quarry.SearchAnswer) {
	switch answer.Status {
	case quarry.StatusOK:
	case quarry.StatusEmptyIndex:
		a.notice("The index is empty. `quarry status` says what was skipped, `quarry index` reads the vault again.")
	case quarry.StatusNoResults:
		advice := ""
		if answer.Mode == quarry.Lexical && len(answer.Terms) > 0 {
			advice = " Without --mode lexical meaning is looked for, too."
		}
		a.notice("Nothing found.%s", advice)
	case quarry.StatusNothingRelevant:
		if len(answer.Results) > 0 {
			a.notice("These are the nearest passages; as far as their scores tell, the notes do not speak of this.")
			return
		}
		a.notice("The notes do not seem to speak of this. Try other words, fewer filters, or `quarry ls --tag TAG`.")
	case quarry.StatusWeak:
		a.notice("The match is weak: the notes may not speak of this.")
	}
}
