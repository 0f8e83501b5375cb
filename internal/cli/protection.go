package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quarry"
	"quarry/internal/lazyregexp"
)

// redactionSettings are the table [redaction] of a configuration.
type redactionSettings struct {
	Patterns []patternSettings `toml:"patterns"` // rules beside those of the program
	Off      []string          `toml:"off"`      // user's file only: rules that are not to be looked for
	Allow    []string          `toml:"allow"`    // SHA-256 of values that are no secrets
}

type patternSettings struct {
	Name     string   `toml:"name"`
	Pattern  string   `toml:"pattern"`
	Keywords []string `toml:"keywords"`
}

// sensitivitySettings are the table [sensitivity] of a configuration.
type sensitivitySettings struct {
	Property string            `toml:"property"`
	Default  string            `toml:"default"`
	Folders  map[string]string `toml:"folders"`
	Names    map[string]string `toml:"names"`
}

// options are the settings as the filter takes them.
func (r redactionSettings) options() quarry.RedactionOptions {
	options := quarry.RedactionOptions{Off: r.Off, Allowed: r.Allow}
	for _, p := range r.Patterns {
		options.Patterns = append(options.Patterns, quarry.RedactionPattern(p))
	}
	return options
}

// redactionOfNotes are the settings by which the text of notes is filtered: the patterns of the vault count, too.
func (s settings) redactionOfNotes() quarry.RedactionOptions {
	all := s.Redaction
	all.Patterns = slices.Concat(all.Patterns, s.vaultPatterns)
	return all.options()
}

// misplaced is a mistake in a configuration, and at which key.
type misplaced struct {
	key, hint string
	cause     error
}

// in is the mistake as an error, with the line of its file.
func (m *misplaced) in(path string, lines map[string]int) error {
	where := path
	if line := lineOf(lines, m.key); line > 0 {
		where = fmt.Sprintf("%s:%d", path, line)
	}
	return &hinted{fmt.Errorf("read the configuration %s: %s: %w", where, keyInWords(m.key), m.cause), m.hint}
}

var (
	itemOfKey = lazyregexp.New(`\[(\d+)\](?:\.|$)`)
	bareKey   = lazyregexp.New(`^[A-Za-z0-9_-]+$`)
)

// keyInWords is a key as a person counts: "redaction.patterns[0].name" is "redaction.patterns, entry 1, name".
func keyInWords(key string) string {
	for _, table := range []string{"sensitivity.folders.", "sensitivity.names."} {
		if name, ok := strings.CutPrefix(key, table); ok {
			return table + quotedKey(name)
		}
	}
	return strings.TrimSuffix(itemOfKey.ReplaceAllStringFunc(key, func(item string) string {
		number, _ := strconv.Atoi(strings.Trim(item, "[]."))
		return fmt.Sprintf(", entry %d, ", number+1)
	}), ", ")
}

// quotedKey is a name as TOML takes it for a key.
func quotedKey(name string) string {
	if bareKey.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}

// moreHints tell where to look further, by option.
var moreHints = map[string]string{
	"off":   ". `quarry redact --rules` lists all",
	"allow": ". `quarry redact --hashes` prints the hash of each finding",
}

// wrongProtection finds the first mistake in the tables of redaction and sensitivity.
func wrongProtection(s settings, lines map[string]int) *misplaced {
	return cmp.Or(s.Redaction.slip(), s.Redaction.mistake(), s.Sensitivity.slip(lines), s.Sensitivity.mistake())
}

// openBrace is a repeat whose brace is not closed, which RE2 takes by the letter.
var openBrace = lazyregexp.New(`(?:^|[^\\])\{[0-9]+(?:,[0-9]*)?(?:[^0-9,}]|$)`)

// slip finds what is plainly meant in another way than the filter would take it, or say of it.
func (r redactionSettings) slip() *misplaced {
	for i, p := range r.Patterns {
		key := fmt.Sprintf("redaction.patterns[%d]", i)
		switch {
		case p.Name == "":
			return &misplaced{key, `a pattern needs a name for its marker, such as name = "door-code"`, errors.New("there is no name")}
		case p.Pattern == "":
			return &misplaced{key, `a pattern needs what is to be found, such as pattern = "code-[0-9]{6}"`, errors.New("there is no pattern")}
		case openBrace.MatchString(p.Pattern):
			return &misplaced{key + ".pattern", `close the brace, or write \{ where the brace itself is meant`, errors.New("a repeat has no closing brace")}
		}
	}
	for i, name := range r.Off {
		bare := strings.TrimSuffix(strings.TrimPrefix(strings.Trim(name, " ["), "REDACTED:"), "]")
		key := fmt.Sprintf("redaction.off[%d]", i)
		switch {
		case slices.ContainsFunc(r.Patterns, func(p patternSettings) bool { return p.Name == bare }):
			return &misplaced{key, "take the pattern itself out of the configuration", errors.New("it is a pattern of this file, and no rule that is built in")}
		case bare != name && slices.Contains(quarry.RedactionRules(), bare):
			return &misplaced{key, fmt.Sprintf("write the name alone: %q", bare), errors.New("it is a marker, and not the name of a rule")}
		case len(rulesOf(bare)) > 0:
			return &misplaced{key, fmt.Sprintf("did you mean %s? `quarry redact --rules` lists all", strings.Join(rulesOf(bare), ", ")), errors.New("no rule has this name")}
		}
	}
	return nil
}

// rulesOf are the first rules that have a word in their name which is not a whole name: those of "aws".
func rulesOf(word string) []string {
	rules := quarry.RedactionRules()
	if slices.Contains(rules, word) {
		return nil
	}
	rules = slices.DeleteFunc(rules, func(rule string) bool { return !slices.Contains(strings.Split(rule, "-"), strings.ToLower(word)) })
	return rules[:min(len(rules), 5)]
}

// mistake finds what the filter does not take.
func (r redactionSettings) mistake() *misplaced {
	_, err := quarry.NewRedactor(r.options())
	var option *quarry.RedactionOptionError
	switch {
	case errors.As(err, &option):
		key := fmt.Sprintf("redaction.%s[%d]", option.Option, option.Index)
		if option.Field != "" {
			key += "." + option.Field
		}
		return &misplaced{key, strings.Replace(option.Hint+moreHints[option.Option], "?.", "?", 1), errors.New(option.Problem)}
	case err != nil:
		return &misplaced{"redaction", listsKeys, err}
	}
	return nil
}

// classes are the names of the classes, from the freest to the strictest.
var classes = []string{"public", "internal", "private", "secret"}

// strictness is the place of a class in their order, -1 where there is no such class.
func strictness(class string) int {
	return slices.Index(classes, strings.ToLower(strings.TrimSpace(class)))
}

// slip finds what would be without effect.
func (s sensitivitySettings) slip(lines map[string]int) *misplaced {
	if lines["sensitivity.property"] > 0 && strings.TrimSpace(s.Property) == "" {
		return &misplaced{"sensitivity.property", `leave the key out for "sensitivity"`, errors.New("a property needs a name")}
	}
	for _, name := range sortedKeys(s.Names) {
		if own, other := strictness(name), strictness(s.Names[name]); own >= 0 && other >= 0 && own != other {
			return &misplaced{"sensitivity.names." + name, "give other names to the classes, and leave their own as they are", fmt.Errorf("%s is a class itself, and cannot mean another", classes[own])}
		}
	}
	return nil
}

// mistake finds names of classes that there are none of, and folders that protect nothing.
func (s sensitivitySettings) mistake() *misplaced {
	err := quarry.CheckSensitivity(s.resolved())
	var entry *quarry.SensitivityError
	if !errors.As(err, &entry) {
		return nil
	}
	key := "sensitivity." + entry.Option
	if entry.Entry != "" {
		key += "." + entry.Entry
	}
	return &misplaced{key, `classes are public, internal, private and secret; a folder is one below the vault, "." the whole`, entry.Cause}
}

// resolved are the settings with classes where the default and the folders have names of the user's own for them.
func (s sensitivitySettings) resolved() quarry.SensitivityConfig {
	class := func(given string) string {
		for _, name := range sortedKeys(s.Names) {
			if strictness(given) < 0 && strings.EqualFold(strings.TrimSpace(name), strings.TrimSpace(given)) {
				return s.Names[name]
			}
		}
		return given
	}
	out := quarry.SensitivityConfig{Property: s.Property, Default: class(s.Default), Names: s.Names, Folders: maps.Clone(s.Folders)}
	for folder, given := range s.Folders {
		out.Folders[folder] = class(given)
	}
	return out
}

func sortedKeys(names map[string]string) []string { return slices.Sorted(maps.Keys(names)) }

// sensitivity gives the rules of the user's file and those of the vault's, of which the strictest counts for a note. That
// the user's file names no default means internal: the vault's cannot make it public.
func (s settings) sensitivity() []quarry.SensitivityConfig {
	user := s.Sensitivity.resolved()
	if s.vaultSensitivity == nil || s.vaultSensitivity.isEmpty() {
		return []quarry.SensitivityConfig{user}
	}
	own := s.vaultSensitivity.resolved()
	own.Property = cmp.Or(own.Property, user.Property)
	if own.Default != "" {
		user.Default = cmp.Or(user.Default, "internal")
	}
	return []quarry.SensitivityConfig{user, own}
}

func (s sensitivitySettings) isEmpty() bool {
	return s.Property == "" && s.Default == "" && len(s.Folders)+len(s.Names) == 0
}

// audience is whom the command line answers: the flag or the environment can make it a client, and neither takes that back.
func (a *app) audience() (quarry.Audience, error) {
	out := quarry.Owner
	for _, given := range []struct{ where, value string }{{"--audience", a.flags.audience}, {"QUARRY_AUDIENCE", a.io.Env("QUARRY_AUDIENCE")}} {
		switch quarry.Audience(given.value) {
		case "", quarry.Owner:
		case quarry.Client:
			out = quarry.Client
		default:
			return "", usage("audiences are owner and client", "%s takes owner or client, not %q", given.where, given.value)
		}
	}
	return out, nil
}
