// Package layout lays out a new vault: folders, rules, templates and an example of each type of note. It writes new files alone.
package layout

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quarry/vault"
)

//go:embed all:template
var template embed.FS

// folders are those of the layout that hold no file of the template.
var folders = []string{
	"04-archive", "08-attachments", "05-signals/ai-tooling", "05-signals/security", "05-signals/systems", "05-signals/programming", "05-signals/web", "05-signals/data",
	"05-signals/devops", "05-signals/design", "05-signals/mobile", "05-signals/career", "05-signals/research",
}

// today stands in the template for the day of the layout. What templates say in braces is for the program that fills them in.
const today = "{{today}}"

// Request asks for a layout.
type Request struct {
	Dir string    // is made where it is missing
	Now time.Time // the day of the examples
	// Bare leaves out the examples; so does a folder that has notes already, unless Examples is true.
	Bare, Examples bool
}

// Report tells what was laid out. Its JSON form is part of the contract.
type Report struct {
	Dir      string   `json:"dir"`      // absolute
	Created  []string `json:"created"`  // new files, by path
	Kept     []string `json:"kept"`     // files that were there and stayed as they are
	Folders  []string `json:"folders"`  // new folders without a file
	Examples bool     `json:"examples"` // whether examples were asked for
	HadNotes bool     `json:"had_notes"`
}

// Lay lays out a vault. A file that is there is never touched, also where another process makes it meanwhile; laying out twice changes
// nothing. Errors name the file or folder.
func Lay(ctx context.Context, request Request) (Report, error) {
	dir, err := filepath.Abs(request.Dir)
	if err != nil {
		return Report{}, fmt.Errorf("lay out a vault: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Report{}, fmt.Errorf("lay out a vault: %w", err)
	}
	v, err := vault.Open(dir, vault.Options{})
	if err != nil {
		return Report{}, fmt.Errorf("lay out a vault: %w", err)
	}
	defer func() { _ = v.Close() }()
	report := Report{Dir: dir, Created: []string{}, Kept: []string{}, Folders: []string{}}
	if report.HadNotes, err = hasNotes(ctx, v); err != nil {
		return report, fmt.Errorf("lay out a vault: %w", err)
	}
	report.Examples = !request.Bare && (request.Examples || !report.HadNotes)
	if err := layFiles(ctx, v, request, &report); err != nil {
		return report, err
	}
	return report, layFolders(ctx, v, &report)
}

// hasNotes tells whether there are notes beside those of a layout.
func hasNotes(ctx context.Context, v *vault.Vault) (bool, error) {
	own := map[string]bool{}
	for _, file := range files(true) {
		if strings.Contains(file, today) {
			continue
		}
		own[file] = true
	}
	found := false
	err := fs.WalkDir(v.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil //nolint:nilerr // what cannot be read is no note
		case entry.IsDir() && name != "." && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case !entry.IsDir() && strings.EqualFold(path.Ext(name), ".md") && !own[name] && !isDated(name):
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found, err
}

// isDated knows the examples of another day.
func isDated(name string) bool {
	for _, file := range files(true) {
		before, after, dated := strings.Cut(file, today)
		if dated && len(name) == len(before)+len("2006-01-02")+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after) {
			return true
		}
	}
	return false
}

// files lists the files of the template, by path.
func files(withExamples bool) []string {
	var list []string
	_ = fs.WalkDir(template, "template", func(name string, entry fs.DirEntry, _ error) error {
		name = strings.TrimPrefix(name, "template/")
		if !entry.IsDir() && (withExamples || !isExample(name)) {
			list = append(list, name)
		}
		return nil
	})
	slices.Sort(list)
	return list
}

func isExample(name string) bool {
	return strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, "07-templates/") && name != "interests.md"
}

func layFiles(ctx context.Context, v *vault.Vault, request Request, report *Report) error {
	day := request.Now.Format("2006-01-02")
	for _, name := range files(report.Examples) {
		content, err := template.ReadFile("template/" + name)
		if err != nil {
			return fmt.Errorf("lay out a vault: %w", err)
		}
		file := strings.ReplaceAll(name, today, day)
		if isExample(name) && strings.Contains(name, today) && alreadyDated(v, name) {
			continue // an example of another day is one
		}
		isNew, err := v.CreateOnly(ctx, file, []byte(strings.ReplaceAll(string(content), today, day)))
		switch {
		case err != nil:
			return fmt.Errorf("lay out a vault: %w", err)
		case isNew:
			report.Created = append(report.Created, file)
		default:
			report.Kept = append(report.Kept, file)
		}
	}
	return nil
}

// alreadyDated tells whether an example is there with any day in its name.
func alreadyDated(v *vault.Vault, name string) bool {
	found, err := fs.Glob(v.FS(), strings.ReplaceAll(name, today, "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"))
	return err == nil && len(found) > 0
}

func layFolders(ctx context.Context, v *vault.Vault, report *Report) error {
	all := folders
	if !report.Examples {
		all = append(slices.Clone(folders), "00-inbox", "01-projects", "02-areas", "03-resources", "05-signals/other", "06-daily")
	}
	for _, folder := range slices.Sorted(slices.Values(all)) {
		_, err := fs.Stat(v.FS(), folder)
		if err == nil {
			continue
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("lay out a vault: %w", err)
		}
		if err := v.MakeFolder(ctx, folder); err != nil {
			return fmt.Errorf("lay out a vault: %w", err)
		}
		report.Folders = append(report.Folders, folder)
	}
	return nil
}
