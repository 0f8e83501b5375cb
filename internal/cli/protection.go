package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
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

// optionPlace is how an error of the filter begins, up to the field of a pattern: the place is known better here.
var optionPlace = regexp.MustCompile(`^redaction \w+, entry \d+(?: \([^)]*\))?(?:, (\w+))?: `)

// mistake finds what the filter does not take.
func (r redactionSettings) mistake() *misplaced {
	if _, err := quarry.NewRedactor(r.options()); err != nil {
		return r.locate(err)
	}
	first := map[string]int{}
	for i, p := range r.Patterns {
		if at, ok := first[p.Name]; ok {
			return &misplaced{fmt.Sprintf("redaction.patterns[%d].name", i), "give each pattern a name of its own", fmt.Errorf("pattern %d has the same name", at+1)}
		}
		first[p.Name] = i
	}
	return nil
}

// locate tries the options one by one, for the key of the one that cannot be used.
func (r redactionSettings) locate(whole error) *misplaced {
	one := func(key, hint string, options quarry.RedactionOptions) *misplaced {
		_, err := quarry.NewRedactor(options)
		if err == nil {
			return nil
		}
		reason := err.Error()
		if place := optionPlace.FindStringSubmatch(reason); place != nil {
			reason = reason[len(place[0]):]
			if place[1] != "" {
				key += "." + place[1]
			}
		}
		return &misplaced{key, hint, errors.New(reason)}
	}
	for i, p := range r.Patterns {
		hint := "a pattern has a name of small letters, digits and hyphens, an RE2 pattern, and keywords one of which every match holds"
		if m := one(fmt.Sprintf("redaction.patterns[%d]", i), hint, quarry.RedactionOptions{Patterns: []quarry.RedactionPattern{quarry.RedactionPattern(p)}}); m != nil {
			return m
		}
	}
	for i, name := range r.Off {
		hint := "`quarry redact --hashes` prints the rule of each finding"
		if m := one(fmt.Sprintf("redaction.off[%d]", i), hint, quarry.RedactionOptions{Off: []string{name}}); m != nil {
			return m
		}
	}
	for i, value := range r.Allow {
		hint := "`quarry redact --hashes` prints the hash of each finding"
		if m := one(fmt.Sprintf("redaction.allow[%d]", i), hint, quarry.RedactionOptions{Allowed: []string{value}}); m != nil {
			return m
		}
	}
	return &misplaced{"redaction", "docs/configuration.md tells what the table takes", whole}
}

// mistake finds names of classes that there are none of, and folders that protect nothing.
func (s sensitivitySettings) mistake() *misplaced {
	hint := "classes are " + strings.Join(classes, ", ")
	unknown := func(key, class string) *misplaced {
		if slices.Contains(classes, strings.ToLower(strings.TrimSpace(class))) {
			return nil
		}
		return &misplaced{key, hint, fmt.Errorf("there is no class %q", class)}
	}
	if s.Default != "" {
		if m := unknown("sensitivity.default", s.Default); m != nil {
			return m
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(s.Folders)) {
		key := "sensitivity.folders." + folder
		if m := unknown(key, s.Folders[folder]); m != nil {
			return m
		}
		if strings.TrimSpace(folder) == "" || strings.ContainsAny(folder, "*?[") || !filepath.IsLocal(filepath.FromSlash(strings.Trim(folder, "/"))) {
			return &misplaced{key, `a folder below the vault stands for all in it; "." is the whole vault`, errors.New("it names no folder of the vault")}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Names)) {
		if m := unknown("sensitivity.names."+name, s.Names[name]); m != nil {
			return m
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
	if line := lineOf(content, mistake.key); line > 0 {
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

// sensitivity gives the rules of the user's file and those of the vault's, of which the strictest counts for a note. That
// the user's file names no default means internal: the vault's cannot make it public.
func (s settings) sensitivity() []quarry.SensitivityConfig {
	user := quarry.SensitivityConfig(s.Sensitivity)
	if s.vaultSensitivity == nil {
		return []quarry.SensitivityConfig{user}
	}
	user.Default = cmp.Or(user.Default, "internal")
	own := quarry.SensitivityConfig(*s.vaultSensitivity)
	own.Property = cmp.Or(own.Property, user.Property)
	return []quarry.SensitivityConfig{user, own}
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
