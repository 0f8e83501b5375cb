package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"quarry"
)

// overlay lays the vault's own file over the user's: it may come from somebody else, so it names no place outside of the vault
// and can only make things stricter. What of it does not count is told.
func (a *app) overlay(user settings, vaultDir string) (settings, error) {
	file := filepath.Join(vaultDir, vaultConfigName)
	info, err := os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return user, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file")
	}
	if err != nil {
		return user, &hinted{fmt.Errorf("read the configuration %s: %w", file, plain(err)), "put a regular file in its place, or take it away"}
	}
	own, err := readSettings(file, false)
	if err != nil {
		return user, err
	}
	o := vaultOverlay{user: user, own: own, ignored: func(key, reason string) { a.notice("notice: %s: %s is ignored: %s", file, key, reason) }}
	o.places()
	o.intake()
	o.ranking()
	o.types()
	o.redaction()
	o.sensitivity()
	o.blocks()
	o.hooks()
	o.server()
	o.signals()
	return o.user, nil
}

// vaultOverlay lays own over user; ignored tells of a key that does not count.
type vaultOverlay struct {
	user, own settings
	ignored   func(key, reason string)
}

func (o *vaultOverlay) places() {
	for _, place := range []struct{ key, value string }{{"vault", o.own.Vault}, {"db", o.own.DB}, {"model", o.own.Model}} {
		if place.value != "" {
			o.ignored(place.key, "a file in the vault cannot name places outside of it")
		}
	}
	o.user.Dialect = cmp.Or(o.own.Dialect, o.user.Dialect)
}

// intake narrows what is taken in. The user's ignore rules stand behind the vault's, so that a "!" in those does not take back
// in what these leave out.
func (o *vaultOverlay) intake() {
	o.user.Ignore = slices.Concat(o.own.Ignore, o.user.Ignore)
	switch both := commonFolders(o.user.Folders, o.own.Folders); {
	case len(o.own.Folders) == 0:
	case len(both) == 0:
		o.user.Ignore = append(o.user.Ignore, "*")
		o.ignored("what lies outside of both lists of folders", "the vault's and yours have none in common, so that nothing is taken in")
	default:
		o.user.Folders = both
	}
	switch {
	case o.own.DataFiles == nil:
	case *o.own.DataFiles && o.user.DataFiles != nil && !*o.user.DataFiles:
		o.ignored("data_files = true", "your configuration says false")
	default:
		o.user.DataFiles = o.own.DataFiles
	}
	switch {
	case o.own.MaxFileMiB == nil:
	case *o.own.MaxFileMiB > o.user.maxFileMiB():
		o.ignored(fmt.Sprintf("max_file_mb = %d", *o.own.MaxFileMiB), fmt.Sprintf("a file in the vault can only lower it (%d)", o.user.maxFileMiB()))
	default:
		o.user.MaxFileMiB = o.own.MaxFileMiB
	}
}

// commonFolders are the folders that both lists hold, as they are or within another; a list without any holds all.
func commonFolders(one, other []string) []string {
	if len(one) == 0 || len(other) == 0 {
		return slices.Concat(one, other)
	}
	var both []string
	for _, a := range one {
		for _, b := range other {
			switch {
			case isBelow(a, b):
				both = append(both, a)
			case isBelow(b, a):
				both = append(both, b)
			}
		}
	}
	return both
}

// isBelow tells whether a folder is another or lies in it.
func isBelow(folder, other string) bool {
	folder, other = cleanFolder(folder), cleanFolder(other)
	return other == "." || folder == other || strings.HasPrefix(folder, other+"/")
}

func cleanFolder(folder string) string {
	return path.Clean(strings.Trim(strings.TrimSpace(filepath.ToSlash(folder)), "/"))
}

// redaction adds the vault's patterns, as many of them as there is room for.
func (o *vaultOverlay) redaction() {
	if len(o.own.Redaction.Off) > 0 {
		o.ignored("redaction.off", "a file in the vault cannot switch rules off")
	}
	if len(o.own.Redaction.Allow) > 0 {
		o.ignored("redaction.allow", "a file in the vault cannot let values through; what is no secret can be allowed in your configuration")
	}
	before, own := o.user.vaultPatterns, o.own.Redaction.Patterns
	count := len(own)
	for ; count > 0; count-- {
		o.user.vaultPatterns = slices.Concat(before, own[:count])
		if _, err := quarry.NewRedactor(o.user.redactionOfNotes()); err == nil {
			break
		}
	}
	o.user.vaultPatterns = slices.Concat(before, own[:count])
	switch left := len(own) - count; {
	case left == 0:
	case count == 0:
		o.ignored("redaction.patterns", fmt.Sprintf("with yours they are too many; %s left out", counted(left, "pattern")))
	default:
		o.ignored("the end of redaction.patterns", fmt.Sprintf("with yours they are too many; %s left out", counted(left, "pattern")))
	}
}

// sensitivity keeps the vault's table beside the user's, and tells of what in it is laxer: the stricter of both counts.
func (o *vaultOverlay) sensitivity() {
	o.user.vaultSensitivity = &o.own.Sensitivity
	user, own := o.user.Sensitivity.resolved(), o.own.Sensitivity.resolved()
	if fallback := cmp.Or(user.Default, "internal"); own.Default != "" && strictness(own.Default) < strictness(fallback) {
		o.ignored(fmt.Sprintf("sensitivity.default = %q", own.Default), fmt.Sprintf("a file in the vault cannot make notes freer than you have them (%s)", fallback))
	}
	for _, name := range sortedKeys(own.Names) {
		known, says := "private", "your configuration does not know the name, so that it means private"
		for _, other := range sortedKeys(user.Names) {
			if strings.EqualFold(strings.TrimSpace(other), strings.TrimSpace(name)) {
				known, says = user.Names[other], "your configuration says "+user.Names[other]
			}
		}
		if strictness(name) < 0 && strictness(own.Names[name]) < strictness(known) {
			o.ignored(fmt.Sprintf("sensitivity.names.%s = %q", quotedKey(name), own.Names[name]), says)
		}
	}
	for _, folder := range sortedKeys(own.Folders) {
		deepest := ""
		for _, other := range sortedKeys(user.Folders) {
			if isBelow(folder, other) && len(cleanFolder(other)) >= len(cleanFolder(deepest)) {
				deepest = other
			}
		}
		if deepest != "" && strictness(own.Folders[folder]) < strictness(user.Folders[deepest]) {
			o.ignored(fmt.Sprintf("sensitivity.folders.%s = %q", quotedKey(folder), own.Folders[folder]), fmt.Sprintf("your configuration says %s", user.Folders[deepest]))
		}
	}
}
