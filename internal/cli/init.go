package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"quarry/internal/layout"
)

func (a *app) initCommand() *cobra.Command {
	request := layout.Request{}
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Lay out a vault: folders, rules, templates, an example of each type of note",
		Long: `Lays out a vault in a folder, which is made where it is missing: nine folders from 00-inbox to 08-attachments, one for each domain of
signals, .indexignore, types.yaml, templates, and an example of each type of note. A file that is there is never touched, so that it
can be run again. A folder that has notes already gets no examples, unless --examples asks for them.`,
		Example: `  quarry init ~/notes
  quarry init ~/notes --bare
  cd ~/notes && quarry init`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, words []string) error {
			request.Dir, request.Now = ".", time.Now()
			if len(words) == 1 {
				request.Dir = words[0]
			} else if a.flags.vault != "" {
				request.Dir = a.flags.vault
			}
			report, err := layout.Lay(cmd.Context(), request)
			if err != nil {
				return hintOfInit(err)
			}
			return show(a, report, a.flags.json, a.printLayout)
		},
	}
	cmd.Flags().BoolVar(&request.Bare, "bare", false, "folders, rules and templates alone, no examples")
	cmd.Flags().BoolVar(&request.Examples, "examples", false, "examples also where there are notes already")
	cmd.MarkFlagsMutuallyExclusive("bare", "examples")
	return cmd
}

func hintOfInit(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return &hinted{err, "choose a folder that you may write to: quarry init DIR"}
	case errors.Is(err, fs.ErrExist):
		return &hinted{err, "a file has the name of a folder of the layout, or of the vault: choose another folder"}
	}
	return err
}

func (a *app) printLayout(report layout.Report) error {
	for _, path := range report.Created {
		if _, err := fmt.Fprintln(a.io.Out, oneLinePath(path)); err != nil {
			return err
		}
	}
	for _, folder := range report.Folders {
		if _, err := fmt.Fprintln(a.io.Out, oneLinePath(folder)+"/"); err != nil {
			return err
		}
	}
	if len(report.Created)+len(report.Folders) == 0 {
		a.notice("Nothing was missing in %s.", oneLinePath(report.Dir))
	} else {
		a.notice("Made %s and %s in %s.", counted(len(report.Created), "file"), counted(len(report.Folders), "folder"), oneLinePath(report.Dir))
	}
	if len(report.Kept) > 0 {
		a.notice("Already there, as before: %s.", counted(len(report.Kept), "file"))
	}
	if report.HadNotes && !report.Examples {
		a.notice("There are notes already, so no examples were added; --examples adds them.")
	}
	a.notice("Next: quarry --vault %s search \"what makes a note findable\"", shellQuoted(report.Dir))
	return nil
}
