package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quarry/internal/spelling"
)

// counted is a number of things in words: "1 file", "2 files", "3 queries".
func counted(count int, thing string) string {
	switch {
	case count == 1:
	case strings.HasSuffix(thing, "y"):
		thing = strings.TrimSuffix(thing, "y") + "ies"
	default:
		thing += "s"
	}
	return fmt.Sprintf("%d %s", count, thing)
}

func isOrAre(count int) string {
	if count == 1 {
		return "is"
	}
	return "are"
}

// nearest is the word of a list that a misspelt one was most likely meant for, "" where none is like it.
func nearest(word string, list []string) string {
	const longest = 40 // no key and no command is as long
	best, least := "", min(max(len(word)/3, 2), longest/4)+1
	if len(word) > longest {
		return ""
	}
	for _, other := range list {
		if d := spelling.Distance(strings.ToLower(word), other); d < least {
			best, least = other, d
		}
	}
	return best
}

// many is no bound on the number of arguments.
const many = 1 << 30

// args checks the number of arguments, so that a mistake ends with exit code 2. thing is what one of them names.
func args(least, most int, thing string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, list []string) error {
		hint := fmt.Sprintf("usage: %s; `%s --help` explains", cmd.UseLine(), cmd.CommandPath())
		switch {
		case len(list) < least:
			return usage(hint, "%s needs %s", cmd.Name(), thing)
		case len(list) > most && most == 0:
			return usage(hint, "%s takes no arguments, not even %s", cmd.Name(), strconv.Quote(list[0]))
		case len(list) > most:
			return usage(hint, "%s takes %s, and nothing after it: %s is too much", cmd.Name(), thing, strconv.Quote(list[most]))
		}
		return nil
	}
}

var noArgs = args(0, 0, "")

// flagError puts a mistake with a flag into plain words.
func flagError(cmd *cobra.Command, err error) error {
	hint := fmt.Sprintf("`%s --help` shows the flags", cmd.CommandPath())
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		if unknown.GetSpecifiedShortnames() != "" {
			hint = hintOfDash(cmd, hint)
		}
		return usage(hint, "%s has no flag %s", cmd.Name(), dashed(unknown.GetSpecifiedName(), unknown.GetSpecifiedShortnames() != ""))
	case errors.As(err, &missing):
		return usage(hint, "%s needs a value", dashed(missing.GetSpecifiedName(), missing.GetSpecifiedShortnames() != ""))
	case errors.As(err, &wrong):
		if wrong.GetFlag().Shorthand != "" {
			hint = hintOfDash(cmd, hint)
		}
		return usage(hint, "--%s takes %s, not %q", wrong.GetFlag().Name, kindOfValue(wrong.GetFlag().Value.Type()), wrong.GetValue())
	}
	return usage(hint, "%w", err)
}

// hintOfDash adds what helps where a query was taken for a flag: in those of search and context a "-" excludes.
func hintOfDash(cmd *cobra.Command, hint string) string {
	if cmd.Name() != "search" && cmd.Name() != "context" {
		return hint
	}
	return fmt.Sprintf("put -- before a query that begins with \"-\", and flags before that: `%s -- -draft tag:project`; %s", cmd.CommandPath(), hint)
}

func dashed(name string, isShort bool) string {
	if isShort {
		return "-" + name
	}
	return "--" + name
}

// kindOfValue says what a flag of this type takes.
func kindOfValue(kind string) string {
	switch kind {
	case "int":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	}
	return "another value"
}
