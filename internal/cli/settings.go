package cli

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"quarry"
)

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
	config := quarry.Config{
		VaultDir: vaultDir, DatabasePath: db, ModelDir: a.absolute(merged.Model), Folders: merged.Folders, Ignore: merged.Ignore,
		MaxFileBytes: merged.maxFileMiB() << 20, Dialect: merged.Dialect, DataFiles: merged.DataFiles != nil && *merged.DataFiles, Types: merged.Types.config(),
		Redaction: merged.Redaction.options(), VaultPatterns: redactionSettings{Patterns: merged.vaultPatterns}.options().Patterns, Sensitivity: merged.sensitivity(), Audience: audience,
		Ranking: merged.ranking(), Logger: logger,
	}
	merged.layBlocks(&config)
	return config, nil
}

func (a *app) userSettings() (settings, error) {
	path := a.userConfigPath()
	if a.flags.config != "" {
		named := a.absolute(a.flags.config)
		if a.isHeldToClient() && !isSamePlace(named, path) {
			return settings{}, refusedFlag("--config", "the user's own file counts")
		}
		return readUserSettings(named, true)
	}
	if path == "" {
		return settings{}, nil // no home, no configuration
	}
	return readUserSettings(path, false)
}

// readUserSettings reads a file of the user's own, whose places count.
func readUserSettings(path string, required bool) (settings, error) {
	user, err := readSettings(path, required)
	if err != nil {
		return user, err
	}
	if mistake := user.Types.misplaced(); mistake != nil {
		return user, mistake.in(path, user.lines)
	}
	return user, nil
}

// userConfigPath is the place of the user's own file, "" where there is no home.
func (a *app) userConfigPath() string {
	dir, err := a.userDir("XDG_CONFIG_HOME", os.UserConfigDir)
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "quarry", "config.toml")
}

// isHeldToClient tells that the environment makes the command line a client. Whoever has set it chooses what is read, not
// the one who writes the flags.
func (a *app) isHeldToClient() bool {
	return quarry.Audience(a.io.Env("QUARRY_AUDIENCE")) == quarry.Client
}

func refusedFlag(flag, instead string) error {
	return &hinted{fmt.Errorf("%s is refused while QUARRY_AUDIENCE is client: %s", flag, instead), "leave the flag out; docs/configuration.md tells what a client may choose"}
}

// isSamePlace tells whether two paths lead to one file or folder.
func isSamePlace(one, other string) bool {
	oneInfo, err := os.Stat(one)
	if err != nil {
		return false
	}
	otherInfo, err := os.Stat(other)
	return err == nil && os.SameFile(oneInfo, otherInfo)
}

// userDir asks the environment given to the command before the system.
func (a *app) userDir(variable string, system func() (string, error)) (string, error) {
	if dir := a.io.Env(variable); dir != "" && filepath.IsAbs(dir) && runtime.GOOS != "windows" {
		return dir, nil
	}
	return system()
}

// plain drops the path that the message names already.
func plain(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

func (a *app) absolute(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(a.io.WorkDir, path)
}

// findVault is the folder of the notes: flag, environment, configuration, nearest marked parent.
func (a *app) findVault(user settings) (string, error) {
	if a.flags.vault == "" {
		return a.findVaultWithoutFlag(user)
	}
	dir, err := a.vaultAt(a.flags.vault)
	if err == nil && a.isHeldToClient() {
		if own, otherErr := a.findVaultWithoutFlag(user); otherErr != nil || !isSamePlace(own, dir) {
			return "", refusedFlag("--vault", "the vault is the one of QUARRY_VAULT, of the configuration, or the nearest parent folder")
		}
	}
	return dir, err
}

func (a *app) findVaultWithoutFlag(user settings) (string, error) {
	if dir := cmp.Or(a.io.Env("QUARRY_VAULT"), user.Vault); dir != "" {
		return a.vaultAt(dir)
	}
	if dir := markedParent(a.io.WorkDir); dir != "" {
		return dir, nil
	}
	return "", usage("quarry --vault ~/notes …", "no vault: none was named with --vault, in QUARRY_VAULT or in the configuration (vault = …), and no parent folder holds .obsidian/ or %s", vaultConfigName)
}

func (a *app) vaultAt(dir string) (string, error) {
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

// markedParent is the nearest of a folder and those above it that is marked as a vault, "" where none is.
func markedParent(dir string) string {
	for ; !isVault(dir); dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
	return dir
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
	return filepath.Join(cache, "quarry", a.vaultFolderName(vaultDir), "index.db"), nil
}

// vaultFolderName is what a vault's own folder in the user's cache or data is called.
func (a *app) vaultFolderName(vaultDir string) string {
	real, err := filepath.EvalSymlinks(vaultDir)
	if err != nil {
		real = vaultDir
	}
	sum := sha256.Sum256([]byte(real))
	name := filepath.Base(real)
	if a.redacted(name) != name {
		name = "vault" // a name that holds a secret is written nowhere
	}
	return name + "-" + hex.EncodeToString(sum[:4])
}
