package convert

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"quarry/convert/export"
	"quarry/internal/filename"
	"quarry/vault"
)

// AttachmentFolder is where attachments go, in a folder called as that of the notes, where the vault has it; else they go into a folder
// "attachments" beside the notes.
const AttachmentFolder = "08-attachments"

// run is one import.
type run struct {
	Options
	vault  *vault.Vault
	tree   *export.Tree
	built  *export.Builder
	report *Report

	names       *names
	there       map[string]bool    // paths of the vault before
	bySize      map[int64][]string // of notes of the vault before
	byName      map[string][]string
	attachments string             // their folder
	byHash      map[string]*placed // attachments
	notes       []*placed
	targets     *targets
	links       *endings
}

// placed is an item of the export and the file that it is or becomes.
type placed struct {
	id    string
	path  string       // of its file; "": it has none any more
	title string       // of a note
	note  *export.Note // nil: an attachment
	item  Item
	isNew bool // it is to be written

	headings []string
	isParsed bool // headings are known, or being found
	blocks   map[string]bool
}

func (r *run) do(ctx context.Context) error {
	if r.Memory == nil {
		r.Memory = forgetful{}
	}
	if err := r.look(ctx); err != nil {
		return err
	}
	if err := r.placeNotes(ctx); err != nil {
		return err
	}
	placed, err := r.takeAttachments(ctx)
	if err != nil {
		return err
	}
	r.targets = newTargets(slices.Concat(r.notes, placed))
	r.links = newEndings(r.there, r.notes, placed)
	return r.writeNotes(ctx)
}

// look learns which names the vault has.
func (r *run) look(ctx context.Context) error {
	listing, err := r.vault.Scan(ctx)
	if err != nil {
		return fmt.Errorf("look at the vault: %w", err)
	}
	r.there, r.bySize, r.byName, r.byHash = map[string]bool{}, map[int64][]string{}, map[string][]string{}, map[string]*placed{}
	add := func(file string) {
		r.there[file] = true
		r.byName[path.Base(file)] = append(r.byName[path.Base(file)], file)
	}
	for _, f := range listing.Files {
		add(f.Path)
		r.bySize[f.SizeBytes] = append(r.bySize[f.SizeBytes], f.Path)
	}
	for _, other := range listing.Others {
		if !r.there[other] {
			add(other)
		}
	}
	taken := make([]string, 0, len(r.there))
	for file := range r.there {
		taken = append(taken, file)
	}
	for _, s := range listing.Skipped {
		taken = append(taken, s.Path)
	}
	slices.Sort(taken)
	r.names = newNames(taken)
	r.attachments = path.Join(r.Into, "attachments")
	if info, err := fs.Stat(r.vault.FS(), AttachmentFolder); err == nil && info.IsDir() {
		r.attachments = path.Join(AttachmentFolder, path.Base(r.Into))
	}
	return nil
}

// placeNotes finds what is known of each note, and plans the names of those that are new.
func (r *run) placeNotes(ctx context.Context) error {
	seen := map[string]int{}
	var fresh []Item
	for i := range r.built.Notes {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := &r.built.Notes[i]
		r.fill(n)
		p := &placed{id: idOf(n.ID, n.Path), title: n.Title, note: n}
		key := p.id
		if seen[p.id]++; seen[p.id] > 1 {
			key = fmt.Sprintf("%s (%d)", p.id, seen[p.id])
		}
		p.item = r.newItem("note:"+key, p.id, n.ID == "" || n.ID == n.Path)
		p.item.Source = r.sourceHash(n)
		r.settle(ctx, p, &r.report.Notes)
		r.notes = append(r.notes, p)
	}
	for _, p := range r.notes {
		if p.isNew && p.path == "" {
			folder, stem := placeOf(r.Into, p.note.Path)
			p.path = r.names.give(folder, stem, filename.NoteExtension)
			p.item.Path = p.path
			fresh = append(fresh, p.item)
		}
	}
	return r.remember(fresh)
}

// fill gives a note what every note has.
func (r *run) fill(n *export.Note) {
	n.Path = strings.Trim(n.Path, "/")
	if n.Title == "" {
		n.Title = strings.ReplaceAll(path.Base(n.Path), export.Slash, "/")
	}
	if n.Type == "" {
		n.Type = "note"
	}
}

func idOf(id, place string) string {
	if id == "" {
		return place
	}
	return id
}

// newItem is what is remembered of an item. An ID that is a path within the export means nothing in another one.
func (r *run) newItem(key, id string, isPath bool) Item {
	item := Item{Format: r.Format, ID: key}
	if isPath || strings.Contains(id, "/") || r.tree.Has(id) {
		item.From = hashOf([]byte(r.Export))
	}
	return item
}

// settle finds what became of an item that was imported before, or takes it for new.
func (r *run) settle(ctx context.Context, p *placed, counts *Counts) {
	counts.Found++
	known, ok := r.known(p.item)
	switch {
	case !ok:
		p.isNew = true
		return
	case !known.IsDone && !r.wasWritten(ctx, known):
		p.isNew = true
		if !r.there[known.Path] && known.Path != "" {
			p.path, p.item.Path = known.Path, known.Path // as links of notes that were written call it
			r.names.take(known.Path)
		}
		return
	}
	now, verdict := r.became(ctx, known)
	isChanged := known.Source != p.item.Source
	if r.Again && (isChanged || now == "") {
		p.isNew = true
		return
	}
	p.path = now
	r.count(counts, verdict, isChanged)
	if verdict != isAsWritten || isChanged {
		r.report.Kept = append(r.report.Kept, File{Path: known.Path, Reason: reasonOf(verdict, now, isChanged)})
	}
}

// known gives what is remembered of an item: of the same content, else of the same export.
func (r *run) known(item Item) (Item, bool) {
	all := r.Memory.Imported(item.Format, item.ID)
	for _, isIt := range []func(Item) bool{
		func(i Item) bool { return i.Source == item.Source && i.From == item.From },
		func(i Item) bool { return i.Source == item.Source && i.IsDone },
		func(i Item) bool { return i.From == item.From },
	} {
		if at := slices.IndexFunc(all, isIt); at >= 0 {
			return all[at], true
		}
	}
	return Item{}, false
}

// wasWritten tells whether a run that was killed wrote a file.
func (r *run) wasWritten(ctx context.Context, item Item) bool {
	return item.Written != "" && r.there[item.Path] && r.hash(ctx, item.Path) == item.Written
}

// What became of a file.
type verdict int

const (
	isAsWritten verdict = iota
	isEdited
	isMoved
	isGone
)

// became finds the file of an item: where it was written, or where one with the same bytes or else the same name lies now.
func (r *run) became(ctx context.Context, item Item) (string, verdict) {
	if r.there[item.Path] {
		if r.hash(ctx, item.Path) == item.Written {
			return item.Path, isAsWritten
		}
		return item.Path, isEdited
	}
	for _, other := range r.bySize[item.Bytes] {
		if r.hash(ctx, other) == item.Written {
			return other, isMoved
		}
	}
	if same := r.byName[path.Base(item.Path)]; len(same) == 1 {
		return same[0], isMoved
	}
	return "", isGone
}

func (r *run) hash(ctx context.Context, file string) string {
	content, _, err := r.vault.Read(ctx, file)
	if err != nil {
		return ""
	}
	return hashOf(content)
}

func (r *run) count(counts *Counts, became verdict, isChanged bool) {
	switch {
	case isChanged:
		counts.Changed++
	case became == isEdited:
		counts.Edited++
	case became == isMoved:
		counts.Moved++
	case became == isGone:
		counts.Gone++
	default:
		counts.Unchanged++
	}
}

func reasonOf(became verdict, now string, isChanged bool) string {
	reason := [...]string{isEdited: "edited since; left alone", isMoved: "moved since to " + now + "; left alone", isGone: "deleted since; not written again"}[became]
	switch {
	case isChanged && reason != "":
		return reason + "; changed in the export, too"
	case isChanged:
		return "changed in the export since; not written again"
	}
	return reason
}

func (r *run) remember(items []Item) error {
	if r.IsDryRun || len(items) == 0 {
		return nil
	}
	if err := r.Memory.Remember(items); err != nil {
		return fmt.Errorf("keep what was imported: %w", err)
	}
	return nil
}

// sourceHash is that of what an export holds of a note, without times, which many exports make anew.
func (r *run) sourceHash(n *export.Note) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %q %q %q %q", n.Path, n.Title, n.Type, n.Source, n.Tags, n.Status)
	for _, property := range n.Properties {
		fmt.Fprintf(&b, " %q %q", property.Name, r.built.Resolve(fmt.Sprint(property.Value), plainTarget))
	}
	b.WriteString(r.built.Resolve(n.Body, plainTarget))
	return hashOf([]byte(b.String()))
}

func plainTarget(to export.Target) string { return fmt.Sprintf("%+v", to) }

func (r *run) progress(stage string, done, total int) {
	if r.Progress != nil {
		r.Progress(Progress{stage, done, total})
	}
}

var errOtherName = errors.New("another program took its name meanwhile: links to it may lead to that file")
