package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// MaxPayloadBytes bounds what is read of a payload: a longer one gets no answer.
const MaxPayloadBytes = 16 << 20

// Client is the program whose hook it is.
type Client string

// Clients.
const (
	ClaudeCode Client = "claude-code"
	Codex      Client = "codex"
	Gemini     Client = "gemini"
)

// Clients are all that are known.
var Clients = []Client{ClaudeCode, Codex, Gemini}

// Event is what a hook is for.
type Event string

// Events.
const (
	Prompt       Event = "prompt"        // a prompt was sent
	BeforeTool   Event = "before-tool"   // a tool is about to be used
	AfterTool    Event = "after-tool"    // a tool was used
	SessionStart Event = "session-start" // a session begins, goes on, or has lost its context
)

// Events are all that are known.
var Events = []Event{Prompt, BeforeTool, AfterTool, SessionStart}

// eventNames are the names of events, without anything but letters and in small ones.
var eventNames = map[string]Event{
	"prompt": Prompt, "userpromptsubmit": Prompt, "beforeagent": Prompt,
	"beforetool": BeforeTool, "pretooluse": BeforeTool,
	"aftertool": AfterTool, "posttooluse": AfterTool,
	"sessionstart": SessionStart, "session": SessionStart,
}

// ParseEvent gives the event that a client, or a person, calls by a name; false where there is none.
func ParseEvent(name string) (Event, bool) {
	known, ok := eventNames[strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, name)]
	return known, ok
}

// clientNames are the clients' names for the events.
var clientNames = map[Event]struct{ claude, gemini string }{
	Prompt: {"UserPromptSubmit", "BeforeAgent"}, BeforeTool: {"PreToolUse", "BeforeTool"},
	AfterTool: {"PostToolUse", "AfterTool"}, SessionStart: {"SessionStart", "SessionStart"},
}

// nameFor is what a client calls an event.
func (e Event) nameFor(client Client) string {
	if client == Gemini {
		return clientNames[e].gemini
	}
	return clientNames[e].claude
}

// event is a payload that was understood.
type event struct {
	kind     Event
	client   Client
	isGuess  bool   // nothing told the client
	session  string // "" where there is none
	workDir  string
	prompt   string
	source   string // of a session start: startup, resume, clear, compact
	tool     string
	input    map[string]json.RawMessage // of the tool
	text     string                     // of the tool, where its input is one text
	response json.RawMessage            // of the tool
}

// Reasons for which a payload is not understood.
var (
	errTooLong  = errors.New("the payload is too long")
	errNoText   = errors.New("the payload is no UTF-8")
	errNoJSON   = errors.New("the payload is no JSON object")
	errNoEvent  = errors.New("nobody says which event it is")
	errMismatch = errors.New("the payload is of another event")
)

// readEvent reads a payload. client and kind are what the command line says, "" where it says nothing.
func readEvent(payload []byte, client Client, kind Event) (event, error) {
	payload = bytes.TrimPrefix(payload, []byte("\ufeff"))
	var fields map[string]json.RawMessage
	switch {
	case len(payload) > MaxPayloadBytes:
		return event{kind: kind, client: client}, errTooLong
	case !utf8.Valid(payload):
		return event{kind: kind, client: client}, errNoText
	case json.Unmarshal(payload, &fields) != nil || fields == nil:
		return event{kind: kind, client: client}, errNoJSON
	}
	e := event{
		kind: kind, client: client, session: text(fields["session_id"]), workDir: text(fields["cwd"]), prompt: text(fields["prompt"]),
		source: text(fields["source"]), tool: text(fields["tool_name"]), response: fields["tool_response"],
	}
	if agent := text(fields["agent_id"]); agent != "" && e.session != "" {
		e.session += "\x00" + agent // what the main conversation got, another agent's has not
	}
	e.text = text(fields["tool_input"])
	if json.Unmarshal(fields["tool_input"], &e.input) != nil {
		e.input = nil
	}
	if e.client == "" {
		e.client, e.isGuess = clientOf(fields)
	}
	said, isKnown := ParseEvent(text(fields["hook_event_name"]))
	switch {
	case e.kind == "" && !isKnown:
		return e, errNoEvent
	case e.kind == "":
		e.kind = said
	case len(fields["hook_event_name"]) > 0 && said != e.kind:
		return e, errMismatch
	}
	return e, nil
}

// clientOf tells a client by the fields that it alone sends; guess is true where there is none of them.
func clientOf(fields map[string]json.RawMessage) (client Client, guess bool) {
	name := text(fields["hook_event_name"])
	transcript := strings.ReplaceAll(text(fields["transcript_path"]), "\\", "/")
	_, hasTurn := fields["turn_id"]
	_, hasTime := fields["timestamp"]
	switch {
	case strings.HasPrefix(name, "Before") || strings.HasPrefix(name, "After"), strings.Contains(transcript, "/.gemini/"):
		return Gemini, false
	case hasTurn, strings.Contains(transcript, "/.codex/"), bytes.Equal(fields["transcript_path"], []byte("null")):
		return Codex, false
	case strings.Contains(transcript, "/.claude/"):
		return ClaudeCode, false
	case hasTime:
		return Gemini, false
	}
	return ClaudeCode, true
}

// text is a string of JSON, "" for anything else.
func text(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// isListed tells whether a tool is in a list, in any letter case.
func isListed(tools []string, tool string) bool {
	for _, listed := range tools {
		if strings.EqualFold(listed, tool) && !isRead(tool) {
			return true
		}
	}
	return false
}

// readTools look at something and change nothing: context is never given for them.
var readTools = lazily(`read glob grep ls notebookread read_file read_many_files list_directory
		glob_search grep_search search_file_content view view_image todoread list_dir grep_files`)

func isRead(tool string) bool { return readTools()[strings.ToLower(tool)] }

// IsRead tells of a tool that only reads files, in any letter case.
func IsRead(tool string) bool { return isRead(tool) }

// knownTool is the name of a tool for the log, where a client has it of its own: others may tell something.
func knownTool(tool string) string {
	known := DefaultSettings()
	switch {
	case tool == "":
		return ""
	case isRead(tool), isListed(known.Tools, tool), isListed(known.CaptureTools, tool):
		return tool
	case strings.HasPrefix(tool, "mcp__"):
		return "mcp"
	}
	return "other"
}
