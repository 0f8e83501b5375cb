// Package hook answers the hooks of AI clients: an event as JSON comes in, context or a shorter output goes out, and nothing at
// all where there is any trouble.
package hook

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"quarry"
)

// Settings say what hooks do. They are the table [hooks] of the configuration.
type Settings struct {
	Prompt          bool          // context for a prompt
	Tools           []string      // before which context is given, as clients name them, in any letter case
	Session         bool          // the blocks when a session starts
	MaxTokens       int           // of one piece of context, 4 characters a token; up to MaxTokens
	MinScore        float64       // that a passage needs, 0 to 1
	Compress        bool          // shortens outputs, where a client can take that
	CompressMin     int           // characters from which an output is shortened
	Capture         bool          // keeps outputs as notes
	CaptureMin      int           // characters from which an output is kept
	CaptureTools    []string      // whose outputs are kept
	Deadline        time.Duration // of the work; 0: none
	SessionDeadline time.Duration // of that of a session start, where blocks may have to be built; Deadline where that is longer
}

// Bounds and defaults.
const (
	DefaultMaxTokens   = 1500
	MaxTokens          = 2000
	DefaultMinScore    = 0.75
	DefaultCompressMin = 2000
	DefaultCaptureMin  = 500
	// DefaultDeadline is the time for the work. The start of a process and its end come to it.
	DefaultDeadline = 110 * time.Millisecond
	// claimTime is the part of a deadline in which what is given is remembered, at most a quarter of it. Waiting for the memory ends
	// writeTime before the deadline.
	claimTime = 20 * time.Millisecond
	writeTime = 5 * time.Millisecond
	// DefaultSessionDeadline is once a session, and little is needed of it where the blocks are kept.
	DefaultSessionDeadline = time.Second
	// MaxSessionTokens is what any client takes whole of blocks.
	MaxSessionTokens = 2400
)

// DefaultSettings are those without a configuration.
func DefaultSettings() Settings {
	return Settings{
		Prompt: true, Session: true, Compress: true,
		Tools:     []string{"Edit", "Write", "MultiEdit", "NotebookEdit", "Bash", "apply_patch", "shell", "replace", "write_file", "run_shell_command"},
		MaxTokens: DefaultMaxTokens, MinScore: DefaultMinScore,
		CompressMin: DefaultCompressMin, CaptureMin: DefaultCaptureMin,
		CaptureTools: []string{"Bash", "shell", "run_shell_command", "WebFetch", "WebSearch", "web_fetch", "google_web_search"},
		Deadline:     DefaultDeadline, SessionDeadline: DefaultSessionDeadline,
	}
}

// Options are those of one answer.
type Options struct {
	Client   Client // "": told from the payload
	Event    Event  // "": told from the payload
	Settings Settings
	// Open gives an engine that answers a client; it is asked only where one is needed, and the engine is closed.
	Open func(context.Context) (*quarry.Engine, error)
	Now  func() time.Time
	// IsActive: the process was started from within a hook, so that nothing is done.
	IsActive bool
	// DryRun remembers nothing and captures nothing.
	DryRun bool
}

// Outcome is what an event came to.
type Outcome struct {
	Reply  []byte   // one JSON document without a line feed; none: nothing is to be said
	Text   string   // the context, or the shorter output, in the reply
	Record Record   // for the log
	Steps  []string // why, for a person; may hold words of the payload
	claim  *claim   // what the session has when the reply has reached it; nil: nothing is remembered
	// isSettled: what is in the claim is remembered.
	isSettled bool
}

// Answer answers an event. It never fails: what cannot be answered gets no reply, and Record.Reason says why. It returns when
// the deadline of the settings is over, even where work goes on for a moment.
func Answer(ctx context.Context, payload []byte, options Options) Outcome {
	started := options.Now()
	a := &answering{Options: options}
	outcome, isDone := a.understand(payload)
	if !isDone {
		outcome = a.inTime(ctx)
	}
	outcome.Record.Time = started.UTC().Format(time.RFC3339)
	outcome.Record.Milliseconds = float64(options.Now().Sub(started).Microseconds()) / 1000
	return outcome
}

// understand reads the payload; done is true where there is nothing further to do.
func (a *answering) understand(payload []byte) (outcome Outcome, done bool) {
	if a.IsActive {
		return a.silent("within a hook"), true
	}
	var err error
	if a.event, err = readEvent(payload, a.Client, a.Event); err != nil {
		if errors.Is(err, errNoJSON) {
			a.say(`a payload is an object of JSON, such as {"prompt": "how do refresh tokens rotate"}`)
		}
		return a.silent(err.Error()), true
	}
	a.say("%s of %s", a.event.kind, a.event.client)
	if a.event.isGuess {
		a.say("the payload does not tell the client: --client does")
	}
	return Outcome{}, false
}

// inTime answers before the deadline, or not at all. The last part of the time is for what the session is given to be remembered.
func (a *answering) inTime(ctx context.Context) Outcome {
	deadline := a.Settings.Deadline
	if a.event.kind == SessionStart && deadline > 0 {
		deadline = max(deadline, a.Settings.SessionDeadline)
	}
	work := ctx
	if deadline > 0 {
		var end, endWork context.CancelFunc
		ctx, end = context.WithTimeout(ctx, deadline)
		defer end()
		work, endWork = context.WithTimeout(ctx, deadline-min(claimTime, deadline/4))
		defer endWork()
	}
	outcome, isDone := a.within(work, a.answer)
	if ready := a.ready.Load(); !isDone && ready != nil {
		outcome, isDone = *ready, true // what goes on behind it is of no concern to the client
	}
	if isDone && outcome.claim != nil {
		outcome, isDone = a.within(ctx, func(ctx context.Context) Outcome { return a.settled(ctx, outcome) })
	}
	if !isDone {
		return Outcome{Record: a.record(Silent, "too late")}
	}
	return outcome
}

// within runs a part until the context ends; done is false where it was not ready by then. What it gives behind that is withdrawn.
func (a *answering) within(ctx context.Context, part func(context.Context) Outcome) (outcome Outcome, done bool) {
	var isDecided atomic.Bool
	given := make(chan Outcome, 1)
	go func() {
		made := a.unbroken(ctx, part)
		if isDecided.CompareAndSwap(false, true) {
			given <- made
		} else {
			made.Withdraw()
		}
	}()
	select {
	case outcome = <-given:
		return outcome, true
	case <-ctx.Done():
		if isDecided.CompareAndSwap(false, true) {
			return Outcome{}, false
		}
		return <-given, true
	}
}

// unbroken is what a part gives, also of one that breaks.
func (a *answering) unbroken(ctx context.Context, part func(context.Context) Outcome) (outcome Outcome) {
	defer func() {
		if recover() != nil {
			outcome = a.unsettled(Outcome{}, "internal error")
		}
	}()
	return part(ctx)
}

// answering is one answer in the making.
type answering struct {
	Options
	event event
	steps []string
	ready atomic.Pointer[Outcome] // what is given where the time is over
}

func (a *answering) say(format string, values ...any) {
	a.steps = append(a.steps, fmt.Sprintf(format, values...))
}

// silent is an outcome without a reply.
func (a *answering) silent(reason string) Outcome {
	a.say("nothing is given: %s", reason)
	return Outcome{Record: a.record(Silent, reason), Steps: a.steps}
}

func (a *answering) record(decision, reason string) Record {
	return Record{Event: string(a.event.kind), Client: string(a.event.client), Tool: knownTool(a.event.tool), Decision: decision, Reason: reason}
}

func (a *answering) answer(ctx context.Context) Outcome {
	switch a.event.kind {
	case Prompt:
		return a.beforePrompt(ctx)
	case BeforeTool:
		return a.beforeTool(ctx)
	case SessionStart:
		return a.atStart(ctx)
	case AfterTool:
		return a.afterTool(ctx)
	}
	return a.silent("an event that nothing is done for")
}

func (a *answering) beforePrompt(ctx context.Context) Outcome {
	if !a.Settings.Prompt {
		return a.silent("switched off")
	}
	return a.inject(ctx, promptQuery(a.event.prompt))
}

func (a *answering) beforeTool(ctx context.Context) Outcome {
	switch {
	case !isListed(a.Settings.Tools, a.event.tool):
		return a.silent("not a tool that context is given for")
	case a.event.client == Gemini:
		return a.silent("the client takes no context here; it is given after the tool")
	}
	return a.inject(ctx, toolQuery(a.event))
}

// open gives the engine, and why there is none.
func (a *answering) open(ctx context.Context) (*quarry.Engine, string) {
	engine, err := a.Open(ctx)
	if err != nil {
		a.say("open: %v", err)
		return nil, "no vault"
	}
	return engine, ""
}

// failure says in a word what kind of error it is.
func failure(err error) string {
	switch {
	case errors.Is(err, quarry.ErrNoIndex):
		return "no index"
	case errors.Is(err, context.DeadlineExceeded):
		return "too late"
	case errors.Is(err, errors.ErrUnsupported):
		return "not there yet"
	}
	return "the index gave no answer"
}

// atStart gives the blocks that a session begins with. One that is resumed has what it got; one that begins anew, or whose
// context was cleared or compacted, has nothing.
func (a *answering) atStart(ctx context.Context) Outcome {
	engine, why := a.open(ctx)
	if engine == nil {
		return a.silent(why)
	}
	defer engine.Close()
	memory := memoryOf(engine, a.event, a.Now())
	if a.event.session != "" && !a.DryRun {
		defer memory.tidy(ctx)()
	}
	if a.event.source != "resume" && !a.DryRun {
		memory.forget()
	}
	if !a.Settings.Session {
		return a.silent("switched off")
	}
	session, err := engine.Session(ctx)
	for _, notice := range session.Notices {
		a.say("%s", notice)
	}
	switch {
	case err != nil:
		return a.silent(failure(err))
	case session.Text == "":
		return a.silent("no blocks")
	case !a.event.fits(session.Text):
		return a.silent("the blocks are longer than the client takes")
	}
	whole := keyOfText(session.Text)
	if isNew, _ := memory.fresh([]string{whole}, 1); a.event.session != "" && !isNew[whole] {
		return a.silent("the session has it already")
	}
	outcome := a.context(session.Text, len(session.Blocks))
	if a.event.session != "" && !a.DryRun {
		outcome.claim = &claim{memory: memory, whole: whole}
	}
	return outcome
}

// context is an outcome with context in it.
func (a *answering) context(text string, passages int) Outcome {
	outcome := a.contextOf(text, passages)
	outcome.Steps = a.steps
	return outcome
}

// contextOf is context without the steps, which may still be going on.
func (a *answering) contextOf(text string, passages int) Outcome {
	record := a.record(Injected, "")
	record.Passages, record.Tokens = passages, tokensOf(text)
	return Outcome{Reply: contextReply(a.event, text), Text: text, Record: record}
}
