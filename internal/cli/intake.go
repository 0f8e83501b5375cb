package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"quarry"
	"quarry/intake/ledger"
	"quarry/intake/source"
	"quarry/intake/triage"
)

func (a *app) intakeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "intake",
		Short: "Signals: take in, score, route into the vault, review",
		Long: `Takes in signals (items of feeds, bookmarks, mails, pages, captures, outputs of tools), scores each by what the vault is about, and
writes those that are worth it into a folder of their domain below 05-signals. What is in doubt waits for you, what is not worth it
is dropped; both are kept in a ledger in your data folder, from which each can be brought back. A signal is never routed twice.

The network is asked by ` + "`quarry intake fetch`" + ` alone, and only for the feeds that you listed. intake.yaml and interests.md at the
vault's root say what it wants. Without a command it tells what is waiting. docs/intake.md tells more.`,
		Example: `  quarry intake feeds add https://example.org/feed.xml
  quarry intake fetch
  quarry intake add ~/Downloads/bookmarks.html
  quarry intake review`,
		Args: func(cmd *cobra.Command, words []string) error {
			if len(words) == 0 {
				return nil
			}
			hint := "`quarry intake --help` lists the commands"
			if near := cmd.SuggestionsFor(words[0]); len(near) > 0 {
				hint = fmt.Sprintf("did you mean `quarry intake %s`? %s", near[0], hint)
			}
			return usage(hint, "intake has no command %q", words[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return a.intakeStats(cmd.Context(), "") },
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(
		a.intakeAddCommand(), a.intakeFetchCommand(), a.intakeFeedsCommand(), a.intakeScoreCommand(), a.intakeRouteCommand(), a.intakeReviewCommand(),
		a.intakeAcceptCommand(), a.intakeDropCommand(), a.intakeMoveCommand(), a.intakeUndoCommand(), a.intakeStatsCommand(), a.intakeLogCommand(), a.intakeLearnedCommand(),
	)
	return cmd
}

// withTriage opens the intake of the vault that the command line means.
func (a *app) withTriage(ctx context.Context, do func(*triage.Triage) error) (err error) {
	if err := a.refuseClient("intake is for the owner: signals are not shown to clients", "ask by `quarry search`"); err != nil {
		return err
	}
	user, err := a.userSettings()
	if err != nil {
		return err
	}
	vaultDir, err := a.findVault(user)
	if err != nil {
		return err
	}
	path, err := a.ledgerPath(vaultDir)
	if err != nil {
		return err
	}
	merged, err := a.overlay(user, vaultDir)
	if err != nil {
		return err
	}
	filter, err := quarry.NewRedactor(merged.redactionOfNotes())
	if err != nil {
		return err
	}
	a.filter.Store(filter)
	opened, err := triage.Open(ctx, triage.Options{VaultDir: vaultDir, LedgerPath: path, Attachments: user.Intake.Attachments, Redactor: filter, UserAgent: "quarry/" + versionInfo().Version})
	if err != nil {
		return hintOfIntake(err)
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	for _, fault := range opened.Faults() {
		a.notice("notice: %s: %s; the rest counts", fault.Where, fault.Reason)
	}
	return hintOfIntake(do(opened))
}

// hintOfIntake adds what to do about an error of intake.
func hintOfIntake(err error) error {
	for _, known := range []struct {
		err  error
		hint string
	}{
		{ledger.ErrForeign, "the file was left alone; name another one in the configuration: ledger = … in the table [intake]"},
		{ledger.ErrNewer, "update quarry"},
		{ledger.ErrUnknown, "`quarry intake log` and `quarry intake review` list signals by their numbers, `quarry intake feeds` the feeds"},
		{triage.ErrDomain, "`quarry intake move --help` lists the domains; intake.yaml can name further ones"},
		{triage.ErrNothing, "`quarry intake log` lists what was done; with a number the last change of that signal is taken back"},
		{triage.ErrAddress, "a feed is listed by its address on the web, such as https://example.org/feed.xml; `quarry intake add` reads files"},
		{triage.ErrVault, "name files or folders outside of the vault"},
		{source.ErrUnknown, "intake reads RSS, Atom and JSON feeds, bookmarks, mails, pages and texts; `quarry import` reads the exports of other apps"},
	} {
		var advised *hinted
		if errors.Is(err, known.err) && !errors.As(err, &advised) {
			return &hinted{err, known.hint}
		}
	}
	return err
}

// intakeProgress shows how far a run is: a bar on a terminal, a line now and then elsewhere.
func (a *app) intakeProgress() (show triage.Progress, finish func()) {
	const every = 3000
	var bar *progressbar.ProgressBar
	doing, said := "", 0
	show = func(what string, done, total int) {
		switch {
		case a.flags.quiet:
		case !a.io.ErrTerminal:
			if what != doing {
				doing, said = what, 0
			}
			if done-said >= every {
				said = done
				a.notice("%s: %s", what, progressText(what, done, total))
			}
		default:
			if what != doing || total <= 0 {
				fmt.Fprint(a.io.Err, clearRow)
				doing, bar = what, nil
			}
			if total <= 0 {
				fmt.Fprint(a.io.Err, what+": "+progressText(what, done, total))
				return
			}
			if bar == nil {
				bar = a.newBar(what, total)
			}
			_ = bar.Set(done) // a broken bar is no reason to stop
		}
	}
	return show, func() {
		if doing != "" && a.io.ErrTerminal {
			fmt.Fprint(a.io.Err, clearRow)
		}
	}
}

// clearRow takes away what stands in the terminal's row.
const clearRow = "\r\x1b[2K"

func progressText(what string, done, total int) string {
	thing := "signal"
	if what == "fetching" {
		thing = "feed"
	}
	if total == 0 {
		return counted(done, thing)
	}
	return fmt.Sprintf("%d of %s", done, counted(total, thing))
}

func (a *app) newBar(what string, total int) *progressbar.ProgressBar {
	return progressbar.NewOptions(total, progressbar.OptionSetWriter(a.io.Err), progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(min(40, max(a.width()-barTextColumns, 1))), progressbar.OptionThrottle(100e6))
}

// signalNumbers reads the numbers of signals: 12 or #12.
func signalNumbers(words []string) ([]int64, error) {
	var ids []int64
	for _, word := range words {
		id, err := strconv.ParseInt(strings.TrimPrefix(word, "#"), 10, 64)
		if err != nil || id < 1 {
			return nil, usage("`quarry intake review` and `quarry intake log` list signals by their numbers", "%q is no number of a signal", word)
		}
		ids = append(ids, id)
	}
	return ids, nil
}
