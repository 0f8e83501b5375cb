package note

import (
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
)

// slab is room for nodes, 8 KB in all. The tree of a note is thrown away once its facts are taken, so that the next note
// can have the room.
type slab [35]inline

var slabs = sync.Pool{New: func() any { return new(slab) }}

// maxKeptSlabs is how many slabs of one note are kept for others.
const maxKeptSlabs = 256

// newSlab gives room for further nodes.
func (l *lexer) newSlab() []inline {
	if !l.tree {
		return make([]inline, 16)
	}
	room := slabs.Get().(*slab)
	l.slabs = append(l.slabs, room)
	return room[:]
}

// lexerName is the attribute of a document that holds the lexer that made its nodes.
const lexerName = "lexer"

// keepLexer lets releaseNodes find the nodes of a tree.
func keepLexer(root ast.Node, context parser.Context) {
	if l, ok := context.Get(lexerKey).(*lexer); ok {
		root.SetAttributeString(lexerName, l)
	}
}

// releaseNodes gives up the nodes within the blocks of a tree, which must not be used any more.
func releaseNodes(root ast.Node) {
	made, _ := root.AttributeString(lexerName)
	l, ok := made.(*lexer)
	if !ok {
		return
	}
	for _, room := range l.slabs[:min(len(l.slabs), maxKeptSlabs)] {
		*room = slab{}
		slabs.Put(room)
	}
	l.slab, l.slabs = nil, nil
}
