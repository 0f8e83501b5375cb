package archtest_test

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// guardFile holds all that asks whom the engine answers.
const guardFile = "guard.go"

// unguarded names the functions of the engine that may open what is not narrowed for the audience yet, and why that is no way
// out.
var unguarded = map[string][]string{
	"wholeSnapshot":          {"openReader"},               // is what guarded narrows
	"openReader":             {"sqlite.Open"},              // is what wholeSnapshot asks
	"guarded":                {"wholeSnapshot"},            // narrows it
	"dialect":                {"wholeSnapshot"},            // takes one word of the metadata
	"appSettings":            {"vault.Read", "vault.Stat"}, // settings of an app, which become ignore rules
	"source.Read":            {"vault.Read"},               // of an index run, whose report runFor narrows
	"writeCaptured":          {"vault.Create"},             // writes what it was given, and tells no more than where
	"isIndexed":              {"wholeSnapshot"},            // of a note that the caller wrote or may see
	"contentHash":            {"vault.Read"},               // a hash alone, to be compared
	"watching.holdDeletions": {"os.Lstat"},                 // whether a path that was named is there; nothing is told
	"findCaptured":           {"vault.Read"},               // tells of what mayRead lets through
	"indexOnce":              {"sqlite.Open"},              // to write; what a run tells runFor narrows
}

// TestGuard holds that the engine opens the index and files of the vault, and asks for the audience, in one file alone, those
// functions apart that are named here.
func TestGuard(t *testing.T) {
	engine := loadModule(t)[modulePath]
	report(t, guardFaults(engine))
	for name := range unguarded {
		if !slices.ContainsFunc(engine.production(), func(s source) bool { return declares(s, name) }) {
			t.Errorf("there is no function %s: take it out of the list", name)
		}
	}
}

func TestGuardFindsFaults(t *testing.T) {
	for what, test := range map[string]struct {
		file, body string
		isFault    bool
	}{
		"index":           {"notes.go", "func (e *Engine) List() { e.wholeSnapshot() }", true},
		"reader":          {"notes.go", "func (e *Engine) List() { e.openReader() }", true},
		"file":            {"titles.go", "func (e *Engine) notFound() { e.vault.Stat() }", true},
		"file elsewhere":  {"titles.go", "func (e *Engine) notFound() { v := e.vault; v.Read(); e.engine.vault.Read() }", true},
		"writing":         {"titles.go", "func (e *Engine) notFound() { e.vault.Create() }", true},
		"audience":        {"status.go", "func (e *Engine) Status() { _ = e.config.Audience }", true},
		"policy":          {"status.go", "func (e *Engine) Status() { _ = e.policy() }", true},
		"other use":       {"dialect.go", "func (e *Engine) dialect() { e.vault.Read() }", true},
		"in the guard":    {"guard.go", "func (e *Engine) isThere() { e.vault.Stat(); e.policy(); e.wholeSnapshot() }", false},
		"named":           {"dialect.go", "func (e *Engine) dialect() { e.wholeSnapshot() }", false},
		"named of a type": {"dialect.go", "func (s *source) Read() { s.engine.vault.Read() }", false},
		"database":        {"doctor.go", "func (e *Engine) verify() { sqlite.Open() }", true},
		"any file":        {"types.go", "func (e *Engine) types() { os.Open() }", true},
		"its content":     {"types.go", "func (e *Engine) types() { f := os.ReadFile; f() }", true},
		"the reader":      {"views.go", "func (e *Engine) openReader() { sqlite.Open() }", false},
		"others":          {"status.go", "func (e *Engine) Status() { e.snapshot(); e.vault.Root(); e.Read() }", false},
	} {
		p := &goPackage{Path: modulePath, Sources: []source{parse(t, test.file, "package quarry\n"+test.body)}}
		if faults := guardFaults(p); (len(faults) > 0) != test.isFault {
			t.Errorf("%s: faults %q", what, faults)
		}
	}
}

// guardFaults lists uses outside of the guard of what is not narrowed.
func guardFaults(p *goPackage) []string {
	var faults []string
	for _, s := range p.production() {
		if path.Base(s.Name) == guardFile {
			continue
		}
		for _, declaration := range s.File.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if what := guardedUse(n); what != "" && !slices.Contains(unguarded[nameOf(f)], what) {
					faults = append(faults, fmt.Sprintf("%s: %s belongs into %s: what it gives is not narrowed for the audience", s.at(n.Pos()), what, guardFile))
				}
				return true
			})
		}
	}
	return faults
}

// guardedUse names what a node opens, "" where it opens nothing.
func guardedUse(n ast.Node) string {
	selector, ok := n.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	switch selector.Sel.Name {
	case "wholeSnapshot", "openReader", "policy":
		return selector.Sel.Name
	}
	if name, ok := selector.X.(*ast.Ident); ok && opens(name.Name, selector.Sel.Name) {
		return name.Name + "." + selector.Sel.Name
	}
	of, ok := selector.X.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	switch what := of.Sel.Name + "." + selector.Sel.Name; what {
	case "vault.Read", "vault.Stat", "vault.Create", "config.Audience":
		return what
	}
	return ""
}

// opens tells of a function of a package that opens a file, whatever lies there.
func opens(name, function string) bool {
	switch name {
	case "sqlite":
		return function == "Open"
	case "os":
		return !strings.HasPrefix(function, "Err")
	}
	return false
}

// nameOf is a function's name; a method of another type than the engine has that before it.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	kind := f.Recv.List[0].Type
	if pointer, ok := kind.(*ast.StarExpr); ok {
		kind = pointer.X
	}
	if name, ok := kind.(*ast.Ident); ok && name.Name != "Engine" {
		return name.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

func declares(s source, name string) bool {
	return slices.ContainsFunc(s.File.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && nameOf(f) == name
	})
}
