package quarry

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"

	"quarry/index"
	"quarry/internal/dialect"
	"quarry/store"
	"quarry/vault"
)

// AutoDialect asks the engine to tell the dialect from what lies in the vault.
const AutoDialect = dialect.Auto

// Dialects are the values of Config.Dialect that have a name.
var Dialects = dialect.Names()

// CheckDialect tells what is wrong with a value of Config.Dialect. Letter case and blanks around it do not matter.
func CheckDialect(name string) error {
	_, err := dialect.Parse(name)
	return err
}

// configuredDialect is the one that the configuration names, "" where it is to be told from the vault.
func (e *Engine) configuredDialect() dialect.Dialect {
	configured, _ := dialect.Parse(e.config.Dialect) // Open has checked it
	return configured
}

// dialectBy tells the dialect of the vault from its files' names and the markers of apps.
func (e *Engine) dialectBy(names []string) dialect.Dialect {
	if configured := e.configuredDialect(); configured != "" {
		return configured
	}
	return dialect.Detect(e.vault.Has, names)
}

// dialect is the one to read a single note by: that of the last scan or of the index, else what the vault tells. It opens a
// view of the index: who holds one already takes dialectBeside.
func (e *Engine) dialect(ctx context.Context) dialect.Dialect {
	if known := e.knownDialect(); known != "" {
		return known
	}
	var meta map[string]string
	if snapshot, err := e.wholeSnapshot(ctx); err == nil {
		meta = snapshot.meta
		if err := snapshot.Close(); err != nil {
			e.warn("close the index", err)
		}
	}
	return e.dialectBeside(ctx, meta)
}

// dialectBeside is dialect for those who hold a view of the index, by its metadata.
func (e *Engine) dialectBeside(ctx context.Context, meta map[string]string) dialect.Dialect {
	if known := e.knownDialect(); known != "" {
		return known
	}
	if stored := meta[store.MetaDialect]; stored != "" {
		return dialect.Dialect(stored)
	}
	if dialect.NamesDecide(e.vault.Has) {
		if _, told, err := e.scan(ctx); err == nil {
			return told
		}
	}
	return e.dialectBy(nil)
}

// knownDialect is the one that the configuration or the last scan tells, "" where neither does.
func (e *Engine) knownDialect() dialect.Dialect {
	configured := e.configuredDialect()
	if last := e.scanned.Load(); configured == "" && last != nil {
		return *last
	}
	return configured
}

// reading is how notes are read one by one.
func (e *Engine) reading(ctx context.Context) index.Reading {
	return index.Reading{Dialect: e.dialect(ctx), Filter: e.filter, Rules: e.rules}
}

// readingBeside is reading for those who hold a view of the index, by its metadata. It is worked out when it is needed.
func (e *Engine) readingBeside(ctx context.Context, meta map[string]string) func() index.Reading {
	return sync.OnceValue(func() index.Reading {
		return index.Reading{Dialect: e.dialectBeside(ctx, meta), Filter: e.filter, Rules: e.rules}
	})
}

// oneLook is what one question knows of the vault: it is walked once, however many parts of the answer ask.
type oneLook struct {
	turn    chan struct{} // holds one entry while somebody looks, so that others can give up waiting
	isDone  bool
	listing vault.Listing
	by      dialect.Dialect
}

type oneLookKey struct{}

// withOneLook makes all that is asked in a context go by one look at the vault.
func withOneLook(ctx context.Context) context.Context {
	if ctx.Value(oneLookKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, oneLookKey{}, &oneLook{turn: make(chan struct{}, 1)})
}

// scan lists the vault by the rules of its dialect. The lists are the caller's own.
func (e *Engine) scan(ctx context.Context) (vault.Listing, dialect.Dialect, error) {
	look, ok := ctx.Value(oneLookKey{}).(*oneLook)
	if !ok {
		return e.scanAnew(ctx)
	}
	select {
	case look.turn <- struct{}{}:
		defer func() { <-look.turn }()
	case <-ctx.Done():
		return vault.Listing{}, e.dialectBy(nil), fmt.Errorf("scan vault: %w", ctx.Err())
	}
	if !look.isDone {
		listing, by, err := e.scanAnew(ctx)
		if err != nil {
			return listing, by, err
		}
		look.listing, look.by, look.isDone = listing, by, true
	}
	listing := look.listing
	listing.Files, listing.Others, listing.Skipped = slices.Clone(listing.Files), slices.Clone(listing.Others), slices.Clone(listing.Skipped)
	return listing, look.by, nil
}

// scanAnew walks the vault. Where the names tell of another dialect than the markers did, with other rules, it does so twice.
func (e *Engine) scanAnew(ctx context.Context) (vault.Listing, dialect.Dialect, error) {
	by := e.dialectBy(nil)
	if last := e.scanned.Load(); last != nil {
		by = *last
	}
	e.setDefaultRules(ctx, by)
	listing, err := e.vault.Scan(ctx)
	if err != nil {
		return listing, by, err
	}
	if told := e.dialectBy(namesOf(listing)); told != by {
		by = told
		if e.setDefaultRules(ctx, by) {
			listing, err = e.vault.Scan(ctx)
		}
	}
	e.scanned.Store(&by)
	return listing, by, err
}

// allPaths are those of all that a scan met.
func allPaths(listing vault.Listing) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range listing.Files {
			if !yield(listing.Files[i].Path) {
				return
			}
		}
		for _, path := range listing.Others {
			if !yield(path) {
				return
			}
		}
		for _, skipped := range listing.Skipped {
			if !yield(skipped.Path) {
				return
			}
		}
	}
}

// namesOf gives all files, so that what the rules leave out does not change what the names tell.
func namesOf(listing vault.Listing) []string {
	names := make([]string, 0, len(listing.Files)+len(listing.Others))
	for _, file := range listing.Files {
		names = append(names, file.Path)
	}
	return append(names, listing.Others...)
}

// setDefaultRules leaves out what the app keeps for itself, and the templates that its settings name. It tells whether
// the rules are others than before.
func (e *Engine) setDefaultRules(ctx context.Context, by dialect.Dialect) bool {
	changed, err := e.vault.SetDefaults(slices.Concat(by.IgnoreRules(), e.templateRules(ctx)))
	if err != nil {
		e.warn("leave out templates", err)
	}
	return changed
}

// templateSetting is a key of a file of settings.
type templateSetting struct {
	file, key string
	isFolder  bool
}

// templateSettings are the places where Obsidian and its plugins say which folder, or which note, serves as a template.
var templateSettings = []templateSetting{
	{".obsidian/templates.json", "folder", true},
	{".obsidian/plugins/templater-obsidian/data.json", "templates_folder", true},
	{".obsidian/plugins/templater-obsidian/data.json", "template_folder", true}, // before its version 1.9
	{".obsidian/daily-notes.json", "template", false},
	{".obsidian/zk-prefixer.json", "template", false},
}

// templateRules are the ignore rules that follow from the settings. A setting that cannot be read counts for nothing.
func (e *Engine) templateRules(ctx context.Context) []string {
	var rules []string
	read := map[string]map[string]json.RawMessage{}
	for _, setting := range templateSettings {
		values, done := read[setting.file]
		if !done {
			values = e.appSettings(ctx, setting.file)
			read[setting.file] = values
		}
		var place string
		if json.Unmarshal(values[setting.key], &place) != nil {
			continue
		}
		if rule := templateRule(place, setting.isFolder); rule != "" && !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// maxSettingsBytes is more than the settings of an app take that only uses them.
const maxSettingsBytes = 1 << 20

// appSettings reads a file of settings, nil where there is none of use.
func (e *Engine) appSettings(ctx context.Context, file string) map[string]json.RawMessage {
	if info, err := e.vault.Stat(ctx, file); err != nil || info.SizeBytes > maxSettingsBytes {
		return nil
	}
	content, _, err := e.vault.Read(ctx, file)
	if err != nil {
		return nil
	}
	var values map[string]json.RawMessage
	if json.Unmarshal(content, &values) != nil {
		return nil
	}
	return values
}

// maxTemplateBytes is longer than any path that a setting means.
const maxTemplateBytes = 1 << 10

// templateRule is the line of gitignore syntax for one folder or note, "" where it would be the whole vault or is no
// path.
func templateRule(place string, isFolder bool) string {
	if len(place) > maxTemplateBytes || strings.ContainsFunc(place, func(r rune) bool { return r < ' ' }) {
		return ""
	}
	place = strings.Trim(path.Clean(strings.ReplaceAll(place, `\`, "/")), "/")
	if place == "" || place == "." || place == ".." || strings.HasPrefix(place, "../") {
		return ""
	}
	rule := "/" + literalPattern.Replace(place)
	if isFolder {
		return rule + "/"
	}
	return strings.TrimSuffix(rule, ".md") + ".md"
}

// literalPattern takes the meaning from what is special in a pattern; a blank at its end would be cut off.
var literalPattern = strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, " ", `\ `)

// source is the vault as one index run sees it.
type source struct {
	engine  *Engine
	last    dialect.Dialect
	listing vault.Listing
	isWhole bool // listing is that of the whole vault
}

func (s *source) Scan(ctx context.Context) (vault.Listing, error) {
	listing, told, err := s.engine.scan(ctx)
	s.last, s.listing, s.isWhole = told, listing, true
	return listing, err
}

// ScanPaths looks at parts where they are read by the rules that the whole was.
func (s *source) ScanPaths(ctx context.Context, paths []string, indexed iter.Seq[string]) (vault.Listing, error) {
	e := s.engine
	s.last = e.dialect(ctx)
	if e.setDefaultRules(ctx, s.last) {
		return vault.Listing{}, vault.ErrWhole
	}
	listing, err := e.vault.ScanPaths(ctx, paths)
	if err != nil || e.configuredDialect() != "" {
		return listing, err
	}
	names := namesOf(listing)
	if dialect.NamesDecide(e.vault.Has) {
		names = slices.AppendSeq(names, indexed)
	}
	if e.dialectBy(names) != s.last {
		return vault.Listing{}, vault.ErrWhole
	}
	return listing, nil
}

func (s *source) Read(ctx context.Context, path string) ([]byte, vault.File, error) {
	return s.engine.vault.Read(ctx, path)
}

func (s *source) Dialect() dialect.Dialect { return s.last }
