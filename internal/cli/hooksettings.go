package cli

// hookSettings is the table [hooks].
type hookSettings struct{}

// hookKeys are the keys of [hooks].
var hookKeys = []string{}

// wrongHooks finds the first mistake in the table of hooks.
func wrongHooks(settings, map[string]int) *misplaced { return nil }

// hooks lays the vault's table over the user's: it can only make hooks give and keep less.
func (o *vaultOverlay) hooks() {}

// kindOfHookKey says what a key of [hooks] takes, "" for a text in quotes.
func kindOfHookKey(string) string { return "" }
