package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"quarry/internal/setup"
)

// setupReport is what `quarry setup CLIENT --json` gives.
type setupReport struct {
	Client  string      `json:"client"`
	Scope   string      `json:"scope,omitempty"`
	Name    string      `json:"name"`
	Vault   string      `json:"vault,omitempty"`
	Command string      `json:"command,omitempty"`
	Action  string      `json:"action"` // setup or remove
	Written bool        `json:"written"`
	Files   []setupFile `json:"files"`
	Notices []string    `json:"notices"`
}

// setupFile is a file of a report.
type setupFile struct {
	Path   string       `json:"path"`
	Action setup.Action `json:"action"`
	Backup string       `json:"backup,omitempty"`
	Diff   string       `json:"diff,omitempty"` // with --print
}

func (a *app) printSetup(request setup.Request, flags setupFlags, plan *setup.Plan) error {
	report := setupReport{
		Client: request.Client, Scope: string(request.Scope), Name: request.Name, Vault: request.Vault, Command: request.Command,
		Action: "setup", Written: !flags.print && !plan.IsDone(), Files: []setupFile{}, Notices: append([]string{}, plan.Notices...),
	}
	if flags.remove {
		report.Action = "remove"
	}
	if request.Plugin != "" {
		report.Scope = ""
	}
	for _, change := range plan.Changes() {
		if change.Before == nil && change.After == nil {
			continue
		}
		file := setupFile{Path: change.Path, Action: change.Action, Backup: change.Backup}
		if flags.print {
			file.Diff = change.Diff()
		}
		report.Files = append(report.Files, file)
	}
	return show(a, report, a.flags.json, func(r setupReport) error {
		a.printSetupReport(r, flags)
		return nil
	})
}

func (a *app) printSetupReport(report setupReport, flags setupFlags) {
	title, next := setup.Title(report.Client)
	verbs := map[setup.Action]string{setup.Create: "created", setup.Change: "changed", setup.Delete: "deleted", setup.Keep: "as it was"}
	if flags.print {
		verbs = map[setup.Action]string{setup.Create: "create", setup.Change: "change", setup.Delete: "delete", setup.Keep: "leave"}
	}
	changed := 0
	for _, file := range report.Files {
		if file.Action != setup.Keep {
			changed++
		} else if report.Action == "remove" { // there is nothing of ours in it
			continue
		}
		fmt.Fprintf(a.io.Out, "%-9s  %s\n", verbs[file.Action], oneLinePath(file.Path))
		if file.Backup != "" {
			fmt.Fprintf(a.io.Out, "%-9s  %s\n", "  copy", oneLinePath(file.Backup))
		}
		for line := range strings.Lines(file.Diff) {
			fmt.Fprint(a.io.Out, "    "+a.screen(line))
		}
	}
	switch {
	case flags.print:
		a.notice("Nothing was written.")
	case changed == 0 && flags.remove:
		a.notice("Nothing of quarry's %q was found for %s; no file was changed.", report.Name, title)
	case changed == 0:
		a.notice("%s is set up already; no file was changed.", title)
	case flags.remove:
		a.notice("quarry's %q is taken out of %s.", report.Name, title)
	case flags.plugin != "":
		a.notice("Next: start `claude --plugin-dir %s`, or add the folder with `/plugin marketplace add`.", oneLinePath(a.absolute(flags.plugin)))
	default:
		a.notice("Next: %s.", strings.ReplaceAll(next, "NAME", report.Name))
	}
}

// explainSetup is what `quarry setup` alone says.
func (a *app) explainSetup() error {
	type client struct {
		Client string   `json:"client"`
		Title  string   `json:"title"`
		Scopes []string `json:"scopes"`
		Hooks  bool     `json:"hooks"`
	}
	list := struct {
		Clients []client `json:"clients"`
	}{}
	for _, name := range setup.Clients() {
		title, _ := setup.Title(name)
		c := client{Client: name, Title: title, Hooks: setup.HasHooks(name)}
		for _, scope := range setup.Scopes(name) {
			c.Scopes = append(c.Scopes, string(scope))
		}
		list.Clients = append(list.Clients, c)
	}
	if a.flags.json {
		return a.writeJSON(list)
	}
	fmt.Fprintln(a.io.Out, "`quarry setup CLIENT` merges quarry into the files of an AI client. The clients:")
	for _, c := range list.Clients {
		hooks := ""
		if c.Hooks {
			hooks = ", hooks"
		}
		fmt.Fprintf(a.io.Out, "  %-15s %s (%s)%s\n", c.Client, c.Title, strings.Join(c.Scopes, ", "), hooks)
	}
	fmt.Fprintf(a.io.Out, "  %-15s another client: prints what to write into its files\n", genericClient)
	a.notice("`quarry setup CLIENT --print` shows what would be written, `quarry setup --status` what is set up, `quarry setup --help` the rest.")
	return nil
}

// setupGeneric prints what a client that set-up does not know needs.
func (a *app) setupGeneric(flags setupFlags) error {
	request := setup.Request{Client: genericClient, Name: flags.name, Scope: setup.User, Place: a.setupPlace()}
	if err := a.completeRequest(&request); err != nil {
		return err
	}
	if err := request.CheckPaths(); err != nil {
		return setupError(request, err)
	}
	generic := setup.Generic(request)
	return show(a, generic, a.flags.json, func(g setup.GenericSetup) error {
		entry, err := json.MarshalIndent(map[string]any{"mcpServers": map[string]any{g.Name: map[string]any{"command": g.Command, "args": g.Args}}}, "", "  ")
		if err != nil {
			return err
		}
		fmt.Fprintf(a.io.Out, "MCP server, over standard input and output:\n\n  %s\n\nAs most clients take it:\n\n%s\n\n", a.screen(g.Line), a.screen(string(entry)))
		fmt.Fprintf(a.io.Out, "Guidance, for a file of instructions such as AGENTS.md:\n\n%s", a.screen(g.Guidance))
		return nil
	})
}

// clientStatus is a row of `quarry setup --status --json`.
type clientStatus struct {
	Client   string        `json:"client"`
	Title    string        `json:"title"`
	Found    bool          `json:"found"`
	SetUp    bool          `json:"set_up"`
	Entries  []entryStatus `json:"entries"`
	Problems []string      `json:"problems"`
}

type entryStatus struct {
	Scope   setup.Scope `json:"scope"`
	Name    string      `json:"name"`
	Vault   string      `json:"vault"`
	Command string      `json:"command"`
	This    bool        `json:"this_binary"`
	Missing bool        `json:"binary_missing"`
	Hooks   int         `json:"hooks"` // events
	File    string      `json:"file"`
}

func (a *app) setupStatus(client string) error {
	names := setup.Clients()
	if client != "" {
		names = []string{client}
	}
	if client == genericClient {
		return usage("`quarry setup --status` lists the clients", "generic has no files of its own")
	}
	command, err := a.ownCommand()
	if err != nil {
		command = "" // it is nobody's command then
	}
	list := struct {
		Clients []clientStatus `json:"clients"`
	}{}
	for _, name := range names {
		found, err := setup.StatusOf(name, command, a.setupPlace())
		if err != nil {
			return err
		}
		status := clientStatus{Client: found.Client, Title: found.Title, Found: found.IsFound, SetUp: len(found.Entries) > 0, Entries: []entryStatus{}, Problems: append([]string{}, found.Problems...)}
		for _, e := range found.Entries {
			status.Entries = append(status.Entries, entryStatus{e.Scope, e.Name, e.Vault, e.Command, e.IsThis, e.IsGone, e.Hooks, e.File})
		}
		list.Clients = append(list.Clients, status)
	}
	if a.flags.json {
		return a.writeJSON(list)
	}
	return show(a, list.Clients, false, func(clients []clientStatus) error {
		for _, status := range clients {
			a.printClientStatus(status)
		}
		return nil
	})
}

func (a *app) printClientStatus(status clientStatus) {
	state := "not set up"
	switch {
	case status.SetUp:
		state = "set up"
	case !status.Found:
		state = "not found"
	}
	fmt.Fprintf(a.io.Out, "%-15s %s\n", status.Client, state)
	for _, e := range status.Entries {
		by := "by this quarry"
		switch {
		case e.Missing:
			by = "by a quarry that is gone: " + e.Command
		case !e.This:
			by = "by " + e.Command
		}
		hooks := ""
		if e.Hooks > 0 {
			hooks = ", hooks at " + counted(e.Hooks, "event")
		}
		a.printWrapped(fmt.Sprintf("    %s (%s): %s, %s%s", e.Name, e.Scope, oneLinePath(e.Vault), oneLinePath(by), hooks), indent)
	}
	for _, problem := range status.Problems {
		a.printWrapped("    "+oneLinePath(problem), indent)
	}
}
