package quarry

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"quarry/graph"
	"quarry/health"
	"quarry/index"
	"quarry/internal/dialect"
	"quarry/note"
	"quarry/store"
	"quarry/store/sqlite"
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
	d := &doctor{engine: e, selection: selection}
	if e.tellsOfIndexFile() {
		found.Index = e.shown(e.config.DatabasePath)
		d.facts.Index.Path, d.facts.Index.Vault = found.Index, found.Vault
	}
	status, err := e.Status(ctx) // before a view is open: who holds one does not wait for another
	if isDamage := errors.Is(err, ErrDamaged) && e.tellsOfIndexFile(); err != nil && !isDamage {
		return Health{}, err
	}
	d.facts.Index.Stale = status.Stale
	var wait func() error
	d.facts.Index.Damage, wait = e.verify(ctx, selection)
	examination, err := d.examine(ctx)
	if errors.Is(err, ErrDamaged) && e.tellsOfIndexFile() { // nothing of it can be relied on
		what := e.shown(err.Error())
		d.facts = health.Facts{Index: d.facts.Index}
		d.facts.Index.Damage = func() string { return what }
		examination, err = health.Examine(d.facts, selection)
	}
	if err := errors.Join(err, wait()); err != nil {
		return Health{}, err
	}
	found.Notes = len(d.facts.Notes)
	found.Findings = examination.Findings(func(path string, what health.Place, name string) int { return d.line(ctx, path, what, name) })
	return found, filterAgain(e, d.meta, &found)
}

// tellsOfIndexFile tells whether the audience may know of the file of the index.
func (e *Engine) tellsOfIndexFile() bool { return e.progressFor(func(IndexProgress) {}) != nil }

// doctor gathers the facts of one view of the index.
type doctor struct {
	engine    *Engine
	selection health.Selection
	facts     health.Facts
	view      *view             // while it is open
	meta      map[string]string // nil without an index
	at        map[string]int    // position of a note of the facts by path
	parsed    *note.Note        // the note that a line was asked of last
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
	d.view, err = d.engine.snapshot(ctx)
	switch {
	case errors.Is(err, ErrNoIndex):
		d.facts.Index.IsMissing = true
		return health.Examine(d.facts, d.selection)
	case err != nil:
		return nil, err
	}
	defer d.view.Close()
	d.meta = d.view.meta
	for _, gather := range []func(context.Context) error{d.notes, d.outlines, d.links, d.others, d.index} {
		if err := gather(ctx); err != nil {
			return nil, err
		}
	}
	d.facts.Texts = d.texts(ctx)
	d.facts.Customs = customs[dialect.Dialect(d.meta[store.MetaDialect])]
	return health.Examine(d.facts, d.selection)
}

func (d *doctor) notes(ctx context.Context) error {
	notes, err := d.view.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return err
	}
	d.facts.Notes, d.at = make([]health.Note, len(notes)), make(map[string]int, len(notes))
	for i := range notes {
		n := &notes[i]
		d.at[n.Path] = i
		d.facts.Notes[i] = health.Note{
			Path: n.Path, Kind: n.Kind, Title: n.Title, Type: n.Type, Status: n.Status, DeclaredID: n.DeclaredID,
			Tags: n.Tags, Aliases: n.Aliases, Passages: n.PassageCount,
		}
		if n.PassageCount > 0 {
			continue
		}
		whole, ok, err := d.view.Note(ctx, n.Path)
		if err != nil {
			return err
		}
		d.facts.Notes[i].IsBare = ok && len(whole.Frontmatter) <= len("{}")
	}
	return nil
}

// outlines gives the notes, which are sorted by path, what links can name in them.
func (d *doctor) outlines(ctx context.Context) error {
	for of, err := range d.view.Outlines(ctx) {
		if err != nil {
			return err
		}
		if i, ok := d.at[of.Path]; ok {
			d.facts.Notes[i].Headings, d.facts.Notes[i].BlockIDs = of.Headings, of.BlockIDs
		}
	}
	return nil
}

// links gives the notes their links, with what became of each.
func (d *doctor) links(ctx context.Context) error {
	names := &finder{engine: d.engine, view: d.view}
	resolver, err := names.names(ctx)
	if err != nil {
		return err
	}
	d.facts.Suggest = func(target, source string) []string {
		return slices.DeleteFunc(resolver.Suggest(target, source, maxSuggestions), func(path string) bool { _, isNote := d.at[path]; return !isNote })
	}
	outlines := newOutlineReader(d.view)
	checking := resolver.WithOutlines(func(path string) *graph.Outline { return outlines.of(ctx, path) })
	for of, err := range d.view.Links(ctx) {
		if err != nil {
			return err
		}
		i, ok := d.at[of.Path]
		if !ok {
			continue
		}
		if d.facts.Notes[i].Links, err = followed(of, checking); err != nil {
			return err
		}
	}
	return outlines.err
}

// followed are the links of one note with what became of each, in reading order.
func followed(of store.LinksOf, resolver *graph.Resolver) ([]health.Link, error) {
	around, err := graph.Around(of.Path, iter.Seq2[store.LinksOf, error](func(yield func(store.LinksOf, error) bool) { yield(of, nil) }), resolver)
	if err != nil {
		return nil, err
	}
	written := slices.Clone(of.Links)
	slices.SortStableFunc(written, func(a, b store.Link) int { return cmp.Compare(a.Line, b.Line) })
	links := make([]health.Link, len(written))
	for i, link := range around.Out {
		links[i] = health.Link{Link: written[i], State: link.State}
		links[i].Target = link.Target
		if link.Resolved != nil {
			links[i].Resolved = *link.Resolved
		}
		if link.State == graph.Alias {
			links[i].AliasOf = resolver.Resolve(link.Target, "", of.Path).AliasOf
		}
	}
	return links, nil
}

// others lists the files that are no notes, the problems of the last run, and the types.
func (d *doctor) others(ctx context.Context) error {
	others, err := d.view.OtherFiles(ctx)
	if err != nil {
		return err
	}
	d.facts.Files = slices.DeleteFunc(others, d.engine.isNoOther)
	problems, err := d.view.Problems(ctx)
	if err != nil {
		return err
	}
	notes, err := d.view.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return err
	}
	d.facts.Problems = slices.DeleteFunc(d.engine.problemsFor(problems, notes), index.IsSecret)
	return nil
}

// index compares the index with the vault and the settings.
func (d *doctor) index(ctx context.Context) error {
	e, state := d.engine, &d.facts.Index
	state.Notices = e.notices(d.view.meta)
	state.IsCut = d.view.meta[store.MetaGraph] == ""
	if !e.tellsOfIndexFile() {
		return nil
	}
	listing, _, err := e.scan(ctx)
	if err != nil {
		return err
	}
	state.Unused = e.foldersFor(listing)
	if d.facts.Types, err = typeNames(d.meta[store.MetaTypes]); err != nil {
		return err
	}
	model, err := e.model()
	if err == nil && model != nil && d.view.meta[store.MetaModelHash] != model.Hash() && d.view.meta[store.MetaModel] != "" {
		state.Model, state.ModelNow = d.view.meta[store.MetaModel], model.Name()
	}
	return nil
}

// typeNames lists the types of types.yaml as the index keeps them, nil where there is no such file.
func typeNames(encoded string) ([]string, error) {
	if encoded == "" {
		return nil, nil
	}
	var types struct{ Types map[string]json.RawMessage }
	if err := json.Unmarshal([]byte(encoded), &types); err != nil {
		return nil, fmt.Errorf("read the types of the index: %w", err)
	}
	return append([]string{}, slices.Sorted(maps.Keys(types.Types))...), nil
}

// verify looks for damage beside all else, for the owner alone. The answer is to be waited for.
func (e *Engine) verify(ctx context.Context, selection health.Selection) (damage func() string, wait func() error) {
	if !e.tellsOfIndexFile() || !selection.Has(health.DamagedIndex) {
		return nil, func() error { return nil }
	}
	var what string
	done := make(chan error, 1)
	go func() {
		err := e.verifyFile(ctx)
		if errors.Is(err, store.ErrDamaged) {
			what, err = e.shown(err.Error()), nil
		}
		if errors.Is(err, ErrNoIndex) {
			err = nil
		}
		done <- err
	}()
	wait = sync.OnceValue(func() error { return <-done })
	return func() string { _ = wait(); return what }, wait
}

func (e *Engine) verifyFile(ctx context.Context) error {
	opened, err := sqlite.Open(ctx, sqlite.Options{Path: e.config.DatabasePath, ReadOnly: true})
	if err != nil {
		return err
	}
	defer opened.Close()
	return opened.Verify(ctx)
}

// textBatch is how many passages are fetched at once.
const textBatch = 512

// texts yields the passages of the view.
func (d *doctor) texts(ctx context.Context) iter.Seq2[health.Text, error] {
	return func(yield func(health.Text, error) bool) {
		all, err := d.view.Select(ctx, store.Filter{Globs: []string{"**"}})
		if err != nil {
			yield(health.Text{}, err)
			return
		}
		ids := make([]store.PassageID, 0, textBatch)
		fetch := func() bool {
			passages, err := d.view.Passages(ctx, ids)
			ids = ids[:0]
			if err != nil {
				yield(health.Text{}, err)
				return false
			}
			for i := range passages {
				if !yield(health.Text{Path: passages[i].Path, Text: passages[i].Text}, nil) {
					return false
				}
			}
			return true
		}
		for id := range all.All() {
			if ids = append(ids, id); len(ids) == textBatch && !fetch() {
				return
			}
		}
		fetch()
	}
}

// line finds the line of something in a note as it lies in the vault, 0 where it is not there.
func (d *doctor) line(ctx context.Context, path string, what health.Place, name string) int {
	if d.parsed == nil || d.parsed.Path != path {
		parsed, err := d.engine.Parse(ctx, path)
		if err != nil {
			return 0
		}
		d.parsed = parsed
	}
	return lineOf(d.parsed, what, name)
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
		if ok && strings.EqualFold(written, key) {
			return line
		}
	}
	return 0
}
