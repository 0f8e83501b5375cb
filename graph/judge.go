package graph

import (
	"path"
	"strings"
	"unicode"

	"quarry/internal/dialect"
	"quarry/internal/filename"
	"quarry/store"
)

// Fault tells what is wrong with a link, by one rule for all who tell of dead links.
type Fault string

// Faults of links.
const (
	// Sound: nothing is wrong, or nothing that anybody can tell: the link leads to a file and to all that it names of it,
	// leaves the vault for an address or for a folder above it, stands in a comment, is a Markdown link to a folder, or names
	// nothing yet: a form's blank, a target without letters. An anchor of a heading, as any website makes it, is sound in a
	// Markdown link, and an element of HTML in every link.
	Sound        Fault = ""
	NoNote       Fault = "no_note"       // no note has the name, though a folder may
	NoAttachment Fault = "no_attachment" // no file has the name, which would be that of no note
	NoHeading    Fault = "no_heading"    // the note is there, the heading is not
	NoBlock      Fault = "no_block"      // the note is there, the block is not; in Logseq: no note has the block
	AliasOnly    Fault = "alias_only"    // the name is only an alias, which no app follows
	// SiteAddress: the target begins with "/" and a folder that the vault does not have, as addresses of a website do. It is
	// not dead.
	SiteAddress Fault = "site_address"
	// NotNeeded: no note has the name, and none has to: it is that of a day, a week or a month where others have notes, or
	// that of a tag or a user in Dendron. It is not dead.
	NotNeeded Fault = "not_needed"
)

// IsDead tells of a link within the vault that leads nowhere, or not to all that it names; see Tally.IsDead, too.
func (f Fault) IsDead() bool { return f != Sound && f != SiteAddress && f != NotNeeded }

// Judgement is a link with what became of it.
type Judgement struct {
	Link
	AliasOf string // path of the note that has the target as an alias, "" unless State is Alias
	IsNote  bool   // it leads to a note
	// IsAnchor tells of a Markdown link that misses a heading: see Tally.IsDead.
	IsAnchor bool
}

// Judge finds what a stored link of a note means and what is wrong with it. Headings and blocks are looked at where the
// resolver has outlines, and elements of HTML where it has texts.
func (r *Resolver) Judge(link *store.Link, source string) Judgement {
	found := r.follow(link, source)
	j := Judgement{Link: found.link(link), AliasOf: found.resolution.AliasOf, IsNote: filename.IsNote(found.resolution.Path)}
	j.Fault = r.fault(link, source, &found)
	j.IsAnchor = j.Fault == NoHeading && link.Markdown
	return j
}

func (r *Resolver) fault(link *store.Link, source string, found *followed) Fault {
	if link.Hidden || link.External {
		return Sound
	}
	at := found.resolution.Path
	switch found.resolution.State {
	case OK, Ambiguous:
		return Sound
	}
	if isBlank(link) {
		return Sound
	}
	switch found.resolution.State {
	case Alias:
		return AliasOnly
	case Unresolved:
		return r.nowhere(link, strings.ReplaceAll(found.target, `\`, "/"), source)
	case HeadingMissing:
		if r.isElement(at, link.Subpath) || link.Markdown && r.outlines(at).hasAnchor(lastPart(link.Subpath)) {
			return Sound
		}
		return NoHeading
	case BlockMissing:
		if link.Markdown && r.isElement(at, link.Subpath) {
			return Sound
		}
		return NoBlock
	}
	return Sound
}

// nowhere judges a link whose target no file has.
func (r *Resolver) nowhere(link *store.Link, target, source string) Fault {
	isAttachment := r.known().filetypes[strings.ToLower(path.Ext(target))]
	switch {
	case leavesVault(target, source), link.Markdown && r.isFolder(target, source):
		return Sound
	case r.isOptional(target):
		return NotNeeded
	case strings.HasPrefix(target, "/") && !isAttachment && !filename.IsNote(target) && !r.known().folders[firstFolder(target)]:
		return SiteAddress
	case isAttachment:
		return NoAttachment
	}
	return NoNote
}

// knownFiles is what a judgement needs of the files beside their names.
type knownFiles struct {
	folders   map[string]bool   // folded
	filetypes map[string]bool   // extensions of files that are no notes, in lower case, with the dot
	days      map[string]string // the first note of each day that has one
	isDated   bool              // some notes are called by their day, week or month
}

// attachmentTypes are extensions of what notes embed or link to and is no note.
var attachmentTypes = []string{
	".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".avif", ".heic", ".ico", ".tif", ".tiff",
	".mp3", ".wav", ".m4a", ".ogg", ".flac", ".3gp", ".opus", ".mp4", ".mov", ".mkv", ".webm", ".ogv", ".avi",
	".pdf", ".epub", ".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".odt", ".ods", ".odp", ".csv", ".tsv", ".zip",
	".canvas", ".base",
}

func newKnownFiles(files []file) *knownFiles {
	k := &knownFiles{folders: map[string]bool{}, filetypes: map[string]bool{}, days: map[string]string{}}
	for _, extension := range attachmentTypes {
		k.filetypes[extension] = true
	}
	for i := range files {
		key := files[i].key
		for folder := path.Dir(key); folder != "." && folder != "/" && !k.folders[folder]; folder = path.Dir(folder) {
			k.folders[folder] = true
		}
		if !filename.IsNote(key) {
			if extension := path.Ext(key); len(extension) > 1 {
				k.filetypes[extension] = true
			}
			continue
		}
		stem := filename.Stem(key)
		k.isDated = k.isDated || IsDated(stem)
		if day, sure := dialect.ParseDay(stem); sure && k.days[day] == "" {
			k.days[day] = files[i].path
		}
	}
	return k
}

// isOptional tells of a target that no note has to have: a day as others have notes for, unless it has one itself by another
// name, or the note of a tag or a user in Dendron.
func (r *Resolver) isOptional(target string) bool {
	if r.rules.tagNotes && (strings.HasPrefix(target, "tags.") || strings.HasPrefix(target, "user.")) {
		return true
	}
	name := noteNamed(target)
	if !IsDated(name) || !r.known().isDated {
		return false
	}
	day, _ := dialect.ParseDay(name)
	return r.known().days[day] == ""
}

// noteNamed is the name in a target, folded, without folders and the extension of notes.
func noteNamed(target string) string {
	name := filename.LastSegment(filename.Fold(target))
	if filename.IsNote(name) {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	return name
}

// isFolder tells of a target that is a folder of the vault: from the folder of its source, or from the root.
func (r *Resolver) isFolder(target, source string) bool {
	key := filename.Fold(target)
	is := func(rooted string) bool { return rooted == "/" || r.known().folders[rooted[1:]] }
	return !isRelative(key) && is(path.Clean("/"+key)) || key[0] != '/' && is(path.Join("/", filename.FolderPrefix(filename.Fold(source)), key))
}

// isBlank tells of a target that a form is to fill in, or that has no word in it.
func isBlank(link *store.Link) bool {
	for _, text := range [...]string{link.Target, link.Subpath} {
		if strings.Contains(text, "{{") || strings.Contains(text, "<%") || strings.Contains(text, "${") {
			return true
		}
	}
	return strings.HasPrefix(link.Target, "|") || !strings.ContainsFunc(link.Target, isLetter) && !strings.ContainsFunc(link.Subpath, isLetter)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// leavesVault tells of a target that lies outside of the vault, where nobody has looked.
func leavesVault(target, source string) bool {
	rooted, isRooted := strings.CutPrefix(target, "/")
	if !isRooted {
		rooted = path.Join(path.Dir(source), target)
	}
	rooted = path.Clean(strings.TrimLeft(rooted, "/"))
	return rooted == ".." || strings.HasPrefix(rooted, "../")
}

// firstFolder is the first segment of a path from the root, folded.
func firstFolder(target string) string {
	first, _, _ := strings.Cut(strings.TrimLeft(target, "/"), "/")
	return filename.Fold(first)
}

// lastPart is the last heading or block that a subpath names, without "#".
func lastPart(subpath string) string {
	subpath = strings.TrimRight(subpath, "#")
	return strings.TrimSpace(subpath[strings.LastIndexByte(subpath, '#')+1:])
}

// Tally counts judged links. The zero value has none; it is not safe for concurrent use.
type Tally struct {
	Links     int // all but those to addresses outside of the vault
	dead      int
	anchors   int // of dead: Markdown links that miss a heading
	addresses int // of a website
	followed  int // links that lead to a note
}

// Add counts a link.
func (t *Tally) Add(j *Judgement) {
	if j.State != External {
		t.Links++
	}
	switch {
	case j.Fault == SiteAddress:
		t.addresses++
	case j.IsNote:
		t.followed++
	}
	if j.Fault.IsDead() {
		t.dead++
	}
	if j.IsAnchor {
		t.anchors++
	}
}

// IsSite tells that the links counted so far lead to addresses of a website more than to notes. Then the website makes the
// anchors of headings, too, by rules of its own, and nobody can tell which are there.
func (t *Tally) IsSite() bool { return t.addresses > t.followed }

// IsDead tells whether a link is dead, as all links of the vault that were counted show.
func (t *Tally) IsDead(j *Judgement) bool { return j.Fault.IsDead() && (!j.IsAnchor || !t.IsSite()) }

// Dead is the number of dead links.
func (t *Tally) Dead() int {
	if t.IsSite() {
		return t.dead - t.anchors
	}
	return t.dead
}
