package graph

import (
	"path"
	"slices"
	"strings"

	"quarry/internal/filename"
	"quarry/internal/lazyregexp"
)

// What a note is for, by its path and its type: one rule for all who ask.
var (
	// mapTypes are types of notes that are made to lead to others.
	mapTypes = []string{"moc", "map", "index", "hub"}
	// mapName is a name with the word MOC in it.
	mapName = lazyregexp.New(`(?i)(^|[^\pL\d])mocs?([^\pL\d]|$)`)
	// templateFolders are folders of forms.
	templateFolders = []string{"template", "templates", "_templates"}
	// ordering is a number in front of a name by which folders are kept in order: "07-", "3. ".
	ordering = lazyregexp.New(`^\d{1,3}[-_. ]+`)
	// dated is the name of a note of one day, week or month: 2026-03-05, 2026_03_05, 20260305, 2026-W10, 2026-03, and in Dendron
	// with a path before it: daily.journal.2026.03.05.
	dated = lazyregexp.New(`(^|[.])\d{4}([-_.]?\d{2}[-_.]?\d{2}|[-_.]?[Ww]\d{2}|[-_.]\d{2})$`)
)

// IsMap tells of a map of content: a note of the type moc, map, index or hub, or with the word MOC in its name, in any letter
// case.
func IsMap(file, noteType string) bool {
	return slices.Contains(mapTypes, strings.ToLower(strings.TrimSpace(noteType))) || mapName.MatchString(filename.Stem(file))
}

// IsTemplate tells of the path of a form: a note below a folder of templates, whatever number stands in front of its name, or
// whose name begins with "templates." as in Dendron.
func IsTemplate(file string) bool {
	file = strings.ToLower(file)
	first, _, isNested := strings.Cut(filename.Stem(file), ".")
	if isNested && slices.Contains(templateFolders, first) {
		return true
	}
	for folder := range strings.SplitSeq(path.Dir(file), "/") {
		if slices.Contains(templateFolders, ordering.ReplaceAllString(folder, "")) {
			return true
		}
	}
	return false
}

// maxDatedBytes is longer than any name of a day.
const maxDatedBytes = 512

// IsDated tells of the name of a file, without folder and extension, that is one of a day, a week or a month.
func IsDated(name string) bool { return len(name) <= maxDatedBytes && dated.MatchString(name) }
