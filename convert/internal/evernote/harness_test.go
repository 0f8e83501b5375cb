package evernote_test

import (
	"context"
	"path"
	"strings"
	"testing"

	"quarry/convert/export"
	"quarry/convert/internal/evernote"
)

// imported is what an import found, with its links written.
type imported struct {
	*export.Builder
	notes map[string]export.Note // by path, with links written
	dead  []string               // what links without a target meant
	err   error
}

// read imports a file or folder and writes its links in a plain way.
func read(t testing.TB, name string) imported {
	t.Helper()
	tree, err := export.Open(context.Background(), name, export.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tree.Close() })
	b := export.NewBuilder("mark")
	i := imported{Builder: b, notes: map[string]export.Note{}}
	i.err = evernote.Read(context.Background(), tree, b)
	for _, n := range b.Notes {
		n.Body = b.Resolve(n.Body, i.write)
		for at, p := range n.Properties {
			n.Properties[at].Value = i.resolve(p.Value)
		}
		i.notes[n.Path] = n
	}
	return i
}

func (i *imported) write(to export.Target) string {
	name := i.find(to)
	if name == "" {
		i.dead = append(i.dead, to.ID+to.Name)
		if to.Otherwise != "" {
			return to.Otherwise
		}
		return to.Text
	}
	if to.Heading != "" {
		name += "#" + to.Heading
	}
	if to.Block != "" {
		name += "#^" + to.Block
	}
	if shown := to.Text + to.Size; shown != "" {
		name += "|" + shown
	}
	if to.IsEmbed {
		return "![[" + name + "]]"
	}
	return "[[" + name + "]]"
}

func (i *imported) find(to export.Target) string {
	for _, n := range i.Notes {
		isNamed := to.ID == "" && strings.Contains("\n"+strings.Join(append(n.Names, n.Path, n.Title), "\n")+"\n", "\n"+to.Name+"\n")
		if isNamed || to.ID != "" && (to.ID == n.ID || n.ID == "" && to.ID == n.Path) {
			return path.Base(n.Path)
		}
	}
	for _, a := range i.Attachments {
		if to.ID != "" && (to.ID == a.ID || a.ID == "" && to.ID == a.Path) {
			return path.Base(a.Path)
		}
	}
	return ""
}

func (i *imported) resolve(value any) any {
	switch v := value.(type) {
	case string:
		return i.Resolve(v, i.write)
	case []string:
		for at, one := range v {
			v[at] = i.Resolve(one, i.write)
		}
	}
	return value
}
