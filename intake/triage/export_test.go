package triage

import "quarry/internal/fetch"

// FetchOptionsOf are the options of the client that Fetch makes; loopback is let through where that is asked for.
func FetchOptionsOf(options Options, allowsLoopback bool) fetch.Options {
	made := options.fetching()
	made.AllowLoopbackForTests = allowsLoopback
	return made
}
