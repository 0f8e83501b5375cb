package cli

import (
	"strings"

	"quarry"
)

// inFlags are what the engine's notices say, in the words of `search` and `context`. The engine knows no flags, since others ask it, too.
var inFlags = strings.NewReplacer(
	"when all is asked for", "with --all",
	"archived notes match better when they are taken in", "archived notes match better; --include-archived takes them in",
	indexRunTakesIn, "; `quarry index` takes them in",
)

const indexRunTakesIn = "; an index run takes them in"

// asFlags puts a notice of the engine into the words of the command line.
func asFlags(notice string) string { return inFlags.Replace(notice) }

// asSearchFlags is asFlags for `search`, which can bring the index up to date itself.
func asSearchFlags(notice string) string {
	return asFlags(strings.Replace(notice, indexRunTakesIn, "; `quarry index`, or --refresh, takes them in", 1))
}

// noticeBusy is told where --refresh has no turn.
const noticeBusy = "another process is writing the index; this is answered from the index as it stands"

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
