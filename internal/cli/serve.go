package cli

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"quarry/internal/mcpserver"
)

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve the notes to AI clients by MCP, over standard input and output",
		Long: `Speaks the Model Context Protocol on standard input and output, until the input ends.
Tools: obsidian_search, obsidian_get_context. All are read-only; nothing leaves this machine but what a client asks for, and private notes
(docs/configuration.md) are not handed out. A changed configuration counts from the next request on; while it cannot be read,
requests are refused.`,
		Example: `  claude mcp add notes -- quarry mcp --vault ~/notes
  codex mcp add notes -- quarry mcp --vault ~/notes`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			live, err := a.openLive(cmd.Context())
			if err != nil {
				return err
			}
			ctx, end := a.untilParentEnds(cmd.Context())
			defer end()
			live.keepFresh(ctx)
			a.noticeWaiting("Waiting for an MCP client on standard input, which starts this command by itself; Ctrl-C ends it.")
			err = mcpserver.Serve(ctx, live, versionInfo().Version, io.NopCloser(a.io.In), unclosed{a.out.to})
			return errors.Join(err, live.Close())
		},
	}
}

// unclosed keeps the server from closing the process's own output.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
