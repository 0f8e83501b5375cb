package triage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"quarry/intake"
	"quarry/intake/ledger"
	"quarry/internal/draft"
	"quarry/vault"
)

// markName is the property that names a note's signal, by which a note that is there is known.
const markName = "signal_id"

// maxSame is how many notes of one name are looked at for that.
const maxSame = 1000

// noteOf is the text of a signal's note, without secrets.
func (t *Triage) noteOf(entry ledger.Entry, attached []attachment) []byte {
	s := entry.Signal
	properties := []draft.Property{}
	if score := entry.Score; score != nil {
		properties = append(properties,
			draft.Property{Name: "score", Value: score.Composite}, draft.Property{Name: "relevance", Value: score.Relevance.Value}, draft.Property{Name: "actionability", Value: score.Actionability.Value},
			draft.Property{Name: "depth", Value: score.Depth.Value}, draft.Property{Name: "authority", Value: score.Authority.Value})
	}
	properties = append(properties, draft.Property{Name: "author", Value: s.Author}, draft.Property{Name: "channel", Value: string(s.Channel)}, draft.Property{Name: "from", Value: originOf(s)})
	properties = append(properties, s.Properties...)
	properties = append(properties, draft.Property{Name: markName, Value: entry.Mark})
	updated := s.Updated
	if updated.Equal(s.Created) {
		updated = time.Time{}
	}
	note := draft.Note{
		Title: TitleOf(s), Type: "signal", Domain: entry.Domain, Tags: s.Tags, Created: createdOf(entry), Updated: updated,
		Source: sourceOf(s), Status: "active", Properties: properties, Body: bodyOf(s, attached),
	}
	return []byte(t.clean(note.String()))
}

func originOf(s intake.Signal) string {
	if s.OriginName != "" {
		return s.OriginName
	}
	return s.Origin
}

// sourceOf is where a signal is read: its address, else what it came from.
func sourceOf(s intake.Signal) string {
	if s.Address != "" {
		return s.Address
	}
	return s.Origin
}

// TitleOf is the title of a signal; one without has its address, or what it came from.
func TitleOf(s intake.Signal) string {
	for _, title := range []string{s.Title, s.Address, s.OriginName, s.Origin} {
		if strings.TrimSpace(title) != "" {
			return title
		}
	}
	return string(s.Channel)
}

func createdOf(entry ledger.Entry) time.Time {
	if entry.Signal.Created.IsZero() {
		return entry.Seen
	}
	return entry.Signal.Created.UTC()
}

// bodyOf is the text of a signal; one without text has its address, so that there is something to be found.
func bodyOf(s intake.Signal, attached []attachment) string {
	body := renamed(s.Body, attached)
	if strings.TrimSpace(body) == "" && s.Address != "" {
		body = "<" + s.Address + ">"
	}
	var others string // that the text does not lead to itself
	for _, one := range attached {
		if link := "[[" + path.Base(one.path) + "]]"; !strings.Contains(body, link) {
			others += "\n- " + link
		}
	}
	if others != "" {
		body += "\n\n## Attachments\n" + others
	}
	return body
}

// attachment is a file of a signal: its name there, and the file that it became.
type attachment struct{ name, path string }

// renamed is a text whose links and embeds of attached files lead to the files written; of two of one name to the first.
func renamed(body string, attached []attachment) string {
	var pairs []string
	for _, one := range attached {
		for _, end := range []string{"]]", "|"} {
			pairs = append(pairs, "[["+one.name+end, "[["+path.Base(one.path)+end)
		}
	}
	return strings.NewReplacer(pairs...).Replace(body)
}

// nameOf is the name of a signal's note: its day and words of its title.
func nameOf(entry ledger.Entry) vault.Name {
	const day, minute = len("2006-01-02"), len("2006-01-02-1504")
	stem := draft.FileStem(createdOf(entry), TitleOf(entry.Signal))
	return vault.Name{Stem: stem[:day] + stem[minute:], Extension: ".md"}
}

// write writes the notes of entries and gives them with path and hash; errs are those of single notes. A note that is there already,
// because a run before did not come to keep it, is taken for what it is.
func (t *Triage) write(ctx context.Context, entries []ledger.Entry) (written []ledger.Entry, errs []error) {
	errs = make([]error, len(entries))
	written = append([]ledger.Entry{}, entries...)
	var files []vault.NewFile
	var places []int
	for at, entry := range entries {
		attached, err := t.writeAttachments(ctx, entry)
		if err != nil {
			errs[at] = err
			continue
		}
		content := t.noteOf(entry, attached)
		sum := sha256.Sum256(content)
		written[at].Hash = hex.EncodeToString(sum[:])
		folder := path.Join(Folder, entry.Domain)
		if written[at].Path = t.find(ctx, folder, nameOf(entry), entry.Mark); written[at].Path == "" {
			files, places = append(files, vault.NewFile{Folder: folder, Name: nameOf(entry), Content: content}), append(places, at)
		}
	}
	for at, result := range t.vault.CreateAll(ctx, files) {
		written[places[at]].Path, errs[places[at]] = result.Path, result.Err
	}
	return written, errs
}

// find looks for the note of a signal among those of its name, "" where it is not there.
func (t *Triage) find(ctx context.Context, folder string, name vault.Name, mark string) string {
	line := []byte("\n" + markName + ": ")
	for count := 1; count <= maxSame; count++ {
		at := path.Join(folder, name.Stem+name.Extension)
		if count > 1 {
			at = path.Join(folder, fmt.Sprintf("%s-%d%s", name.Stem, count, name.Extension))
		}
		content, _, err := t.vault.Read(ctx, at)
		if errors.Is(err, fs.ErrNotExist) {
			return ""
		}
		if _, rest, ok := bytes.Cut(content, line); ok && err == nil {
			value, _, _ := strings.Cut(string(rest), "\n")
			if strings.Trim(strings.TrimSpace(value), `"'`) == mark {
				return at
			}
		}
	}
	return ""
}

// writeAttachments writes the files of a signal where they are kept, and gives where each is.
func (t *Triage) writeAttachments(ctx context.Context, entry ledger.Entry) ([]attachment, error) {
	if !t.options.Attachments {
		return nil, nil
	}
	var written []attachment
	for _, one := range entry.Signal.Attachments {
		if len(one.Content) == 0 {
			continue
		}
		extension := path.Ext(one.Name)
		stem := draft.FileName(strings.TrimSuffix(one.Name, extension))
		extension = strings.TrimSuffix("."+draft.FileName(strings.TrimPrefix(extension, ".")), ".")
		name := entry.Mark[:8] + "-" + stem + extension // of its signal, so that it is there once
		at := path.Join(AttachmentFolder, name)
		if _, err := t.vault.CreateOnly(ctx, at, one.Content); err != nil {
			return nil, err
		}
		written = append(written, attachment{one.Name, at})
	}
	return written, nil
}

// removal is what became of a note that is to go.
type removal string

const (
	noteRemoved removal = "the note is removed"
	noteChanged removal = "the note was changed since and is left where it is"
	noteGone    removal = "the note was gone already"
)

// remove takes a note away that is as it was written, and no other. It is the one place where something of a vault is deleted, and
// only at the user's word.
func (t *Triage) remove(ctx context.Context, entry ledger.Entry) (removal, error) {
	content, _, err := t.vault.Read(ctx, entry.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return noteGone, nil
	}
	if err != nil {
		return "", err
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != entry.Hash {
		return noteChanged, nil
	}
	root, err := os.OpenRoot(t.vault.Root())
	if err != nil {
		return "", fmt.Errorf("remove %s: %w", entry.Path, cause(err))
	}
	err = errors.Join(root.Remove(filepath.FromSlash(entry.Path)), root.Close())
	if err != nil {
		return "", fmt.Errorf("remove %s: %w", entry.Path, cause(err))
	}
	return noteRemoved, nil
}
