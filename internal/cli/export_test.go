package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"quarry"
)

// ParentEvery is how often a process looks for the one that started it.
const ParentEvery = parentEvery

// KeepFresh is what a server does beside its answers. It calls warmed each time when it has warmed up its engine.
func KeepFresh(ctx context.Context, streams IO, vault, db string, warmed func()) (end func() error, err error) {
	a := &app{io: streams, flags: globalFlags{vault: vault, db: db, logLevel: "warn", quiet: true}}
	live, err := a.openLive(ctx)
	if err != nil {
		return nil, err
	}
	live.warm = func(ctx context.Context, engine *quarry.Engine) {
		if err := engine.Warm(ctx); err == nil || errors.Is(err, quarry.ErrNoIndex) {
			warmed()
		}
	}
	live.keepFresh(ctx)
	return live.Close, nil
}

// CommandPaths gives every command that can be called, as its words behind "quarry".
func CommandPaths() []string {
	root := (&app{io: IO{Env: func(string) string { return "" }}}).rootCommand()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("completion")
	var paths []string
	var walk func(cmd *cobra.Command, path string)
	walk = func(cmd *cobra.Command, path string) {
		for _, sub := range cmd.Commands() {
			full := path + sub.Name()
			if sub.Runnable() {
				paths = append(paths, full)
			}
			walk(sub, full+" ")
		}
	}
	walk(root, "")
	return paths
}

// InTurn is how a run of the index waits for others, for a short time.
func InTurn(ctx context.Context, streams IO, isWriting func() bool, do func() error) error {
	return (&app{io: streams}).inTurn(ctx, 400*time.Millisecond, isWriting, do)
}
