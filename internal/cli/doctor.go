package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quarry"
)

const (
	// shownFindings is how many findings of one check people get without --all; --json lists all.
	shownFindings = 10
	// shownRelated is how many further notes of a finding are named.
	shownRelated = 5
	// maxMessageColumns is how much is shown of a message or a remedy, which can hold a link as long as a note.
	maxMessageColumns = 1000
	// healthMemoryBytes is where an examination begins to collect garbage sooner: it holds the facts of all notes.
	healthMemoryBytes = 230 << 20
)

// doctorFlags are the flags of `doctor`.
type doctorFlags struct {
	quarry.DoctorRequest
	all bool
}

func (a *app) doctorCommand() *cobra.Command {
	var f doctorFlags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Examine the notes and their links, and tell what helps",
		Long: `Looks for what is broken (faults), likely not as meant (notices) or could be better (hints): dead links, links to headings that
moved, notes that nothing links, notes twice, tags written in several ways, and more. Each finding names its place and a remedy.
No note is changed; the index is built where there is none. The exit code is 0 with findings, too: scripts look at "findings" in
the document of --json. docs/health.md explains each check.

What is looked for:
` + checksInWords(),
		Example: `  quarry doctor
  quarry doctor --all --skip orphan
  quarry doctor --only dead_link,dead_heading
  quarry doctor --json | jq -r '.findings[].check' | uniq -c`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(cmd.Flags()); err != nil {
				return err
			}
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error { return a.doctor(cmd.Context(), engine, f) })
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.Only, "only", nil, "look for this alone, by the name of a check (repeat for more)")
	flags.StringSliceVar(&f.Skip, "skip", nil, "do not look for this (repeat for more)")
	flags.BoolVar(&f.all, "all", false, fmt.Sprintf("list all findings, where %d of each check are listed otherwise", shownFindings))
	var words []string
	for _, check := range quarry.HealthChecks() {
		words = append(words, cobra.CompletionWithDesc(check.Name, check.About))
	}
	completeWords(cmd, "only", words...)
	completeWords(cmd, "skip", words...)
	return cmd
}

// check finds what the command line cannot mean.
func (f doctorFlags) check(flags *pflag.FlagSet) error {
	var known []string
	for _, check := range quarry.HealthChecks() {
		known = append(known, check.Name)
	}
	if flags.Changed("only") && len(f.Only) == 0 || flags.Changed("skip") && len(f.Skip) == 0 {
		return usage("`quarry doctor --help` lists the checks", "--only and --skip need the name of a check")
	}
	for _, name := range slices.Concat(f.Only, f.Skip) {
		if slices.Contains(known, name) {
			continue
		}
		hint := "`quarry doctor --help` lists the checks"
		if near := nearest(strings.ReplaceAll(name, "-", "_"), known); near != "" {
			hint = fmt.Sprintf("did you mean %s? %s", near, hint)
		}
		return usage(hint, "there is no check %q", name)
	}
	left := known
	if len(f.Only) > 0 {
		left = f.Only
	}
	if !slices.ContainsFunc(left, func(name string) bool { return !slices.Contains(f.Skip, name) }) {
		return usage("leave one of --only and --skip out", "no check is left to look by")
	}
	return nil
}

// checksInWords lists all checks, one a row.
func checksInWords() string {
	var b strings.Builder
	longest := 0
	for _, check := range quarry.HealthChecks() {
		longest = max(longest, len(check.Name))
	}
	for _, check := range quarry.HealthChecks() {
		fmt.Fprintf(&b, "  %-*s  %s\n", longest, check.Name, check.About)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (a *app) doctor(ctx context.Context, engine *quarry.Engine, f doctorFlags) error {
	var found quarry.Health
	err := a.ensureIndex(ctx, engine, func() error {
		if _, err := engine.List(ctx, quarry.ListRequest{Limit: 1}); errors.Is(err, quarry.ErrNoIndex) {
			return err
		}
		return nil // what else is wrong with the index is for Doctor to find
	})
	if err != nil {
		return err
	}
	defer saveMemory(healthMemoryBytes)()
	found, err = engine.Doctor(ctx, f.DoctorRequest)
	if err != nil {
		return err
	}
	for i := range found.Findings {
		finding := &found.Findings[i]
		finding.Message, finding.Remedy = a.placed(finding.Message), a.placed(finding.Remedy)
	}
	return show(a, found, a.flags.json, func(found quarry.Health) error {
		a.printHealth(found, f)
		return nil
	})
}

// severities are those of findings from the worst on, with what they are called when there is one, and their colour.
var severities = []struct{ name, title, style string }{
	{"fault", "Faults", styleFault}, {"notice", "Notices", styleMark}, {"hint", "Hints", styleTitle},
}

func (a *app) printHealth(found quarry.Health, f doctorFlags) {
	if len(found.Findings) == 0 {
		fmt.Fprintf(a.io.Out, "Nothing found in %s%s.\n", counted(found.Notes, "note"), lookedFor(f))
		return
	}
	var counts []string
	for _, severity := range severities {
		of := slices.DeleteFunc(slices.Clone(found.Findings), func(x quarry.HealthFinding) bool { return string(x.Severity) != severity.name })
		if len(of) == 0 {
			continue
		}
		counts = append(counts, counted(len(of), severity.name))
		fmt.Fprintf(a.io.Out, "%s\n", a.style(severity.style, severity.title))
		a.printChecks(of, f.all)
	}
	fmt.Fprintf(a.io.Out, "%s in %s\n", strings.Join(counts, ", "), counted(found.Notes, "note"))
}

// lookedFor tells by which checks was looked.
func lookedFor(f doctorFlags) string {
	switch {
	case len(f.Only) > 0:
		return " by " + printable(oneLine(strings.Join(f.Only, ", ")))
	case len(f.Skip) > 0:
		return " without " + printable(oneLine(strings.Join(f.Skip, ", ")))
	}
	return " by " + counted(len(quarry.HealthChecks()), "check")
}

// printChecks writes findings of one severity, check by check.
func (a *app) printChecks(findings []quarry.HealthFinding, all bool) {
	slices.SortStableFunc(findings, func(one, other quarry.HealthFinding) int { return cmp.Compare(one.Check, other.Check) })
	for len(findings) > 0 {
		count := runOf(findings, func(f quarry.HealthFinding) string { return f.Check })
		a.printCheck(findings[:count], all)
		findings = findings[count:]
	}
	fmt.Fprintln(a.io.Out)
}

// printCheck writes the findings of one check, and what they share but once.
func (a *app) printCheck(findings []quarry.HealthFinding, all bool) {
	head, message := fmt.Sprintf("  %s (%d)", findings[0].Check, len(findings)), findings[0].Message
	fmt.Fprintf(a.io.Out, "\n%s\n", a.style(styleTitle, head))
	isShared := len(findings) > 1 && runOf(findings, func(f quarry.HealthFinding) string { return f.Message }) == len(findings)
	if isShared {
		a.printWrapped("    "+bounded(message, maxMessageColumns), indent)
	}
	shown := findings
	if len(findings) > shownFindings+1 && !all {
		shown = shown[:shownFindings]
	}
	for rest := shown; len(rest) > 0; {
		count := runOf(rest, generalRemedy)
		for _, finding := range rest[:count] {
			if isShared && finding.Path != "" {
				finding.Message = ""
			}
			a.printFinding(finding)
		}
		if count == 1 {
			a.printRemedy(rest[0].Remedy)
		} else {
			a.printRemedy(generalRemedy(rest[0]))
		}
		rest = rest[count:]
	}
	if len(shown) < len(findings) {
		fmt.Fprintf(a.io.Out, "    … and %d more (--all)\n", len(findings)-len(shown))
	}
}

// runOf is how many findings from the first on are alike.
func runOf(findings []quarry.HealthFinding, by func(quarry.HealthFinding) string) int {
	count := 1
	for count < len(findings) && by(findings[count]) == by(findings[0]) {
		count++
	}
	return count
}

// generalRemedy is the remedy for any note, where it names that of the finding by its path or as a link.
func generalRemedy(f quarry.HealthFinding) string {
	if f.Path == "" {
		return f.Remedy
	}
	if slices.ContainsFunc(f.Related, func(related string) bool { return related != f.Path && strings.Contains(related, f.Path) }) {
		return f.Remedy // which of the two is meant cannot be told from the words
	}
	whole := strings.TrimSuffix(f.Path, ".md")
	general := strings.NewReplacer("[["+whole+"]]", "[[NOTE]]", "[["+path.Base(whole)+"]]", "[[NOTE]]").Replace(f.Remedy)
	return replaceWhole(general, f.Path, "NOTE")
}

// printFinding writes the place, what is there, and the notes that are concerned and not named in words.
func (a *app) printFinding(f quarry.HealthFinding) {
	place := oneLinePath(f.Path)
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, f.Line)
	}
	message := bounded(f.Message, maxMessageColumns)
	switch {
	case place == "":
		a.printWrapped("    "+message, 2*indent)
	case message == "":
		fmt.Fprintf(a.io.Out, "    %s\n", a.style(stylePath, place))
	case a.fits("    " + place + "  " + message):
		fmt.Fprintf(a.io.Out, "    %s  %s\n", a.style(stylePath, place), message)
	default:
		fmt.Fprintf(a.io.Out, "    %s\n", a.style(stylePath, place))
		a.printWrapped("        "+message, 2*indent)
	}
	further := slices.DeleteFunc(slices.Clone(f.Related), func(related string) bool { return strings.Contains(f.Message+" "+f.Remedy, related) })
	for i, related := range further {
		if i == shownRelated && len(further) > shownRelated+1 {
			fmt.Fprintf(a.io.Out, "        … and %d more\n", len(further)-i)
			break
		}
		if f.Path != "" {
			related = "see " + related
		}
		a.printWrapped("        "+boundedText(related), 2*indent)
	}
}

// printRemedy writes what helps against the findings above that share it.
func (a *app) printRemedy(remedy string) {
	if remedy = bounded(remedy, maxMessageColumns); remedy != "" {
		a.printStyled(styleFaint, "        "+remedy, 2*indent)
	}
}
