package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"quarry/intake/ledger"
	"quarry/intake/triage"
)

func (a *app) intakeFeedsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "feeds",
		Short:   "The feeds that are fetched: list, add, remove, import, export",
		Long:    "Lists the feeds that `quarry intake fetch` asks. They are kept in the ledger: no file of a vault names an address.",
		Example: "  quarry intake feeds\n  quarry intake feeds add https://example.org/feed.xml --name Example\n  quarry intake feeds import subscriptions.opml",
		Args: func(cmd *cobra.Command, words []string) error {
			if len(words) == 0 {
				return nil
			}
			return usage("`quarry intake feeds --help` lists the commands", "feeds has no command %q", words[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listFeeds(cmd.Context()) },
	}
	list := &cobra.Command{
		Use: "list", Short: "List the feeds", Long: "Lists the feeds by address: name, when each was asked and will be, and what was wrong.",
		Example: "  quarry intake feeds list --json", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listFeeds(cmd.Context()) },
	}
	cmd.AddCommand(list, a.feedsAddCommand(), a.feedsRemoveCommand(), a.feedsImportCommand(), a.feedsExportCommand())
	return cmd
}

func (a *app) listFeeds(ctx context.Context) error {
	return a.withTriage(ctx, func(t *triage.Triage) error {
		feeds, err := t.Ledger().Feeds(ctx)
		if err != nil {
			return err
		}
		document := struct {
			Feeds []ledger.Feed `json:"feeds"`
		}{feeds}
		return show(a, document, a.flags.json, func(document struct {
			Feeds []ledger.Feed `json:"feeds"`
		},
		) error {
			if len(document.Feeds) == 0 {
				a.notice("No feed is listed; `quarry intake feeds add ADDRESS` lists one.")
			}
			for _, feed := range document.Feeds {
				a.printFeed(feed)
			}
			return nil
		})
	})
}

func (a *app) printFeed(feed ledger.Feed) {
	line := oneLine(printable(feed.Address))
	if feed.Name != "" {
		line += "  " + oneLine(printable(feed.Name))
	}
	switch {
	case feed.Gone:
		line += "  (gone for good)"
	case feed.Fault != "":
		line += "  (" + oneLine(printable(feed.Fault)) + ")"
	case !feed.Asked.IsZero():
		line += "  (asked " + feed.Asked.Local().Format("2006-01-02 15:04") + ")"
	}
	a.printWrapped(line, indent)
}

func (a *app) feedsAddCommand() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "add ADDRESS…",
		Short: "List feeds",
		Long: `Lists feeds by their addresses, http or https, of the public web. Nothing is asked before ` + "`quarry intake fetch`" + `. One without a name takes
that which it gives itself.`,
		Example: "  quarry intake feeds add https://example.org/feed.xml --name Example",
		Args:    args(1, many, "the address of a feed"),
		RunE: func(cmd *cobra.Command, addresses []string) error {
			if name != "" && len(addresses) > 1 {
				return usage("list them one by one", "--name names one feed")
			}
			return a.withTriage(cmd.Context(), func(t *triage.Triage) error {
				done := triage.FeedImport{}
				for _, address := range addresses {
					isNew, err := t.AddFeed(cmd.Context(), address, name)
					if err != nil {
						return err
					}
					if isNew {
						done.Added++
					} else {
						done.Known++
					}
				}
				return a.showFeedImport(done)
			})
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "a `name` for it")
	return cmd
}

func (a *app) showFeedImport(done triage.FeedImport) error {
	if done.Problems == nil {
		done.Problems = []triage.Problem{}
	}
	return show(a, done, a.flags.json, func(done triage.FeedImport) error {
		a.printWrapped(fmt.Sprintf("%s listed, %d known before.", counted(done.Added, "feed"), done.Known), 0)
		for _, one := range done.Problems {
			a.notice("notice: %s: %s", one.Where, one.Reason)
		}
		return nil
	})
}

func (a *app) feedsRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "remove ADDRESS|NAME…", Short: "Take feeds off the list", Long: "Takes feeds off the list, by address or name. Their signals and notes stay.",
		Example: "  quarry intake feeds remove Example", Args: args(1, many, "the address or the name of a feed"),
		RunE: func(cmd *cobra.Command, names []string) error {
			return a.withTriage(cmd.Context(), func(t *triage.Triage) error {
				removed := []string{}
				for _, name := range names {
					address, err := t.RemoveFeed(cmd.Context(), name)
					if err != nil {
						return err
					}
					removed = append(removed, address)
				}
				document := map[string][]string{"removed": removed}
				return show(a, document, a.flags.json, func(document map[string][]string) error {
					a.printWrapped(strings.Join(document["removed"], "\n"), indent)
					return nil
				})
			})
		},
	}
}

func (a *app) feedsImportCommand() *cobra.Command {
	return &cobra.Command{
		Use: "import FILE.opml", Short: "List the feeds of an OPML file", Long: "Lists the feeds of an OPML file, as feed readers export it, with their names and folders. Nothing is asked.",
		Example: "  quarry intake feeds import subscriptions.opml", Args: args(1, 1, "an OPML file"),
		RunE: func(cmd *cobra.Command, files []string) error {
			return a.withTriage(cmd.Context(), func(t *triage.Triage) error {
				content, err := triage.ReadFile(a.absolute(files[0]))
				if err != nil {
					return fmt.Errorf("read %s: %w", files[0], err)
				}
				done, err := t.ImportFeeds(cmd.Context(), files[0], content)
				if err != nil {
					return err
				}
				return a.showFeedImport(done)
			})
		},
	}
}

func (a *app) feedsExportCommand() *cobra.Command {
	return &cobra.Command{
		Use: "export [FILE.opml]", Short: "Write the feeds as OPML", Long: "Writes the feeds as OPML, which other feed readers take in: to standard output, or into a new file.",
		Example: "  quarry intake feeds export > subscriptions.opml", Args: args(0, 1, "the name of a new file"),
		RunE: func(cmd *cobra.Command, files []string) error {
			return a.withTriage(cmd.Context(), func(t *triage.Triage) error {
				content, err := t.ExportFeeds(cmd.Context())
				if err != nil {
					return err
				}
				if len(files) == 0 {
					return a.writeDocument(a.redacted(string(content)))
				}
				file, err := os.OpenFile(a.absolute(files[0]), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
				if err != nil {
					return &hinted{fmt.Errorf("write %s: %w", files[0], plain(err)), "name a file that is not there yet"}
				}
				_, err = file.Write(content)
				if closeErr := file.Close(); err == nil {
					err = closeErr
				}
				return err
			})
		},
	}
}
