// Package convert makes notes of other apps' exports. A reader for each format finds notes, attachments and links in what the user
// hands over; the planner gives them names that are valid, unique and new in the vault, resolves links, and tells what could not be
// kept. Nothing of the source is touched, nothing in the vault overwritten, and a second run adds nothing. It knows nothing of the
// index and nothing of intake.
package convert

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quarry/convert/export"
	"quarry/convert/internal/applenotes"
	"quarry/convert/internal/bear"
	"quarry/convert/internal/docx"
	"quarry/convert/internal/evernote"
	"quarry/convert/internal/joplin"
	"quarry/convert/internal/logseq"
	"quarry/convert/internal/notion"
	"quarry/convert/internal/plain"
	"quarry/convert/internal/roam"
	"quarry/convert/internal/takeout"
	"quarry/secret"
	"quarry/vault"
)

// Format is an app whose exports can be read.
type Format struct {
	Name  string // on the command line: "apple-notes"
	Title string // "Apple Notes"
	Takes string // what the user hands over, in words
	read  export.Reader
}

var formats = []Format{
	{"apple-notes", "Apple Notes", "a folder or zip of the notes as HTML", applenotes.Read},
	{"bear", "Bear", "a folder or zip of Markdown files or text bundles, or a .bear2bk", bear.Read},
	{"docx", "Word and Google Docs", "a .docx, or a folder or zip of them", docx.Read},
	{"evernote", "Evernote", "an .enex, or a folder or zip of them", evernote.Read},
	{"google-takeout", "Google Takeout", "the zip or folder: notes of Keep, documents of Drive", takeout.Read},
	{"joplin", "Joplin", "a .jex, or the folder of the RAW export", joplin.Read},
	{"logseq", "Logseq", "the folder or zip of the graph: pages, journals, assets", logseq.Read},
	{"markdown", "Markdown", "a folder or zip of Markdown files of any app, Obsidian's among them", plain.Read},
	{"notion", "Notion", "the zip or folder of the export as Markdown & CSV", notion.Read},
	{"roam", "Roam Research", "the JSON file of the export, or its zip", roam.Read},
}

// Formats gives all formats, by name.
func Formats() []Format { return slices.Clone(formats) }

// Options say what is imported and how.
type Options struct {
	Format string // name of a format
	Export string // path of the file or folder on disk
	Into   string // folder below the vault, with slashes; "": 00-inbox/ and the format's name
	// IsDryRun only tells what would be done.
	IsDryRun bool
	// Again also writes notes that changed in the export since they were imported, beside those that are there.
	Again    bool
	Memory   Memory         // nil: nothing is known and nothing kept
	Filter   *secret.Filter // finds the secrets that are counted; nil: the default one
	Limits   export.Limits  // the zero value: the default ones
	Progress func(Progress) // nil: nobody asks
	// Folders and Ignore are the vault's allow-list and further ignore rules, for ImportInto: what they keep out of the index is told.
	Folders, Ignore []string
}

// Progress is how far an import is.
type Progress struct {
	Stage       string // "attachments" or "notes"
	Done, Total int
}

// Errors of Import, beside those of the export and the vault.
var (
	// ErrFormat: there is no format of this name.
	ErrFormat = errors.New("there is no such format")
	// ErrFolder: notes cannot be written into this folder, or links could not name it.
	ErrFolder = errors.New("notes cannot be imported into this folder")
)

// maxComparedBytes bounds files of the vault that are compared with what was written.
const maxComparedBytes = 1 << 30

// ImportInto is Import into the vault of a folder on disk; errors of opening that are a *vault.RootError.
func ImportInto(ctx context.Context, dir string, options Options) (report Report, err error) {
	into, err := vault.Open(dir, vault.Options{MaxFileBytes: maxComparedBytes, Folders: options.Folders, ExtraIgnore: options.Ignore})
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, into.Close()) }()
	return Import(ctx, into, options)
}

// Import writes the notes of an export into a vault. A fault of one note or file is in the report; an error is a fault of the whole:
// ErrFormat, ErrFolder, export.ErrNothing, what opening the export, looking at the vault or keeping the memory gave, or ctx's. The
// report tells of what was done until then.
func Import(ctx context.Context, into *vault.Vault, options Options) (Report, error) {
	report := Report{Format: options.Format, Export: filepath.Base(options.Export), IsDryRun: options.IsDryRun}
	at := slices.IndexFunc(formats, func(f Format) bool { return f.Name == options.Format })
	if at < 0 {
		return report, fmt.Errorf("import %q: %w", options.Format, ErrFormat)
	}
	if options.Into == "" {
		options.Into = "00-inbox/" + options.Format
	}
	report.Into = options.Into
	if err := checkFolder(options.Into); err != nil {
		return report, err
	}
	if options.Limits == (export.Limits{}) {
		options.Limits = export.DefaultLimits()
	}
	tree, err := export.Open(ctx, options.Export, options.Limits)
	if err != nil {
		return report, err
	}
	defer func() { _ = tree.Close() }()
	built := export.NewBuilder(markOf(tree))
	if err := formats[at].read(ctx, tree, built); err != nil {
		report.takeFound(tree, built)
		return report, fmt.Errorf("import %s: %w", formats[at].Title, err)
	}
	if from, err := filepath.Abs(options.Export); err == nil {
		options.Export = filepath.ToSlash(from)
	}
	r := &run{Options: options, vault: into, tree: tree, built: built, report: &report}
	err = r.do(ctx)
	report.takeFound(tree, built)
	report.sort()
	return report, err
}

// checkFolder refuses what links cannot name and what no index looks into.
func checkFolder(folder string) error {
	if folder != path.Clean(folder) || folder == "." || path.IsAbs(folder) {
		return fmt.Errorf("%w: %q is no path below the vault", ErrFolder, folder)
	}
	for part := range strings.SplitSeq(folder, "/") {
		if strings.ContainsAny(part, `#^|[]\:*?"<>`) || strings.HasPrefix(part, ".") || strings.TrimRight(part, " .") != part || validName(part, maxNameBytes) == "" {
			return fmt.Errorf("%w: %q is no name that links and all systems can take", ErrFolder, part)
		}
	}
	return nil
}

// markOf is the same for the same export, and in no text of it by chance.
func markOf(tree *export.Tree) string {
	var names strings.Builder
	for _, f := range tree.Files() {
		fmt.Fprintln(&names, f.Path, f.Bytes)
	}
	return hashOf([]byte(names.String()))[:12]
}

// timeOf is the time that the file of a note gets.
func timeOf(n export.Note) time.Time {
	if !n.Updated.IsZero() {
		return n.Updated
	}
	return n.Created
}
