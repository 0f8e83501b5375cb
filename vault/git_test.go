package vault_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"quarry/vault"
)

// tree is what the random rules are tried on; a slash at the end makes a folder.
var tree = []string{
	"a.md", "b.md", "Kiln.md", "#hash.md", "!bang.md", "space ", "a b.md", "a[1].md", "back\\slash.md", "1.md", "x1y.md",
	"foo/", "foo/a.md", "foo/bar/", "foo/bar/a.md", "foo/bar/baz/", "foo/bar/baz/deep.md", "foo/bar/foo/", "foo/bar/foo/a.md",
	"foobar/", "foobar/a.md", "bar/", "bar/a.md", "bar/foo/", "bar/foo/b.md", "draft/", "draft/one.md", "draft/two.private.md",
	"draft/foo/", "draft/foo/bar.md", "z/", "z/y/", "z/y/x/", "z/y/x/a.md", "z/y/x/foo/", "z/y/x/foo/a.md", "z/a.md/", "z/a.md/a.md",
	"ä.md", "日本/", "日本/a.md", "[x].md", "a\\b.md", "a*.md", "tail  ", "Foo.MD", "FOO/", "FOO/Bar.md", "A[1].md", "x-y.md", "x_y.md",
	"deep/", "deep/foo/", "deep/foo/bar/", "deep/foo/bar/foo/", "deep/foo/bar/foo/a.md", "deep/.hidden/", "deep/.hidden/a.md",
}

// pieces make up the lines: whole patterns that people write, and parts that together are likely to mean something.
var (
	wholes = []string{
		"foo", "foo/", "/foo", "/foo/", "foo/*", "foo/**", "**/foo", "**/foo/", "foo/**/a.md", "deep/**/foo", "deep/**/foo/*", "!deep/**/bar/", "**/foo/**/foo", "/**/foo/a.md",
		"/deep/*/bar", "deep/foo/bar/", "!/deep/foo/bar/foo/a.md", ".*", "!.hidden/", "**/.hidden", "!foo/", "!foo/bar/", "!foo/bar/a.md",
		"*.md", "!*.md", "!a.md", "*", "!*/", "/*", "!/foo", "**", "***", "*/", "**/*.md", "foo/bar", "bar/*", "!/bar/foo",
		"# comment", `\#hash.md`, `\!bang.md`, "!!bang.md", "a.md ", `space\ `, "space ", `tail\ \ `, `tail\  `, "tail  ", `tail \ `, "\ta.md", "a.md\t", `[[]x[]].md`, `[\[]x].md`, `a\\b.md`, `a\*.md`, `a[*].md`, `[a\-z]*.md`,
		"x[-_]y.md", "x[_-]y.md", "x[!_]y.md", "x[^a-z]y.md", "[[:alpha:][:digit:]]*.md", "[[:space:]]*", "*[[:punct:]]*", "[A-Z]*.md", "[z-a].md", `[\]]`, "[a-", "[!]a].md", `a\ b.md`, "a b.md", `a\[1\].md`, "a[[]1].md",
		"[ab].md", "[!a].md", "[^a].md", "[a-z].md", "[[:digit:]].md", "[[:upper:]]*", "[[:nope:]]a", "[]-a].md", "[", "a[", `a\`,
		"?.md", "x?y.md", "x[0-9]y.md", "foo**", "foo**/a.md", "**bar", "f*/a.md", "*/a.md", "*/*/a.md", "/**/a.md", "z/**/foo", "z/**/foo/",
		"z/*/x", "z/y/**", "!z/y/x/", "foo//", "//foo", "/", "!", "", " ", "draft/*.private.md", "!draft/", "ä.md", "日本/", "?a.md",
		`back\\slash.md`, "[[:alnum:]_].md", "*.MD", "kiln.md", "**/bar/**/deep.md", `foo\/bar`, `**\/a.md`, "*foo*", "*o*r/", "a.md/", "!a.md/",
	}
	parts = []string{
		"foo", "bar", "a", "z", "y", "x", ".md", "/", "/", "*", "**", "?", "[a-z]", "[!f]", "**/", "/**", "/*", "!", `\`, "draft", " ", "[[:lower:]]",
	}
)

func randomLines(random *rand.Rand) string {
	var lines []string
	for range 1 + random.IntN(6) {
		var line strings.Builder
		if random.IntN(3) > 0 {
			line.WriteString(wholes[random.IntN(len(wholes))])
		} else {
			for range 1 + random.IntN(6) {
				line.WriteString(parts[random.IntN(len(parts))])
			}
		}
		if random.IntN(20) == 0 {
			line.WriteString("\r")
		}
		lines = append(lines, line.String())
	}
	return strings.Join(lines, "\n")
}

func TestIgnoreAgreesWithGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not here: the rules are not compared with it")
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the tree has names that this file system changes or refuses")
	}
	dir := t.TempDir()
	makeTree(t, dir)
	if out, err := exec.Command(git, "-C", dir, "init", "-q").CombinedOutput(); err != nil {
		t.Skipf("git init: %v: %s", err, out)
	}
	for _, fold := range []bool{false, true} {
		t.Run(fmt.Sprintf("fold %t", fold), func(t *testing.T) { compareWithGit(t, git, dir, fold) })
	}
}

func compareWithGit(t *testing.T, git, dir string, fold bool) {
	random := rand.New(rand.NewPCG(1, 2))
	bad, ignored := 0, 0
	for set := range 600 {
		lines := randomLines(random)
		want := gitIgnored(t, []string{git, "-C", dir, "-c", fmt.Sprintf("core.ignorecase=%t", fold)}, lines)
		ignored += len(want)
		for _, entry := range tree {
			path, folder := strings.CutSuffix(entry, "/")
			if got := vault.PlainIgnored(lines, path, folder, fold); got != want[path] {
				t.Errorf("set %d: %q ignored = %t, git says %t, rules:\n%q", set, entry, got, want[path], lines)
				bad++
			}
		}
		if bad > 20 {
			t.Fatal("too many differences")
		}
	}
	if ignored < 5000 {
		t.Errorf("git ignored %d entries in all: the comparison shows little", ignored)
	}
}

func makeTree(t *testing.T, dir string) {
	t.Helper()
	for _, entry := range tree {
		var err error
		if path, folder := strings.CutSuffix(entry, "/"); folder {
			err = os.MkdirAll(filepath.Join(dir, path), 0o755)
		} else {
			err = os.WriteFile(filepath.Join(dir, path), []byte("x"), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// gitIgnored asks git, given with its first arguments, of which the third is the folder.
func gitIgnored(t *testing.T, git []string, lines string) map[string]bool {
	t.Helper()
	dir := git[2]
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	var input bytes.Buffer
	for _, entry := range tree {
		fmt.Fprintf(&input, "%s\x00", strings.TrimSuffix(entry, "/"))
	}
	check := exec.Command(git[0], append(git[1:], "-c", "core.excludesFile=", "check-ignore", "--no-index", "--stdin", "-z")...)
	check.Stdin = &input
	check.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := check.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("git check-ignore: %v", err)
	}
	ignored := map[string]bool{}
	for path := range strings.SplitSeq(string(out), "\x00") {
		ignored[path] = true
	}
	return ignored
}
