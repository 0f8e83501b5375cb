package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"quarry"
	"quarry/convert"
	"quarry/convert/export"
)

// importFlags are those of one import.
type importFlags struct {
	into                    string
	isDryRun, again, verify bool
	queries                 string
}

func (a *app) importCommand() *cobra.Command {
	var flags importFlags
	cmd := &cobra.Command{
		Use:   "import FORMAT PATH",
		Short: "Bring in the notes of another app's export",
		Long: `Writes the notes of an export as Markdown into the vault, with their attachments, dates, tags and links, and tells what could not be
kept. Nothing of the export is touched and nothing in the vault overwritten: where a name is taken, a note gets another one and links
follow. A second run writes nothing; what you moved, edited or deleted since stays as it is. An import that was ended goes on at the
next run. Nothing is fetched from the network.

Formats:
` + formatList() + `
docs/import.md tells what each of them keeps.`,
		Example: `  quarry import notion ~/Downloads/Export.zip --dry-run
  quarry import notion ~/Downloads/Export.zip
  quarry import markdown ~/old-notes --into 03-resources/old --verify`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage("quarry import FORMAT PATH; the formats are "+strings.Join(formatNames(), ", "), "import takes a format and a path")
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return formatNames(), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runImport(cmd.Context(), args[0], args[1], flags)
		},
	}
	set := cmd.Flags()
	set.StringVar(&flags.into, "into", "", "`folder` of the vault for the notes (else 00-inbox/FORMAT)")
	set.BoolVar(&flags.isDryRun, "dry-run", false, "write nothing; tell what would be written, and what would be lost")
	set.BoolVar(&flags.again, "again", false, "also write notes that changed in the export since, beside those that are there, and those that were deleted")
	set.BoolVar(&flags.verify, "verify", false, "afterwards search for each note by words of its own")
	set.StringVar(&flags.queries, "queries", "", "with --verify: a `file` of lines in the form of `quarry eval`, each asked as well")
	return cmd
}

func formatNames() []string {
	var names []string
	for _, f := range convert.Formats() {
		names = append(names, f.Name)
	}
	return names
}

func formatList() string {
	var b strings.Builder
	for _, f := range convert.Formats() {
		fmt.Fprintf(&b, "  %-15s%s\n", f.Name, f.Takes)
	}
	return b.String()
}

// importAnswer is the document of an import.
type importAnswer struct {
	convert.Report
	Indexed bool          `json:"indexed"`
	Verify  *verification `json:"verify,omitempty"`
}

func (a *app) runImport(ctx context.Context, format, path string, flags importFlags) (err error) {
	if !slices.Contains(formatNames(), format) {
		hint := "the formats are " + strings.Join(formatNames(), ", ")
		if near := nearest(format, formatNames()); near != "" {
			hint = "did you mean " + near + "? " + hint
		}
		return usage(hint, "there is no format %q", format)
	}
	if a.isHeldToClient() {
		return &hinted{errors.New("import is for the owner of the vault"), "leave QUARRY_AUDIENCE away"}
	}
	if strings.HasPrefix(filepath.ToSlash(flags.into), "/") || filepath.IsAbs(flags.into) {
		return usage("name it from the vault on: --into 03-resources/old", "--into takes a folder below the vault")
	}
	config, err := a.config()
	if err != nil {
		return err
	}
	if overlaps(a.absolute(path), config.VaultDir) {
		return &hinted{fmt.Errorf("import %s: it is the vault, or lies in it or around it", path), "name an export that lies elsewhere"}
	}
	return a.withConfig(ctx, config, func(engine *quarry.Engine) error {
		memory, err := a.openImports(ctx, config.VaultDir)
		if err != nil {
			return err
		}
		defer func() { _ = memory.Close() }()
		show, finish := a.importProgress()
		report, err := convert.ImportInto(ctx, config.VaultDir, convert.Options{
			Format: format, Export: a.absolute(path), Into: strings.Trim(flags.into, "/"), IsDryRun: flags.isDryRun, Again: flags.again, Memory: memory, Progress: show, Folders: config.Folders, Ignore: config.Ignore,
		})
		finish()
		if err != nil {
			return hintOfImport(err, format)
		}
		return a.afterImport(ctx, engine, importAnswer{Report: report}, memory, flags)
	})
}

// overlaps tells of a folder that lies in another, or that one in it.
func overlaps(folder, other string) bool {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return false
	}
	var real [2]string
	for i, dir := range []string{folder, other} {
		real[i] = dir
		if resolved, err := filepath.EvalSymlinks(dir); err == nil {
			real[i] = resolved
		}
	}
	for _, pair := range [][2]string{{real[0], real[1]}, {real[1], real[0]}} {
		if relative, err := filepath.Rel(pair[0], pair[1]); err == nil && filepath.IsLocal(relative) {
			return true
		}
	}
	return false
}

// afterImport indexes what was written and shows the report.
func (a *app) afterImport(ctx context.Context, engine *quarry.Engine, answer importAnswer, memory *importMemory, flags importFlags) error {
	if !flags.isDryRun && (len(answer.Written) > 0 || flags.verify) {
		report, err := a.runIndexInTurn(ctx, engine, quarry.IndexOptions{})
		if err != nil {
			return err
		}
		a.noticeProblems(report)
		answer.Indexed = true
	}
	if flags.verify && !flags.isDryRun {
		found, err := a.verifyImport(ctx, engine, memory.paths(answer.Format), flags.queries)
		if err != nil {
			return err
		}
		answer.Verify = &found
		if len(found.Missing) > 0 {
			a.code = exitPartial
		}
	}
	if answer.Notes.Failed+answer.Attachments.Failed > 0 {
		a.code = exitPartial
	}
	return show(a, answer, a.flags.json, a.printImport)
}

func hintOfImport(err error, format string) error {
	for _, known := range []struct {
		err  error
		hint string
	}{
		{export.ErrNothing, "is it an export of " + format + "? `quarry import --help` lists the formats and what each takes"},
		{convert.ErrFolder, "name a folder below the vault without # ^ | [ ] and without a dot in front"},
		{export.ErrTooLarge, "import it in parts"},
		{os.ErrNotExist, "check the path of the export"},
	} {
		if errors.Is(err, known.err) {
			return &hinted{err, known.hint}
		}
	}
	return err
}

// importProgress shows how far an import is, on a terminal alone.
func (a *app) importProgress() (show func(convert.Progress), finish func()) {
	if a.flags.quiet || !a.io.ErrTerminal {
		return nil, func() {}
	}
	var bar *progressbar.ProgressBar
	stage := ""
	show = func(p convert.Progress) {
		if stage != p.Stage {
			stage = p.Stage
			bar = progressbar.NewOptions(p.Total, progressbar.OptionSetWriter(a.io.Err), progressbar.OptionSetDescription(stage), progressbar.OptionShowCount(),
				progressbar.OptionSetWidth(min(40, max(a.width()-barTextColumns, 1))), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100e6))
		}
		_ = bar.Set(p.Done) // a broken bar is no reason to stop
	}
	return show, func() {
		if bar != nil {
			_ = bar.Finish()
		}
	}
}
