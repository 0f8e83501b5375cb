package cli

import "quarry"

// blockSettings is one table [blocks.NAME].
type blockSettings struct{}

// sessionSettings is the table [session].
type sessionSettings struct{}

// captureSettings is the table [capture].
type captureSettings struct{}

// Keys of [blocks.NAME], of its filters, of [session] and of [capture].
var (
	blockKeys       = []string{"query", "filters", "max_tokens", "ttl_hours"}
	blockFilterKeys = []string{}
	sessionKeys     = []string{}
	captureKeys     = []string{"folder"}
)

// wrongBlocks finds the first mistake in the tables of blocks, of the session and of captures.
func wrongBlocks(settings, map[string]int) *misplaced { return nil }

// blocks lays the vault's blocks beside the user's, of which one of the same name counts.
func (o *vaultOverlay) blocks() {}

// kindOfBlockKey says what a key of these tables takes, "" for a text in quotes.
func kindOfBlockKey(string) string { return "" }

// layBlocks puts blocks, budget and capture folder into the engine's configuration.
func (s settings) layBlocks(*quarry.Config) {}
