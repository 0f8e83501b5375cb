package setup

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// client is one that can be set up.
type client struct {
	name, title string
	scopes      []Scope
	hooks       bool
	// folder is where its files lie in a scope; "" where it has none.
	folder func(p Place, scope Scope) string
	pieces func(r Request, folder string) []piece
	// next is what to do after set-up; NAME stands for that of the MCP server.
	next string
}

// clients are all that can be set up. The forms of their files are told of, with what is assumed, in docs/clients.md.
var clients = []client{
	{"claude-code", "Claude Code", both, true, claudeFolder, claudePieces, "start Claude Code anew; `/mcp` and `/hooks` show what it reads. It asks before it uses a tool: to allow all of them, which only read, add `mcp__NAME__*` to what `/permissions` allows"},
	{"codex", "Codex", both, true, codexFolder, codexPieces, "start Codex anew; it asks once whether the hooks are trusted (`/hooks`)"},
	{"cursor", "Cursor", both, false, dotFolder(".cursor"), cursorPieces, "switch the server on in Cursor's settings, under MCP"},
	{"vscode", "VS Code", both, false, vscodeFolder, vscodePieces, "start the server from the list of `MCP: List Servers`"},
	{"gemini", "Gemini CLI", both, true, geminiFolder, geminiPieces, "start Gemini CLI anew; `/mcp` shows what it reads"},
	{"windsurf", "Windsurf", []Scope{User}, false, windsurfFolder, windsurfPieces, "refresh the list of MCP servers in Cascade"},
	{"zed", "Zed", both, false, zedFolder, zedPieces, "the agent panel's settings show the server"},
	{"claude-desktop", "Claude Desktop", []Scope{User}, false, claudeDesktopFolder, claudeDesktopPieces, "quit Claude Desktop and start it anew"},
}

var both = []Scope{User, Project}

func clientOf(name string) *client {
	for i := range clients {
		if clients[i].name == name {
			return &clients[i]
		}
	}
	return nil
}

// Title is a client's name as people write it; Next is what to do after it was set up, NAME the MCP server's name there. "" of an unknown one.
func Title(client string) (title, next string) {
	if c := clientOf(client); c != nil {
		return c.title, c.next
	}
	return "", ""
}

// piecesOf are the pieces of a request, in the order in which they are put.
func piecesOf(r Request) ([]piece, error) {
	c := clientOf(r.Client)
	if c == nil {
		return nil, ErrUnknownClient
	}
	if !isName(r.Name) {
		return nil, fmt.Errorf("%q: %w", r.Name, ErrName)
	}
	if r.Plugin != "" {
		return pluginPieces(r), nil
	}
	if !slices.Contains(c.scopes, r.Scope) {
		return nil, ErrNoScope
	}
	if r.Scope == User && r.Place.Home == "" {
		return nil, ErrNoHome
	}
	return c.pieces(r, c.folder(r.Place, r.Scope)), nil
}

// limits are the folders that set-up never removes, with all above them.
func (r Request) limits() []string {
	if r.Plugin != "" {
		return []string{r.Plugin}
	}
	limits := []string{r.Place.Home, r.Place.Work, r.Place.configFolder(), r.Place.plainConfigFolder()}
	if c := clientOf(r.Client); c != nil {
		limits = append(limits, c.folder(r.Place, r.Scope))
	}
	return limits
}

// env is a variable that names a folder; "" unless it is absolute.
func (p Place) env(name string) string {
	if dir := p.Env(name); filepath.IsAbs(dir) {
		return dir
	}
	return ""
}

// configFolder is where programs keep a user's settings.
func (p Place) configFolder() string {
	switch p.System {
	case "windows":
		return cmp.Or(p.env("APPDATA"), filepath.Join(p.Home, "AppData", "Roaming"))
	case "darwin":
		return filepath.Join(p.Home, "Library", "Application Support")
	}
	return p.plainConfigFolder()
}

// plainConfigFolder is ~/.config, which some use on macOS as well.
func (p Place) plainConfigFolder() string {
	return cmp.Or(p.env("XDG_CONFIG_HOME"), filepath.Join(p.Home, ".config"))
}

// dotFolder is a folder of this name in the home folder or in the project.
func dotFolder(name string) func(Place, Scope) string {
	return func(p Place, scope Scope) string {
		if scope == Project {
			return filepath.Join(p.Work, name)
		}
		return filepath.Join(p.Home, name)
	}
}

func claudeFolder(p Place, scope Scope) string {
	if dir := p.env("CLAUDE_CONFIG_DIR"); dir != "" && scope == User {
		return dir
	}
	return dotFolder(".claude")(p, scope)
}

func codexFolder(p Place, scope Scope) string {
	if dir := p.env("CODEX_HOME"); dir != "" && scope == User {
		return dir
	}
	return dotFolder(".codex")(p, scope)
}

func geminiFolder(p Place, scope Scope) string {
	if dir := p.env("GEMINI_CLI_HOME"); dir != "" && scope == User {
		return filepath.Join(dir, ".gemini")
	}
	return dotFolder(".gemini")(p, scope)
}

func vscodeFolder(p Place, scope Scope) string {
	if scope == Project {
		return filepath.Join(p.Work, ".vscode")
	}
	return filepath.Join(p.configFolder(), "Code", "User")
}

func windsurfFolder(p Place, _ Scope) string { return filepath.Join(p.Home, ".codeium", "windsurf") }

func zedFolder(p Place, scope Scope) string {
	switch {
	case scope == Project:
		return filepath.Join(p.Work, ".zed")
	case p.System == "windows":
		return filepath.Join(p.configFolder(), "Zed")
	}
	return filepath.Join(p.plainConfigFolder(), "zed")
}

func claudeDesktopFolder(p Place, _ Scope) string { return filepath.Join(p.configFolder(), "Claude") }

// server is the entry of the MCP server in a JSON file.
func (r Request) server(file, parent string, typed bool) *jsonServer {
	return &jsonServer{file: file, parent: parent, name: r.Name, typed: typed, command: r.Command, args: r.invocation("mcp"), force: r.Force}
}

// event is one with its command line.
func (r Request) event(name, matcher string) event {
	words := append([]string{r.Command}, r.invocation("hook", "run", name, "--client", r.Client)...)
	return event{name: name, matcher: matcher, words: words}
}

// Limits of time that the clients set a hook; it ends by itself long before.
const (
	hookTimeoutSeconds      = 5
	hookTimeoutMilliseconds = 1000 * hookTimeoutSeconds
)

func (r Request) claudeHooks(file string) *jsonHooks {
	return &jsonHooks{file: file, timeout: hookTimeoutSeconds, events: []event{
		r.event("SessionStart", ""), r.event("UserPromptSubmit", ""),
		r.event("PreToolUse", "Edit|Write|MultiEdit|NotebookEdit|Bash"), r.event("PostToolUse", "Bash|WebFetch|WebSearch"),
	}}
}

func claudePieces(r Request, folder string) []piece {
	servers := filepath.Join(r.Place.Work, ".mcp.json")
	switch {
	case r.Scope == User && r.Place.env("CLAUDE_CONFIG_DIR") != "":
		servers = filepath.Join(folder, ".claude.json")
	case r.Scope == User:
		servers = filepath.Join(r.Place.Home, ".claude.json")
	}
	return []piece{
		r.server(servers, "mcpServers", true), r.claudeHooks(filepath.Join(folder, "settings.json")),
		r.whole(filepath.Join(folder, "skills", r.Name, "SKILL.md"), "skill.md"),
		r.whole(filepath.Join(folder, "commands", r.captureName()+".md"), "capture-claude.md"),
	}
}

// pluginPieces are a folder that Claude Code takes as a plugin, and as a market of one.
func pluginPieces(r Request) []piece {
	at := func(parts ...string) string { return filepath.Join(append([]string{r.Plugin}, parts...)...) }
	return []piece{
		r.fixed(at(".claude-plugin", "plugin.json"), "plugin.json"), r.fixed(at(".claude-plugin", "marketplace.json"), "marketplace.json"),
		r.server(at(".mcp.json"), "mcpServers", true), r.claudeHooks(at("hooks", "hooks.json")),
		r.whole(at("skills", r.Name, "SKILL.md"), "skill.md"), r.whole(at("commands", r.captureName()+".md"), "capture-claude.md"),
	}
}

func codexPieces(r Request, folder string) []piece {
	shell := quoteShell
	if r.Place.System == "windows" {
		shell = quoteWindows
	}
	pieces := []piece{
		&tomlServer{file: filepath.Join(folder, "config.toml"), parent: "mcp_servers", name: r.Name, command: r.Command, args: r.invocation("mcp"), force: r.Force},
		&jsonHooks{file: filepath.Join(folder, "hooks.json"), timeout: hookTimeoutSeconds, shell: shell, events: []event{
			r.event("SessionStart", ""), r.event("UserPromptSubmit", ""),
			r.event("PreToolUse", "Bash|apply_patch|Edit|Write"), r.event("PostToolUse", "Bash"),
		}},
	}
	if r.Scope == Project {
		return append(pieces, r.section(filepath.Join(r.Place.Work, "AGENTS.md")))
	}
	return append(pieces, r.section(filepath.Join(folder, "AGENTS.md")), r.whole(filepath.Join(folder, "prompts", r.captureName()+".md"), "capture-codex.md"))
}

func cursorPieces(r Request, folder string) []piece {
	pieces := []piece{
		r.server(filepath.Join(folder, "mcp.json"), "mcpServers", false), r.whole(filepath.Join(folder, "commands", r.captureName()+".md"), "capture-plain.md"),
	}
	if r.Scope == Project { // its own rules are no file
		pieces = append(pieces, r.whole(filepath.Join(folder, "rules", r.Name+".mdc"), "rules-cursor.mdc"))
	}
	return pieces
}

func vscodePieces(r Request, folder string) []piece {
	guidance, prompts := filepath.Join(folder, "prompts"), filepath.Join(folder, "prompts")
	if r.Scope == Project {
		guidance, prompts = filepath.Join(r.Place.Work, ".github", "instructions"), filepath.Join(r.Place.Work, ".github", "prompts")
	}
	return []piece{
		r.server(filepath.Join(folder, "mcp.json"), "servers", true),
		r.whole(filepath.Join(guidance, r.Name+".instructions.md"), "instructions-vscode.md"),
		r.whole(filepath.Join(prompts, r.captureName()+".prompt.md"), "capture-vscode.md"),
	}
}

func geminiPieces(r Request, folder string) []piece {
	shell := quoteShell
	if r.Place.System == "windows" {
		shell = quotePowerShell
	}
	settings, guidance := filepath.Join(folder, "settings.json"), filepath.Join(folder, "GEMINI.md")
	if r.Scope == Project {
		guidance = filepath.Join(r.Place.Work, "GEMINI.md")
	}
	return []piece{
		r.server(settings, "mcpServers", false),
		&jsonHooks{file: settings, timeout: hookTimeoutMilliseconds, label: "quarry", shell: shell, events: []event{
			// Not BeforeTool: the client takes no context there.
			r.event("SessionStart", ""), r.event("BeforeAgent", ""),
			r.event("AfterTool", "write_file|replace|run_shell_command|web_fetch|google_web_search"),
		}},
		r.section(guidance), r.whole(filepath.Join(folder, "commands", r.captureName()+".toml"), "capture-gemini.toml"),
	}
}

func windsurfPieces(r Request, folder string) []piece {
	return []piece{
		r.server(filepath.Join(folder, "mcp_config.json"), "mcpServers", false), r.section(filepath.Join(folder, "memories", "global_rules.md")),
		r.whole(filepath.Join(folder, "global_workflows", r.captureName()+".md"), "capture-windsurf.md"),
	}
}

func zedPieces(r Request, folder string) []piece {
	return []piece{r.server(filepath.Join(folder, "settings.json"), "context_servers", false)}
}

func claudeDesktopPieces(r Request, folder string) []piece {
	return []piece{r.server(filepath.Join(folder, "claude_desktop_config.json"), "mcpServers", false)}
}

// isFound tells whether a client seems to be installed: its folder is there.
func (c *client) isFound(p Place) bool {
	if p.Home == "" {
		return false
	}
	info, err := os.Stat(c.folder(p, User))
	return err == nil && info.IsDir()
}
