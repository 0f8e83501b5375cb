package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quarry"
	"quarry/internal/setup"
)

// genericClient stands for all clients that set-up does not know: it is told what to write, and writes nothing.
const genericClient = "generic"

// setupFlags are those of `quarry setup`.
type setupFlags struct {
	scope, name, plugin            string
	print, remove, status, noHooks bool
	force                          bool
}

func (a *app) setupCommand() *cobra.Command {
	var flags setupFlags
	cmd := &cobra.Command{
		Use:   "setup [CLIENT]",
		Short: "Set up an AI client: the MCP server, hooks and guidance",
		Long: `Merges quarry into the files of an AI client: the MCP server, the hooks where the client runs any, a text that tells it when to
search, and a command that keeps a thought. Only what is added changes; comments, order and layout stay, and a copy of each
file that is changed is kept beside it (FILE.quarry-backup). A second run changes nothing.

Clients: claude-code, codex, cursor, vscode, gemini, windsurf, zed, claude-desktop; generic prints what to write into the files
of another one. --scope user is for all of your projects, --scope project for the one of the working folder.

--print shows what would be written, and where. --remove takes out what set-up put in, and nothing else; --status tells what is
set up, for which vault and by which quarry, of all clients if none is named. docs/clients.md names the files.`,
		Example: `  quarry setup claude-code --vault ~/Notes
  quarry setup codex --vault ~/Notes --print
  quarry setup cursor --vault ~/Notes --scope project
  quarry setup claude-code --vault ~/Notes --plugin ~/quarry-plugin
  quarry setup gemini --remove   # takes it out of ~/.gemini
  quarry setup --status`,
		Args: args(0, 1, "a client"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return setupClients(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, words []string) error {
			return a.setup(cmd.Context(), append(words, "")[0], flags)
		},
	}
	cmd.Flags().StringVar(&flags.scope, "scope", "", "whose files: user (the usual one), or project, of the working folder")
	cmd.Flags().StringVar(&flags.name, "name", setup.DefaultName, "`name` of the MCP server, and of what else is put in")
	cmd.Flags().StringVar(&flags.plugin, "plugin", "", "write a plugin of Claude Code into this `folder` instead")
	cmd.Flags().BoolVar(&flags.print, "print", false, "show what would be written, and write nothing")
	cmd.Flags().BoolVar(&flags.remove, "remove", false, "take out what set-up put in")
	cmd.Flags().BoolVar(&flags.status, "status", false, "tell what is set up")
	cmd.Flags().BoolVar(&flags.force, "force", false, "take over an entry of the name that starts quarry and was put there by hand, as by `claude mcp add`")
	cmd.Flags().BoolVar(&flags.noHooks, "no-hooks", false, "without hooks")
	completeWords(cmd, "scope", "user", "project")
	return cmd
}

func setupClients() []string { return append(setup.Clients(), genericClient) }

func (a *app) setup(ctx context.Context, client string, flags setupFlags) error {
	audience, err := a.audience()
	if err != nil {
		return err
	}
	if audience == quarry.Client {
		return &hinted{errors.New("setup is refused to clients: it writes into files of the owner"), "run it without QUARRY_AUDIENCE=client, in a terminal of your own"}
	}
	if err := a.checkSetup(client, flags); err != nil {
		return err
	}
	switch {
	case flags.status:
		return a.setupStatus(client)
	case client == "":
		return a.explainSetup()
	case client == genericClient:
		return a.setupGeneric(flags)
	}
	request := setup.Request{Client: client, Name: flags.name, Scope: setup.Scope(flags.scope), Hooks: !flags.noHooks, Force: flags.force, Plugin: a.absolute(flags.plugin), Place: a.setupPlace()}
	if flags.scope == "" {
		request.Scope = setup.Scopes(client)[0]
	}
	if !flags.remove {
		if err := a.completeRequest(&request); err != nil {
			return err
		}
	}
	return a.runSetup(ctx, request, flags)
}

// checkSetup looks for mistakes in the command line.
func (a *app) checkSetup(client string, flags setupFlags) error {
	if client != "" && !slices.Contains(setupClients(), client) {
		hint := "the clients are " + strings.Join(setupClients(), ", ")
		if near := nearestClient(client); near != "" {
			hint = fmt.Sprintf("did you mean %s? %s", near, hint)
		}
		return usage(hint, "there is no client %q to set up", client)
	}
	if client == "" && (flags.remove || flags.print || flags.plugin != "") {
		return usage("quarry setup CLIENT …; `quarry setup` lists the clients", "setup takes the name of a client")
	}
	if flags.status && (flags.remove || flags.print) {
		return usage("`quarry setup --status` alone tells what is set up", "--status goes with neither --print nor --remove")
	}
	if flags.force && (flags.remove || flags.status) {
		return usage("--force is for setting up", "--force goes with neither --remove nor --status")
	}
	if flags.plugin != "" && client != "claude-code" {
		return usage("quarry setup claude-code --plugin DIR", "--plugin is for claude-code alone")
	}
	if scope := setup.Scope(flags.scope); scope != "" && scope != setup.User && scope != setup.Project {
		return usage("it is user or project", "there is no scope %q", flags.scope)
	}
	return nil
}

// nearestClient is the client that a word may mean: one that begins with it, or with what the word begins with, or that is spelled
// much like it; "" for none.
func nearestClient(word string) string {
	lower := strings.ToLower(word)
	for _, client := range setupClients() {
		if len(lower) > 1 && (strings.HasPrefix(client, lower) || strings.HasPrefix(lower, client)) {
			return client
		}
	}
	return nearest(word, setupClients())
}

// setupPlace is where the files of clients lie.
func (a *app) setupPlace() setup.Place {
	variable := "HOME"
	if runtime.GOOS == "windows" {
		variable = "USERPROFILE"
	}
	home := a.io.Env(variable)
	if !filepath.IsAbs(home) {
		home = ""
	}
	return setup.Place{Home: home, Work: setup.ProjectOf(a.absolute(a.io.WorkDir)), System: runtime.GOOS, Env: a.io.Env}
}

// completeRequest adds the vault and the command, and asks that the project is one.
func (a *app) completeRequest(request *setup.Request) error {
	user, err := a.userSettings()
	if err != nil {
		return err
	}
	if request.Vault, err = a.findVault(user); err != nil {
		return err
	}
	if request.Command, err = a.ownCommand(); err != nil {
		return err
	}
	if db := firstOf(a.flags.db, a.io.Env("QUARRY_DB")); db != "" {
		request.Flags = append(request.Flags, "--db", a.absolute(db))
	}
	if a.flags.config != "" {
		request.Flags = append(request.Flags, "--config", a.absolute(a.flags.config))
	}
	if request.Scope != setup.Project || request.Plugin != "" {
		return nil
	}
	work := request.Place.Work
	if isSamePlace(work, request.Place.Home) {
		return &hinted{fmt.Errorf("set up the project %s: it is the home folder", work), "run it in the folder of a project, or use --scope user"}
	}
	if relative, inside := below(request.Vault, work); inside && relative != "." {
		return &hinted{fmt.Errorf("set up the project %s: it lies in the vault", work), "run it in the folder of the project, or in the vault's own; --scope user is for all projects"}
	}
	return nil
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// ownCommand is the absolute path of this program: as it was called, where that is a link that leads to it, since such a link
// stays when the program is replaced by a newer one.
func (a *app) ownCommand() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", &hinted{fmt.Errorf("find this program: %w", err), "call it by its whole path"}
	}
	if strings.Contains(filepath.ToSlash(path), "/go-build") {
		return "", &hinted{fmt.Errorf("set up %s: it is a build of `go run`, which is gone when it ends", path), "run `go install ./cmd/quarry` or `go build -o quarry ./cmd/quarry`, and set up with that one"}
	}
	if named := a.calledAs(os.Args[0]); named != "" && isSamePlace(named, path) {
		path = named
	}
	return path, nil
}

// calledAs is the path of the command that a shell runs by this word; "" where it finds none.
func (a *app) calledAs(word string) string {
	if filepath.Base(word) != word {
		return a.absolute(word)
	}
	for _, dir := range filepath.SplitList(a.io.Env("PATH")) {
		for _, ending := range []string{"", ".exe"} {
			path := filepath.Join(dir, word+ending)
			if info, err := os.Stat(path); err == nil && !info.IsDir() && filepath.IsAbs(path) {
				return path
			}
		}
	}
	return ""
}

// setupWait is how long a set-up waits for another one to end.
const setupWait = 10 * time.Second

// runSetup plans, and writes or shows.
func (a *app) runSetup(ctx context.Context, request setup.Request, flags setupFlags) error {
	plan, err := a.planSetup(ctx, request, flags)
	if err != nil {
		return setupError(request, err)
	}
	for _, notice := range plan.Notices {
		a.notice("notice: %s", notice)
	}
	return a.printSetup(request, flags, plan)
}

// planSetup plans, and writes unless that is only to be shown.
func (a *app) planSetup(ctx context.Context, request setup.Request, flags setupFlags) (*setup.Plan, error) {
	planFor := setup.PlanSetup
	if flags.remove {
		planFor = setup.PlanRemoval
	}
	if flags.print {
		plan, err := planFor(request)
		if err == nil {
			err = plan.Prepare()
		}
		return plan, err
	}
	if cache, err := a.userDir("XDG_CACHE_HOME", os.UserCacheDir); err == nil { // without one there is no lock
		within, cancel := context.WithTimeout(ctx, setupWait)
		defer cancel()
		release, err := setup.Lock(within, filepath.Join(cache, "quarry", "setup.lock"))
		if err != nil {
			return nil, err
		}
		defer release()
	}
	plan, err := planFor(request)
	if err == nil {
		err = plan.Write()
	}
	return plan, err
}

// setupError gives the errors of set-up their hints.
func setupError(request setup.Request, err error) error {
	var file *setup.FileError
	switch {
	case errors.Is(err, setup.ErrNoScope):
		return usage(fmt.Sprintf("quarry setup %s --scope %s", request.Client, setup.Scopes(request.Client)[0]), "%s has no files of the scope %s", request.Client, request.Scope)
	case errors.Is(err, setup.ErrName):
		return usage("--name takes small letters, digits and -, as in work-notes", "%w", err)
	case errors.Is(err, setup.ErrProgramName):
		return &hinted{err, "call the program quarry, or quarry- and more, and set up with that one"}
	case errors.Is(err, setup.ErrEncoding):
		return &hinted{err, "give the folder or the file a name in UTF-8, or set up by way of a link that has one"}
	case errors.Is(err, setup.ErrBusy):
		return &hinted{err, "nothing was written; run the command again when that one has ended"}
	case errors.Is(err, setup.ErrByHand):
		return &hinted{err, "nothing was written; --force gives it the command of this set-up, with a copy of the file beside it; --name NAME sets up under another name"}
	case errors.Is(err, setup.ErrUnsafePath):
		return &hinted{err, "use --no-hooks, or a folder without % ! ^ & $ ` in its path"}
	case errors.Is(err, setup.ErrNoHome):
		return &hinted{err, "set HOME (USERPROFILE on Windows), or use --scope project"}
	case errors.Is(err, setup.ErrNotOurs):
		return &hinted{err, "nothing was written; --name NAME sets up under another name, or take it out by hand"}
	case errors.Is(err, setup.ErrChanged):
		return &hinted{err, "all files are as they were; run the command again, best while the client does not run"}
	case errors.As(err, &file):
		return &hinted{err, "nothing was written; mend the file and run the command again, or add by hand what --print generic shows"}
	}
	return err
}
