package hook

import (
	"encoding/json"
	"path"
	"strings"
)

// looking are programs that look at something, or whose call says nothing of a matter.
var looking = lazily(`ls ll cat head tail less more grep rg ag ack find fd tree pwd cd which whereis type wc file stat du df echo printf
		sort uniq cut awk sed jq yq diff cmp md5sum sha256sum date whoami id env printenv ps top history man true false sleep test clear
		mkdir rmdir touch rm mv cp ln chmod chown export source set unset alias kill`)

// lookingAt are subcommands that look at something, by program.
var lookingAt = map[string]string{
	"git": " status log diff show branch blame remote add commit push pull fetch checkout switch stash config rev-parse merge rebase reset clone tag ",
	"go":  " test vet build fmt run list env version mod ", "npm": " test run install ci ls start ", "yarn": " test run install ", "pnpm": " test run install ",
	"cargo": " test build check fmt clippy run ", "make": " test build all check lint ", "docker": " ps images logs ", "kubectl": " get describe logs ",
	"gh": " pr issue run ", "pytest": "", "jest": "", "npx": "", "python": "", "python3": "", "node": "", "quarry": "",
}

const maxCommandBytes = 8 << 10

// commandQuery makes a query of a command line: of what it does with what, without flags, places and values.
func commandQuery(command string) query {
	if isOurs(command) {
		return query{missing: "a command of quarry's own"}
	}
	var words []string
	for _, part := range commandsOf(ends(command, maxCommandBytes, 0)) {
		words = append(words, commandWords(part)...)
	}
	words = distinct(words)
	if subjectOf(strings.Join(words, " "), maxSubjectWords).weight() < leastWeight {
		return query{missing: "the command names no matter"}
	}
	return query{text: asQuery(words[:min(len(words), maxToolWords)])}
}

// commandsOf parts a line of commands, without what is handed to one as a text of several lines.
func commandsOf(line string) []string {
	if at := strings.Index(line, "<<"); at >= 0 {
		line = line[:at]
	}
	return strings.FieldsFunc(line, func(r rune) bool { return r == '|' || r == ';' || r == '&' || r == '\n' })
}

// commandWords are the words of one command that say what it is about.
func commandWords(command string) []string {
	fields := strings.Fields(command)
	for len(fields) > 0 && (strings.Contains(fields[0], "=") || fields[0] == "sudo" || fields[0] == "time" || fields[0] == "env" || fields[0] == "exec") {
		fields = fields[1:]
	}
	if len(fields) == 0 {
		return nil
	}
	program := strings.TrimSuffix(path.Base(strings.ReplaceAll(fields[0], "\\", "/")), ".exe")
	if looking()[program] {
		return nil
	}
	subcommands, isKnown := lookingAt[program]
	if isKnown && (subcommands == "" || len(fields) < 2 || strings.Contains(subcommands, " "+fields[1]+" ")) {
		return nil
	}
	words := nameParts(program)
	for _, argument := range fields[1:] {
		argument = strings.Trim(argument, "\"'`(){}$")
		if name, ok := strings.CutPrefix(argument, "--"); ok {
			argument, _, _ = strings.Cut(name, "=")
		}
		switch {
		case strings.HasPrefix(argument, "-"), strings.Contains(argument, "://"), strings.HasPrefix(argument, ">"):
		case strings.Contains(argument, "/"):
			words = append(words, nameParts(strings.TrimSuffix(path.Base(argument), path.Ext(argument)))...)
		default:
			words = append(words, nameParts(argument)...)
		}
	}
	return words
}

// isOurs tells of a command line that calls quarry.
func isOurs(command string) bool {
	for _, part := range commandsOf(ends(command, maxCommandBytes, 0)) {
		fields := strings.Fields(part)
		for _, at := range []int{0, 1} {
			if at >= len(fields) {
				break
			}
			program := path.Base(strings.ReplaceAll(strings.Trim(fields[at], "\"'"), "\\", "/"))
			if strings.TrimSuffix(program, ".exe") == "quarry" {
				return true
			}
		}
	}
	return false
}

// field is the first of some fields that holds a text.
func field(input map[string]json.RawMessage, names ...string) string {
	for _, name := range names {
		if s := text(input[name]); s != "" {
			return s
		}
	}
	return ""
}

func texts(raw json.RawMessage) []string {
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

func objects(raw json.RawMessage) []map[string]json.RawMessage {
	var list []map[string]json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}
