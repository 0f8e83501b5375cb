package index_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"time"

	"quarry/index"
	"quarry/internal/dialect"
	"quarry/internal/notetype"
	"quarry/internal/sensitivity"
	"quarry/store"
	"quarry/vault"
)

// written is a note of a script before it is text.
type written struct {
	kind, title, alias, heading, block string
	overrides                          []string // lines of properties
	links                              []string
	paragraphs                         int // of some length, or profiles of passages would not differ
	secret                             bool
}

// text writes the note as people of the dialect do.
func (w written) text(of dialect.Dialect) string {
	var b strings.Builder
	line := func(format, value string) {
		if value != "" {
			fmt.Fprintf(&b, format+"\n", value)
		}
	}
	if of == dialect.Logseq {
		line("title:: %s", w.title)
		line("alias:: %s", w.alias)
		line("type:: %s", w.kind)
		line("\n- # %s", w.heading)
		for _, link := range w.links {
			line("- See %s.", link)
		}
		line("- A block\n  id:: %s", w.block)
		return b.String()
	}
	line("%s", "---")
	line("type: %s", w.kind)
	line("title: %s", w.title)
	line("aliases: [%s]", w.alias)
	for _, property := range w.overrides {
		line("%s", property)
	}
	if w.secret {
		line("%s", "sensitivity: secret")
	}
	line("%s", "---")
	line("# %s", w.heading)
	for _, link := range w.links {
		line("See %s for more.", link)
	}
	line("A block. ^%s", w.block)
	for range w.paragraphs {
		line("\n%s", strings.Repeat("Some words of a longer text. ", 30))
	}
	return b.String()
}

var (
	notePaths = []string{
		"a.md", "A.md", "dir/a.md", "dir/sub/a.md", "Dir/b.md", "b.md", "index.md", "dir/index.md", "dir/README.md",
		"rel:supports a.md", "dir/a.png.md", "root.child.md", "dir/root.child.md", "pages/topic___part.md",
		"journals/2024_01_02.md", "caf\u00e9.md", "dir/cafe\u0301.md", "closed/b.md", "safe/a.md",
		"keys/AKIA" + "Q3EGRVBA7ZLT5WKN.md", "a b.md", "board.canvas",
	}
	otherPaths = []string{
		"a.png", "dir/a.png", "DIR/A.PNG", "a.pdf", "a", "dir/sub", "dir/b.txt", "hidden/a.md", "hidden/index.md", "safe/b.png",
		"closed/a.png", "rel:supports b.md", "pages/topic.png", "keys/AKIA" + "Q3EGRVBA7ZLT5WKN/a.md",
	}
	linkTargets = []string{
		"a", "A", "a.md", "dir/a", "sub/a", "./a", "../a", "/dir/a", "b", "Dir/b", "index", "dir", "dir/index", ".", "../dir",
		"a.png", "dir/a.png", "README", "root.child", "topic/part", "Topic", "2024-01-02", "Jan 2nd, 2024", "café", "CAFE\u0301", "Alias",
		"a b", "nowhere", "board.canvas", "a#Part", "b#^b1", "", "#Part", "hidden/a", "keys/AKIA" + "Q3EGRVBA7ZLT5WKN", "a.pdf",
	}
	words = []string{"", "", "Topic", "Alias", "a", "Part", "nowhere", "topic/part"}
	kinds = []string{"", "concept", "moc", "task"}
)

// scriptVault is a vault with a folder that cannot be opened for a while.
type scriptVault struct {
	*fakeVault
	isClosed bool
}

const closedFolder = "closed"

// ScanPaths tells nothing of what cannot be looked at.
func (v *scriptVault) ScanPaths(ctx context.Context, paths []string, _ iter.Seq[string]) (vault.Listing, error) {
	listing, err := v.Scan(ctx)
	isClosed := func(path string) bool { return path == closedFolder || strings.HasPrefix(path, closedFolder+"/") }
	if v.isClosed && slices.ContainsFunc(paths, isClosed) {
		return vault.Listing{}, vault.ErrWhole
	}
	return partOf(listing, paths), err
}

func (v *scriptVault) Scan(ctx context.Context) (vault.Listing, error) {
	listing, err := v.fakeVault.Scan(ctx)
	if v.isClosed {
		isInside := func(path string) bool { return strings.HasPrefix(path, closedFolder+"/") }
		listing.Files = slices.DeleteFunc(listing.Files, func(f vault.File) bool { return isInside(f.Path) })
		listing.Others = slices.DeleteFunc(listing.Others, isInside)
		listing.Skipped = append(listing.Skipped, vault.Skipped{Path: closedFolder, Reason: "permission denied", Failed: true})
	}
	return listing, err
}

// script edits a vault at random.
type script struct {
	random *rand.Rand
	vault  *scriptVault
	notes  map[string]written
	config index.Config
	rules  *sensitivity.Rules // that have a secret folder
	log    []string
	writes int64
	// changed are the paths that were touched since the last run that came to its end, unless all is to be looked at.
	changed map[string]bool
	isWhole bool
	parts   int // runs over paths alone
}

func newScript(seed uint64, into store.Store, rules *sensitivity.Rules) *script {
	s := &script{rules: rules, random: rand.New(rand.NewPCG(seed, 0)), vault: &scriptVault{fakeVault: newVault(nil)}, notes: map[string]written{}, changed: map[string]bool{}, isWhole: true}
	s.vault.dialect = pick(s, []dialect.Dialect{dialect.Obsidian, dialect.Obsidian, dialect.Logseq, dialect.Foam, dialect.Dendron})
	s.config = index.Config{
		Source: s.vault, Store: into, Settings: "1", Workers: 2, Started: time.Unix(1700000000, 0), Logger: slog.New(slog.DiscardHandler),
		TypesFile: pick(s, []string{notetype.FileName, notetype.FileName, "b.md"}),
	}
	for range 2 + s.random.IntN(8) {
		s.rewrite(pick(s, notePaths))
	}
	for range s.random.IntN(4) {
		s.toggleOther()
	}
	if s.random.IntN(2) == 0 {
		s.setTypes()
	}
	if s.random.IntN(3) == 0 {
		s.config = index.WithMaxCompared(s.config, 1+s.random.IntN(2))
	}
	return s
}

func pick[T any](s *script, list []T) T { return list[s.random.IntN(len(list))] }

func (s *script) link() string {
	target := pick(s, linkTargets)
	switch s.random.IntN(8) {
	case 0:
		return "[text](<" + target + ">)"
	case 1:
		return "[text](" + strings.ReplaceAll(target, " ", "%20") + ".md)"
	case 2:
		return "[[rel:supports " + target + "]]"
	case 3:
		return "![[" + target + "]]"
	case 4:
		return "((" + pick(s, blocks) + "))"
	}
	return "[[" + target + "]]"
}

var blocks = []string{"", "65f0c0de-0000-4000-8000-000000000001", "65f0c0de-0000-4000-8000-000000000002"}

func (s *script) rewrite(path string) {
	w := written{
		kind: pick(s, kinds), title: pick(s, words), alias: pick(s, words), heading: pick(s, words), block: pick(s, blocks),
		secret: s.random.IntN(20) == 0, overrides: s.overrides(),
	}
	if s.random.IntN(6) == 0 {
		w.paragraphs = 3
	}
	for range s.random.IntN(5) {
		w.links = append(w.links, s.link())
	}
	s.put(path, w)
}

// overrides gives properties that may take the place of a type's settings, or cannot.
func (s *script) overrides() []string {
	var lines []string
	for _, line := range []string{
		"retriever_weight: 0.25", "retriever_weight: much", "chunk_profile: short", "chunk_profile: [none]", "edge_defaults: [a b]",
		"edge_defaults: []",
	} {
		name, _, _ := strings.Cut(line, ":")
		isThere := slices.ContainsFunc(lines, func(other string) bool { return strings.HasPrefix(other, name) })
		if s.random.IntN(8) == 0 && !isThere {
			lines = append(lines, line)
		}
	}
	return lines
}

// enlarge adds notes that nobody edits.
func (s *script) enlarge(notes int) {
	for i := range notes {
		s.vault.write(fmt.Sprintf("more/%d.md", i), fmt.Sprintf("To %s and [[%d]].", s.link(), s.random.IntN(notes)))
	}
	s.note("%d notes more", notes)
}

func (s *script) put(path string, w written) {
	s.notes[path], s.changed[path] = w, true
	text := w.text(s.vault.dialect)
	if strings.HasSuffix(path, ".canvas") {
		text = `{"nodes":[{"id":"n","type":"text","text":"[[` + pick(s, linkTargets) + `]]"}]}`
	}
	s.vault.write(path, text)
	s.writes++
	s.vault.time[path] = s.writes // or a note that was dropped and comes back could look like the one that was there
	s.vault.others = slices.DeleteFunc(s.vault.others, func(other string) bool { return other == path })
	s.note("write %s: %+v", path, w)
}

func (s *script) note(format string, values ...any) {
	s.log = append(s.log, fmt.Sprintf(format, values...))
}

func (s *script) toggleOther() {
	path := pick(s, otherPaths)
	s.changed[path] = true
	if place := slices.Index(s.vault.others, path); place >= 0 {
		s.vault.others = slices.Delete(s.vault.others, place, place+1)
	} else {
		s.vault.others = append(s.vault.others, path)
	}
	s.note("other files: %q", s.vault.others)
}

func (s *script) setTypes() {
	s.config.Types, s.config.TypesProblems = nil, nil
	if s.random.IntN(4) > 0 {
		raw := fmt.Sprintf("default:\n  retriever_weight: %s\ntypes:\n  concept:\n    chunk_profile: %s\n    edge_defaults: [%s]\n  moc:\n    retriever_weight: %s\n",
			pick(s, []string{"1", "0.5", "1.25"}), pick(s, []string{"short", "by_heading", "by_heading"}), pick(s, []string{"references", "related_to"}), pick(s, []string{"2", "0.5"}))
		var overrides notetype.Overrides
		for _, name := range []string{notetype.OverrideRetrieverWeight, notetype.OverrideEdgeDefaults, notetype.OverrideRetrieverWeight, notetype.OverrideChunkProfile} {
			if s.random.IntN(4) == 0 && !slices.Contains(overrides, name) {
				overrides = append(overrides, name)
			}
		}
		types, _, err := notetype.Parse([]byte(raw), overrides)
		if err != nil {
			panic(err)
		}
		s.config.Types = types
	}
	for range s.random.IntN(3) { // the file may be a note, too
		problem := store.Problem{Path: s.config.TypesFile, State: pick(s, []string{"warning", "warning", "failed"}), Reason: pick(s, []string{"moc: of no use", "chunk_profile: of no use"})}
		s.config.TypesProblems = append(s.config.TypesProblems, problem)
	}
	s.note("types: %s, problems %v", s.config.Types.Encode(), s.config.TypesProblems)
}

// configure changes what is no file of the vault.
func (s *script) configure() {
	switch s.random.IntN(6) {
	case 0:
		s.setTypes()
	case 1:
		s.config.Rules = nil
		s.note("no rules of classes")
	case 2:
		s.config.Rules = s.rules
		s.note("folder safe is secret")
	}
}

// some gives a note of the vault, "" if there is none.
func (s *script) some() string {
	if len(s.notes) == 0 {
		return ""
	}
	return pick(s, slices.Sorted(maps.Keys(s.notes)))
}

// edit changes one thing.
func (s *script) edit() {
	path := s.some()
	w := s.notes[path]
	switch kind := s.random.IntN(14); {
	case path == "" || kind == 0:
		s.rewrite(pick(s, notePaths))
	case kind == 1:
		s.drop(path)
	case kind == 2: // under another name, or in another folder
		s.drop(path)
		s.put(pick(s, notePaths), w)
	case kind == 3:
		w.links = append(slices.Clone(w.links), s.link())
		s.put(path, w)
	case kind == 4 && len(w.links) > 0:
		w.links = slices.Concat(w.links[1:], w.links[:1])
		s.put(path, w)
	case kind == 5:
		w.kind, w.overrides = pick(s, kinds), s.overrides()
		s.put(path, w)
	case kind == 6:
		w.title, w.alias = pick(s, words), pick(s, words)
		s.put(path, w)
	case kind == 7:
		w.heading, w.block = pick(s, words), pick(s, blocks)
		s.put(path, w)
	case kind == 8:
		w.secret = !w.secret
		s.put(path, w)
	case kind == 9:
		s.configure()
	case kind == 10:
		s.breakOrMend(path)
	case kind == 11: // left out by rule: it is no note any more, and links can name it all the same
		s.drop(path)
		s.vault.others = append(s.vault.others, path)
		s.note("leave out %s", path)
	default:
		s.toggleOther()
	}
}

func (s *script) drop(path string) {
	delete(s.notes, path)
	s.changed[path] = true
	s.vault.remove(path)
	delete(s.vault.broken, path)
	s.note("remove %s", path)
}

// breakOrMend takes away the permission to read a note, or a folder, or gives all of it back.
func (s *script) breakOrMend(path string) {
	s.changed[path], s.changed[closedFolder] = true, true
	switch s.random.IntN(3) {
	case 0:
		s.vault.broken[path] = &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
		s.note("%s cannot be read", path)
	case 1:
		s.vault.isClosed = true
		s.note("folder %s cannot be read", closedFolder)
	default:
		s.mend()
	}
}

func (s *script) mend() {
	for path := range s.vault.broken {
		s.changed[path] = true
	}
	s.changed[closedFolder] = true
	clear(s.vault.broken)
	s.vault.isClosed = false
	s.note("all can be read")
}

// run brings the index up to date, and breaks off now and then, as a kill or an interrupt does.
func (s *script) run() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	config, options := s.config, index.Options{Force: true, Full: s.random.IntN(12) == 0}
	switch s.random.IntN(6) {
	case 0:
		failing := &failingStore{Store: config.Store, writes: s.random.IntN(9), late: s.random.IntN(2) == 0}
		config.Store = failing
		s.note("run, broken off after %d writes, full %v", failing.writes, options.Full)
	case 1:
		at := s.random.IntN(4)
		config.Progress = func(p index.Progress) {
			if p.Done == at {
				cancel()
			}
		}
		s.note("run, interrupted after %d files, full %v", at, options.Full)
	default:
		s.note("run, full %v", options.Full)
	}
	options.Paths = s.named()
	_, err := index.Run(ctx, config, options)
	if errors.Is(err, errBroken) || errors.Is(err, index.ErrInterrupted) {
		s.isWhole = true // as a caller does
		return nil
	}
	s.ran(err)
	return err
}

// named gives, now and then, the paths to look at, some of them by a folder above; none for all.
func (s *script) named() []string {
	if s.isWhole || len(s.changed) == 0 || s.random.IntN(4) == 0 {
		return nil
	}
	var paths []string
	for _, name := range slices.Sorted(maps.Keys(s.changed)) {
		if folder := path.Dir(name); folder != "." && s.random.IntN(4) == 0 {
			name = folder
		}
		paths = append(paths, name)
	}
	s.parts++
	s.note("of these paths alone: %q", paths)
	return paths
}

func (s *script) ran(err error) {
	if s.isWhole = err != nil; err == nil {
		clear(s.changed)
	}
}

// settle runs to the end.
func (s *script) settle() error {
	s.note("run")
	_, err := index.Run(context.Background(), s.config, index.Options{Force: true, Paths: s.named()})
	s.ran(err)
	return err
}

// play plays the script and tells how the graph differs from what it should be.
func (s *script) play() (string, error) {
	for range 2 + s.random.IntN(3) {
		if err := s.run(); err != nil {
			return "", err
		}
		if diff, err := s.compareNames(); err != nil || diff != "" {
			return diff, err
		}
		for range 1 + s.random.IntN(5) {
			s.edit()
		}
	}
	if err := s.settle(); err != nil {
		return "", err
	}
	if diff, err := s.compareNames(); err != nil || diff != "" {
		return diff, err
	}
	s.mend()
	if err := s.settle(); err != nil {
		return "", err
	}
	return s.compareFresh()
}
