package health

import (
	"path"
	"slices"
	"strings"

	"quarry/graph"
)

// role says what a note is for, which decides what can be expected of it.
type role struct {
	isDaily    bool // of one day, week or month: it stands in the row of its kind
	isTemplate bool // a form, whose links and tags are to be filled in
	isArchived bool // put away
	isInbox    bool // not filed yet
	isMap      bool // made to lead to others
	isNote     bool // prose, and no canvas, base, drawing or data
	isAbout    bool // of a repository rather than of the vault: README, LICENSE
}

// isLone tells of a note that may well be without links.
func (r role) isLone() bool {
	return r.isDaily || r.isTemplate || r.isArchived || r.isInbox || r.isAbout || !r.isNote
}

// Names of folders and notes by which a role is known, in lower case, without a number in front: "07-templates".
var (
	archiveFolders = []string{"archive", "archives", "archived", "_archive"}
	inboxFolders   = []string{"inbox", "_inbox"}
	mapNames       = []string{"home", "index", "_index", "readme", "moc", "start", "start here", "contents", "table of contents", "dashboard", "root", "summary"}
	// aboutNames are files that hosts of repositories and websites ask for.
	aboutNames = []string{"readme", "license", "licence", "contributing", "changelog", "code_of_conduct", "security", "authors", "support", "governance", "404"}
	dailyTypes = []string{"daily", "journal", "weekly", "monthly"}
)

// ordering is a number in front of a name by which folders are kept in order: "07-", "3. ".
var ordering = lazy(`^\d{1,3}[-_. ]+`)

func roleOf(n *Note) role {
	folders := strings.Split(strings.ToLower(path.Dir(n.Path)), "/")
	for i := range folders {
		folders[i] = ordering().ReplaceAllString(folders[i], "")
	}
	lies := func(in []string) bool {
		return slices.ContainsFunc(folders, func(folder string) bool { return slices.Contains(in, folder) })
	}
	stem := stemOf(n.Path)
	name, kind, status := strings.ToLower(stem), strings.ToLower(n.Type), strings.ToLower(n.Status)
	return role{
		isDaily:    slices.Contains(dailyTypes, kind) || graph.IsDated(stem),
		isTemplate: graph.IsTemplate(n.Path) || kind == "template",
		isArchived: lies(archiveFolders) || status == "archived",
		isInbox:    lies(inboxFolders) || slices.Contains(inboxFolders, name),
		isAbout:    slices.Contains(aboutNames, name),
		isMap: graph.IsMap(n.Path, n.Type) || slices.Contains(mapNames, name) ||
			name == folders[len(folders)-1] || slices.ContainsFunc(n.Tags, func(tag string) bool { return strings.EqualFold(tag, "moc") }),
		isNote: n.Kind == "" || n.Kind == "note" || n.Kind == "kanban",
	}
}

// stemOf is the name of a file without its extension.
func stemOf(file string) string {
	name := path.Base(file)
	return strings.TrimSuffix(name, path.Ext(name))
}
