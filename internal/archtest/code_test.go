package archtest_test

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strconv"
	"testing"
)

const (
	maxFunctionLines = 60
	maxFileLines     = 500
)

// TestCode holds all code that is no test to the measures of CONTRIBUTING.md.
func TestCode(t *testing.T) {
	packages := loadModule(t)
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		for _, s := range packages[name].production() {
			report(t, documentFaults(s))
			report(t, exitFaults(s))
			report(t, environmentFaults(name, s))
			if !ast.IsGenerated(s.File) {
				report(t, sizeFaults(s))
			}
		}
		if !hasPackageComment(packages[name]) {
			t.Errorf("%s has no package comment", name)
		}
	}
}

// documentFaults lists exported names without a doc comment. In a group, the comment of the group is enough.
func documentFaults(s source) []string {
	var faults []string
	missing := func(name *ast.Ident) {
		faults = append(faults, fmt.Sprintf("%s: %s has no doc comment", s.at(name.Pos()), name.Name))
	}
	for _, declaration := range s.File.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && d.Doc == nil && hasExportedReceiver(d) && !isWellKnown(d) {
				missing(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				for _, name := range undocumented(d, spec) {
					missing(name)
				}
			}
		}
	}
	return faults
}

// undocumented lists the exported names of one specification that has no comment, neither itself nor its group.
func undocumented(group *ast.GenDecl, spec ast.Spec) []*ast.Ident {
	var names []*ast.Ident
	documented := group.Doc != nil
	switch sp := spec.(type) {
	case *ast.TypeSpec:
		names = []*ast.Ident{sp.Name}
		documented = documented || sp.Doc != nil || sp.Comment != nil
	case *ast.ValueSpec:
		names = sp.Names
		documented = documented || sp.Doc != nil || sp.Comment != nil
	}
	if documented {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(names), func(n *ast.Ident) bool { return !n.IsExported() })
}

// hasExportedReceiver tells whether a function can be reached from outside: it has no receiver, or one of an exported type.
func hasExportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return true
	}
	kind := f.Recv.List[0].Type
	for {
		switch k := kind.(type) {
		case *ast.StarExpr:
			kind = k.X
		case *ast.IndexExpr:
			kind = k.X
		case *ast.IndexListExpr:
			kind = k.X
		case *ast.Ident:
			return k.IsExported()
		default:
			return true
		}
	}
}

// isWellKnown tells whether a method is of the standard library's interfaces, whose meaning is known without a comment.
func isWellKnown(f *ast.FuncDecl) bool {
	return f.Recv != nil && slices.Contains([]string{"Error", "Unwrap", "String", "Len", "Less", "Swap"}, f.Name.Name)
}

// sizeFaults lists functions and files that are too long to be read at one go. Lines are counted as funlen does:
// without the first and the last.
func sizeFaults(s source) []string {
	var faults []string
	if lines := s.Set.File(s.File.Pos()).LineCount(); lines > maxFileLines {
		faults = append(faults, fmt.Sprintf("%s has %d lines, more than %d", s.Name, lines, maxFileLines))
	}
	for _, declaration := range s.File.Decls {
		f, ok := declaration.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if lines := s.Set.Position(f.End()).Line - s.Set.Position(f.Pos()).Line - 1; lines > maxFunctionLines {
			faults = append(faults, fmt.Sprintf("%s: %s has %d lines, more than %d", s.at(f.Pos()), f.Name.Name, lines, maxFunctionLines))
		}
	}
	return faults
}

// exitFaults lists calls that end the process outside of programs.
func exitFaults(s source) []string {
	if s.File.Name.Name == "main" {
		return nil
	}
	uses := append(s.uses("os", "Exit"), s.uses("log", "Fatal", "Fatalf", "Fatalln")...)
	uses = append(uses, s.uses("syscall", "Exit")...)
	return prefixed(uses, "only a main package ends the process: ")
}

// environmentFaults lists reads of the environment outside of the command line, which alone resolves settings.
func environmentFaults(importPath string, s source) []string {
	if importPath == "quarry/internal/cli" || within(importPath, modulePath+"/cmd") {
		return nil
	}
	return prefixed(s.uses("os", "Getenv", "LookupEnv", "Environ", "ExpandEnv", "Setenv"), "only the command line reads the environment: ")
}

func prefixed(list []string, prefix string) []string {
	for i := range list {
		list[i] = prefix + list[i]
	}
	return list
}

// uses lists where the file names one of the members of an imported package, called or not.
func (s source) uses(importPath string, members ...string) []string {
	local := s.localName(importPath)
	if local == "" {
		return nil
	}
	var found []string
	ast.Inspect(s.File, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if base, ok := selector.X.(*ast.Ident); ok && base.Name == local && slices.Contains(members, selector.Sel.Name) {
			found = append(found, fmt.Sprintf("%s: %s.%s", s.at(selector.Pos()), importPath, selector.Sel.Name))
		}
		return true
	})
	return found
}

// localName gives the name under which the file knows an imported package whose own name is the whole path; "" if it does not.
func (s source) localName(importPath string) string {
	for _, spec := range s.File.Imports {
		if name, err := strconv.Unquote(spec.Path.Value); err != nil || name != importPath {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return importPath
	}
	return ""
}

func hasPackageComment(p *goPackage) bool {
	production := p.production()
	return len(production) == 0 || slices.ContainsFunc(production, func(s source) bool { return s.File.Doc != nil })
}
