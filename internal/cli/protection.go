package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quarry"
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

// classes are the names that every vault knows, from the freest to the strictest.
var classes = []string{"public", "internal", "private", "secret"}

// options are the settings as the filter takes them.
func (r redactionSettings) options() quarry.RedactionOptions {
	options := quarry.RedactionOptions{Off: r.Off, Allowed: r.Allow}
	for _, p := range r.Patterns {
		options.Patterns = append(options.Patterns, quarry.RedactionPattern(p))
	}
	return options
}

// misplaced is a mistake in a configuration, and at which key.
type misplaced struct {
	key, hint string
	cause     error
}

// mistake finds what the filter does not take, key by key.
func (r redactionSettings) mistake() *misplaced {
	one := func(key, hint string, options quarry.RedactionOptions) *misplaced {
		if _, err := quarry.NewRedactor(options); err != nil {
			return &misplaced{key, hint, err}
		}
		return nil
	}
	names := map[string]bool{}
	for i, p := range r.Patterns {
		key := fmt.Sprintf("redaction.patterns[%d]", i)
		if names[p.Name] {
			return &misplaced{key, "give each pattern a name of its own", fmt.Errorf("there are two patterns %q", p.Name)}
		}
		names[p.Name] = true
		hint := "a pattern has a name of small letters, digits and hyphens, an RE2 pattern, and keywords one of which every match holds"
		if m := one(key, hint, quarry.RedactionOptions{Patterns: []quarry.RedactionPattern{quarry.RedactionPattern(p)}}); m != nil {
			return m
		}
	}
	for i, name := range r.Off {
		key, hint := fmt.Sprintf("redaction.off[%d]", i), "`quarry redact --hashes` prints the rule of each finding"
		if m := one(key, hint, quarry.RedactionOptions{Off: []string{name}}); m != nil {
			return m
		}
	}
	for i, hash := range r.Allow {
		key, hint := fmt.Sprintf("redaction.allow[%d]", i), "`quarry redact --hashes` prints the hash of each finding"
		if m := one(key, hint, quarry.RedactionOptions{Allowed: []string{hash}}); m != nil {
			return m
		}
	}
	if _, err := quarry.NewRedactor(r.options()); err != nil {
		return &misplaced{"redaction", "take patterns away, or make them shorter", err}
	}
	return nil
}

// mistake finds names of classes that there are none of.
func (s sensitivitySettings) mistake() *misplaced {
	known := func(class string) bool {
		return slices.Contains(classes, class) || s.Names[class] != "" && slices.Contains(classes, s.Names[class])
	}
	hint := "classes are " + strings.Join(classes, ", ") + ", and those of [sensitivity.names]"
	for _, name := range slices.Sorted(maps.Keys(s.Names)) {
		key := "sensitivity.names." + name
		if slices.Contains(classes, name) {
			return &misplaced{key, "give a further name, such as confidential", fmt.Errorf("%q is a class already", name)}
		}
		if !slices.Contains(classes, s.Names[name]) {
			return &misplaced{key, "classes are " + strings.Join(classes, ", "), fmt.Errorf("there is no class %q", s.Names[name])}
		}
	}
	if s.Default != "" && !known(s.Default) {
		return &misplaced{"sensitivity.default", hint, fmt.Errorf("there is no class %q", s.Default)}
	}
	for _, folder := range slices.Sorted(maps.Keys(s.Folders)) {
		if key := "sensitivity.folders." + folder; !known(s.Folders[folder]) {
			return &misplaced{key, hint, fmt.Errorf("there is no class %q", s.Folders[folder])}
		}
		if strings.Trim(folder, "/ ") == "" {
			return &misplaced{"sensitivity.folders." + folder, "name a folder below the vault; default is for all notes", errors.New("the folder has no name")}
		}
	}
	return nil
}

// checkProtection gives the first mistake in the tables of redaction and sensitivity, with its file and line.
func checkProtection(path string, content []byte, s settings) error {
	mistake := cmp.Or(s.Redaction.mistake(), s.Sensitivity.mistake())
	if mistake == nil {
		return nil
	}
	where := path
	if line := tomlLines(content)[mistake.key]; line > 0 {
		where = fmt.Sprintf("%s:%d", path, line)
	}
	return &hinted{fmt.Errorf("read the configuration %s: %s: %w", where, mistake.key, mistake.cause), mistake.hint}
}

// tighten adds what a vault's own file says of secrets and classes: it can make things stricter alone.
func (a *app) tighten(user *settings, own settings, path string) {
	if len(own.Redaction.Off) > 0 {
		a.notice("notice: %s: redaction.off is ignored: a file in the vault cannot switch rules off", path)
	}
	user.Redaction.Patterns = slices.Concat(user.Redaction.Patterns, own.Redaction.Patterns)
	user.Redaction.Allow = slices.Concat(user.Redaction.Allow, own.Redaction.Allow)
	user.vaultSensitivity = &own.Sensitivity
}

// sensitivity gives the rules of the user's file and those of the vault's, of which the strictest counts for a note. Where
// the vault's file says nothing, it says what the user's does.
func (s settings) sensitivity() []quarry.SensitivityConfig {
	user := quarry.SensitivityConfig(s.Sensitivity)
	if s.vaultSensitivity == nil {
		return []quarry.SensitivityConfig{user}
	}
	own := quarry.SensitivityConfig(*s.vaultSensitivity)
	own.Property = cmp.Or(own.Property, user.Property)
	own.Default = cmp.Or(own.Default, user.Default)
	own.Folders = overlaid(user.Folders, own.Folders)
	own.Names = overlaid(user.Names, own.Names)
	return []quarry.SensitivityConfig{user, own}
}

func overlaid(below, above map[string]string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, below)
	maps.Copy(out, above)
	return out
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
