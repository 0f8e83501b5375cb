package vault

import (
	"slices"
	"strings"
)

// BadOnWindows says why a path would not be taken on Windows, "" if it would.
func BadOnWindows(path string) string { return badPath(path, true) }

// PlainIgnored applies lines of gitignore syntax alone, without the built-in rules. With fold it does so as on a file
// system that takes letters of both cases for the same.
func PlainIgnored(lines, path string, folder, fold bool) bool {
	person, err := parseRules([]byte(lines), fold)
	if err != nil {
		return false
	}
	rules := ignoreRules{person: person, fold: fold}
	for i := range len(path) {
		if path[i] == '/' && rules.ignores(path[:i], true) {
			return true
		}
	}
	return rules.ignores(path, folder)
}

// UseStandardFolders lets a vault look at files as it does on systems that have no way of their own.
func UseStandardFolders(v *Vault) error {
	v.base.close()
	var err error
	v.base, err = rootFolder{v.root}.open(".")
	return err
}

// BaseNames lists the names in the vault's own folder, sorted.
func BaseNames(v *Vault) ([]string, error) {
	entries, err := v.base.list()
	var names []string
	for _, one := range entries {
		names = append(names, one.name)
	}
	slices.Sort(names)
	return names, err
}

// SetMaxLeftOut bounds the names taken from folders that are left out.
func (v *Vault) SetMaxLeftOut(names int64) { v.maxLeftOut = names }

// CheckShortNames looks for names that Windows made, as it is done there.
func (v *Vault) CheckShortNames(path string) error { return checkShortNames(v.base, path) }

// FoldCase lets a vault look at its folders as on a file system that takes letters of both cases for the same.
func (v *Vault) FoldCase() { v.foldsCase, v.base = true, folding{v.base} }

type folding struct{ folder }

func (f folding) list() ([]entry, error) {
	again, err := f.folder.open(".") // a folder is listed once
	if err != nil {
		return nil, err
	}
	defer again.close()
	return again.list()
}

func (f folding) onDisk(name string) string {
	entries, _ := f.list()
	for _, one := range entries {
		if strings.EqualFold(one.name, name) {
			return one.name
		}
	}
	return name
}

func (f folding) open(name string) (folder, error) {
	opened, err := f.folder.open(f.onDisk(name))
	return folding{opened}, err
}

func (f folding) look(name string) (facts, error) { return f.folder.look(f.onDisk(name)) }
