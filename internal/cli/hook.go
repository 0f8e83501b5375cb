package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"quarry"
	"quarry/internal/hook"
)

// Variables of the environment.
const (
	// hookLogVariable names a file for the log of hooks.
	hookLogVariable = "QUARRY_HOOK_LOG"
	// hookGuardVariable keeps hooks from doing anything where it is set: within a hook, or for whoever wants none.
	hookGuardVariable = "QUARRY_HOOK_ACTIVE"
)

// hookFlags are those of `hook run` and `hook explain`.
type hookFlags struct{ client string }

func (a *app) hookCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hook",
		Short: "Answer the hooks of AI clients: context for a prompt, shorter outputs",
		Long: `Takes the JSON that Claude Code, Codex or Gemini CLI hands to a hook on standard input, and prints the JSON that it takes: context
from the notes for a prompt, and before an edit or a command; the blocks of a session when it starts; shorter outputs of tools.
Where nothing in the notes is relevant, nothing is printed. ` + "`quarry setup`" + ` puts the hooks into a client's settings.`,
		Example: `  quarry hook explain prompt < payload.json
  quarry hook run UserPromptSubmit --client claude-code < payload.json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.hookRunCommand(), a.hookExplainCommand(), a.hookLogCommand())
	return cmd
}

const hookEvents = `Events: prompt (UserPromptSubmit, BeforeAgent), before-tool (PreToolUse, BeforeTool), after-tool (PostToolUse, AfterTool),
session-start (SessionStart).`

func (a *app) hookRunCommand() *cobra.Command {
	var f hookFlags
	cmd := &cobra.Command{
		Use:   "run EVENT",
		Short: "Answer one event",
		Long: `Reads the payload of one event from standard input and prints the answer, if there is one. Whatever is wrong, nothing is printed and
the exit code is 0, so that no client ever waits for it or is blocked by it. It never builds the index.
` + hookEvents,
		Example: `  quarry hook run UserPromptSubmit --client claude-code < payload.json
  quarry --vault ~/notes hook run BeforeAgent --client gemini`,
		// A mistake in the command line is no reason to block a client, which an exit code of 2 would.
		Args:               cobra.ArbitraryArgs,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, words []string) error {
			a.runHook(cmd.Context(), strings.Join(words, ""), f.client)
			return nil
		},
	}
	cmd.SetFlagErrorFunc(func(*cobra.Command, error) error { return nil })
	f.register(cmd)
	return cmd
}

func (f *hookFlags) register(cmd *cobra.Command) {
	var names []string
	for _, client := range hook.Clients {
		names = append(names, string(client))
	}
	cmd.Flags().StringVar(&f.client, "client", "", "whose hook it is: "+strings.Join(names, ", ")+"; told from the payload where it is missing")
	completeWords(cmd, "client", names...)
}

// isHookRun tells of a command line that answers a hook, also of one that cannot be read: a client takes any other exit code than 0
// for a refusal. A word behind an unknown flag may be its value.
func isHookRun(root *cobra.Command, arguments []string) bool {
	want, mayBeValue := []string{"hook", "run"}, false
	for i := 0; i < len(arguments) && len(want) > 0; i++ {
		argument := arguments[i]
		name, isLong := strings.CutPrefix(argument, "--")
		flag := root.PersistentFlags().Lookup(name)
		switch {
		case argument == want[0]:
			want, mayBeValue = want[1:], false
		case isLong && flag != nil:
			if flag.NoOptDefVal == "" {
				i++ // its value
			}
		case strings.HasPrefix(argument, "-"):
			mayBeValue = !strings.Contains(argument, "=")
		case !mayBeValue:
			return false
		default:
			mayBeValue = false
		}
	}
	return len(want) == 0
}

// runHook answers an event, in silence where anything is wrong.
func (a *app) runHook(ctx context.Context, event, client string) {
	a.flags.quiet = true
	signal.Ignore(syscall.SIGPIPE) // a client that is gone is told from one that took its answer
	a.out.to.to = &patient{ctx: ctx, to: a.out.to.to, patience: answerPatience}
	a.noticeHook()
	payload := readPayload(ctx, a.io.In)
	started := time.Now()
	kind, isKnown := hook.ParseEvent(event)
	setup := a.hookSetup()
	setup.settings.Deadline -= min(time.Since(started), setup.settings.Deadline-time.Millisecond)
	outcome := hook.Outcome{Record: hook.Record{Decision: hook.Silent, Reason: "an unknown event"}}
	switch {
	case setup.fault != nil:
		outcome.Record.Reason = "the configuration cannot be used"
	case event == "" || isKnown:
		outcome = hook.Answer(ctx, payload, a.hookOptions(setup, kind, knownClient(client)))
	}
	if len(outcome.Reply) > 0 {
		err := a.writeEncoded(append(outcome.Reply, '\n'))
		a.out.Flush()
		if errors.Join(err, a.out.to.err) != nil {
			outcome.Withdraw()
			outcome.Record.Reason = "the answer could not be written"
		}
	}
	a.logHook(setup, outcome.Record)
}

// knownClient is the client of a name, "" where there is none: the payload tells then.
func knownClient(name string) hook.Client {
	if slices.Contains(hook.Clients, hook.Client(name)) {
		return hook.Client(name)
	}
	return ""
}

func (a *app) noticeHook() {
	if a.io.InTerminal {
		fmt.Fprintln(a.io.Err, "Waiting for the payload of a hook on standard input, to its end (Ctrl-D; on Windows Ctrl-Z and Enter).")
	}
}

// payloadPatience is how long a client may take to write its payload.
const payloadPatience = 2 * time.Second

// answerPatience is how long a client may take to take the answer.
const answerPatience = 500 * time.Millisecond

// readPayload reads a payload to its end, of one that is too long so much that this shows. What comes too late is none.
func readPayload(ctx context.Context, in io.Reader) []byte {
	read := make(chan []byte, 1)
	go func() {
		payload, err := io.ReadAll(io.LimitReader(in, hook.MaxPayloadBytes+1))
		if err != nil {
			payload = nil
		}
		_, _ = io.Copy(io.Discard, in) // a client whose pipe breaks may complain
		read <- payload
	}()
	select {
	case payload := <-read:
		return payload
	case <-ctx.Done():
		return nil
	case <-time.After(payloadPatience):
		return nil
	}
}

// errNotTaken tells that a client does not take the answer of its hook.
var errNotTaken = errors.New("the answer is not taken")

// patient hands what is written on, and gives up where it is not taken in time.
type patient struct {
	ctx      context.Context
	to       io.Writer
	patience time.Duration
	gaveUp   bool
}

func (p *patient) Write(text []byte) (int, error) {
	if p.gaveUp {
		return 0, errNotTaken
	}
	taken, copied := make(chan error, 1), bytes.Clone(text)
	go func() {
		_, err := p.to.Write(copied)
		taken <- err
	}()
	select {
	case err := <-taken:
		return len(text), err
	case <-p.ctx.Done():
	case <-time.After(p.patience):
	}
	p.gaveUp = true
	return 0, errNotTaken
}

// hookSetup is what the configuration says of hooks, and of the vault if there is one.
type hookSetup struct {
	settings hook.Settings
	config   quarry.Config
	log      string // the file of the log, "" for none
	vault    error  // why there is no vault
	fault    error  // why nothing can be done
}

func (a *app) hookSetup() hookSetup {
	var s hookSetup
	if a.flags.logLevel == "warn" {
		a.flags.logLevel = "error"
	}
	user, err := a.userSettings()
	if err != nil {
		return hookSetup{fault: err}
	}
	merged := user
	dir, err := a.findVault(user)
	if err == nil {
		if merged, err = a.overlay(user, dir); err != nil {
			return hookSetup{fault: err}
		}
		a.flags.quiet = true // what was told once is not told again
		if s.config, err = a.configFor(dir, user); err != nil {
			return hookSetup{fault: err}
		}
		s.config.Audience = quarry.Client
		if blocks := s.config.Session.Blocks; blocks == 0 || blocks > hook.MaxSessionTokens {
			s.config.Session.Blocks = hook.MaxSessionTokens
		}
	}
	s.vault, s.settings = err, merged.Hooks.settings()
	switch file := a.io.Env(hookLogVariable); {
	case file != "":
		s.log = a.absolute(file)
	case s.vault == nil && merged.Hooks.Log != nil && *merged.Hooks.Log:
		s.log = hookLogOf(s.config)
	}
	return s
}

// hookLogOf is the file of the log beside the index.
func hookLogOf(config quarry.Config) string {
	return filepath.Join(config.DatabasePath+".state", "hooks.jsonl")
}

func (a *app) hookOptions(setup hookSetup, event hook.Event, client hook.Client) hook.Options {
	return hook.Options{
		Client: client, Event: event, Settings: setup.settings, Now: time.Now, IsActive: a.io.Env(hookGuardVariable) != "",
		Open: func(ctx context.Context) (*quarry.Engine, error) {
			if setup.vault != nil {
				return nil, setup.vault
			}
			engine, err := quarry.Open(ctx, setup.config)
			if err == nil {
				a.filter.Store(engine.Redactor())
			}
			return engine, err
		},
	}
}

// A log that has grown to so much is put aside, in the place of the one before.
const maxHookLogBytes = 1 << 20

// logHook appends a record to the log. What goes wrong there is of no concern to a client.
func (a *app) logHook(setup hookSetup, record hook.Record) {
	if setup.log == "" {
		return
	}
	if record.Time == "" {
		record.Time = time.Now().UTC().Format(time.RFC3339)
	}
	line, err := json.Marshal(record)
	if err != nil || os.MkdirAll(filepath.Dir(setup.log), 0o700) != nil {
		return
	}
	if info, err := os.Lstat(setup.log); err == nil && (!info.Mode().IsRegular() || info.Size() > maxHookLogBytes) {
		if !info.Mode().IsRegular() || os.Rename(setup.log, setup.log+".1") != nil {
			return
		}
	}
	file, err := os.OpenFile(setup.log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	_, _ = file.Write(append(line, '\n'))
	_ = file.Close()
}

func (a *app) hookExplainCommand() *cobra.Command {
	var f hookFlags
	cmd := &cobra.Command{
		Use:   "explain EVENT",
		Short: "Show what an event would be answered, and why",
		Long: `Answers an event as ` + "`quarry hook run`" + ` does, without its time limit, and remembers and keeps nothing. The context, or the shorter output,
goes to standard output, and what led there to standard error: the query, the passages that were found with their relevance, the reason.
` + hookEvents,
		Example: `  quarry hook explain prompt < payload.json
  quarry hook explain PreToolUse --client codex --json < payload.json`,
		Args: args(1, 1, "an event"),
		RunE: func(cmd *cobra.Command, words []string) error {
			event, isKnown := hook.ParseEvent(words[0])
			if !isKnown {
				return usage("events are prompt, before-tool, after-tool and session-start, or as a client calls them", "there is no event %q", words[0])
			}
			if f.client != "" && knownClient(f.client) == "" {
				return usage("clients are claude-code, codex and gemini", "there is no client %q", f.client)
			}
			return a.explainHook(cmd.Context(), event, hook.Client(f.client))
		},
	}
	f.register(cmd)
	return cmd
}

// explainedHook is what `hook explain --json` prints.
type explainedHook struct {
	hook.Record
	Steps []string        `json:"steps"`
	Reply json.RawMessage `json:"reply"` // null where there is none
}

func (a *app) explainHook(ctx context.Context, event hook.Event, client hook.Client) error {
	setup := a.hookSetup()
	if err := errors.Join(setup.fault, setup.vault); err != nil {
		return err
	}
	a.noticeHook()
	options := a.hookOptions(setup, event, client)
	options.Settings.Deadline, options.DryRun, options.IsActive = 0, true, false
	payload := readPayload(ctx, a.io.In)
	if err := ctx.Err(); err != nil {
		return err
	}
	outcome := hook.Answer(ctx, payload, options)
	if a.flags.json {
		reply := json.RawMessage("null")
		if len(outcome.Reply) > 0 {
			reply = outcome.Reply
		}
		return a.writeJSON(explainedHook{outcome.Record, append([]string{}, outcome.Steps...), reply})
	}
	for _, step := range outcome.Steps {
		fmt.Fprintln(a.io.Err, printable(oneLine(a.placed(step))))
	}
	if outcome.Text != "" {
		what := "given, %d tokens, in %.0f ms:\n"
		if outcome.Record.Decision == hook.Compressed {
			what = "given in the place of the output, %d tokens saved, in %.0f ms:\n"
		}
		fmt.Fprintf(a.io.Err, what, outcome.Record.Tokens, outcome.Record.Milliseconds)
		fmt.Fprintln(a.io.Out, printable(outcome.Text))
	}
	return nil
}

func (a *app) hookLogCommand() *cobra.Command {
	count := 20
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show what hooks did lately",
		Long: `Prints the last lines of the log, which is written where [hooks] says log = true, or to the file that ` + hookLogVariable + ` names: when, which
event of which client, what was decided and why, how long it took, how many tokens. No line holds text of a prompt or of a note.`,
		Example: `  quarry hook log
  quarry hook log -n 100 --json`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if count < 1 {
				return usage("-n takes a number above 0", "-n %d is out of range", count)
			}
			return a.showHookLog(count)
		},
	}
	cmd.Flags().IntVarP(&count, "lines", "n", count, "lines at most, the last ones")
	return cmd
}

func (a *app) showHookLog(count int) error {
	setup := a.hookSetup()
	if setup.fault != nil {
		return setup.fault
	}
	file := setup.log
	if file == "" && setup.vault != nil {
		return setup.vault
	} else if file == "" {
		file = hookLogOf(setup.config)
	}
	records, err := lastRecords(file, count)
	if errors.Is(err, fs.ErrNotExist) {
		return &hinted{errors.New("there is no log of hooks"), "write log = true into the table [hooks] of the configuration, or set " + hookLogVariable + " to a file"}
	}
	if err != nil {
		return fmt.Errorf("read the log of hooks: %w", plain(err))
	}
	if a.flags.json {
		return a.writeJSON(records)
	}
	for _, r := range records {
		fmt.Fprintln(a.io.Out, printable(oneLine(fmt.Sprintf("%s  %-13s %-11s %-10s %5.0f ms %5d tokens  %s %s", r.Time, r.Event, r.Client, r.Decision, r.Milliseconds, r.Tokens, r.Tool, r.Reason))))
	}
	return nil
}

// lastRecords are the last records of a log. Lines that are none are passed over.
func lastRecords(name string, count int) ([]hook.Record, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	records := []hook.Record{}
	lines := bufio.NewScanner(bytes.NewReader(content[max(0, len(content)-2*maxHookLogBytes):]))
	for lines.Scan() {
		var record hook.Record
		if json.Unmarshal(lines.Bytes(), &record) == nil && record.Time != "" {
			records = append(records, record)
		}
	}
	return records[max(0, len(records)-count):], nil
}
