package compress

import (
	"strings"

	"quarry/internal/lazyregexp"
)

// step is a form of line that tells of work going on.
type step struct {
	prefix string
	of     group
	count  int32
	// isOpen: the rest of the line can be anything that does not speak of an error; else it has to be names, in which no word counts
	isOpen bool
}

// stepForms are what stands in front of such lines, of package managers, build tools and images.
var stepForms = []step{
	{prefix: "npm http ", of: downloads, count: 1},
	{prefix: "npm verbose ", of: otherLines, count: 1, isOpen: true},
	{prefix: "npm verb ", of: otherLines, count: 1, isOpen: true},
	{prefix: "npm silly ", of: otherLines, count: 1, isOpen: true},
	{prefix: "npm sill ", of: otherLines, count: 1, isOpen: true},
	{prefix: "npm timing ", of: otherLines, count: 1, isOpen: true},
	{prefix: "Collecting ", of: downloads, count: 1},
	{prefix: "  Downloading ", of: downloads, count: 0},
	{prefix: "  Using cached ", of: downloads, count: 0},
	{prefix: "Using cached ", of: downloads, count: 1},
	{prefix: "Downloading ", of: downloads, count: 1},
	{prefix: "Requirement already satisfied: ", of: steps, count: 1},
	{prefix: "Looking in indexes: ", of: setup, count: 1},
	{prefix: "Looking in links: ", of: setup, count: 1},
	{prefix: "  Preparing metadata", of: steps, count: 1, isOpen: true},
	{prefix: "  Getting requirements", of: steps, count: 1, isOpen: true},
	{prefix: "  Installing build dependencies", of: steps, count: 1, isOpen: true},
	{prefix: "Building wheel", of: steps, count: 1, isOpen: true},
	{prefix: "  Building wheel", of: steps, count: 1, isOpen: true},
	{prefix: "  Created wheel for ", of: steps, count: 1},
	{prefix: "  Stored in directory: ", of: steps, count: 1},
	{prefix: "  Attempting uninstall: ", of: steps, count: 1},
	{prefix: "    Found existing installation: ", of: steps, count: 1},
	{prefix: "    Uninstalling ", of: steps, count: 1},
	{prefix: "go: downloading ", of: downloads, count: 1},
	{prefix: "go: extracting ", of: downloads, count: 1},
	{prefix: "go: finding ", of: downloads, count: 1},
	{prefix: "   Compiling ", of: steps, count: 1},
	{prefix: "    Checking ", of: steps, count: 1},
	{prefix: "       Fresh ", of: steps, count: 1},
	{prefix: "  Downloaded ", of: downloads, count: 1},
	{prefix: " Downloading ", of: downloads, count: 0},
	{prefix: "    Updating ", of: steps, count: 1},
	{prefix: "     Locking ", of: steps, count: 1},
	{prefix: "    Blocking ", of: steps, count: 1},
	{prefix: "      Adding ", of: steps, count: 1},
	{prefix: " Documenting ", of: steps, count: 1},
	{prefix: "-- ", of: setup, count: 1, isOpen: true},
	{prefix: "Get:", of: downloads, count: 1},
	{prefix: "Hit:", of: downloads, count: 1, isOpen: true},
	{prefix: "Ign:", of: downloads, count: 1, isOpen: true},
	{prefix: "Selecting previously unselected ", of: steps, count: 0},
	{prefix: "Preparing to unpack ", of: steps, count: 0},
	{prefix: "Unpacking ", of: steps, count: 0},
	{prefix: "Setting up ", of: steps, count: 1},
	{prefix: "Processing triggers for ", of: steps, count: 1},
	{prefix: "(Reading database ", of: steps, count: 0},
	{prefix: " ---> ", of: steps, count: 0},
	{prefix: "Removing intermediate container ", of: steps, count: 0},
	{prefix: "sha256:", of: downloads, count: 0, isOpen: true},
	{prefix: "extracting sha256:", of: downloads, count: 1},
	{prefix: "transferring ", of: steps, count: 0, isOpen: true},
	{prefix: "resolve docker", of: steps, count: 0, isOpen: true},
	{prefix: "> Task ", of: steps, count: 1, isOpen: true},
	{prefix: "Download https://", of: downloads, count: 1},
	{prefix: "<t> ", of: steps, count: 1, isOpen: true},
	{prefix: "<w> [webpack.Progress", of: steps, count: 1, isOpen: true},
	{prefix: "CC ", of: steps, count: 1},
	{prefix: "CXX ", of: steps, count: 1},
	{prefix: "LD ", of: steps, count: 1},
	{prefix: "AR ", of: steps, count: 1},
}

var (
	// stepCount is the progress of cmake and ninja.
	stepCount = lazyregexp.New(`^\[ *\d+(?:%|/\d+)\] (?:Building|Linking|Built|Generating|Scanning|Automatic|CC|CXX|LINK|Copying)\b`)
	// compileCommand is what make calls: a compiler with a flag, or an archiver with its letters.
	compileCommand = lazyregexp.New(`^\s*(?:\S*/)?(?:[\w.]+-)*(?:(?:cc|c\+\+|gcc|g\+\+|clang|clang\+\+|ld|nasm|as|javac|rustc|libtool)(?:-[\d.]+)? (?:[^:\s]+ )*--?[A-Za-z]|ar [a-zA-Z]*[rcq][a-zA-Z]* \S+\.a\b|ranlib \S+\.a$)`)
	// percent is a bar of progress.
	percent = lazyregexp.New(`^\s*(?:[━╸╺█▏▎▍▌▋▊▉░▒▓]{10,}|\[[=>#. -]{10,}\]|\d+%\s?[|\[])`)
	// fetched is a file that apt got, with its size.
	fetched = lazyregexp.New(`^Get:\d+ [a-z+]+:\S+ [^:]* \[[\d.,]+ ?[kMG]?B\]$`)
	// mavenFetch is a file that Maven gets.
	mavenFetch = lazyregexp.New(`^(?:\[INFO\] +)?Download(?:ing|ed)(?: from \S+)?: \S+(?: \([^():]*\))?$`)
	// directoryStep is where make goes.
	directoryStep = lazyregexp.New("^make(?:\\[\\d+\\])?: (?:Entering|Leaving) directory ['`][^']*'$")
)

// inner is a line within the step of an image's build: without "#12 0.345 ".
func inner(text string) string {
	if len(text) < 4 || text[0] != '#' || !isDigit(text[1]) {
		return text
	}
	at := 1
	for at < len(text) && isDigit(text[at]) {
		at++
	}
	if at == len(text) || text[at] != ' ' {
		return text
	}
	rest := text[at+1:]
	seconds := strings.TrimLeft(rest, "0123456789")
	if dot, isTime := after(seconds, "."); isTime && len(seconds) < len(rest) {
		return strings.TrimPrefix(strings.TrimLeft(dot, "0123456789"), " ")
	}
	return rest
}

// markSteps drops what tells of work that went well.
func markSteps(lines []line) {
	seen := map[string]int{}
	for i := range lines {
		l := &lines[i]
		if l.rank != plain || l.text == "" {
			continue
		}
		text := inner(l.text)
		if len(text) < len(l.text) && isImageStep(text) {
			l.dropHarmless(steps, 0)
			continue
		}
		markStep(l, text)
		if l.rank == plain && strings.HasPrefix(text, "npm warn ") {
			if seen["npm"]++; seen["npm"] > 2*warningsEach {
				l.dropHarmless(warnings, 1)
			}
		}
	}
}

// isImageStep tells of how a step of an image's build ended.
func isImageStep(text string) bool {
	return text == "CACHED" || strings.HasPrefix(text, "DONE ") || strings.HasPrefix(text, "exporting ") || strings.HasPrefix(text, "writing image ") ||
		strings.HasPrefix(text, "[internal] ")
}

func markStep(l *line, text string) {
	for _, form := range stepForms {
		if text != "" && text[0] == form.prefix[0] && strings.HasPrefix(text, form.prefix) {
			if form.isOpen {
				l.dropHarmless(form.of, form.count)
			} else if areNames(text[len(form.prefix):]) || fetched.MatchString(text) {
				l.drop(form.of, form.count)
			}
			return
		}
	}
	switch text[:min(1, len(text))] {
	case "[":
		if stepCount.MatchString(text) {
			l.dropHarmless(steps, 1)
			return
		}
	case "m":
		if directoryStep.MatchString(text) {
			l.drop(steps, 0)
			return
		}
	}
	trimmed := strings.TrimLeft(text, " \t")
	switch {
	case isModule(trimmed):
		l.dropHarmless(steps, 1)
	case len(trimmed) < len(text) && isModuleRemark(trimmed):
		l.dropHarmless(steps, 0)
	case compileCommand.MatchString(text) && !strings.Contains(text, ": "):
		l.drop(commands, 1)
	case compileCommand.MatchString(text):
		l.dropHarmless(commands, 1)
	case percent.MatchString(text):
		l.dropHarmless(steps, 0)
	}
}

// isModule tells of a module that webpack took in.
func isModule(text string) bool {
	return strings.Contains(text, " [built]") || strings.Contains(text, " [code generated]") || strings.HasPrefix(text, "modules by path ") ||
		strings.HasPrefix(text, "asset ") && strings.Contains(text, " [emitted]") && !strings.Contains(text, "(name: ")
}

func isModuleRemark(text string) bool {
	for _, prefix := range []string{"[exports", "[used exports", "[only some exports", "[no exports", "harmony ", "cjs ", "esm ", "entry ", "[module unused"} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}

// mavenKept are parts of lines that say how a run of Maven went.
var mavenKept = []string{"BUILD", "Tests run:", "SUCCESS", "FAILURE", "Total time", "Reactor Summary", "Results"}

// markMaven knows lines of Maven and Surefire.
func markMaven(lines []line) {
	warned := map[string]int{}
	for i := range lines {
		l := &lines[i]
		switch {
		case strings.HasPrefix(l.text, "[INFO]"):
			markMavenInfo(l)
		case strings.HasPrefix(l.text, "[ERROR]"):
			l.raise(failure)
		case strings.HasPrefix(l.text, "[WARNING]"):
			if warned[l.text]++; warned[l.text] > 1 {
				l.drop(warnings, 1)
			}
		case mavenFetch.MatchString(l.text):
			l.drop(downloads, fetchCount(l.text))
		case strings.HasPrefix(l.text, "Progress ("):
			l.dropHarmless(downloads, 0)
		}
	}
}

func markMavenInfo(l *line) {
	text := strings.TrimSpace(strings.TrimPrefix(l.text, "[INFO]"))
	switch {
	case mavenFetch.MatchString(l.text):
		l.drop(downloads, fetchCount(l.text))
	case strings.HasPrefix(text, "Tests run:") && strings.Contains(text, "Time elapsed:") && !isError(text):
		l.drop(passedFiles, 1)
	case strings.Trim(text, "-") == "", strings.HasPrefix(text, "Running ") && strings.Count(text, " ") == 1:
		l.drop(steps, 0)
	default:
		for _, word := range mavenKept {
			if strings.Contains(text, word) {
				return
			}
		}
		l.dropHarmless(steps, 1)
	}
}

// fetchCount counts a file once, although two lines tell of it.
func fetchCount(text string) int32 {
	if strings.Contains(text, "Downloaded") {
		return 1
	}
	return 0
}
