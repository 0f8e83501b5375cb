package cli

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"quarry"
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

	Redaction   redactionSettings   `toml:"redaction"`
	Sensitivity sensitivitySettings `toml:"sensitivity"`

	vaultSensitivity *sensitivitySettings // of the vault's own file, nil where there is none
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

// config resolves flags, environment and files into what the engine needs: flag > environment > vault's file > user's file.
func (a *app) config() (quarry.Config, error) {
	user, err := a.userSettings()
	if err != nil {
		return quarry.Config{}, err
	}
	vaultDir, err := a.findVault(user)
	if err != nil {
		return quarry.Config{}, err
	}
	return a.configFor(vaultDir, user)
}

func (a *app) configFor(vaultDir string, user settings) (quarry.Config, error) {
	merged, err := a.overlay(user, vaultDir)
	if err != nil {
		return quarry.Config{}, err
	}
	db, err := a.databasePath(vaultDir, merged)
	if err != nil {
		return quarry.Config{}, err
	}
	logger, err := a.logger()
	if err != nil {
		return quarry.Config{}, err
	}
	audience, err := a.audience()
	if err != nil {
		return quarry.Config{}, err
	}
	return quarry.Config{
		VaultDir: vaultDir, DatabasePath: db, ModelDir: a.absolute(merged.Model), Folders: merged.Folders, Ignore: merged.Ignore,
		MaxFileBytes: merged.maxFileMiB() << 20, Dialect: merged.Dialect, DataFiles: merged.DataFiles != nil && *merged.DataFiles,
		Redaction: merged.Redaction.options(), Sensitivity: merged.sensitivity(), Audience: audience, Logger: logger,
	}, nil
}

func (a *app) userSettings() (settings, error) {
	if a.flags.config != "" {
		return readSettings(a.absolute(a.flags.config), true)
	}
	dir, err := a.userDir("XDG_CONFIG_HOME", os.UserConfigDir)
	if err != nil {
		return settings{}, nil // no home, no configuration
	}
	return readSettings(filepath.Join(dir, "quarry", "config.toml"), false)
}

// userDir asks the environment given to the command before the system.
func (a *app) userDir(variable string, system func() (string, error)) (string, error) {
	if dir := a.io.Env(variable); dir != "" && filepath.IsAbs(dir) && runtime.GOOS != "windows" {
		return dir, nil
	}
	return system()
}

func readSettings(path string, required bool) (settings, error) {
	var s settings
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && !required {
		return s, nil
	}
	if err != nil {
		return s, &hinted{fmt.Errorf("read the configuration %s: %w", path, plain(err)), "check the path given with --config"}
	}
	if !info.Mode().IsRegular() || info.Size() > maxConfigBytes {
		return s, &hinted{fmt.Errorf("read the configuration %s: it is no regular file of at most 1 MiB", path), "check the path given with --config"}
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return s, &hinted{fmt.Errorf("read the configuration %s: %w", path, plain(err)), "check the permissions of the file"}
	}
	decoder := toml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(content, []byte("\ufeff")))).DisallowUnknownFields()
	if err := decoder.Decode(&s); err != nil {
		return s, &hinted{tomlError(path, err), "docs/configuration.md lists the keys and what they take"}
	}
	if size := s.maxFileMiB(); size < 1 || size > mostMaxFileMiB {
		return s, &hinted{fmt.Errorf("read the configuration %s: max_file_mb = %d is out of range", path, size), fmt.Sprintf("max_file_mb takes 1 to %d", mostMaxFileMiB)}
	}
	if err := quarry.CheckDialect(s.Dialect); err != nil {
		return s, &hinted{fmt.Errorf("read the configuration %s: %w", path, err), "dialect takes " + strings.Join(quarry.Dialects, ", ")}
	}
	return s, checkProtection(path, content, s)
}

func (s settings) maxFileMiB() int64 {
	if s.MaxFileMiB == nil {
		return defaultMaxFileMiB
	}
	return *s.MaxFileMiB
}

// tomlError tells in plain words what is wrong with a configuration, and where.
func tomlError(path string, err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		row, _ := strict.Errors[0].Position()
		return fmt.Errorf("read the configuration %s:%d: there is no key %q", path, row, strings.Join(strict.Errors[0].Key(), "."))
	}
	var decode *toml.DecodeError
	if !errors.As(err, &decode) {
		return fmt.Errorf("read the configuration %s: %s", path, strings.TrimPrefix(err.Error(), "toml: "))
	}
	row, _ := decode.Position()
	reason := strings.TrimPrefix(decode.Error(), "toml: ")
	switch key := strings.Join(decode.Key(), "."); {
	case strings.HasPrefix(reason, "cannot decode"), strings.Contains(reason, "struct field"):
		reason = fmt.Sprintf("%s takes %s", key, kindOfKey(key))
	default:
		reason = "it is no TOML: " + plainTOML(reason)
	}
	return fmt.Errorf("read the configuration %s:%d: %s", path, row, reason)
}

// plainTOML says what the parser's commonest reasons mean.
func plainTOML(reason string) string {
	for _, known := range []struct{ part, plain string }{
		{"U+000A at start of value", `there is no value behind the "="`},
		{"strings cannot have new lines", "a text in quotes does not end on its line"},
		{"number is too large", "the number is too large"},
		{"after key", `there is no "=" behind the key`},
	} {
		if strings.Contains(reason, known.part) {
			return known.plain
		}
	}
	return reason
}

// kindOfKey says what a key of the configuration takes.
func kindOfKey(key string) string {
	switch key {
	case "folders", "ignore", "redaction.off", "redaction.allow", "redaction.patterns.keywords":
		return `a list of texts, such as ["a", "b"]`
	case "redaction.patterns":
		return `a list of tables, such as [{name = "a", pattern = "b"}]`
	case "redaction", "sensitivity", "sensitivity.folders", "sensitivity.names":
		return "a table"
	case "max_file_mb":
		return "a whole number"
	case "data_files":
		return "true or false"
	}
	return "a text in quotes"
}

// plain drops the path that the message names already.
func plain(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// overlay lays the vault's own file over the user's.
func (a *app) overlay(user settings, vaultDir string) (settings, error) {
	path := filepath.Join(vaultDir, vaultConfigName)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return user, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file")
	}
	if err != nil {
		return user, &hinted{fmt.Errorf("read the configuration %s: %w", path, plain(err)), "put a regular file in its place, or take it away"}
	}
	own, err := readSettings(path, false)
	if err != nil {
		return user, err
	}
	for key, value := range map[string]string{"vault": own.Vault, "db": own.DB, "model": own.Model} {
		if value != "" {
			a.notice("notice: %s: %q is ignored: a file in the vault cannot name places outside it", path, key)
		}
	}
	if own.Folders != nil {
		user.Folders = own.Folders
	}
	user.Ignore = append(user.Ignore, own.Ignore...)
	user.Dialect = cmp.Or(own.Dialect, user.Dialect)
	user.DataFiles = cmp.Or(own.DataFiles, user.DataFiles)
	a.tighten(&user, own, path)
	switch {
	case own.MaxFileMiB == nil:
	case *own.MaxFileMiB > user.maxFileMiB():
		a.notice("notice: %s: max_file_mb = %d is ignored: a file in the vault can only lower it (%d)", path, *own.MaxFileMiB, user.maxFileMiB())
	default:
		user.MaxFileMiB = own.MaxFileMiB
	}
	return user, nil
}

func (a *app) absolute(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(a.io.WorkDir, path)
}

// findVault is the folder of the notes: flag, environment, configuration, nearest marked parent.
func (a *app) findVault(user settings) (string, error) {
	for _, dir := range []string{a.flags.vault, a.io.Env("QUARRY_VAULT"), user.Vault} {
		if dir == "" {
			continue
		}
		dir = a.absolute(dir)
		info, err := os.Stat(dir)
		if err != nil {
			return "", &hinted{fmt.Errorf("open the vault %s: %w", dir, plain(err)), "check the path; --vault names another folder"}
		}
		if !info.IsDir() {
			return "", &hinted{fmt.Errorf("open the vault %s: it is no folder", dir), "--vault takes the folder of the notes"}
		}
		return dir, nil
	}
	for dir := a.io.WorkDir; ; dir = filepath.Dir(dir) {
		if isVault(dir) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", usage("quarry --vault ~/notes …", "no vault: none was named with --vault, in QUARRY_VAULT or in the configuration (vault = …), and no parent folder holds .obsidian/ or %s", vaultConfigName)
		}
	}
}

func isVault(dir string) bool {
	if info, err := os.Stat(filepath.Join(dir, ".obsidian")); err == nil && info.IsDir() {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, vaultConfigName))
	return err == nil
}

// databasePath is where the index lies: flag, environment, configuration, the user's cache.
func (a *app) databasePath(vaultDir string, merged settings) (string, error) {
	for _, path := range []string{a.flags.db, a.io.Env("QUARRY_DB"), merged.DB} {
		if path != "" {
			return a.absolute(path), nil
		}
	}
	cache, err := a.userDir("XDG_CACHE_HOME", os.UserCacheDir)
	if err != nil {
		return "", &hinted{fmt.Errorf("find a place for the index: %w", err), "name one with --db FILE or QUARRY_DB"}
	}
	real, err := filepath.EvalSymlinks(vaultDir)
	if err != nil {
		real = vaultDir
	}
	sum := sha256.Sum256([]byte(real))
	name := filepath.Base(real)
	if a.redacted(name) != name {
		name = "vault" // a name that holds a secret is written nowhere
	}
	return filepath.Join(cache, "quarry", name+"-"+hex.EncodeToString(sum[:4]), "index.db"), nil
}
