package cli_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"quarry/internal/cli"
)

// TestMain lets the scripts run the real command.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"quarry": func() { os.Exit(cli.Run(context.Background(), os.Args[1:], cli.SystemIO())) },
	})
}

// TestScripts runs every command as a user does: arguments, streams, exit codes.
func TestScripts(t *testing.T) {
	example, err := filepath.Abs("../../examples/vault")
	if err != nil {
		t.Fatal(err)
	}
	folder, some := "testdata/script", []string(nil)
	if testing.Short() { // those of commands that work side by side; the others are one command after another, and raced by tests in this process
		for _, name := range []string{"capture", "index", "serve", "watch"} {
			some = append(some, filepath.Join(folder, name+".txtar"))
		}
		folder = ""
	}
	testscript.Run(t, testscript.Params{
		Dir:                 folder,
		Files:               some,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("EXAMPLE", example)
			env.Setenv("HOME", home)
			env.Setenv("USERPROFILE", home)
			env.Setenv("LOCALAPPDATA", home)
			env.Setenv("APPDATA", home)
			env.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
			env.Setenv("XDG_DATA_HOME", filepath.Join(home, "data"))
			env.Setenv("TOKEN", plantedToken)
			if err := os.MkdirAll(home, 0o755); err != nil {
				return err
			}
			return plant(filepath.Join(env.WorkDir, "vault"))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exitcode": exitCode},
	})
}

// plantedToken is a made-up credential with a right checksum, in two parts, so that this file holds none.
const plantedToken = "ghp_" + "FbY8NwcUeb4c0wrUGZECjUYrZUPet91VOUZ4"

// plant puts the token where a script's notes say so.
func plant(dir string) error {
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(content, []byte("PLANTED_TOKEN")) {
			return err
		}
		return os.WriteFile(path, bytes.ReplaceAll(content, []byte("PLANTED_TOKEN"), []byte(plantedToken)), 0o600)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// exitCode N COMMAND… runs a command and asks for its exit code.
func exitCode(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exitcode N COMMAND…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = exitText(err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

func exitText(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return strconv.Itoa(exit.ExitCode())
	}
	return err.Error()
}
