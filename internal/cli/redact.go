package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"quarry"
)

// maxRedactBytes bounds what `redact` reads.
const maxRedactBytes = 64 << 20

func (a *app) redactCommand() *cobra.Command {
	var hashes, rules bool
	cmd := &cobra.Command{
		Use:   "redact [FILE…]",
		Short: "Print a file or standard input with secrets redacted",
		Long: `Puts a marker [REDACTED:rule] in the place of each secret, as it is done with notes. The patterns, rules and values of the
table [redaction] of the configuration count, and the patterns of the vault that a file lies in (docs/configuration.md).
Without a file, or with "-" for one, standard input is read.

--hashes tells of each finding its rule, its line and the SHA-256 of what was found instead, of several files if need be. A
value that is no secret is let through by its hash in your configuration: allow = ["…"].

--rules lists the names of the rules that are built in instead, and reads nothing. A rule is switched off by its name in the
user's configuration: off = ["…"].`,
		Example: `  quarry redact < build.log
  quarry redact --json README.md | jq .redactions
  quarry redact --hashes journal/*.md
  quarry redact --rules`,
		Args: args(0, many, "files"),
		RunE: func(cmd *cobra.Command, files []string) error {
			switch {
			case rules:
				return a.printRules(hashes || len(files) > 0)
			case len(files) > 1 && !hashes:
				return usage("`quarry redact --hashes` takes several; else give one at a time", "redact prints one file, and %q is too much", files[1])
			case len(files) == 0:
				files = []string{standardInput}
			}
			return a.redact(cmd.Context(), files, hashes)
		},
	}
	cmd.Flags().BoolVar(&hashes, "hashes", false, "list the findings by rule, line and hash instead")
	cmd.Flags().BoolVar(&rules, "rules", false, "list the names of the rules that are built in instead")
	return cmd
}

// standardInput is how it is called among files.
const standardInput = "-"

// printRules lists what `off` in the configuration can name.
func (a *app) printRules(isMore bool) error {
	if isMore {
		return usage("`quarry redact --rules` lists the rules", "redact --rules takes neither --hashes nor a file")
	}
	names := quarry.RedactionRules()
	if a.flags.json {
		return a.writeJSON(map[string]any{"rules": names})
	}
	for _, name := range names {
		fmt.Fprintln(a.io.Out, name)
	}
	return nil
}

// finding tells of a secret without telling it.
type finding struct {
	Path string `json:"path,omitempty"` // of the file, as it was given; "" of standard input
	Name string `json:"name"`
	Line int    `json:"line"` // 1-based, where it begins
	Hash string `json:"hash"` // hex SHA-256 of its bytes
}

func (a *app) redact(ctx context.Context, files []string, hashes bool) error {
	list := struct {
		Findings []finding `json:"findings"`
	}{[]finding{}}
	for _, file := range files {
		if err := a.useFilterFor(file, hashes); err != nil {
			return err
		}
		content, err := interruptible(ctx, func() ([]byte, error) { return a.readInput(file) })
		if err != nil {
			return err
		}
		if !hashes {
			return a.printRedacted(content)
		}
		list.Findings = append(list.Findings, a.findings(file, content)...)
	}
	if a.flags.json {
		return a.writeJSON(list)
	}
	a.printFindings(list.Findings)
	return nil
}

func (a *app) printRedacted(content []byte) error {
	text, counts := a.redactor().Redact(string(content))
	if a.flags.json {
		return a.writeJSON(struct {
			Text       string                  `json:"text"`
			Redactions []quarry.RedactionCount `json:"redactions"`
		}{text, append([]quarry.RedactionCount{}, counts...)})
	}
	_, err := io.WriteString(a.io.Out, a.screen(text))
	return err
}

func (a *app) findings(file string, content []byte) []finding {
	path := a.redacted(file)
	if file == standardInput {
		path = ""
	}
	var found []finding
	line, at := 1, 0
	for _, span := range a.redactor().Find(content) {
		line += bytes.Count(content[at:span.Start], []byte{'\n'})
		at = span.Start
		found = append(found, finding{path, span.Name, line, quarry.RedactionHash(content[span.Start:span.End])})
	}
	return found
}

// printFindings writes a row for each, or two where the terminal is too narrow for that.
func (a *app) printFindings(list []finding) {
	for _, f := range list {
		place := fmt.Sprintf("line %d", f.Line)
		if f.Path != "" {
			place = fmt.Sprintf("%s:%d", oneLinePath(f.Path), f.Line)
		}
		row := fmt.Sprintf("%s  %s  %s", f.Hash, place, f.Name)
		if a.fits(row) {
			fmt.Fprintln(a.io.Out, row)
			continue
		}
		fmt.Fprintln(a.io.Out, f.Hash)
		a.printWrapped(fmt.Sprintf("    %s  %s", place, f.Name), indent)
	}
	if len(list) == 0 {
		a.notice("Nothing was found.")
	}
}

// useFilterFor takes the filter of the configuration for a command that works without an engine. The patterns of the vault
// count where there is one, and those of the vault that the file lies in. A mistake in a configuration does not keep anybody
// from the hashes which are to mend it: these are told by the rules that are built in.
func (a *app) useFilterFor(file string, hashes bool) error {
	filter, err := a.filterFor(file)
	if err != nil && hashes {
		a.notice("notice: %v: the rules that are built in alone are looked for", err)
		filter, err = nil, nil
	}
	a.filter.Store(filter)
	return err
}

func (a *app) filterFor(file string) (*quarry.Redactor, error) {
	merged, err := a.userSettings()
	if err != nil {
		return nil, err
	}
	vaultDir, err := a.findVault(merged)
	var nobodyNamed *usageError
	if err != nil && !errors.As(err, &nobodyNamed) {
		return nil, err
	}
	dirs := []string{vaultDir}
	if file != standardInput {
		if home := markedParent(filepath.Dir(a.inputPath(file))); home != "" && !isSamePlace(home, vaultDir) {
			dirs = append(dirs, home)
		}
	}
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		if merged, err = a.overlay(merged, dir); err != nil {
			return nil, err
		}
	}
	return quarry.NewRedactor(merged.redactionOfNotes())
}

// inputPath is the place of a file from the working directory, or else below the vault.
func (a *app) inputPath(file string) string {
	here := a.absolute(file)
	if _, err := os.Lstat(here); err == nil || filepath.IsAbs(file) {
		return here
	}
	if user, err := a.userSettings(); err == nil {
		if vaultDir, err := a.findVault(user); err == nil {
			below := filepath.Join(vaultDir, filepath.FromSlash(file))
			if _, err := os.Lstat(below); err == nil {
				return below
			}
		}
	}
	return here
}

// readInput is a file, or standard input.
func (a *app) readInput(file string) ([]byte, error) {
	in, name := a.io.In, "standard input"
	if file == standardInput {
		a.noticeWaiting("Reading standard input, to its end (Ctrl-D; on Windows Ctrl-Z and Enter).")
	} else {
		opened, err := a.openInput(file)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		in, name = opened, file
	}
	content, err := io.ReadAll(io.LimitReader(in, maxRedactBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, plain(err))
	}
	if len(content) > maxRedactBytes {
		return nil, &hinted{fmt.Errorf("read %s: it is larger than %d MiB", name, maxRedactBytes>>20), "split the input"}
	}
	return content, nil
}

// openInput opens a file that the command line names, which is nothing for a client.
func (a *app) openInput(file string) (*os.File, error) {
	if err := a.refuseClient("read "+file+": files are not read for clients", "give the text on standard input"); err != nil {
		return nil, err
	}
	path := a.inputPath(file)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, &hinted{fmt.Errorf("read %s: it is a folder", file), "give the files in it, such as " + filepath.Join(file, "*.md")}
	}
	opened, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, plain(err))
	}
	return opened, nil
}

// useFilter takes the filter of the configuration for a command that reads standard input alone.
func (a *app) useFilter() error { return a.useFilterFor(standardInput, false) }

// noticeWaiting tells a person at a terminal that the command waits for what they type.
func (a *app) noticeWaiting(text string) {
	if a.io.InTerminal {
		a.notice("%s", text)
	}
}

// refuseClient is an error where the audience is a client.
func (a *app) refuseClient(what, hint string) error {
	audience, err := a.audience()
	if err == nil && audience == quarry.Client {
		err = &hinted{errors.New(what), hint}
	}
	return err
}
