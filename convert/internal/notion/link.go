package notion

import (
	"net/url"
	"path"
	"strings"

	"quarry/convert/export"
	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

var (
	notionAddress = lazyregexp.New(`(?i)^(?:(?:https?|notion)://(?:[a-z0-9-]+\.)*notion\.(?:so|site|com)/|/)`)
	addressID     = lazyregexp.New(`[0-9a-f]{32}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}`)
)

// link is the link that a page means; ok is false for one to elsewhere. Otherwise is what stays where there is nothing of the kind.
func (r *reader) link(from *page, address, text, otherwise string) (made string, ok bool) {
	if id := pageID(address); id != "" {
		return r.linkTo(r.byID[id], id, text, otherwise), true
	}
	at, found, isLocal := r.local(from, address)
	if !isLocal {
		return "", false
	}
	if p := r.byPath[at]; p != nil && found {
		return r.linkTo(p, p.id, text, otherwise), true
	}
	return r.into.Link(export.Target{ID: at, Text: text, Otherwise: otherwise}), true
}

func (r *reader) linkTo(p *page, id, text, otherwise string) string {
	if text = strings.TrimSpace(text); p != nil && (text == p.title || text == markdown.Escape(p.title)) {
		text = ""
	}
	return r.into.Link(export.Target{ID: id, Text: text, Otherwise: otherwise})
}

// embed shows a file of the export; size is the width of a picture, "" as it is.
func (r *reader) embed(from *page, address, text, size string) (made string, ok bool) {
	at, _, isLocal := r.local(from, address)
	if !isLocal {
		return "", false
	}
	return r.into.Link(export.Target{ID: at, IsEmbed: true, Size: size, Otherwise: text}), true
}

// pageID is the id of the page that an address of Notion means, "" for other addresses.
func pageID(address string) string {
	if !notionAddress.MatchString(address) || strings.HasPrefix(address, "//") {
		return ""
	}
	parsed, err := url.Parse(address)
	if err != nil || parsed.Path == "" {
		return ""
	}
	id := addressID.FindString(parsed.Query().Get("p"))
	if id == "" {
		all := addressID.FindAllString(parsed.Path, -1)
		if len(all) == 0 {
			return ""
		}
		id = all[len(all)-1]
	}
	return strings.ReplaceAll(id, "-", "")
}

// local is the file of the tree that an address means; isLocal is false where it means none, found where it is there.
func (r *reader) local(from *page, address string) (at string, found, isLocal bool) {
	address, _, _ = strings.Cut(address, "#")
	first, _, _ := strings.Cut(address, "/")
	if address == "" || strings.Contains(first, ":") || strings.HasPrefix(address, "/") {
		return "", false, false
	}
	plain, err := url.PathUnescape(address)
	if err != nil {
		plain = address
	}
	dir := path.Dir(from.file.Path)
	for _, name := range []string{plain, address} {
		if real, ok := r.files[folded(path.Join(dir, name))]; ok {
			return r.whole(real), true, true
		}
	}
	// A database is known by its page, wherever its file went; so is a page by the id in its name.
	extension := path.Ext(plain)
	if _, id := splitID(strings.TrimSuffix(path.Base(plain), extension)); id != "" {
		if p := r.byID[id]; p != nil {
			return p.file.Path, true, true
		}
	}
	return path.Join(dir, plain), false, looksLocal(extension)
}

// whole is the file of a database for a file of one of its views.
func (r *reader) whole(name string) string {
	if path.Ext(name) == ".csv" && r.byPath[name] == nil {
		for _, other := range []string{strings.TrimSuffix(name, ".csv") + "_all.csv", strings.TrimSuffix(name, "_all.csv") + ".csv"} {
			if r.byPath[other] != nil {
				return other
			}
		}
	}
	return name
}

// looksLocal tells whether an address without a scheme means a file by its extension: "example.org" means none.
func looksLocal(extension string) bool {
	return strings.Contains(" .md .html .csv .png .jpg .jpeg .gif .webp .svg .heic .pdf .mp3 .m4a .wav .mp4 .mov .zip .txt .docx .xlsx .pptx ", " "+strings.ToLower(extension)+" ") && extension != ""
}
