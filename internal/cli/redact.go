package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"quarry"
)

// maxRedactBytes bounds what `redact` reads.
const maxRedactBytes = 64 << 20

func (a *app) redactCommand() *cobra.Command {
	var hashes, rules bool
	cmd := &cobra.Command{
		Use:   "redact [FILE]",
		Short: "Print a file or standard input with secrets redacted",
		Long: `Puts a marker [REDACTED:rule] in the place of each secret, as it is done with notes. The patterns, rules and values of the
table [redaction] of the configuration count (docs/configuration.md).

--hashes tells of each finding its rule, its line and the SHA-256 of what was found instead. A value that is no secret is let
through by its hash in the configuration: allow = ["…"].

--rules lists the names of the rules that are built in instead, and reads nothing. A rule is switched off by its name in the
user's configuration: off = ["…"].`,
		Example: `  quarry redact < build.log
  quarry redact --json README.md | jq .redactions
  quarry redact --hashes < build.log
  quarry redact --rules`,
		Args: args(0, 1, "a file"),
		RunE: func(cmd *cobra.Command, files []string) error {
			if rules {
				return a.printRules(hashes || len(files) > 0)
			}
			if err := a.readProtection(); err != nil {
				return err
			}
			content, err := interruptible(cmd.Context(), func() ([]byte, error) { return a.readInput(files) })
			if err != nil {
				return err
			}
			return a.redact(content, hashes)
		},
	}
	cmd.Flags().BoolVar(&hashes, "hashes", false, "list the findings by rule, line and hash instead")
	cmd.Flags().BoolVar(&rules, "rules", false, "list the names of the rules that are built in instead")
	return cmd
}

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
	Name string `json:"name"`
	Line int    `json:"line"` // 1-based, where it begins
	Hash string `json:"hash"` // hex SHA-256 of its bytes
}

func (a *app) redact(content []byte, hashes bool) error {
	if hashes {
		found := findings(a.filter, content)
		if a.flags.json {
			return a.writeJSON(map[string]any{"findings": found})
		}
		for _, f := range found {
			fmt.Fprintf(a.io.Out, "%s  line %d  %s\n", f.Hash, f.Line, f.Name)
		}
		if len(found) == 0 {
			a.notice("Nothing was found.")
		}
		return nil
	}
	text, counts := a.filter.Redact(string(content))
	if a.flags.json {
		return a.writeJSON(map[string]any{"text": text, "redactions": slices.Concat([]quarry.RedactionCount{}, counts)})
	}
	_, err := io.WriteString(a.io.Out, a.screen(text))
	return err
}

func findings(filter *quarry.Redactor, content []byte) []finding {
	found, line, at := []finding{}, 1, 0
	for _, span := range filter.Find(content) {
		line += bytes.Count(content[at:span.Start], []byte{'\n'})
		at = span.Start
		found = append(found, finding{span.Name, line, hash(content[span.Start:span.End])})
	}
	return found
}

// hash identifies a value without telling it, as the configuration names it.
func hash(value []byte) string {
	sum := sha256.Sum256(value)
	return hex.EncodeToString(sum[:])
}

// readProtection takes the filter of the configuration for a command that works without a vault. That of a vault counts
// where there is one.
func (a *app) readProtection() error {
	user, err := a.userSettings()
	if err != nil {
		return err
	}
	merged := user
	if vaultDir, err := a.findVault(user); err == nil {
		if merged, err = a.overlay(user, vaultDir); err != nil {
			return err
		}
	}
	a.filter, err = quarry.NewRedactor(merged.Redaction.options())
	return err
}

// readInput is the one file that is named, or standard input.
func (a *app) readInput(files []string) ([]byte, error) {
	in, name := a.io.In, "standard input"
	if len(files) > 0 {
		audience, err := a.audience()
		if err != nil {
			return nil, err
		}
		name = files[0]
		if audience == quarry.Client {
			return nil, &hinted{fmt.Errorf("read %s: files are not read for clients", name), "give the text on standard input"}
		}
		file, err := os.Open(a.absolute(name))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, plain(err))
		}
		defer file.Close()
		in = file
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
