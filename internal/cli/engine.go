package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"quarry"
)

// withEngine opens the engine for the vault that the command line means, and closes it afterwards.
func (a *app) withEngine(ctx context.Context, do func(*quarry.Engine) error) error {
	config, err := a.config()
	if err != nil {
		return err
	}
	return a.withConfig(ctx, config, do)
}

func (a *app) withConfig(ctx context.Context, config quarry.Config, do func(*quarry.Engine) error) (err error) {
	engine, err := quarry.Open(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	a.filter.Store(engine.Redactor())
	return do(engine)
}

// withFile opens the engine for one file: below the vault, or from the working directory, where a file outside any vault
// takes its own folder for one.
func (a *app) withFile(ctx context.Context, file string, do func(*quarry.Engine, string) error) error {
	user, err := a.userSettings()
	if err != nil {
		return err
	}
	vaultDir, findErr := a.findVault(user)
	var nobodyNamed *usageError
	if findErr != nil && !errors.As(findErr, &nobodyNamed) {
		return findErr
	}
	audience, err := a.audience()
	if err != nil {
		return err
	}
	if audience == quarry.Client {
		return a.withFileForClient(ctx, file, do)
	}
	here := a.absolute(file)
	if findErr == nil {
		if _, err := os.Stat(filepath.Join(vaultDir, filepath.FromSlash(file))); err == nil && !filepath.IsAbs(file) {
			here = filepath.Join(vaultDir, filepath.FromSlash(file))
		}
	}
	info, err := os.Stat(here)
	if findErr == nil && errors.Is(err, fs.ErrNotExist) && filepath.IsLocal(filepath.FromSlash(file)) {
		// Perhaps it is another spelling of a name, or a name alone, which the engine knows.
		config, err := a.configFor(vaultDir, user)
		if err != nil {
			return err
		}
		return a.withConfig(ctx, config, func(engine *quarry.Engine) error { return do(engine, filepath.ToSlash(file)) })
	}
	if err != nil {
		return &hinted{fmt.Errorf("read %s: %w", file, plain(err)), "give a path below the vault or from the working directory"}
	}
	if info.IsDir() {
		return &hinted{fmt.Errorf("read %s: it is a folder", file), "give the path of one note"}
	}
	relative, inside := below(vaultDir, here)
	if findErr != nil || !inside {
		vaultDir, relative = filepath.Dir(here), filepath.Base(here)
	}
	config, err := a.configFor(vaultDir, user)
	if err != nil {
		return err
	}
	return a.withConfig(ctx, config, func(engine *quarry.Engine) error { return do(engine, filepath.ToSlash(relative)) })
}

// withFileForClient opens the engine for a file of the vault: others are not read for clients. Whether a file or a folder is
// there is for the engine to say.
func (a *app) withFileForClient(ctx context.Context, file string, do func(*quarry.Engine, string) error) error {
	config, err := a.config()
	if err != nil {
		return err
	}
	relative := filepath.FromSlash(file)
	if filepath.IsAbs(relative) {
		var inside bool
		if relative, inside = below(config.VaultDir, relative); !inside {
			return &hinted{fmt.Errorf("read %s: it lies outside of the vault, whose notes alone are read for clients", file), "give a path below the vault"}
		}
	}
	return a.withConfig(ctx, config, func(engine *quarry.Engine) error { return do(engine, filepath.ToSlash(relative)) })
}

func below(dir, path string) (string, bool) {
	if dir == "" {
		return "", false
	}
	relative, err := filepath.Rel(dir, path)
	if err != nil || relative == ".." || strings.HasPrefix(relative, ".."+string(filepath.Separator)) {
		return "", false
	}
	return relative, true
}

// indexMemoryBytes is where an index run begins to collect garbage sooner.
const indexMemoryBytes = 160 << 20

// saveMemory lets garbage be collected sooner above so many bytes, until what it gives is called.
func saveMemory(bytes int64) (end func()) {
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, bytes))
	return func() { debug.SetMemoryLimit(before) }
}

// runIndex indexes with progress.
func (a *app) runIndex(ctx context.Context, engine *quarry.Engine, options quarry.IndexOptions) (quarry.IndexReport, error) {
	defer saveMemory(indexMemoryBytes)()
	progress, finish := a.indexProgress()
	report, err := engine.Index(ctx, options, progress)
	finish()
	if report.Reason != "" {
		a.notice("notice: %s: everything is indexed again", report.Reason)
	}
	a.noticeRedactions(report)
	return report, err
}

// barTextColumns is what stands around a bar, with counts of five digits.
const barTextColumns = 42

// indexProgress shows how far a run is: a bar on a terminal, a line every 500 files elsewhere.
func (a *app) indexProgress() (show func(quarry.IndexProgress), finish func()) {
	var bar *progressbar.ProgressBar
	show = func(p quarry.IndexProgress) {
		switch {
		case a.flags.quiet:
		case !a.io.ErrTerminal:
			if p.Done%500 == 0 {
				fmt.Fprintf(a.io.Err, "%d/%d files\n", p.Done, p.Total)
			}
		default:
			if bar == nil {
				bar = progressbar.NewOptions(p.Total, progressbar.OptionSetWriter(a.io.Err), progressbar.OptionSetDescription("indexing"),
					progressbar.OptionShowCount(), progressbar.OptionSetWidth(min(40, max(a.width()-barTextColumns, 1))), progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100e6))
			}
			_ = bar.Set(p.Done) // a broken bar is no reason to stop
		}
	}
	return show, func() {
		if bar != nil {
			_ = bar.Finish()
		}
	}
}

// ensureIndex runs a query, and builds the index first where there is none.
func (a *app) ensureIndex(ctx context.Context, engine *quarry.Engine, query func() error) error {
	err := query()
	if !errors.Is(err, quarry.ErrNoIndex) {
		return err
	}
	if info, err := os.Stat(engine.DatabasePath()); err == nil && info.Size() > 0 {
		a.notice("The index of %s is of an earlier version, or was never finished; bringing it up to date.", engine.VaultDir())
	} else {
		a.notice("There is no index of %s yet; building it.", engine.VaultDir())
	}
	report, err := a.runIndex(ctx, engine, quarry.IndexOptions{})
	if err != nil {
		return err
	}
	a.noticeProblems(report)
	return query()
}

func (a *app) noticeProblems(report quarry.IndexReport) {
	if report.Failed > 0 {
		a.notice("notice: %s could not be read; `quarry status` tells which", counted(report.Failed, "file"))
	}
}

// usesJSON: --json, or --format json where a command has it.
func (a *app) usesJSON(cmd *cobra.Command) bool {
	if a.flags.json {
		return true
	}
	format := cmd.Flags().Lookup("format")
	return format != nil && format.Value.String() == "json"
}
