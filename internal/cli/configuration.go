package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/pelletier/go-toml/v2"

	"quarry"
	"quarry/internal/lazyregexp"
)

// settings is what a configuration file may hold. In a file inside the vault only the second half counts: such a file may
// come from somebody else, so it never names a place outside the vault.
type settings struct {
	Vault string `toml:"vault"` // user's file only
	DB    string `toml:"db"`    // user's file only
	Model string `toml:"model"` // user's file only: a Model2Vec folder

	Folders    []string `toml:"folders"`     // take in these folders alone
	Ignore     []string `toml:"ignore"`      // further rules as in .indexignore
	MaxFileMiB *int64   `toml:"max_file_mb"` // larger files are skipped; a file in the vault can only lower it
	Dialect    string   `toml:"dialect"`     // one of quarry.Dialects
	DataFiles  *bool    `toml:"data_files"`  // take in files of JSON and YAML

	Search      rankingSettings     `toml:"search"`
	Types       typesSettings       `toml:"types"`
	Redaction   redactionSettings   `toml:"redaction"`
	Sensitivity sensitivitySettings `toml:"sensitivity"`

	Blocks  map[string]blockSettings `toml:"blocks"`
	Session sessionSettings          `toml:"session"`
	Capture captureSettings          `toml:"capture"`
	Hooks   hookSettings             `toml:"hooks"`
	Server  serverSettings           `toml:"server"` // user's file only
	Intake  intakeSettings           `toml:"intake"` // user's file only

	lines            map[string]int       // of the keys
	vaultSensitivity *sensitivitySettings // of the vault's own file, nil where there is none
	vaultPatterns    []patternSettings    // of the vault's own file
	vaultSearch      rankingSettings      // of the vault's own file
}

// A configuration larger than this is none.
const maxConfigBytes = 1 << 20

// Sizes of notes, in MiB.
const (
	defaultMaxFileMiB = 16
	mostMaxFileMiB    = 1024
)

// vaultConfigName is the configuration file inside a vault.
const vaultConfigName = ".quarry.toml"

// readSettings reads a configuration. One that is not there is empty, unless it is required.
func readSettings(path string, required bool) (settings, error) {
	content, err := readConfiguration(path, required)
	if err != nil || content == nil {
		return settings{}, err
	}
	return parseSettings(path, content)
}

// readConfiguration is the text of a configuration, nil where there is none.
func readConfiguration(path string, required bool) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unblocked(), 0)
	if errors.Is(err, fs.ErrNotExist) && !required {
		return nil, nil
	}
	if err != nil {
		hint := "check the path given with --config"
		if errors.Is(err, fs.ErrPermission) {
			hint = "check the permissions of the file"
		}
		return nil, &hinted{fmt.Errorf("read the configuration %s: %w", path, plain(err)), hint}
	}
	defer file.Close()
	var content []byte
	info, err := file.Stat() // of what is open: a name can come to mean something else
	isRegular := err == nil && info.Mode().IsRegular()
	if isRegular {
		content, err = io.ReadAll(io.LimitReader(file, maxConfigBytes+1))
	}
	switch {
	case err != nil:
		return nil, &hinted{fmt.Errorf("read the configuration %s: %w", path, plain(err)), "check the permissions of the file"}
	case !isRegular || len(content) > maxConfigBytes:
		return nil, &hinted{fmt.Errorf("read the configuration %s: it is no regular file of at most 1 MiB", path), "check the path given with --config"}
	}
	return append([]byte{}, bytes.TrimPrefix(content, []byte("\ufeff"))...), nil
}

// unblocked is the flag by which a named pipe does not keep waiting who opens it; Windows has none in folders.
func unblocked() int {
	if runtime.GOOS == "windows" {
		return 0
	}
	return syscall.O_NONBLOCK
}

// parseSettings reads the text of a configuration; the error names the first mistake with its line.
func parseSettings(path string, content []byte) (settings, error) {
	var s settings
	if err := toml.Unmarshal(content, &s); err != nil {
		if mistake := wrongItem(content); mistake != nil {
			return s, mistake.in(path, tomlLines(content))
		}
		return s, &hinted{tomlError(path, err), listsKeys}
	}
	lines := tomlLines(content)
	s.lines = lines
	for _, check := range []func(settings, map[string]int) *misplaced{unknownKey, wrongValue, wrongRanking, wrongTypes, wrongProtection, wrongBlocks, wrongHooks, wrongServer} {
		if mistake := check(s, lines); mistake != nil {
			return s, mistake.in(path, lines)
		}
	}
	return s, nil
}

const listsKeys = "docs/configuration.md lists the keys and what they take; `quarry help configuration` does so in short"

// wrongValue finds plain values that are out of range.
func wrongValue(s settings, _ map[string]int) *misplaced {
	if size := s.maxFileMiB(); size < 1 || size > mostMaxFileMiB {
		return &misplaced{"max_file_mb", fmt.Sprintf("max_file_mb takes 1 to %d", mostMaxFileMiB), fmt.Errorf("%d is out of range", size)}
	}
	if err := quarry.CheckDialect(s.Dialect); err != nil {
		return &misplaced{"dialect", "dialect takes " + strings.Join(quarry.Dialects, ", "), err}
	}
	return nil
}

func (s settings) maxFileMiB() int64 {
	if s.MaxFileMiB == nil {
		return defaultMaxFileMiB
	}
	return *s.MaxFileMiB
}

// knownKeys are those that a configuration may have, by the table that holds them.
var knownKeys = map[string][]string{
	"":                   {"vault", "db", "model", "folders", "ignore", "max_file_mb", "dialect", "data_files", "search", "types", "redaction", "sensitivity", "blocks", "session", "capture", "hooks", "server", "intake"},
	"blocks.*":           blockKeys,
	"blocks.*.filters":   blockFilterKeys,
	"session":            sessionKeys,
	"capture":            captureKeys,
	"hooks":              hookKeys,
	"server":             serverKeys,
	"intake":             intakeKeys,
	"search":             rankingNames(""),
	"search.signals":     rankingNames("signals."),
	"types":              {"file", "overrides"},
	"redaction":          {"patterns", "off", "allow"},
	"redaction.patterns": {"name", "pattern", "keywords"},
	"sensitivity":        {"property", "default", "folders", "names"},
}

var itemNumber = lazyregexp.New(`\[\d+\]`)

// unknownKey finds the first key that means nothing.
func unknownKey(_ settings, lines map[string]int) *misplaced {
	var first *misplaced
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		if isOwnName(name) || strings.HasSuffix(name, "]") {
			continue // items of lists
		}
		table, key, isInside := cutLast(itemNumber.ReplaceAllString(name, ""), ".")
		if !isInside {
			table, key = "", table
		}
		known, isTable := knownKeys[generalTable(table)]
		if !isTable || slices.Contains(known, key) || first != nil && lines[first.key] <= lines[name] {
			continue
		}
		hint := listsKeys
		if near := nearest(key, known); near != "" {
			hint = fmt.Sprintf("did you mean %s? %s", near, hint)
		} else if home := homeOf(key); home != "" {
			hint = fmt.Sprintf("%s stands %s; %s", key, home, hint)
		}
		first = &misplaced{name, hint, errors.New("there is no such key")}
	}
	return first
}

// generalTable is the name of a table in which a name of the user's own is "*".
func generalTable(table string) string {
	name, isBlock := strings.CutPrefix(table, "blocks.")
	switch {
	case !isBlock:
		return table
	case strings.HasSuffix(name, ".filters"):
		return "blocks.*.filters"
	}
	return "blocks.*"
}

// isOwnName tells of keys that are names of the user's own.
func isOwnName(key string) bool {
	if name, isBlock := strings.CutPrefix(key, "blocks."); isBlock && !strings.Contains(name, ".") {
		return true
	}
	for _, table := range []string{"sensitivity.folders.", "sensitivity.names.", "search." + halfLives + "."} {
		if strings.HasPrefix(key, table) {
			return true
		}
	}
	return false
}

// homeOf tells where a key belongs that stands in the wrong table.
func homeOf(key string) string {
	for _, table := range slices.Sorted(maps.Keys(knownKeys)) {
		switch {
		case !slices.Contains(knownKeys[table], key):
		case table == "":
			return "at the top of the file, above all tables"
		default:
			return "in the table [" + table + "]"
		}
	}
	return ""
}

func cutLast(text, separator string) (before, after string, found bool) {
	at := strings.LastIndex(text, separator)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(separator):], true
}

// wrongItem finds a value of a pattern that is of another kind than it takes, of which the decoder tells the list alone.
func wrongItem(content []byte) *misplaced {
	var s struct {
		Redaction struct {
			Patterns []map[string]any `toml:"patterns"`
		} `toml:"redaction"`
	}
	if toml.Unmarshal(content, &s) != nil {
		return nil
	}
	for i, pattern := range s.Redaction.Patterns {
		for _, name := range slices.Sorted(maps.Keys(pattern)) {
			kind := kindOfKey("redaction.patterns." + name)
			_, isText := pattern[name].(string)
			_, isList := pattern[name].([]any)
			if name == "keywords" && !isList || name != "keywords" && !isText {
				return &misplaced{fmt.Sprintf("redaction.patterns[%d].%s", i, name), listsKeys, fmt.Errorf("it takes %s", kind)}
			}
		}
	}
	return nil
}

// tomlError tells in plain words what is wrong with a configuration, and where.
func tomlError(path string, err error) error {
	var decode *toml.DecodeError
	if !errors.As(err, &decode) {
		return fmt.Errorf("read the configuration %s: %s", path, strings.TrimPrefix(err.Error(), "toml: "))
	}
	row, _ := decode.Position()
	reason := strings.TrimPrefix(decode.Error(), "toml: ")
	switch key := decode.Key(); {
	case strings.HasPrefix(reason, "cannot decode"), strings.HasPrefix(reason, "cannot store"), strings.Contains(reason, "struct field"):
		reason = fmt.Sprintf("%s takes %s", strings.Join(key, "."), kindOfKey(strings.Join(key, ".")))
	default:
		reason = "it is no TOML: " + plainTOML(reason)
	}
	return fmt.Errorf("read the configuration %s:%d: %s", path, row, reason)
}

// plainTOML says what the parser's commonest reasons mean.
func plainTOML(reason string) string {
	for _, known := range []struct{ part, plain string }{
		{"invalid escape", `a "\" in double quotes begins an escape; a text in single quotes takes it as it is`},
		{"U+000A at start of value", `there is no value behind the "="`},
		{"incorrect character", `a text stands in quotes`},
		{"at start of value", `a text stands in quotes`},
		{"strings cannot have new lines", "a text in quotes does not end on its line"},
		{"number is too large", "the number is too large"},
		{"invalid character at start of key", "a name of other characters than A-Z, a-z, 0-9, - and _ stands in quotes"},
		{"after key", `a "=" and a value stand behind a key, and a name of other characters than A-Z, a-z, 0-9, - and _ in quotes`},
	} {
		if strings.Contains(reason, known.part) {
			return known.plain
		}
	}
	return reason
}

// kindOfKey says what a key of the configuration takes.
func kindOfKey(key string) string {
	for _, kind := range []func(string) string{kindOfBlockKey, kindOfHookKey, kindOfServerKey} {
		if said := kind(key); said != "" {
			return said
		}
	}
	switch key {
	case "folders", "ignore", "types.overrides", "redaction.off", "redaction.allow", "redaction.patterns.keywords":
		return `a list of texts, such as ["a", "b"]`
	case "redaction.patterns":
		return `a list of tables, such as [{name = "a", pattern = "b"}]`
	case "search", "types", "redaction", "sensitivity", "blocks", "session", "capture", "hooks", "server", "intake", "sensitivity.folders", "sensitivity.names":
		return "a table"
	case "max_file_mb":
		return "a whole number"
	case "data_files", "intake.attachments":
		return "true or false"
	}
	return "a text in quotes"
}
