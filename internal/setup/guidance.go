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
	words := append([]string{r.Command}, r.invocation("capture")...)
	line := quoteShell(words)
	if r.Place.System == "windows" && (r.Client == "codex" || r.Client == "gemini" || r.Client == "vscode" || r.Client == "cursor" || r.Client == "windsurf") {
		line = quotePowerShell(words)
	}
	if strings.HasSuffix(document, ".toml") {
		line = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(line)
	}
	about := "a vault"
	if quotedVault, err := json.Marshal(r.Vault); err == nil {
		about = string(quotedVault)
	}
	text := strings.ReplaceAll(string(content), "\r\n", "\n")
	return strings.NewReplacer("{{name}}", r.Name, "{{capture}}", line, "{{command}}", r.captureName(), "{{vault}}", about).Replace(text)
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
