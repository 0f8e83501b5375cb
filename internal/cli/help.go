package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// configurationHelp is what `quarry help configuration` says.
const configurationHelp = `Nothing has to be configured. What is set is looked up in this order: flag,
environment, the vault's own file, the user's file, default.
docs/configuration.md tells more of each key.

The user's file is the one named by --config, or
  %s
A vault may hold .quarry.toml, which may come from somebody else: it can narrow
what is taken in and make things stricter. The last column tells what counts
of it.

  key          takes                                        of the vault's file
  vault        "/path/to/notes" (--vault, QUARRY_VAULT)     nothing
  db           "/path/to/index.db" (--db, QUARRY_DB)        nothing
  model        "/path/to/model", a Model2Vec folder         nothing
  folders      ["a", "b/c"]: take in these alone            what both have
  ignore       ["drafts/"]: rules beside .indexignore       all; yours win
  max_file_mb  16: larger files are skipped                 the smaller
  dialect      "auto" or obsidian, logseq, foam, dendron    it wins over yours
  data_files   true: files of JSON and YAML, too            unless yours: false

  [search]                                                  it wins over yours
  fusion       "sum" (scores are added) or "rrf" (ranks
               are fused: k, depth, lexical_weight and
               vector_weight)
  weak         an answer with a lower best score is weak
  nothing      one with a still lower one lists nothing
  per_note     1: passages of one note in a row; 0: all
  [search.signals]
  title        0.3: what it adds to a score at most; also
               identifier, tag, decay, links, type_weight,
               status and shallow; 0 turns one off
  [search.half_life_days]
  default      180: days, for decay; project = 30 by type

  [types]                                                   it wins over yours
  file         "types.yaml": what types of notes decide;    below the vault
               yours: from the vault's root, or absolute
  overrides    ["chunk_profile"]: properties of a note that
               win over its type; also edge_defaults and
               retriever_weight (see signals.type_weight)

  [redaction]
  patterns     [{name = "…", pattern = "…"}]: your rules    added to yours
  off          ["seed-phrase"]: rules not looked for        nothing
  allow        ["SHA-256"]: values that are no secrets      nothing

  [sensitivity]                                             the stricter class
  property     "sensitivity": names the class of a note
  default      "internal": of notes that nothing speaks of
  [sensitivity.folders]
  journal = "private"           public, internal, private or secret; a name with
  "02-areas/Health" = "secret"  other characters than A-Z a-z 0-9 - _ in quotes
  [sensitivity.names]
  confidential = "private"      your own name for a class

  [blocks.NAME]                                             behind yours; of one
  query        "API conventions": what it is about          name yours counts
  filters      {tag = "api"}: as the flags of search
  max_tokens   1500: of the block
  ttl_hours    24: then it is built anew
  [session]                                                 the smaller
  block_tokens 3000: of all blocks; also system_tokens,
               search_tokens and conversation_tokens
  [capture]
  folder       "00-inbox": where captured notes go          unless yours names one

  [hooks]                                                   less, never more
  prompt       true: context for prompts of AI clients
  tools        ["Edit", "Bash"]: and before these tools
  session      true: blocks when a session starts
  max_tokens   1500: of one piece of context
  min_score    0.75: the relevance that a passage needs
  compress     true: shorter outputs, of so many
               compress_min_characters
  capture      false: no outputs are kept as notes; also
               capture_min_characters, capture_tools
  log          false: no line for each call

  [server]                                                  nothing
  token        what HTTP requests carry (QUARRY_TOKEN);
  token_file   or the file that holds it
  hosts        ["notes.example.org"]: names of the server
  origins      ["https://notes.example.org"]: of pages
               that may ask

  [intake]                                                  nothing
  ledger       file of the ledger of signals
  attachments  true: keep files that come with signals

A mistake in either file stops the commands that read notes: what it was to
protect would lie open. With QUARRY_AUDIENCE=client the command line answers as
to a client: no private notes, and no vault, configuration or file of its
choice.
`

// helpTopic is what `quarry help configuration` shows: a command that does nothing.
func (a *app) helpTopic() *cobra.Command {
	path := a.userConfigPath()
	if path == "" {
		path = "quarry/config.toml in the user's configuration folder"
	}
	return &cobra.Command{Use: "configuration", Short: "Where settings are looked up, and what they take", Long: fmt.Sprintf(configurationHelp, oneLinePath(path))}
}

// helpCommand is cobra's own, but for a command that there is none of, which is a mistake.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Explain a command, or the configuration",
		Example: "  quarry help search\n  quarry help configuration",
		RunE: func(cmd *cobra.Command, words []string) error {
			found, rest, err := cmd.Root().Find(words)
			if err != nil || found == nil || found == cmd.Root() && len(rest) > 0 {
				hint := "`quarry help` lists the commands"
				if near := cmd.Root().SuggestionsFor(words[0]); len(near) > 0 {
					hint = fmt.Sprintf("did you mean `quarry help %s`? %s", near[0], hint)
				}
				return usage(hint, "there is no command %q", strings.Join(words, " "))
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}
