package archtest_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"testing"
)

// TestStart keeps regular expressions out of the start of the program, which each of its hooks waits for: package lazyregexp compiles
// them at their first use. As a wrong one would show there alone, each is compiled here.
func TestStart(t *testing.T) {
	packages := loadModule(t)
	seen := 0
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		for _, s := range packages[name].production() {
			report(t, compiledAtStart(s))
			texts, faults := wrongExpressions(s)
			report(t, faults)
			seen += texts
		}
	}
	if seen < 100 {
		t.Errorf("%d expressions found: the test looks for them in a wrong way", seen)
	}
}

func TestStartFindsFaults(t *testing.T) {
	set := token.NewFileSet()
	text := "package x; var a = regexp.MustCompile(`a`); var b = f(func() { regexp.MustCompile(`b`) }); var c = lazyregexp.New(`c` + `(`)"
	file, err := parser.ParseFile(set, "x.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	s := source{Name: "x.go", File: file, Set: set}
	if faults := compiledAtStart(s); len(faults) != 1 {
		t.Errorf("compiled at the start: %q", faults)
	}
	if count, faults := wrongExpressions(s); count != 1 || len(faults) != 1 {
		t.Errorf("%d expressions, wrong: %q", count, faults)
	}
}

// compiledAtStart lists the variables of a package that a call of regexp makes, other than within a function.
func compiledAtStart(s source) []string {
	var faults []string
	for _, declaration := range s.File.Decls {
		group, ok := declaration.(*ast.GenDecl)
		if !ok || group.Tok != token.VAR {
			continue
		}
		ast.Inspect(group, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && (isCall(call, "regexp", "MustCompile") || isCall(call, "regexp", "MustCompilePOSIX")) {
				faults = append(faults, fmt.Sprintf("%s: compiled at each start; use lazyregexp.New", s.at(call.Pos())))
			}
			_, isFunction := n.(*ast.FuncLit)
			return !isFunction
		})
	}
	return faults
}

// wrongExpressions counts the expressions of a file that are written as text, and lists those that do not compile.
func wrongExpressions(s source) (count int, faults []string) {
	ast.Inspect(s.File, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !isCall(call, "lazyregexp", "New") {
			return true
		}
		if text, ok := literalText(call.Args[0]); ok {
			count++
			if _, err := regexp.Compile(text); err != nil {
				faults = append(faults, fmt.Sprintf("%s: %v", s.at(call.Pos()), err))
			}
		}
		return true
	})
	return count, faults
}

// literalText is the text of literals, alone or joined by "+".
func literalText(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.StringVal(constant.MakeFromLiteral(e.Value, e.Kind, 0)), e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, leftOK := literalText(e.X)
		right, rightOK := literalText(e.Y)
		return left + right, leftOK && rightOK
	}
	return "", false
}

func isCall(call *ast.CallExpr, from, name string) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	owner, ok := selector.X.(*ast.Ident)
	return ok && owner.Name == from && selector.Sel.Name == name
}
