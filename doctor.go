package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"quarry/graph"
	"quarry/health"
	"quarry/index"
	"quarry/internal/dialect"
	"quarry/note"
	"quarry/store"
)

type (
	// HealthFinding is something that Doctor found.
	HealthFinding = health.Finding
	// HealthCheck is a kind of HealthFinding.
	HealthCheck = health.Check
)

// ErrUnknownCheck tells that there is no check of a name.
var ErrUnknownCheck = health.ErrUnknownCheck

// HealthChecks lists the kinds of what Doctor finds.
func HealthChecks() []HealthCheck { return health.Checks() }

// DoctorRequest says what Doctor looks for.
type DoctorRequest struct {
	Only []string // these checks alone, by name; none: all
	Skip []string // all but these
}

// Health is what Doctor found. Its JSON form is what `doctor --json` prints.
type Health struct {
	Vault    string          `json:"vault"`
	Index    string          `json:"index"`    // its file; "" for a client
	Notes    int             `json:"notes"`    // that were examined
	Findings []HealthFinding `json:"findings"` // faults first, then notices, then hints; by check, path and line; never nil
}

// Doctor examines the index, the vault and the graph. It writes nothing. Without an index, that is the finding. An unknown name of
// a check is an ErrUnknownCheck. A client is told of the notes that it sees alone, and of the file of the index nothing.
func (e *Engine) Doctor(ctx context.Context, request DoctorRequest) (_ Health, err error) {
	defer e.clean(&err)
	selection, err := health.Select(request.Only, request.Skip)
	if err != nil {
		return Health{}, err
	}
	found, err := e.examine(ctx, selection)
	if err != nil {
		return Health{}, fmt.Errorf("examine the vault: %w", err)
	}
	return found, nil
}

func (e *Engine) examine(ctx context.Context, selection health.Selection) (Health, error) {
	found := Health{Vault: e.shown(e.vault.Root())}
	d := &doctor{engine: e, selection: selection, unreadable: map[string]bool{}}
	if err := d.place(&found); err != nil {
		return Health{}, err
	}
	status, err := e.Status(ctx) // before a view is open: who holds one does not wait for another
	if isDamage := errors.Is(err, ErrDamaged) && d.tellsOfFile; err != nil && !isDamage {
		return Health{}, err
	}
	d.facts.Index.Stale = status.Stale
	var wait func() error
	d.facts.Index.Damage, wait = e.verify(ctx, selection)
	examination, err := d.examine(ctx)
	switch {
	case errors.Is(err, ErrDamaged) && d.tellsOfFile && selection.Has(health.DamagedIndex): // nothing of it can be relied on
		what := e.shown(err.Error())
		d.facts = health.Facts{Index: d.facts.Index}
		d.facts.Index.Damage = func() string { return what }
		examination, err = health.Examine(ctx, d.facts, selection)
	case errors.Is(err, ErrNoIndex) && selection.Has(health.NoIndex):
		d.facts.Index.IsMissing = true
		examination, err = health.Examine(ctx, d.facts, selection)
	}
	if err := errors.Join(err, wait()); err != nil {
		return Health{}, err
	}
	found.Notes = len(d.facts.Notes)
	found.Findings, err = examination.Findings(ctx, func(path string, what health.Place, name string) int { return d.line(ctx, path, what, name) })
	if err != nil {
		return Health{}, err
	}
	return found, filterAgain(e, d.meta, &found)
}

// doctor gathers the facts of one view of the index.
type doctor struct {
	engine      *Engine
	selection   health.Selection
	tellsOfFile bool // the audience may know of the file of the index
	facts       health.Facts
	view        *view             // while it is open
	meta        map[string]string // nil without an index
	real        realNames
	parsed      *note.Note // that was asked for last
	unreadable  map[string]bool
	readings    int // of notes
}

// place tells where the file of the index lies, if the audience may know.
func (d *doctor) place(found *Health) error {
	if found.Index, d.tellsOfFile = d.engine.indexFileFor(); !d.tellsOfFile {
		return nil
	}
	absolute, err := filepath.Abs(d.engine.config.DatabasePath)
	if err != nil {
		return fmt.Errorf("find the index: %w", err)
	}
	d.facts.Index.Path, d.facts.Index.Vault = d.engine.shown(absolute), found.Vault
	return nil
}

// customs are those of the apps that differ from Obsidian.
var customs = map[dialect.Dialect]health.Customs{
	dialect.Logseq:  {NamesSuffice: true, Nesting: "___"},
	dialect.Foam:    {HasAnchors: true},
	dialect.Dendron: {TextFirst: true, HasAnchors: true, Nesting: "."},
}

// examine opens a view, reads all of it that counts, and closes it.
func (d *doctor) examine(ctx context.Context) (*health.Examination, error) {
	var err error
	if d.view, err = d.engine.snapshot(ctx); err != nil {
		return nil, err
	}
	defer d.view.Close()
	d.meta, d.real = d.view.meta, d.engine.realNames(ctx)
	for _, gather := range []func(context.Context) error{d.notes, d.links, d.others, d.index} {
		if err := gather(ctx); err != nil {
			return nil, err
		}
	}
	d.facts.Lines = func(path string) []string { return noteLines(d.parse(ctx, path)) }
	d.facts.Customs = customs[dialect.Dialect(d.meta[store.MetaDialect])]
	return health.Examine(ctx, d.facts, d.selection)
}

// notes lists the notes and the problems of the last run with them.
func (d *doctor) notes(ctx context.Context) error {
	notes, err := d.view.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return err
	}
	d.facts.Notes = make([]health.Note, len(notes))
	for i := range notes {
		n := &notes[i]
		d.facts.Notes[i] = health.Note{
			Path: n.Path, Kind: n.Kind, Title: n.Title, Type: n.Type, Status: n.Status, DeclaredID: n.DeclaredID,
			Tags: n.Tags, Passages: n.PassageCount,
		}
	}
	problems, err := d.view.Problems(ctx)
	d.facts.Problems = slices.DeleteFunc(d.engine.problemsFor(problems, notes), index.IsSecret)
	return err
}

// links makes ready what reads the notes with their links, one by one, and what tells which notes dead links may mean.
func (d *doctor) links(ctx context.Context) error {
	names := &finder{engine: d.engine, view: d.view}
	resolver, err := names.names(ctx)
	if err != nil {
		return err
	}
	judge, failed, err := names.judging(ctx)
	if err != nil {
		return err
	}
	d.facts.Contents = func(yield func(health.Content, error) bool) {
		for i := range d.facts.Notes {
			content, err := d.content(ctx, d.facts.Notes[i].Path, judge)
			if !yield(content, cmp.Or(err, failed())) {
				return
			}
		}
	}
	d.facts.Suggest = func(ctx context.Context, links []graph.Backlink, linked func(from, to string) bool, limit int) ([][]graph.Suggestion, error) {
		return resolver.SuggestAll(ctx, links, graph.Search{Outlines: d.view.Outlines(ctx), Linked: linked, Limit: limit})
	}
	return nil
}

// content reads one note.
func (d *doctor) content(ctx context.Context, path string, judge *graph.Resolver) (health.Content, error) {
	n, ok, err := d.view.Note(ctx, path)
	if err != nil || !ok || n.Path != path {
		return health.Content{}, err
	}
	content := health.Content{Path: path, Properties: n.Frontmatter}
	slices.SortStableFunc(n.Links, func(a, b store.Link) int { return cmp.Compare(a.Line, b.Line) })
	for k := range n.Links {
		judged := judge.Judge(&n.Links[k], path)
		content.Links = append(content.Links, health.LinkOf(&n.Links[k], &judged))
	}
	for k := range n.Passages {
		content.Texts = append(content.Texts, health.Text{Line: n.Passages[k].LineStart, Text: n.Passages[k].Text})
	}
	return content, nil
}

// others lists the files that are no notes.
func (d *doctor) others(ctx context.Context) error {
	others, err := d.view.OtherFiles(ctx)
	d.facts.Files = slices.DeleteFunc(others, d.engine.isNoOther)
	return err
}

// index compares the index with the vault and the settings.
func (d *doctor) index(ctx context.Context) error {
	e, state := d.engine, &d.facts.Index
	state.Notices = append(e.notices(d.meta), e.typesNoticeFor(ctx, d.meta)...)
	isCut := !index.HasGraph(d.meta)
	if isCut { // that is a finding of its own
		state.Notices = slices.DeleteFunc(state.Notices, func(notice string) bool { return notice == cutOffNotice })
	}
	if !d.tellsOfFile {
		return nil
	}
	state.IsCut = isCut
	listing, _, err := e.scan(ctx)
	if err != nil {
		return err
	}
	state.Unused = e.foldersFor(listing)
	types, err := e.indexedTypes(d.meta)
	if err != nil {
		return err
	}
	d.facts.Types = types.Names()
	model, err := e.model()
	if err == nil && model != nil && d.meta[store.MetaModelHash] != model.Hash() && d.meta[store.MetaModel] != "" {
		state.Model, state.ModelNow = d.meta[store.MetaModel], model.Name()
	}
	return nil
}

// verify looks for damage beside all else. The answer is to be waited for.
func (e *Engine) verify(ctx context.Context, selection health.Selection) (damage func() string, wait func() error) {
	if !selection.Has(health.DamagedIndex) {
		return nil, func() error { return nil }
	}
	var what string
	done := make(chan error, 1)
	go func() {
		found, err := e.indexDamageFor(ctx)
		what = found
		done <- err
	}()
	wait = sync.OnceValue(func() error { return <-done })
	return func() string { _ = wait(); return what }, wait
}

// line finds the line of something in a note as it lies in the vault, 0 where it is not there.
func (d *doctor) line(ctx context.Context, path string, what health.Place, name string) int {
	if parsed := d.parse(ctx, path); parsed != nil {
		return lineOf(parsed, what, name)
	}
	return 0
}

// maxReadings bounds how many notes are read again for the lines of findings: it takes a second or two.
const maxReadings = 2000

// parse reads a note as it lies in the vault, nil where it is not there or too many were read.
func (d *doctor) parse(ctx context.Context, path string) *note.Note {
	if d.parsed != nil && d.parsed.Path == path {
		return d.parsed
	}
	name, ok := d.real(path)
	if !ok || d.unreadable[path] || d.readings >= maxReadings || ctx.Err() != nil {
		return nil
	}
	d.readings++
	parsed, err := d.engine.parseAt(ctx, name)
	if err != nil {
		d.unreadable[path] = true
		return nil
	}
	d.parsed = parsed
	return parsed
}

// noteLines are the lines of a note, nil where it is not known.
func noteLines(n *note.Note) []string {
	if n == nil {
		return nil
	}
	lines := make([]string, len(n.LineOffsets))
	for i, start := range n.LineOffsets {
		end := len(n.Text)
		if i+1 < len(n.LineOffsets) {
			end = n.LineOffsets[i+1]
		}
		lines[i] = strings.TrimRight(n.Text[start:end], "\r\n")
	}
	return lines
}

func lineOf(n *note.Note, what health.Place, name string) int {
	switch what {
	case health.PlaceOfTag:
		if i := slices.IndexFunc(n.Tags, func(tag note.Tag) bool { return tag.Tag == name }); i >= 0 {
			return n.Tags[i].Line
		}
	case health.PlaceOfHeading:
		if i := slices.IndexFunc(n.Headings, func(h note.Heading) bool { return graph.PlainHeading(h.Text) == graph.PlainHeading(name) }); i >= 0 {
			return n.Headings[i].Line
		}
	case health.PlaceOfBlock:
		if block := blockOf(n, name); block != nil {
			return block.Line
		}
	case health.PlaceOfProperty:
		return lineOfProperty(n, name)
	}
	return 0
}

// lineOfProperty finds a property by its key at the start of a line.
func lineOfProperty(n *note.Note, key string) int {
	for line := 1; line < n.BodyLine && line < len(n.LineOffsets); line++ {
		written, _, ok := strings.Cut(n.Text[n.LineOffsets[line-1]:n.LineOffsets[line]], ":")
		if ok && strings.EqualFold(strings.Trim(written, " \t\"'"), key) {
			return line
		}
	}
	return 0
}
