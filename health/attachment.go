package health

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// attachmentTypes are extensions of what notes embed or link to and is no note.
var attachmentTypes = []string{
	".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".avif", ".heic", ".ico", ".tif", ".tiff",
	".mp3", ".wav", ".m4a", ".ogg", ".flac", ".3gp", ".opus", ".mp4", ".mov", ".mkv", ".webm", ".ogv", ".avi",
	".pdf", ".epub", ".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".odt", ".ods", ".odp", ".csv", ".tsv", ".zip",
	".canvas", ".base",
}

// isNoteExtension tells of an extension, in lower case, that notes have.
func isNoteExtension(extension string) bool { return extension == ".md" || extension == ".markdown" }

// examineAttachment names the file of the same name in another folder, or of another extension, that may be meant.
func (l *linkCheck) examineAttachment(w written, target string) {
	name := strings.ToLower(path.Base(target))
	near := slices.Clone(l.files[name])
	if len(near) == 0 {
		stem := strings.TrimSuffix(name, path.Ext(name))
		for _, extension := range attachmentTypes {
			near = append(near, l.files[stem+extension]...)
		}
	}
	slices.Sort(near)
	remedy := "put the file there, or take the link away"
	if len(near) > 0 {
		remedy = fmt.Sprintf("likely %s is meant: write %s", near[0], rewritten(w.link, near[0]))
	}
	what := "a link to"
	if w.link.Embed {
		what = "an embed of"
	}
	l.tell(DeadAttachment, w, fmt.Sprintf("%s %s, and there is no such file", what, w.link.Target), remedy, near...)
}

// isFolder tells of a target that is a folder of the vault.
func (l *linkCheck) isFolder(target, source string) bool {
	folder := strings.ToLower(strings.Trim(target, "/"))
	return folder != "" && (l.folders[folder] || l.folders[strings.ToLower(path.Join(path.Dir(source), target))]) || path.Join(path.Dir(source), target) == "."
}

// leavesVault tells of a target that lies outside of the vault, where nobody has looked.
func leavesVault(target, source string) bool {
	return strings.HasPrefix(path.Join(path.Dir(source), target), "../")
}

// firstFolder is the first segment of a path from the root.
func firstFolder(target string) string {
	first, _, _ := strings.Cut(strings.TrimLeft(target, "/"), "/")
	return first
}

// linkName is how a link names a file: by its name alone, without the extension of a note.
func linkName(file string) string { return path.Base(linkPath(file)) }

// linkPath is how a link names a file by its path.
func linkPath(file string) string { return strings.TrimSuffix(file, ".md") }

// shown is a link as a reader knows it.
func shown(link *Link) string {
	if link.Markdown {
		return fmt.Sprintf("(%s%s)", link.Target, link.Subpath)
	}
	return fmt.Sprintf("[[%s%s]]", link.Target, link.Subpath)
}
