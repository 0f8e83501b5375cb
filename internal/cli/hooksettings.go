package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quarry/internal/hook"
)

// hookSettings is the table [hooks].
type hookSettings struct {
	Prompt       *bool    `toml:"prompt"`                  // context for prompts
	Tools        []string `toml:"tools"`                   // before which context is given
	Session      *bool    `toml:"session"`                 // blocks when a session starts
	MaxTokens    *int64   `toml:"max_tokens"`              // of one piece of context
	MinScore     *float64 `toml:"min_score"`               // that a passage needs
	Compress     *bool    `toml:"compress"`                // shortens outputs
	CompressMin  *int64   `toml:"compress_min_characters"` // from which on
	Capture      *bool    `toml:"capture"`                 // keeps outputs as notes
	CaptureMin   *int64   `toml:"capture_min_characters"`  // from which on
	CaptureTools []string `toml:"capture_tools"`           // whose outputs
	Log          *bool    `toml:"log"`                     // beside the index
}

// hookKeys are the keys of [hooks].
var hookKeys = []string{
	"prompt", "tools", "session", "max_tokens", "min_score", "compress", "compress_min_characters", "capture", "capture_min_characters",
	"capture_tools", "log",
}

// Bounds of numbers in [hooks].
const (
	leastHookTokens                         = 100
	leastHookCharacters, mostHookCharacters = 200, 10_000_000
	leastCaptureCharacters                  = 100
	mostHookTools                           = 100
)

// wrongHooks finds the first mistake in the table of hooks.
func wrongHooks(s settings, _ map[string]int) *misplaced {
	h := s.Hooks
	for _, number := range []struct {
		key         string
		value       *int64
		least, most int64
	}{
		{"max_tokens", h.MaxTokens, leastHookTokens, hook.MaxTokens},
		{"compress_min_characters", h.CompressMin, leastHookCharacters, mostHookCharacters},
		{"capture_min_characters", h.CaptureMin, leastCaptureCharacters, mostHookCharacters},
	} {
		if number.value != nil && (*number.value < number.least || *number.value > number.most) {
			return &misplaced{"hooks." + number.key, fmt.Sprintf("%s takes %d to %d", number.key, number.least, number.most), fmt.Errorf("%d is out of range", *number.value)}
		}
	}
	if h.MinScore != nil && !(*h.MinScore >= 0 && *h.MinScore <= 1) { // NaN is out of range too
		return &misplaced{"hooks.min_score", "min_score takes 0 to 1", fmt.Errorf("%v is out of range", *h.MinScore)}
	}
	for _, list := range []struct {
		key   string
		tools []string
	}{{"tools", h.Tools}, {"capture_tools", h.CaptureTools}} {
		if mistake := wrongTools("hooks."+list.key, list.tools); mistake != nil {
			return mistake
		}
	}
	return nil
}

func wrongTools(key string, tools []string) *misplaced {
	const hint = `tools are named as the client names them, such as "Edit", "Bash" or "run_shell_command"`
	if len(tools) > mostHookTools {
		return &misplaced{key, hint, fmt.Errorf("it takes up to %d tools", mostHookTools)}
	}
	for i, tool := range tools {
		at := fmt.Sprintf("%s[%d]", key, i)
		switch {
		case strings.TrimSpace(tool) == "" || len(tool) > 128:
			return &misplaced{at, hint, fmt.Errorf("%q is no name of a tool", tool)}
		case hook.IsRead(tool):
			return &misplaced{at, "leave it out; " + hint, errors.New("a tool that reads files gets no context, and what it reads is not kept")}
		}
	}
	return nil
}

// settings are those of package hook.
func (h hookSettings) settings() hook.Settings {
	s := hook.DefaultSettings()
	for _, one := range []struct {
		from *bool
		to   *bool
	}{{h.Prompt, &s.Prompt}, {h.Session, &s.Session}, {h.Compress, &s.Compress}, {h.Capture, &s.Capture}} {
		if one.from != nil {
			*one.to = *one.from
		}
	}
	for _, one := range []struct {
		from *int64
		to   *int
	}{{h.MaxTokens, &s.MaxTokens}, {h.CompressMin, &s.CompressMin}, {h.CaptureMin, &s.CaptureMin}} {
		if one.from != nil {
			*one.to = int(*one.from)
		}
	}
	if h.MinScore != nil {
		s.MinScore = *h.MinScore
	}
	if h.Tools != nil {
		s.Tools = h.Tools
	}
	if h.CaptureTools != nil {
		s.CaptureTools = h.CaptureTools
	}
	return s
}

// hooks lays the vault's table over the user's: it can only make hooks give and keep less.
func (o *vaultOverlay) hooks() {
	user, own := &o.user.Hooks, o.own.Hooks
	before := user.settings()
	for _, toggle := range []struct {
		key  string
		own  *bool
		user **bool
		now  bool
	}{
		{"prompt", own.Prompt, &user.Prompt, before.Prompt},
		{"session", own.Session, &user.Session, before.Session},
		{"compress", own.Compress, &user.Compress, before.Compress},
		{"capture", own.Capture, &user.Capture, before.Capture},
		{"log", own.Log, &user.Log, user.Log != nil && *user.Log},
	} {
		switch {
		case toggle.own == nil:
		case *toggle.own && !toggle.now:
			o.ignored("hooks."+toggle.key+" = true", "a file in the vault can only switch it off")
		default:
			*toggle.user = toggle.own
		}
	}
	o.hookNumber("max_tokens", own.MaxTokens, &user.MaxTokens, int64(before.MaxTokens), false)
	o.hookNumber("compress_min_characters", own.CompressMin, &user.CompressMin, int64(before.CompressMin), true)
	o.hookNumber("capture_min_characters", own.CaptureMin, &user.CaptureMin, int64(before.CaptureMin), true)
	switch {
	case own.MinScore == nil:
	case *own.MinScore < before.MinScore:
		o.ignored(fmt.Sprintf("hooks.min_score = %v", *own.MinScore), fmt.Sprintf("a file in the vault can only raise it (%v)", before.MinScore))
	default:
		user.MinScore = own.MinScore
	}
	o.hookTools("tools", own.Tools, &user.Tools, before.Tools)
	o.hookTools("capture_tools", own.CaptureTools, &user.CaptureTools, before.CaptureTools)
}

// hookNumber takes a number of the vault's where it is stricter: higher or, as a bound, lower.
func (o *vaultOverlay) hookNumber(key string, own *int64, user **int64, now int64, isHigherStricter bool) {
	verb := "lower"
	if isHigherStricter {
		verb = "raise"
	}
	switch {
	case own == nil:
	case isHigherStricter && *own < now, !isHigherStricter && *own > now:
		o.ignored(fmt.Sprintf("hooks.%s = %d", key, *own), fmt.Sprintf("a file in the vault can only %s it (%d)", verb, now))
	default:
		*user = own
	}
}

// hookTools leaves the tools that both name.
func (o *vaultOverlay) hookTools(key string, own []string, user *[]string, now []string) {
	if own == nil {
		return
	}
	both := []string{}
	for _, tool := range own {
		if slices.ContainsFunc(now, func(other string) bool { return strings.EqualFold(other, tool) }) {
			both = append(both, tool)
		} else {
			o.ignored(fmt.Sprintf("%q in hooks.%s", tool, key), "a file in the vault can only leave tools out")
		}
	}
	*user = both
}

// kindOfHookKey says what a key of [hooks] takes, "" for a text in quotes.
func kindOfHookKey(key string) string {
	switch key {
	case "hooks.prompt", "hooks.session", "hooks.compress", "hooks.capture", "hooks.log":
		return "true or false"
	case "hooks.max_tokens", "hooks.compress_min_characters", "hooks.capture_min_characters":
		return "a whole number"
	case "hooks.min_score":
		return "a number"
	case "hooks.tools", "hooks.capture_tools":
		return `a list of texts, such as ["Edit", "Bash"]`
	}
	return ""
}
