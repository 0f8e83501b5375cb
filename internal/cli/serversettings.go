package cli

// serverSettings is the table [server]; the user's file alone has one.
type serverSettings struct{}

// serverKeys are the keys of [server].
var serverKeys = []string{}

// wrongServer finds the first mistake in the table of the server.
func wrongServer(settings, map[string]int) *misplaced { return nil }

// server tells of what of the vault's table does not count: all of it.
func (o *vaultOverlay) server() {}

// kindOfServerKey says what a key of [server] takes, "" for a text in quotes.
func kindOfServerKey(string) string { return "" }
