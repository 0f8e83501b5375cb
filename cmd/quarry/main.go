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

// A command lives for milliseconds, mostly: it collects garbage late, and sooner where an index run needs memory.
const (
	collectAtPercent = 400
	memoryLimitBytes = 160 << 20
)

func main() {
	debug.SetGCPercent(collectAtPercent)
	debug.SetMemoryLimit(memoryLimitBytes)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := cli.Run(ctx, os.Args[1:], cli.SystemIO())
	stop()
	os.Exit(code)
}
