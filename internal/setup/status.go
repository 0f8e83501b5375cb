package setup

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"slices"
)

// ClientStatus is what is known of one client.
type ClientStatus struct {
	Client, Title string
	IsFound       bool     // it seems to be installed
	Entries       []Entry  // by scope and name
	Problems      []string // files that could not be read
}

// Entry is a set-up that is there.
type Entry struct {
	Scope   Scope
	Name    string
	File    string // of the MCP server
	Command string // of quarry
	Vault   string
	// IsThis: the command is the one that asks. IsGone: there is no such file.
	IsThis, IsGone bool
	Hooks          int // events that hooks are run at
}

// StatusOf looks at a client's files, in both scopes; none of them is written. command is the one that asks.
func StatusOf(name, command string, place Place) (ClientStatus, error) {
	c := clientOf(name)
	if c == nil {
		return ClientStatus{}, ErrUnknownClient
	}
	status := ClientStatus{Client: c.name, Title: c.title, IsFound: c.isFound(place)}
	for _, scope := range c.scopes {
		request := Request{Client: name, Scope: scope, Name: DefaultName, Place: place}
		pieces, err := piecesOf(request)
		if errors.Is(err, ErrNoHome) {
			continue
		}
		if err != nil {
			return status, err
		}
		entries, err := entriesOf(pieces, scope, command)
		status.Entries = append(status.Entries, entries...)
		if err != nil {
			status.Problems = append(status.Problems, err.Error())
		}
	}
	return status, nil
}

func entriesOf(pieces []piece, scope Scope, command string) ([]Entry, error) {
	plan := newPlan(Request{}, pieces)
	var entries []Entry
	for _, p := range pieces {
		switch p := p.(type) {
		case serverPiece:
			f, err := plan.file(p.path())
			if err != nil {
				return nil, err
			}
			found, err := p.servers(f.before)
			if err != nil {
				return nil, err
			}
			for _, name := range slices.Sorted(maps.Keys(found)) {
				entries = append(entries, entryOf(found[name], scope, name, p.path(), command))
			}
		case *jsonHooks:
			f, err := plan.file(p.path())
			if err != nil {
				return entries, err
			}
			if err := p.count(f.before, entries); err != nil {
				return entries, err
			}
		}
	}
	return entries, nil
}

func entryOf(s server, scope Scope, name, file, command string) Entry {
	entry := Entry{Scope: scope, Name: name, File: file, Command: s.Command, Vault: s.Vault}
	there, err := os.Stat(s.Command)
	entry.IsGone = errors.Is(err, os.ErrNotExist)
	if this, thisErr := os.Stat(cmp.Or(command, s.Command)); err == nil && thisErr == nil {
		entry.IsThis = command != "" && os.SameFile(there, this)
	}
	return entry
}

// count adds the hooks to the entries of their vaults.
func (h *jsonHooks) count(content []byte, entries []Entry) error {
	f, err := parseJSON(h.file, content)
	if err != nil {
		return err
	}
	found, err := h.handlers(f)
	for _, handler := range found {
		vault, _ := hookOf(handler.words)
		for i := range entries {
			if entries[i].Vault == vault {
				entries[i].Hooks++
			}
		}
	}
	return err
}
