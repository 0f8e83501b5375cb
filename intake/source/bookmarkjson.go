package source

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// chromeNode is a bookmark or folder of Chrome's own file and those of its relatives.
type chromeNode struct {
	Type, Name, URL string
	Added           string `json:"date_added"` // microseconds since 1601-01-01 UTC
	Children        []chromeNode
}

// chrome reads the file "Bookmarks" of Chrome, Chromium, Edge, Brave and Vivaldi.
func (r *reader) chrome(text []byte) error {
	r.batch.Kind = "chrome"
	var file struct {
		Roots map[string]json.RawMessage `json:"roots"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	known := []string{"bookmark_bar", "other", "synced"}
	for _, name := range known {
		r.chromeRoot(file.Roots[name])
		delete(file.Roots, name)
	}
	for _, name := range sortedKeys(file.Roots) {
		r.chromeRoot(file.Roots[name])
	}
	return r.ctx.Err()
}

func (r *reader) chromeRoot(raw json.RawMessage) {
	var root chromeNode
	if json.Unmarshal(raw, &root) == nil { // others are versions and sums
		r.chromeNodes(root, nil)
	}
}

func (r *reader) chromeNodes(node chromeNode, folders []string) {
	if r.ctx.Err() != nil {
		return
	}
	if node.Type == "url" {
		r.addBookmark(bookmark{title: node.Name, address: node.URL, folder: folders, added: chromeTime(node.Added)})
		return
	}
	if len(folders) < mostFolders {
		folders = append(folders[:len(folders):len(folders)], node.Name)
	}
	for _, child := range node.Children {
		r.chromeNodes(child, folders)
	}
}

// chromeEpoch is what lies between 1601 and 1970, in microseconds.
const chromeEpoch = 11_644_473_600_000_000

func chromeTime(text string) time.Time {
	micros, err := strconv.ParseInt(text, 10, 64)
	if err != nil || micros <= chromeEpoch {
		return time.Time{}
	}
	return time.UnixMicro(micros - chromeEpoch).UTC()
}

// firefoxNode is a bookmark or folder of Firefox's backup.
type firefoxNode struct {
	Type, Root, Title, URI, Tags string
	Added                        int64                       `json:"dateAdded"` // microseconds since 1970
	Notes                        []struct{ Name, Value any } `json:"annos"`
	Children                     []firefoxNode
}

// firefoxRoots are what Firefox shows instead of the names in its file; the root itself has none.
var firefoxRoots = map[string]string{
	"placesRoot": "", "bookmarksMenuFolder": "Bookmarks Menu", "toolbarFolder": "Bookmarks Toolbar", "unfiledBookmarksFolder": "Other Bookmarks", "mobileFolder": "Mobile Bookmarks",
}

// firefox reads the backups of Firefox, bookmarks-*.json and .jsonlz4.
func (r *reader) firefox(text []byte) error {
	r.batch.Kind = "firefox"
	var root firefoxNode
	if err := json.Unmarshal(text, &root); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	tags := map[string][]string{}
	firefoxTags(root, tags)
	r.firefoxNodes(root, nil, tags)
	return r.ctx.Err()
}

// firefoxTags gathers the tags of older files, which keep them as folders.
func firefoxTags(node firefoxNode, tags map[string][]string) {
	for _, child := range node.Children {
		if node.Root == "tagsFolder" {
			for _, tagged := range child.Children {
				tags[tagged.URI] = append(tags[tagged.URI], child.Title)
			}
			continue
		}
		firefoxTags(child, tags)
	}
}

func (r *reader) firefoxNodes(node firefoxNode, folders []string, tags map[string][]string) {
	if r.ctx.Err() != nil || node.Root == "tagsFolder" {
		return
	}
	if node.Type == "text/x-moz-place" {
		r.addBookmark(bookmark{
			title: node.Title, address: node.URI, folder: folders, added: firefoxTime(node.Added), description: node.description(),
			tags: append(strings.Split(node.Tags, ","), tags[node.URI]...),
		})
		return
	}
	name, isRoot := firefoxRoots[node.Root]
	if !isRoot {
		name = node.Title
	}
	if name != "" && len(folders) < mostFolders {
		folders = append(folders[:len(folders):len(folders)], name)
	}
	for _, child := range node.Children {
		r.firefoxNodes(child, folders, tags)
	}
}

func (n firefoxNode) description() string {
	for _, note := range n.Notes {
		if text, ok := note.Value.(string); ok && note.Name == "bookmarkProperties/description" {
			return text
		}
	}
	return ""
}

func firefoxTime(micros int64) time.Time {
	if micros <= 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}
