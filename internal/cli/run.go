// Package cli is the command line: it knows arguments, environment, streams and exit codes, and asks the engine for the rest.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"quarry"
)

// Exit codes; part of the contract.
const (
	exitDone        = 0
	exitError       = 1
	exitUsage       = 2
	exitPartial     = 3
	exitInterrupted = 130
)

// IO is everything a command may touch besides the vault and the index.
type IO struct {
	In          io.Reader
	Out, Err    io.Writer
	Env         func(string) string
	WorkDir     string
	InTerminal  bool // In is a terminal
	OutTerminal bool // Out is a terminal
	ErrTerminal bool // Err is a terminal
	// Width asks the terminal for its columns, 0 if there is none; nil: nobody to ask.
	Width func() int
}

// SystemIO is the process's own streams and environment.
func SystemIO() IO {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	return IO{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, WorkDir: dir,
		InTerminal: term.IsTerminal(int(os.Stdin.Fd())), OutTerminal: term.IsTerminal(int(os.Stdout.Fd())), ErrTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		Width: func() int {
			columns, _, err := term.GetSize(int(os.Stdout.Fd()))
			if err != nil {
				return 0
			}
			return columns
		},
	}
}

// app is one invocation.
type app struct {
	io     IO
	flags  globalFlags
	code   int                             // where a command ended without an error, but not with 0
	out    *page                           // what io.Out is
	filter atomic.Pointer[quarry.Redactor] // of the output pass; nil: the default
}

type globalFlags struct {
	vault, db, config, logLevel, audience string
	json, quiet, noColor                  bool
}

// Run executes one command line and gives the exit code.
func Run(ctx context.Context, args []string, streams IO) int {
	a := &app{io: streams}
	out := &output{to: streams.Out}
	a.out = &page{app: a, to: out}
	a.io.Out, a.io.Err = a.out, &talk{app: a, to: streams.Err}
	root := a.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	a.out.Flush()
	if out.err != nil && (err == nil || errors.Is(err, out.err)) {
		err = out.failure()
	}
	if err == nil {
		return a.code
	}
	if isHookRun(root, args) {
		return exitDone // in silence
	}
	return a.report(err)
}

// usageError is a mistake in the command line itself.
type usageError struct {
	cause error
	hint  string
}

func (e *usageError) Error() string { return e.cause.Error() }
func (e *usageError) Unwrap() error { return e.cause }

func usage(hint, format string, values ...any) error {
	return &usageError{cause: fmt.Errorf(format, values...), hint: hint}
}

// hinted is an error with advice of its own.
type hinted struct {
	cause error
	hint  string
}

func (e *hinted) Error() string { return e.cause.Error() }
func (e *hinted) Unwrap() error { return e.cause }

// report writes an error in the contract's form and gives its exit code.
func (a *app) report(err error) int {
	if errors.Is(err, quarry.ErrInterrupted) {
		fmt.Fprintln(a.io.Err, "quarry: interrupted; what was finished is kept, and a full run leaves the index as it was; `quarry index` goes on")
		return exitInterrupted
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(a.io.Err, "quarry: interrupted")
		return exitInterrupted
	}
	code, hint := exitError, hintFor(err)
	var wrong *usageError
	if errors.As(err, &wrong) {
		code, hint = exitUsage, wrong.hint
	}
	var advised *hinted
	if errors.As(err, &advised) {
		hint = advised.hint
	}
	fmt.Fprintf(a.io.Err, "quarry: %s\nhint: %s\n", printable(oneLine(a.placed(err.Error()))), printable(oneLine(a.placed(hint))))
	return code
}

// hintFor is the advice for the engine's own errors.
func hintFor(err error) string {
	for _, known := range []struct {
		err  error
		hint string
	}{
		{quarry.ErrNoIndex, "run `quarry index` to build the index"},
		{quarry.ErrMassDelete, "is the vault mounted? If the notes are meant to go, run `quarry index --force`"},
		{quarry.ErrBusy, "wait until the other process is done, which may be a run of the index, a watch or a server; then run the command again"},
		{quarry.ErrReadOnly, "name a place that can be written to with --db FILE or QUARRY_DB"},
		{quarry.ErrNewerIndex, "update quarry, or name another file with --db FILE"},
		{quarry.ErrForeignFile, "the file was left alone; name another one with --db FILE"},
		{quarry.ErrDamaged, "run `quarry index --verify`, which finds all damage and then builds the index anew from the vault"},
		{quarry.ErrOtherVault, "name another file with --db FILE, or let `quarry index --force` build it anew of this vault"},
		{quarry.ErrSeveral, "give the path of the one that is meant"},
		{quarry.ErrLeftOut, "docs/configuration.md tells what is left out and how to take it in; `quarry parse` reads it all the same"},
		{quarry.ErrSecret, "`quarry status` lists the notes of class secret; docs/configuration.md tells what makes a note one"},
		{quarry.ErrOtherFile, "`quarry links` with its path shows the notes that link to it"},
		{quarry.ErrNotFound, "`quarry ls` lists the notes; `quarry search` finds one by its words"},
		{quarry.ErrNoPart, "`quarry get` with the path alone prints the whole note"},
		{os.ErrPermission, "check the permissions of the file and of its folder"},
		{os.ErrNotExist, "check the path"},
	} {
		if errors.Is(err, known.err) {
			return known.hint
		}
	}
	return "run the command with --log-level debug to see more, or `quarry status` for the state of the index"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "quarry",
		Short: "Find the right passage in a folder of Markdown notes",
		Long: `quarry reads a folder of Markdown notes and finds the passage that answers, by words and by meaning, on this machine alone. The notes are never changed; the index can be thrown away and built again.

Exit codes: 0 done (no results is no error), 1 error, 2 wrong usage, 3 done in part, 130 ended by Ctrl-C or SIGTERM before the end. The
servers, ` + "`quarry mcp` and `quarry serve`" + `, have no other end: stopped, they give 0.`,
		Example: `  quarry search --vault ~/notes "how do refresh tokens rotate"
  quarry context --vault ~/notes "retry budget" --max-tokens 1500
  quarry get --vault ~/notes "Backups#The drill"`,
		SilenceErrors: true, SilenceUsage: true, Version: versionInfo().Version,
		SuggestionsMinimumDistance: 2,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				return usage(fmt.Sprintf("did you mean `quarry %s`? `quarry help` lists the commands", near[0]), "there is no command %q", args[0])
			}
			return usage("`quarry help` lists the commands", "there is no command %q", args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("quarry {{.Version}}\n")
	root.SetIn(a.io.In)
	root.SetOut(a.io.Out)
	root.SetErr(a.io.Err)
	root.SetFlagErrorFunc(flagError)
	flags := root.PersistentFlags()
	flags.StringVar(&a.flags.vault, "vault", "", "`folder` of the notes (else QUARRY_VAULT, the configuration, or the nearest parent with .obsidian/ or .quarry.toml)")
	flags.StringVar(&a.flags.db, "db", "", "`file` of the index (else QUARRY_DB, the configuration, or a file in the user's cache)")
	flags.StringVar(&a.flags.config, "config", "", "configuration `file` instead of the user's own")
	flags.BoolVar(&a.flags.json, "json", false, "one JSON document on standard output")
	flags.BoolVar(&a.flags.quiet, "quiet", false, "no progress and no notices")
	flags.StringVar(&a.flags.logLevel, "log-level", "warn", "what to log on standard error: debug, info, warn or error")
	flags.StringVar(&a.flags.audience, "audience", "owner", "whom to answer: owner, or client (no private notes; QUARRY_AUDIENCE=client asks for it, too)")
	flags.BoolVar(&a.flags.noColor, "no-color", false, "no colours (also NO_COLOR)")
	completeWords(root, "audience", "owner", "client")
	root.AddCommand(
		a.indexCommand(), a.searchCommand(), a.contextCommand(), a.getCommand(), a.lsCommand(), a.linksCommand(), a.graphCommand(),
		a.parseCommand(), a.chunksCommand(), a.redactCommand(), a.compressCommand(), a.embedCommand(), a.statusCommand(), a.doctorCommand(), a.mcpCommand(), a.serveCommand(), a.evalCommand(), a.versionCommand(),
		a.captureCommand(), a.blockCommand(), a.hookCommand(),
		a.intakeCommand(), a.importCommand(),
		a.setupCommand(),
		a.watchCommand(), a.initCommand(), a.helpTopic(),
	)
	root.SetHelpCommand(helpCommand())
	root.SetHelpFunc(a.printManual)
	return root
}

// notice says something to the person, unless they want quiet.
func (a *app) notice(format string, values ...any) {
	if !a.flags.quiet {
		fmt.Fprintln(a.io.Err, printable(a.placed(fmt.Sprintf(format, values...))))
	}
}
