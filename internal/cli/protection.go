package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

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

// moreHints tell where to look further, by option.
var moreHints = map[string]string{
	"patterns": "; patterns are written in the syntax of RE2",
	"off":      "; `quarry redact --rules` lists all",
	"allow":    "; `quarry redact --hashes` prints the hash of each finding",
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
		return &misplaced{key, option.Hint + moreHints[option.Option], errors.New(option.Problem)}
	case err != nil:
		return &misplaced{"redaction", "docs/configuration.md tells what the table takes", err}
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

// mistake finds names of classes that there are none of, and folders that protect nothing.
func (s sensitivitySettings) mistake() *misplaced {
	err := quarry.CheckSensitivity(quarry.SensitivityConfig(s))
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
