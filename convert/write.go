package convert

import (
	"context"
	"path"
	"strings"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/vault"
)

// Bounds of what is written at once, and so of what a killed run may have left without a note of it.
const (
	maxBatchFiles = 256
	maxBatchBytes = 32 << 20
)

// batch is what is written at once.
type batch struct {
	run    *run
	counts *Counts
	items  []*placed
	files  []vault.NewFile
	bytes  int
}

func (b *batch) add(ctx context.Context, p *placed, content []byte) error {
	if b.run.IsDryRun {
		b.counts.Written++
		b.run.tellWritten(p)
		return nil
	}
	folder, name := path.Split(p.path)
	extension := path.Ext(name)
	file := vault.NewFile{Folder: strings.TrimSuffix(folder, "/"), Name: vault.Name{Stem: strings.TrimSuffix(name, extension), Extension: extension}, Content: content}
	if p.note != nil {
		file.Modified = timeOf(*p.note)
	}
	p.item.Path, p.item.Written, p.item.Bytes = p.path, hashOf(content), int64(len(content))
	b.items, b.files, b.bytes = append(b.items, p), append(b.files, file), b.bytes+len(content)
	if len(b.files) < maxBatchFiles && b.bytes < maxBatchBytes {
		return nil
	}
	return b.flush(ctx)
}

// flush writes what was added. What it is about to write is remembered before, and what it wrote afterwards.
func (b *batch) flush(ctx context.Context) error {
	if len(b.files) == 0 {
		return nil
	}
	items := make([]Item, len(b.items))
	for i, p := range b.items {
		items[i] = p.item
	}
	if err := b.run.remember(items); err != nil {
		return err
	}
	var done []Item
	for i, result := range b.run.vault.CreateAll(ctx, b.files) {
		p := b.items[i]
		if result.Err != nil {
			if ctx.Err() == nil {
				b.counts.Failed++
				b.run.report.problem(p.path, result.Err)
			}
			continue
		}
		if result.Path != p.path {
			b.run.report.problem(result.Path, errOtherName)
			p.path, p.item.Path = result.Path, result.Path
		}
		p.item.IsDone = true
		done = append(done, p.item)
		b.counts.Written++
		b.run.tellWritten(p)
	}
	b.items, b.files, b.bytes = nil, nil, 0
	if err := b.run.remember(done); err != nil {
		return err
	}
	return ctx.Err()
}

func (r *run) tellWritten(p *placed) {
	file := File{Path: p.path}
	if p.note != nil && strings.TrimSuffix(path.Base(p.path), path.Ext(p.path)) != p.title {
		file.Title = draft.TitleLine(p.title)
	}
	r.report.Written = append(r.report.Written, file)
	if r.vault.Ignored(p.path) && p.note != nil {
		r.report.Problems = append(r.report.Problems, export.Problem{Where: p.path, Reason: "the ignore rules of the vault keep it out of the index"})
	}
}

// takeAttachments reads and writes attachments, one after another, and gives those that have a file.
func (r *run) takeAttachments(ctx context.Context) ([]*placed, error) {
	var all []*placed
	b := &batch{run: r, counts: &r.report.Attachments}
	for i := range r.built.Attachments {
		if err := ctx.Err(); err != nil {
			return all, err
		}
		a := &r.built.Attachments[i]
		r.progress("attachments", i, len(r.built.Attachments))
		p := &placed{id: idOf(a.ID, a.Path)}
		content, err := a.Read()
		if err != nil {
			r.report.Attachments.Found++
			r.report.Attachments.Failed++
			r.report.problem(a.Path, err)
			continue
		}
		if err := r.takeAttachment(ctx, b, p, content, a); err != nil {
			return all, err
		}
		all = append(all, p)
	}
	return all, b.flush(ctx)
}

func (r *run) takeAttachment(ctx context.Context, b *batch, p *placed, content []byte, a *export.Attachment) error {
	p.item = r.newItem("file:"+p.id, p.id, p.id == a.Path)
	p.item.Source = hashOf(content)
	if first := r.byHash[p.item.Source]; first != nil && first.path != "" {
		r.report.Attachments.Found++
		r.report.Attachments.Same++
		p.path = first.path
		return nil
	}
	r.byHash[p.item.Source] = p
	r.settle(ctx, p, &r.report.Attachments)
	if !p.isNew {
		return nil
	}
	if p.path == "" {
		p.path = r.placeAttachment(a)
	}
	return b.add(ctx, p, content)
}

func (r *run) placeAttachment(a *export.Attachment) string {
	place, extension := splitExtension(strings.Trim(a.Path, "/"))
	folder, stem := placeOf(r.Into, place)
	if !a.IsBeside {
		folder = r.attachments
	}
	return r.names.give(folder, stem, extension)
}

// writeNotes writes those that are new.
func (r *run) writeNotes(ctx context.Context) error {
	b := &batch{run: r, counts: &r.report.Notes}
	for i, p := range r.notes {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.progress("notes", i, len(r.notes))
		if !p.isNew {
			continue
		}
		content := r.text(ctx, p)
		_, found := r.Filter.Redact(content)
		r.report.addSecrets(found)
		if err := b.add(ctx, p, []byte(content)); err != nil {
			return err
		}
	}
	return b.flush(ctx)
}

// text is a note as it is written, with its links.
func (r *run) text(ctx context.Context, p *placed) string {
	w := &writer{run: r, ctx: ctx, from: p}
	if p.note.IsWhole {
		return w.resolve(p.note.Body)
	}
	n := p.note.Note
	n.Body = w.resolve(n.Body)
	n.Source = w.resolve(n.Source)
	n.Properties = make([]draft.Property, len(p.note.Properties))
	for i, property := range p.note.Properties {
		switch value := property.Value.(type) {
		case string:
			property.Value = w.resolve(value)
		case []string:
			resolved := make([]string, len(value))
			for j, one := range value {
				resolved[j] = w.resolve(one)
			}
			property.Value = resolved
		}
		n.Properties[i] = property
	}
	return n.String()
}
