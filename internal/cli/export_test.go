package cli

import "github.com/spf13/cobra"

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
