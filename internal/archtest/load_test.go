package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "quarry"

// goPackage is one directory with its sources, for all platforms at once.
type goPackage struct {
	Path    string // import path
	Sources []source
}

// source is one parsed file.
type source struct {
	Name string // below the module root, with slashes
	File *ast.File
	Set  *token.FileSet
	Test bool // its name ends in _test.go
}

// loadModule parses every Go file of the module, by import path. Files of other platforms are read like all others,
// and nested modules, data folders and hidden folders are left out.
func loadModule(t *testing.T) map[string]*goPackage {
	t.Helper()
	root := moduleRoot(t)
	packages := map[string]*goPackage{}
	set := token.NewFileSet()
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != root && leftOut(name) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		return addSource(packages, set, name, filepath.ToSlash(relative))
	})
	if err != nil {
		t.Fatalf("load the module: %v", err)
	}
	return packages
}

func addSource(packages map[string]*goPackage, set *token.FileSet, file, name string) error {
	parsed, err := parser.ParseFile(set, file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	importPath := path.Join(modulePath, path.Dir(name))
	if packages[importPath] == nil {
		packages[importPath] = &goPackage{Path: importPath}
	}
	p := packages[importPath]
	p.Sources = append(p.Sources, source{
		Name: name, File: parsed, Set: set, Test: strings.HasSuffix(name, "_test.go"),
	})
	return nil
}

// leftOut tells whether a folder is no part of the module's code.
func leftOut(dir string) bool {
	base := filepath.Base(dir)
	if base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatalf("find the module root: %v", err)
	}
	return root
}

// imports lists what the package imports, sorted; of its tests alone, or of its other files alone.
func (p *goPackage) imports(ofTests bool) []string {
	var list []string
	for _, s := range p.Sources {
		if s.Test == ofTests {
			list = append(list, s.imports()...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (s source) imports() []string {
	var list []string
	for _, spec := range s.File.Imports {
		if name, err := strconv.Unquote(spec.Path.Value); err == nil {
			list = append(list, name)
		}
	}
	return list
}

// production lists the sources that are no tests.
func (p *goPackage) production() []source {
	return slices.DeleteFunc(slices.Clone(p.Sources), func(s source) bool { return s.Test })
}

// at gives a place as file:line.
func (s source) at(p token.Pos) string {
	return s.Name + ":" + strconv.Itoa(s.Set.Position(p).Line)
}

// within tells whether an import path is prefix or lies below it.
func within(importPath, prefix string) bool {
	return importPath == prefix || strings.HasPrefix(importPath, strings.TrimSuffix(prefix, "/")+"/")
}
