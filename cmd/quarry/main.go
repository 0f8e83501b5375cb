// Command quarry finds the right passage in a folder of Markdown notes.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"quarry/internal/cli"
)

// collectAtPercent makes garbage wait: a command lives for milliseconds, mostly.
const collectAtPercent = 400

func main() {
	debug.SetGCPercent(collectAtPercent)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := cli.Run(ctx, os.Args[1:], cli.SystemIO())
	stop()
	os.Exit(code)
}
