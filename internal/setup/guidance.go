package setup

import (
	"embed"
	"encoding/json"
	"strings"
)

//go:embed guidance
var guidance embed.FS

// captureName is the name of the command that keeps a thought: "capture", with the name of the set-up unless that is the usual one.
func (r Request) captureName() string {
	if r.Name == DefaultName {
		return "capture"
	}
	return "capture-" + r.Name
}

// DefaultName is the usual name of a set-up.
const DefaultName = "notes"

// text fills in a document of the folder guidance.
func (r Request) text(document string) string {
	content, err := guidance.ReadFile("guidance/" + document)
	if err != nil {
		return "" // it is part of the program
	}
	keep := r.keepCommand()
	if strings.HasSuffix(document, ".toml") {
		keep = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(keep)
	}
	about := "a vault"
	if quotedVault, err := json.Marshal(r.Vault); err == nil {
		about = string(quotedVault)
	}
	text := strings.ReplaceAll(string(content), "\r\n", "\n")
	return strings.NewReplacer("{{name}}", r.Name, "{{keep}}", keep, "{{command}}", r.captureName(), "{{vault}}", about, "{{tools}}", r.tools(), "{{allowed}}", r.allowed()).Replace(text)
}

// keepCommand is what keeps a text, for the shell that a client runs commands by. The text stands where no shell looks into it.
func (r Request) keepCommand() string {
	words := append([]string{r.Command}, r.invocation("capture")...)
	if r.Place.System == "windows" && r.Client != "claude-code" { // that one brings a shell of Unix along
		return "```powershell\n$OutputEncoding = [Text.UTF8Encoding]::new()\n@'\nTEXT\n'@ | " + quotePowerShell(words) + " --domain DOMAIN --tags 'a,b' -\n```"
	}
	return "```sh\n" + quoteShell(words) + " --domain DOMAIN --tags a,b - <<'END_OF_NOTE'\nTEXT\nEND_OF_NOTE\n```"
}

// serverTools are those of the MCP server. They only read.
var serverTools = []string{"obsidian_search", "obsidian_get_context", "obsidian_read_note", "obsidian_list_notes", "obsidian_links"}

// tools lists the tools of the MCP server as Claude Code names them.
func (r Request) tools() string {
	server := "mcp__" + r.Name + "__"
	if r.Plugin != "" {
		server = "mcp__plugin_quarry-" + r.Name + "_" + r.Name + "__"
	}
	return server + strings.Join(serverTools, ", "+server)
}

// allowed is the line of a command of Claude Code that lets it capture without a question: whoever calls it has asked for that. A
// path that the line could not hold gets none.
func (r Request) allowed() string {
	line := quoteShell(append([]string{r.Command}, r.invocation("capture")...))
	quoted, err := json.Marshal("Bash(" + line + ":*)")
	if err != nil || strings.ContainsAny(line, "(),*\n") {
		return ""
	}
	return "allowed-tools: " + string(quoted) + "\n"
}

func (r Request) whole(file, document string) *whole {
	return &whole{file: file, text: r.text(document)}
}

func (r Request) fixed(file, document string) *whole {
	return &whole{file: file, text: r.text(document), fixed: true}
}

func (r Request) section(file string) *section {
	return &section{file: file, name: r.Name, text: r.text("section.md")}
}

// GenericSetup is what a client needs that set-up does not know.
type GenericSetup struct {
	Client   string   `json:"client"` // "generic"
	Name     string   `json:"name"`
	Vault    string   `json:"vault"`
	Command  string   `json:"command"`
	Args     []string `json:"args"`
	Line     string   `json:"command_line"` // of both, for a shell
	Guidance string   `json:"guidance"`     // for a file of instructions
}

// Generic tells what to write into the files of a client that set-up does not know.
func Generic(r Request) GenericSetup {
	args := r.invocation("mcp")
	line := quoteShell(append([]string{r.Command}, args...))
	if r.Place.System == "windows" {
		line = quotePowerShell(append([]string{r.Command}, args...))
	}
	return GenericSetup{Client: r.Client, Name: r.Name, Vault: r.Vault, Command: r.Command, Args: args, Line: line, Guidance: r.text("section.md")}
}
