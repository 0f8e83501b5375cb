// Package setup merges quarry into the configuration of AI clients, and takes it out again: nothing else in their files changes.
//
// A plan is made of all files of a client first, and written after that: a file that cannot be read, or holds a mistake, keeps
// all of them as they are. What was put into a file is known by what it says and how it stands there, so no record is kept.
package setup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Scope is whose files are meant.
type Scope string

// The scopes.
const (
	User    Scope = "user"    // those in the home folder: all projects
	Project Scope = "project" // those of the project in the working folder
)

// Place is where the files of clients lie. Variables of the environment are asked for by Env alone.
type Place struct {
	Home   string // the home folder, absolute
	Work   string // the project, absolute
	System string // as runtime.GOOS names it
	Env    func(string) string
}

// Request asks for a client to be set up.
type Request struct {
	Client  string // a name of Clients
	Scope   Scope
	Name    string   // of the MCP server, the skill and the rules: lower-case letters, digits and -
	Command string   // of quarry, absolute
	Vault   string   // absolute
	Flags   []string // further ones before the command, as "--db", "/path"
	Hooks   bool     // where the client has them
	Force   bool     // takes over an entry of this name that starts quarry's MCP server and was written by somebody else
	Plugin  string   // a folder for a plugin of Claude Code, absolute; "" for the client's own files
	Place   Place
}

// Errors of a plan.
var (
	// ErrUnknownClient: there is no client of this name.
	ErrUnknownClient = errors.New("no such client")
	// ErrNoScope: the client has no files of its own in this scope.
	ErrNoScope = errors.New("the client has no files of this scope")
	// ErrUnsafePath: a path holds a character that the client's shell would not take as it is.
	ErrUnsafePath = errors.New("a shell of Windows would not take this path as it is")
	// ErrNotOurs: something of the same name is there that was not put there by quarry.
	ErrNotOurs = errors.New("it was not put there by quarry")
	// ErrByHand: an entry of the same name starts quarry's MCP server, but was not put there by set-up. Request.Force takes it over.
	ErrByHand = errors.New("it starts quarry, but not as set-up writes it")
	// ErrBusy: another set-up is running.
	ErrBusy = errors.New("another set-up is running")
	// ErrEncoding: a path is no UTF-8, which the files of clients are.
	ErrEncoding = errors.New("the path is no UTF-8, and the files of clients hold nothing else")
	// ErrProgramName: the program is called otherwise.
	ErrProgramName = errors.New("a program of this name would not be known again")
	// ErrChanged: a file was changed by somebody else while it was worked on.
	ErrChanged = errors.New("it was changed meanwhile")
	// ErrName: the name is none that all files take.
	ErrName = errors.New("the name cannot be used")
	// ErrNoHome: the home folder is not known.
	ErrNoHome = errors.New("the home folder is not known")
)

// FileError is a file that cannot be merged into, for what stands in it.
type FileError struct {
	Path    string
	Line    int // 1-based; 0 where it is not known
	Problem string
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("read %s: %s", e.Path, e.Problem)
	}
	return fmt.Sprintf("read %s: line %d: %s", e.Path, e.Line, e.Problem)
}

// Clients are the names of all clients that have files, in the order in which they are told.
func Clients() []string {
	names := make([]string, len(clients))
	for i, c := range clients {
		names[i] = c.name
	}
	return names
}

// Scopes are those that a client has files of; nil of an unknown one. The first is the usual one.
func Scopes(client string) []Scope {
	if c := clientOf(client); c != nil {
		return c.scopes
	}
	return nil
}

// HasHooks tells whether a client runs hooks.
func HasHooks(client string) bool {
	c := clientOf(client)
	return c != nil && c.hooks
}

// PlanSetup plans to set a client up. Nothing is written. Errors: ErrUnknownClient, ErrNoScope, ErrNoHome, ErrNotOurs, ErrByHand, ErrName,
// ErrProgramName, ErrEncoding, ErrUnsafePath, *FileError, and those of reading files.
func PlanSetup(r Request) (*Plan, error) {
	if err := r.CheckPaths(); err != nil {
		return nil, err
	}
	if unsafe := r.unsafePath(); unsafe != "" {
		return nil, fmt.Errorf("%s: %w", unsafe, ErrUnsafePath)
	}
	pieces, err := piecesOf(r)
	if err != nil {
		return nil, err
	}
	plan := newPlan(r, pieces)
	if err := plan.nameOthers(r.Name, r.Vault); err != nil {
		return nil, err
	}
	for _, p := range pieces {
		if _, isHooks := p.(*jsonHooks); isHooks && !r.Hooks {
			err = plan.take(p)
		} else {
			err = plan.put(p)
		}
		if err != nil {
			return nil, err
		}
	}
	plan.tellOfOtherScope(r)
	return plan, nil
}

// CheckPaths asks that the paths of a request can be written, and known again: ErrEncoding, ErrProgramName.
func (r Request) CheckPaths() error {
	for _, path := range append([]string{r.Command, r.Vault}, r.Flags...) {
		if !utf8.ValidString(path) {
			return fmt.Errorf("%q: %w", path, ErrEncoding)
		}
	}
	if !isQuarry(r.Command) {
		return fmt.Errorf("%s: %w", r.Command, ErrProgramName)
	}
	return nil
}

// unsafePath is a path that cannot be handed to the hooks of a client whose shell may be cmd or PowerShell; "" where there is none.
func (r Request) unsafePath() string {
	if r.Place.System != "windows" || r.Client != "codex" || !r.Hooks {
		return ""
	}
	for _, path := range append([]string{r.Command, r.Vault}, r.Flags...) {
		if strings.ContainsAny(path, "%!^&$`\"") {
			return path
		}
	}
	return ""
}

// tellOfOtherScope gives a notice where the hooks of the same vault stand in another scope as well: they would run twice.
func (p *Plan) tellOfOtherScope(r Request) {
	status, err := StatusOf(r.Client, r.Command, r.Place)
	if err != nil || !r.Hooks || !HasHooks(r.Client) {
		return
	}
	for _, entry := range status.Entries {
		if entry.Vault == r.Vault && entry.Hooks > 0 && (entry.Scope != r.Scope || r.Plugin != "") {
			p.Notices = append(p.Notices, fmt.Sprintf("the %s scope has hooks of this vault as well: they run twice; take one of them out with --remove", entry.Scope))
		}
	}
}

// PlanRemoval plans to take out what a set-up of this name put in. Command, Vault, Flags and Hooks do not count. Nothing is
// written. Errors: as PlanSetup.
func PlanRemoval(r Request) (*Plan, error) {
	pieces, err := piecesOf(r)
	if err != nil {
		return nil, err
	}
	plan := newPlan(r, pieces)
	plan.isRemoval = true
	if err := plan.nameOthers(r.Name, ""); err != nil {
		return nil, err
	}
	for _, p := range slices.Backward(pieces) {
		if err := plan.take(p); err != nil {
			return nil, err
		}
	}
	return plan, nil
}

// invocation is how quarry is started: the flags that lead to the vault, and a command.
func (r Request) invocation(command ...string) []string {
	words := append([]string{"--vault", r.Vault}, r.Flags...)
	return append(words, command...)
}

// isQuarry tells whether a command is this program, wherever it lies.
func isQuarry(command string) bool {
	name := command[strings.LastIndexAny(command, `/\`)+1:]
	name = strings.TrimSuffix(strings.ToLower(name), ".exe")
	return name == "quarry" || strings.HasPrefix(name, "quarry-")
}

// serverOf reads the vault out of a command line that starts the MCP server as set-up writes it: quarry --vault DIR … mcp.
func serverOf(command string, words []string) (vault string, isOurs bool) {
	n := len(words)
	if !isQuarry(command) || n < 3 || words[0] != "--vault" || words[n-1] != "mcp" {
		return "", false
	}
	return words[1], true
}

// takeOver looks at an entry that is there under the name of a set-up. isOurs: set-up wrote it. Where somebody else did it is an
// error, unless it starts quarry's MCP server and may be taken over: then was is its command line.
func takeOver(command string, words []string, isForced bool) (was string, err error) {
	if _, isOurs := serverOf(command, words); isOurs {
		return "", nil
	}
	switch {
	case !isQuarry(command) || !slices.Contains(words, "mcp"):
		return "", ErrNotOurs
	case !isForced:
		return "", ErrByHand
	}
	return quoteShell(append([]string{command}, words...)), nil
}

// hookOf reads the vault out of a command line of a hook as set-up writes it: quarry --vault DIR … hook run EVENT --client CLIENT.
func hookOf(words []string) (vault string, isOurs bool) {
	n := len(words)
	if n < 8 || !isQuarry(words[0]) || words[1] != "--vault" || words[n-5] != "hook" || words[n-4] != "run" || words[n-2] != "--client" {
		return "", false
	}
	return words[2], true
}

// isName tells whether a name can be used in all files: as a key, in a file's name and as the name of a skill.
func isName(name string) bool {
	if name == "" || len(name) > 48 || strings.Trim(name, "-") != name {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// ProjectOf is the project that a folder is in: the nearest folder with .git, from there upwards, or else the folder itself.
func ProjectOf(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}
