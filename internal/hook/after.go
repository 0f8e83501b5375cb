package hook

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"quarry"
	"quarry/internal/compress"
)

// Bounds of outputs.
const (
	aimCharacters = 6000 // of a shortened output, more where failures need it
	leastSaving   = 0.2  // of its characters; less is not worth another output than the tool's own
	maxCaptured   = 20000
)

// shellTools run commands: their outputs are those that are shortened.
var shellTools = []string{"Bash", "shell", "local_shell", "exec_command", "run_shell_command"}

// afterTool shortens and keeps the output of a tool. A client that takes no context before a tool gets it here.
func (a *answering) afterTool(ctx context.Context) Outcome {
	outputs := outputsOf(a.event.response)
	switch {
	case isOwnTool(a.event.tool), isOurs(a.event.command()):
		return a.silent("an output of quarry's own")
	case isRead(a.event.tool):
		return a.silent("a file was read")
	}
	outcome := a.compressed(outputs)
	if outcome.Reply == nil && a.event.client == Gemini && isListed(a.Settings.Tools, a.event.tool) {
		outcome = a.inject(ctx, toolQuery(a.event))
	}
	if outcome.Reply != nil {
		ready := outcome // the other goes on being written
		a.ready.Store(&ready)
	}
	if a.capture(ctx, outputs) {
		outcome.Record.Captured = true
	}
	outcome.Steps = a.steps
	return outcome
}

// isOwnTool tells of the tools of quarry's own server.
func isOwnTool(tool string) bool {
	return strings.Contains(tool, "obsidian_") || strings.Contains(tool, "__quarry__")
}

// output is one text in what a tool gave.
type output struct {
	field string // of the response; "" where the response is a text
	text  string
}

// outputsOf are the texts of a response that a shell tool gives: its two streams, or the response itself.
func outputsOf(response json.RawMessage) []output {
	if s := text(response); s != "" {
		return []output{{"", s}}
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(response, &fields) != nil {
		return nil
	}
	var outputs []output
	for _, name := range []string{"stdout", "stderr", "output", "llmContent", "result", "content"} {
		if s := text(fields[name]); s != "" {
			outputs = append(outputs, output{name, s})
		}
	}
	return outputs
}

// compressed is an outcome with a shorter output in the place of the tool's, in its own form.
func (a *answering) compressed(outputs []output) Outcome {
	switch {
	case !a.Settings.Compress:
		return a.silent("switched off")
	case !isListed(shellTools, a.event.tool):
		return a.silent("not a tool whose output is shortened")
	case a.event.client != ClaudeCode:
		return a.silent("the client keeps outputs as they are")
	case showsFile(a.event.command()):
		return a.silent("a file was read")
	}
	fields, why := replaceable(a.event.response)
	if why != "" {
		return a.silent(why)
	}
	before, after := 0, 0
	for _, out := range outputs {
		if out.field != "stdout" && out.field != "stderr" {
			continue
		}
		count := utf8.RuneCountInString(out.text)
		before, after = before+count, after+count
		if count < a.Settings.CompressMin {
			continue
		}
		shorter := compress.Compress(out.text, compress.Options{MaxCharacters: aimCharacters})
		encoded, err := encode(shorter.Text)
		if err != nil || !shorter.Changed {
			continue
		}
		after += utf8.RuneCountInString(shorter.Text) - count
		fields[out.field] = encoded
		a.say("%s: %s, %d of %d lines left out", out.field, shorter.Kind, shorter.Dropped, shorter.Lines)
	}
	if float64(before-after) < leastSaving*float64(before) || before == after {
		return a.silent("nothing to shorten")
	}
	whole, err := encode(fields)
	if err != nil {
		return a.silent("internal error")
	}
	record := a.record(Compressed, "")
	record.Tokens = (before - after) / charactersPerToken
	return Outcome{Reply: outputReply(a.event, whole), Text: string(whole), Record: record, Steps: a.steps}
}

// replaceable gives the fields of a response of Claude Code's shell, or why it is left alone. Claude Code ignores what has not
// the form of the tool's own.
func replaceable(response json.RawMessage) (fields map[string]json.RawMessage, why string) {
	if json.Unmarshal(response, &fields) != nil || fields == nil {
		return nil, "an output of another form"
	}
	switch {
	case len(fields["stdout"]) == 0 || fields["stdout"][0] != '"':
		return nil, "an output of another form"
	case string(fields["isImage"]) == "true":
		return nil, "a picture"
	case len(fields["persistedOutputPath"]) > 0 && string(fields["persistedOutputPath"]) != "null":
		return nil, "the client has put it into a file"
	}
	return fields, ""
}

// showing are programs that print files as they are: somebody wants to read them.
var showing = " cat bat head tail less more sed awk jq yq nl xxd hexdump "

// showsFile tells of a command line that prints a file.
func showsFile(command string) bool {
	parts := commandsOf(ends(command, maxCommandBytes, 0))
	for _, part := range parts {
		fields := strings.Fields(part)
		if len(fields) == 0 || fields[0] == "cd" {
			continue
		}
		return strings.Contains(showing, " "+fields[0]+" ")
	}
	return false
}

// capture keeps an output as a note, where that is asked for; true where a note was written.
func (a *answering) capture(ctx context.Context, outputs []output) bool {
	if !a.Settings.Capture || a.DryRun || !isListed(a.Settings.CaptureTools, a.event.tool) || showsFile(a.event.command()) {
		return false
	}
	var all strings.Builder
	for _, out := range outputs {
		if all.Len() > 0 {
			all.WriteString("\n\n")
		}
		all.WriteString(out.text)
	}
	if utf8.RuneCountInString(all.String()) <= a.Settings.CaptureMin {
		a.say("not kept: too short")
		return false
	}
	kept := all.String()
	if utf8.RuneCountInString(kept) > maxCaptured {
		kept = cutAtSentence(compress.Compress(kept, compress.Options{MaxCharacters: maxCaptured}).Text, maxCaptured)
	}
	engine, why := a.open(ctx)
	if engine == nil {
		a.say("not kept: %s", why)
		return false
	}
	defer engine.Close()
	captured, err := engine.Capture(ctx, quarry.CaptureRequest{
		Text: kept, Tags: []string{"tool-output"}, Source: string(a.event.client) + " " + knownTool(a.event.tool), Deduplicate: true,
	})
	switch {
	case err != nil:
		a.say("not kept: %s", failure(err))
		return false
	case captured.Existing:
		a.say("not kept: a note has it already")
		return false
	}
	a.say("kept as %s", captured.FilePath)
	return true
}
