package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"quarry/tools/secretbench/sample"
)

// trufflehog reads the tables of its pattern tests out of their source: input and want, where both are made of literals.
func trufflehog(clone string, _ int) ([]sample.Sample, map[string]int, error) {
	root := filepath.Join(clone, "pkg/detectors")
	var out []sample.Sample
	unread := map[string]int{}
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") || strings.Contains(path, "integration") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rule, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		reader := &goTable{rule: filepath.ToSlash(rule), values: map[string]ast.Expr{}, unread: unread}
		reader.read(file)
		out = append(out, reader.samples...)
		return nil
	})
	return out, unread, err
}

// goTable reads the test tables of one file.
type goTable struct {
	rule    string
	values  map[string]ast.Expr // of variables and constants, wherever they are declared
	samples []sample.Sample
	unread  map[string]int
}

func (t *goTable) read(file *ast.File) {
	ast.Inspect(file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if i < len(n.Values) {
					t.values[name.Name] = n.Values[i]
				}
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if name, is := left.(*ast.Ident); is && len(n.Lhs) == len(n.Rhs) && n.Tok == token.DEFINE {
					t.values[name.Name] = n.Rhs[i]
				}
			}
		}
		return true
	})
	ast.Inspect(file, func(node ast.Node) bool {
		if literal, is := node.(*ast.CompositeLit); is {
			t.row(literal)
		}
		return true
	})
}

// row takes a literal with the fields input (or data) and want.
func (t *goTable) row(literal *ast.CompositeLit) {
	fields := map[string]ast.Expr{}
	for _, element := range literal.Elts {
		if pair, is := element.(*ast.KeyValueExpr); is {
			if key, is := pair.Key.(*ast.Ident); is {
				fields[key.Name] = pair.Value
			}
		}
	}
	input, want := cmp.Or(fields["input"], fields["data"]), cmp.Or(fields["want"], fields["wants"])
	if input == nil {
		return
	}
	text, ok := t.text(input)
	if !ok {
		t.unread["input not literal"]++
		return
	}
	wants, ok := t.list(want)
	if !ok {
		t.unread["want not literal"]++
		return
	}
	if len(wants) == 0 {
		t.samples = append(t.samples, sample.Sample{Rule: t.rule, Text: text})
		return
	}
	t.positives(text, wants)
}

// positives adds a sample for each secret that stands in the text. Some are put together of an identifier and a secret:
// where none stands in it, one sample says that there is one.
func (t *goTable) positives(text string, wants []string) {
	before := len(t.samples)
	for _, want := range wants {
		if want != "" && strings.Contains(text, want) {
			t.samples = append(t.samples, sample.Sample{Rule: t.rule, Text: text, Secret: want, Positive: true})
		}
	}
	if len(t.samples) == before {
		t.samples = append(t.samples, sample.Sample{Rule: t.rule, Text: text, Positive: true})
	}
}

// list is a slice of texts; none where there is no field.
func (t *goTable) list(expr ast.Expr) ([]string, bool) {
	switch e := expr.(type) {
	case nil:
		return nil, false
	case *ast.Ident:
		if e.Name == "nil" {
			return nil, true
		}
		if value := t.values[e.Name]; value != nil {
			return t.list(value)
		}
	case *ast.CompositeLit:
		if kind, is := e.Type.(*ast.ArrayType); !is || fmt.Sprint(kind.Elt) != "string" {
			return nil, false
		}
		var out []string
		for _, element := range e.Elts {
			text, ok := t.text(element)
			if !ok {
				return nil, false
			}
			out = append(out, text)
		}
		return out, true
	}
	return nil, false
}

// text evaluates an expression of literals, names and fmt.Sprintf.
func (t *goTable) text(expr ast.Expr) (string, bool) {
	switch e := expr.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
		return e.Value, e.Kind == token.INT
	case *ast.ParenExpr:
		return t.text(e.X)
	case *ast.Ident:
		if value := t.values[e.Name]; value != nil && value != expr {
			return t.text(value)
		}
	case *ast.BinaryExpr:
		left, one := t.text(e.X)
		right, two := t.text(e.Y)
		return left + right, one && two && e.Op == token.ADD
	case *ast.CallExpr:
		return t.call(e)
	}
	return "", false
}

func (t *goTable) call(e *ast.CallExpr) (string, bool) {
	var arguments []string
	for _, argument := range e.Args {
		text, ok := t.text(argument)
		if !ok {
			return "", false
		}
		arguments = append(arguments, text)
	}
	name := ""
	if selector, is := e.Fun.(*ast.SelectorExpr); is {
		name = fmt.Sprint(selector.X) + "." + selector.Sel.Name
	}
	switch {
	case name == "fmt.Sprintf" && len(arguments) > 0:
		return sprintf(arguments[0], arguments[1:])
	case name == "strings.Repeat" && len(arguments) == 2:
		count, err := strconv.Atoi(arguments[1])
		return strings.Repeat(arguments[0], min(count, 10_000)), err == nil
	case name == "strings.TrimSpace" && len(arguments) == 1:
		return strings.TrimSpace(arguments[0]), true
	}
	return "", false
}

// sprintf fills in texts and numbers that are texts already.
func sprintf(format string, arguments []string) (string, bool) {
	if strings.Count(format, "%s")+strings.Count(format, "%d")+strings.Count(format, "%v") != len(arguments) {
		return "", false
	}
	values := make([]any, len(arguments))
	for i, argument := range arguments {
		values[i] = argument
	}
	return fmt.Sprintf(strings.ReplaceAll(format, "%d", "%s"), values...), true
}
