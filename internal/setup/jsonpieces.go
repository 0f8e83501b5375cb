package setup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// server is an entry that starts the MCP server.
type server struct {
	Command string
	Args    []string
	Vault   string
}

// jsonServer is an entry of a client's list of MCP servers. It is a piece.
type jsonServer struct {
	file    string
	parent  string // the key of all servers
	name    string
	typed   bool // with "type": "stdio"
	command string
	args    []string
	force   bool
	was     string
}

func (s *jsonServer) takenOver() string { return s.was }

func (s *jsonServer) path() string { return s.file }

func readServer(value *hujson.Value) (command string, args []string) {
	c, ok := compositeOf(value)
	if !ok || c.object == nil {
		return "", nil
	}
	if at := c.member("command"); at >= 0 {
		command = stringOf(c.at(at))
	}
	if at := c.member("args"); at >= 0 {
		args = stringsOf(c.at(at))
	}
	return command, args
}

func (s *jsonServer) put(content []byte) ([]byte, error) {
	f, err := parseJSON(s.file, content)
	if err != nil {
		return nil, err
	}
	value, err := f.find(s.parent, s.name)
	if err != nil {
		return nil, err
	}
	if value == nil {
		entry := object{{"command", s.command}, {"args", nodes(s.args)}}
		if s.typed {
			entry = append(object{{"type", "stdio"}}, entry...)
		}
		if err := f.put([]string{s.parent, s.name}, entry, false); err != nil {
			return nil, err
		}
		return f.content(), nil
	}
	command, args := readServer(value)
	if s.was, err = takeOver(command, args, s.force); err != nil {
		return nil, fmt.Errorf("%s: line %d: the MCP server %q is there: %w", s.file, f.lineAt(value.StartOffset), s.name, err)
	}
	if command != s.command {
		if err := f.setKey(s.command, s.parent, s.name, "command"); err != nil {
			return nil, err
		}
	}
	if !slices.Equal(args, s.args) {
		if err := f.setKey(nodes(s.args), s.parent, s.name, "args"); err != nil {
			return nil, err
		}
	}
	return f.content(), nil
}

// setKey replaces the value at a path of keys that is there.
func (f *jsonc) setKey(value node, path ...string) error {
	old, err := f.find(path...)
	if err != nil || old == nil {
		return err
	}
	return f.replace(old, value)
}

func (s *jsonServer) take(content []byte) (result []byte, isGone bool, err error) {
	f, err := parseJSON(s.file, content)
	if err != nil {
		return nil, false, err
	}
	steps := f.stepsTo(s.parent, s.name)
	if steps == nil {
		return content, false, nil
	}
	last := steps[len(steps)-1]
	if _, isOurs := serverOf(readServer(last.in.at(last.at))); !isOurs {
		return content, false, nil
	}
	isGone, err = f.take(steps)
	return f.content(), isGone, err
}

// servers are the entries that set-up wrote, under other names too.
func (s *jsonServer) servers(content []byte) (map[string]server, error) {
	f, err := parseJSON(s.file, content)
	if err != nil {
		return nil, err
	}
	value, err := f.find(s.parent)
	if err != nil || value == nil {
		return nil, err
	}
	found := map[string]server{}
	c, _ := compositeOf(value)
	if c.object == nil {
		return nil, nil
	}
	for i := range c.object.Members {
		command, args := readServer(c.at(i))
		if vault, isOurs := serverOf(command, args); isOurs {
			found[stringOf(c.first(i))] = server{Command: command, Args: args, Vault: vault}
		}
	}
	return found, nil
}

// event is one that a hook is run at.
type event struct {
	name, matcher string
	words         []string // of the command line
}

// jsonHooks are the hooks of a client, in a file whose key "hooks" has a list for each event. It is a piece.
type jsonHooks struct {
	file    string
	events  []event
	timeout int    // in the client's own unit
	label   string // "name" of the hook, where the client shows one
	// shell writes a command line for the client's shell; nil: it takes the words as they are.
	shell func(words []string) string
	// others are the vaults of other entries that set-up wrote for the client: their hooks are not touched.
	others []string
}

func (h *jsonHooks) path() string { return h.file }

// handler is one hook in a file.
type handler struct {
	event       string
	group, at   int
	isOnly      bool // in its group
	words       []string
	value       *hujson.Value
	groupHolder *hujson.Value // the list of groups
}

// maxHandlers bounds how many hooks of ours are looked at: taking one out reads the file anew.
const maxHandlers = 100

// handlers are the hooks that set-up wrote, in the order of the file.
func (h *jsonHooks) handlers(f *jsonc) ([]handler, error) {
	hooks, err := f.find("hooks")
	if err != nil || hooks == nil {
		return nil, err
	}
	c, ok := compositeOf(hooks)
	if !ok || c.object == nil {
		return nil, f.errorAt(hooks.StartOffset, `"hooks" is no object`)
	}
	var found []handler
	for i := range c.object.Members {
		found = append(found, h.handlersOf(stringOf(c.first(i)), c.at(i))...)
	}
	if len(found) > maxHandlers {
		return nil, f.errorAt(hooks.StartOffset, "it holds %d hooks of quarry's, more than set-up writes", len(found))
	}
	return found, nil
}

func (h *jsonHooks) handlersOf(event string, groups *hujson.Value) []handler {
	var found []handler
	list, _ := compositeOf(groups)
	if list.array == nil {
		return nil
	}
	for g := range list.array.Elements {
		group, _ := compositeOf(list.at(g))
		at := group.member("hooks")
		if at < 0 {
			continue
		}
		handlers, _ := compositeOf(group.at(at))
		if handlers.array == nil {
			continue
		}
		for j := range handlers.array.Elements {
			words := wordsOf(handlers.at(j))
			if vault, isOurs := hookOf(words); isOurs && !slices.Contains(h.others, vault) {
				found = append(found, handler{event: event, group: g, at: j, isOnly: handlers.count() == 1, words: words, value: handlers.at(j), groupHolder: groups})
			}
		}
	}
	return found
}

// wordsOf is the command line of a hook.
func wordsOf(value *hujson.Value) []string {
	c, ok := compositeOf(value)
	if !ok || c.object == nil {
		return nil
	}
	command, args := readServer(value)
	if c.member("args") >= 0 {
		return append([]string{command}, args...)
	}
	return splitWords(command)
}

func (h *jsonHooks) put(content []byte) ([]byte, error) {
	f, err := parseJSON(h.file, content)
	if err != nil {
		return nil, err
	}
	for _, e := range h.events {
		found, err := h.handlers(f)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(found, func(o handler) bool { return o.event == e.name })
		switch {
		case at < 0:
			err = f.put([]string{"hooks", e.name}, h.group(e), true)
		case !slices.Equal(found[at].words, e.words):
			err = h.update(f, found[at].value, e)
		}
		if err != nil {
			return nil, err
		}
	}
	return f.content(), nil
}

func (h *jsonHooks) group(e event) node {
	hook := object{}
	if h.label != "" {
		hook = append(hook, field{"name", h.label})
	}
	hook = append(hook, field{"type", "command"})
	if h.shell != nil {
		hook = append(hook, field{"command", h.shell(e.words)})
	} else {
		hook = append(hook, field{"command", e.words[0]}, field{"args", nodes(e.words[1:])})
	}
	hook = append(hook, field{"timeout", h.timeout})
	group := object{}
	if e.matcher != "" {
		group = append(group, field{"matcher", e.matcher})
	}
	return append(group, field{"hooks", []node{hook}})
}

// update writes another command line into a hook.
func (h *jsonHooks) update(f *jsonc, value *hujson.Value, e event) error {
	c, _ := compositeOf(value)
	command, args := c.member("command"), c.member("args")
	if h.shell != nil || args < 0 {
		if h.shell == nil {
			return f.replace(c.at(command), quoteShell(e.words))
		}
		return f.replace(c.at(command), h.shell(e.words))
	}
	first, second := c.at(command), c.at(args)
	if first.StartOffset > second.StartOffset { // from behind, so that places stay
		if err := f.replace(first, e.words[0]); err != nil {
			return err
		}
		return f.replace(second, nodes(e.words[1:]))
	}
	if err := f.replace(second, nodes(e.words[1:])); err != nil {
		return err
	}
	return f.replace(first, e.words[0])
}

func (h *jsonHooks) take(content []byte) (result []byte, isGone bool, err error) {
	f, err := parseJSON(h.file, content)
	if err != nil {
		return nil, false, err
	}
	for !isGone {
		found, err := h.handlers(f)
		if err != nil {
			return nil, false, err
		}
		if len(found) == 0 {
			break
		}
		last := found[len(found)-1]
		steps := f.stepsTo("hooks", last.event)
		groups, _ := compositeOf(last.groupHolder)
		steps = append(steps, step{groups, last.group})
		if !last.isOnly {
			group, _ := compositeOf(groups.at(last.group))
			at := group.member("hooks")
			list, _ := compositeOf(group.at(at))
			steps = append(steps, step{group, at}, step{list, last.at})
		}
		if isGone, err = f.take(steps); err != nil {
			return nil, false, err
		}
	}
	return f.content(), isGone, nil
}

// splitWords takes a command line apart that one of the quote functions wrote; another one may come out in other words.
func splitWords(line string) []string {
	line = strings.TrimPrefix(strings.TrimPrefix(line, "& "), "cmd /c call ")
	var words []string
	var word strings.Builder
	isIn, quote := false, byte(0)
	for i := 0; i < len(line); i++ {
		switch b := line[i]; {
		case quote == 0 && (b == '"' || b == '\''):
			isIn, quote = true, b
		case b == quote:
			if quote = 0; b == '\'' && i+1 < len(line) && line[i+1] == '\'' { // PowerShell's ''
				word.WriteByte('\'')
				quote = b
				i++
			}
		case quote == 0 && b == '\\' && strings.HasPrefix(line[i:], `\'`): // a shell's '\''
			word.WriteByte('\'')
			i++
		case quote == 0 && b == ' ':
			if isIn {
				words = append(words, word.String())
			}
			word.Reset()
			isIn = false
		default:
			isIn = true
			word.WriteByte(b)
		}
	}
	if isIn {
		words = append(words, word.String())
	}
	return words
}
