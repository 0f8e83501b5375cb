package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manualWidth is how wide the pages of help are at most.
const manualWidth = 80

// manual is a page of help, laid out for so many columns.
type manual struct {
	columns int
	text    strings.Builder
}

// printManual writes the page of help of a command.
func (a *app) printManual(cmd *cobra.Command, _ []string) {
	m := &manual{columns: manualWidth}
	if a.io.Width != nil {
		if columns := a.io.Width(); columns > 0 {
			m.columns = min(max(columns, minWidth), manualWidth)
		}
	}
	m.prose(cmp.Or(cmd.Long, cmd.Short))
	if cmd.Runnable() || cmd.HasSubCommands() {
		m.reference(cmd)
	}
	fmt.Fprint(cmd.OutOrStdout(), m.text.String())
}

// reference tells how a command is called.
func (m *manual) reference(cmd *cobra.Command) {
	m.title("Usage")
	if cmd.Runnable() {
		m.row("  "+cmd.UseLine(), 2*indent)
	}
	if cmd.HasAvailableSubCommands() {
		m.row("  "+cmd.CommandPath()+" [command]", 2*indent)
	}
	if len(cmd.Aliases) > 0 {
		m.title("Aliases")
		m.row("  "+cmd.NameAndAliases(), 2*indent)
	}
	if cmd.HasExample() {
		m.title("Examples")
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			m.example(line)
		}
	}
	if cmd.HasAvailableSubCommands() {
		m.title("Available Commands")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				m.row(fmt.Sprintf("  %-*s  %s", sub.NamePadding(), sub.Name(), sub.Short), 0)
			}
		}
	}
	if flags := cmd.LocalFlags(); flags.HasAvailableFlags() {
		m.title("Flags")
		m.flags(flags)
	}
	if flags := cmd.InheritedFlags(); flags.HasAvailableFlags() {
		m.title("Global Flags")
		m.flags(flags)
	}
	var topics []string
	for _, sub := range cmd.Commands() {
		if sub.IsAdditionalHelpTopicCommand() {
			topics = append(topics, fmt.Sprintf("  %-*s  %s", sub.CommandPathPadding(), sub.CommandPath(), sub.Short))
		}
	}
	if len(topics) > 0 {
		m.title("Additional help topics")
		for _, topic := range topics {
			m.row(topic, 0)
		}
	}
	if cmd.HasAvailableSubCommands() {
		m.text.WriteByte('\n')
		m.row(fmt.Sprintf("Use \"%s [command] --help\" for more information about a command.", cmd.CommandPath()), 0)
	}
}

func (m *manual) title(title string) {
	if m.text.Len() > 0 {
		m.text.WriteByte('\n')
	}
	m.text.WriteString(title + ":\n")
}

// prose writes a text: lines that are not indented run on until an empty one, indented lines stand by themselves.
func (m *manual) prose(text string) {
	running := ""
	end := func() {
		if running != "" {
			m.row(running, 0)
		}
		running = ""
	}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", strings.Repeat(" ", indent)), " ")
		switch {
		case line == "":
			end()
			m.text.WriteByte('\n')
		case line[0] == ' ':
			end()
			m.row(line, 0)
		default:
			running = strings.TrimPrefix(running+" "+line, " ")
		}
	}
	end()
}

// flags writes a row for each flag; what it does stands beside it, or where that is too narrow, below.
func (m *manual) flags(flags *pflag.FlagSet) {
	for line := range strings.SplitSeq(strings.TrimSuffix(flags.FlagUsages(), "\n"), "\n") {
		name, about, _ := strings.Cut(strings.TrimLeft(line, " "), "   ")
		about = strings.TrimSpace(about)
		start, column := len(line)-len(strings.TrimLeft(line, " ")), len(line)-len(about)
		if column <= m.columns/2 || len(line) <= m.columns {
			m.row(line, column)
			continue
		}
		m.row(strings.Repeat(" ", start)+name, 2*indent)
		m.row(strings.Repeat(" ", 2*indent)+about, 2*indent)
	}
}

// row writes a line, in several rows where it is wider than the page. Those after the first begin at hanging, or where that is 0,
// below the last column of a table, if there is room.
func (m *manual) row(line string, hanging int) {
	text := strings.TrimLeft(line, " ")
	start := len(line) - len(text)
	if hanging == 0 && start > 0 {
		hanging = start + indent
		if gap := strings.Index(text, "  "); gap > 0 {
			column := start + runewidth.StringWidth(text[:gap]) + len(text[gap:]) - len(strings.TrimLeft(text[gap:], " "))
			if column <= m.columns/2 {
				hanging = column
			}
		}
	}
	for margin := start; text != ""; margin = hanging {
		row := wrap(text, m.columns-margin)[0]
		m.text.WriteString(strings.Repeat(" ", margin) + row + "\n")
		text = strings.TrimLeft(text[len(row):], " ")
	}
}

// example writes a command line, which is continued as shells take it, with what it does behind it or below it.
func (m *manual) example(line string) {
	if runewidth.StringWidth(line) <= m.columns {
		m.text.WriteString(line + "\n")
		return
	}
	text := strings.TrimLeft(line, " ")
	command, about, _ := strings.Cut(text, "   ")
	const continued = " \\"
	margin := strings.Repeat(" ", len(line)-len(text))
	row := margin
	for _, word := range commandWords(command) {
		if row != margin && runewidth.StringWidth(row+word+continued) > m.columns {
			m.text.WriteString(strings.TrimRight(row, " ") + continued + "\n")
			margin = strings.Repeat(" ", 2*indent)
			row = margin
		}
		row += word + " "
	}
	m.text.WriteString(strings.TrimRight(row, " ") + "\n")
	if about = strings.TrimSpace(about); about != "" {
		m.row(strings.Repeat(" ", 2*indent)+about, 2*indent)
	}
}

// commandWords parts a command line at the spaces that stand in no quotation marks.
func commandWords(command string) []string {
	var quote rune
	return strings.FieldsFunc(command, func(r rune) bool {
		switch {
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		case r == quote:
			quote = 0
		}
		return r == ' ' && quote == 0
	})
}
