package compress

import (
	"regexp"
	"strings"
)

// step is a form of line that tells of work going on.
type step struct {
	prefix string
	of     group
	count  int32
}

// stepForms are what stands in front of such lines, of package managers, build tools and images.
var stepForms = []step{
	{"npm http ", downloads, 1},
	{"npm verbose ", otherLines, 1},
	{"npm verb ", otherLines, 1},
	{"npm silly ", otherLines, 1},
	{"npm sill ", otherLines, 1},
	{"npm timing ", otherLines, 1},
	{"Collecting ", downloads, 1},
	{"  Downloading ", downloads, 0},
	{"  Using cached ", downloads, 0},
	{"Using cached ", downloads, 1},
	{"Downloading ", downloads, 1},
	{"Requirement already satisfied", steps, 1},
	{"Looking in ", setup, 1},
	{"  Preparing metadata", steps, 1},
	{"  Getting requirements", steps, 1},
	{"  Installing build dependencies", steps, 1},
	{"Building wheel", steps, 1},
	{"  Building wheel", steps, 1},
	{"  Created wheel", steps, 1},
	{"  Stored in directory", steps, 1},
	{"  Attempting uninstall", steps, 1},
	{"    Found existing installation", steps, 1},
	{"    Uninstalling ", steps, 1},
	{"go: downloading ", downloads, 1},
	{"go: extracting ", downloads, 1},
	{"go: finding ", downloads, 1},
	{"   Compiling ", steps, 1},
	{"    Checking ", steps, 1},
	{"       Fresh ", steps, 1},
	{"  Downloaded ", downloads, 1},
	{" Downloading ", downloads, 0},
	{"    Updating ", steps, 1},
	{"     Locking ", steps, 1},
	{"    Blocking ", steps, 1},
	{"      Adding ", steps, 1},
	{" Documenting ", steps, 1},
	{"-- ", setup, 1},
	{"Get:", downloads, 1},
	{"Hit:", downloads, 1},
	{"Ign:", downloads, 1},
	{"Selecting previously unselected ", steps, 0},
	{"Preparing to unpack ", steps, 0},
	{"Unpacking ", steps, 0},
	{"Setting up ", steps, 1},
	{"Processing triggers for ", steps, 1},
	{"(Reading database ", steps, 0},
	{" ---> ", steps, 0},
	{"Removing intermediate container ", steps, 0},
	{"sha256:", downloads, 0},
	{"extracting sha256:", downloads, 1},
	{"transferring ", steps, 0},
	{"resolve docker", steps, 0},
	{"> Task ", steps, 1},
	{"Download https://", downloads, 1},
	{"CC ", steps, 1},
	{"CXX ", steps, 1},
	{"LD ", steps, 1},
	{"AR ", steps, 1},
}

var (
	// stepCount is the progress of cmake and ninja.
	stepCount = regexp.MustCompile(`^\[ *\d+(?:%|/\d+)\] (?:Building|Linking|Built|Generating|Scanning|Automatic|CC|CXX|LINK|Copying)\b`)
	// compilers are what commands of make call.
	compileCommand = regexp.MustCompile(`^\s*(?:\S*/)?(?:[\w.]+-)*(?:cc|c\+\+|gcc|g\+\+|clang|clang\+\+|ld|ar|ranlib|nasm|as|javac|rustc|libtool)(?:-[\d.]+)? .*\s-?[cor]`)
	// percent is a bar of progress.
	percent = regexp.MustCompile(`^\s*(?:[━╸╺█▏▎▍▌▋▊▉░▒▓=>#.\- |\[\]]{10,}|\d+%\s?[|\[])`)
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
			l.drop(steps, 0)
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
			l.dropHarmless(form.of, form.count)
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
		if strings.HasPrefix(text, "make") && (strings.Contains(text, "]: Entering directory") || strings.Contains(text, "]: Leaving directory")) {
			l.drop(steps, 0)
			return
		}
	}
	trimmed := strings.TrimLeft(text, " \t")
	switch {
	case isModule(trimmed):
		l.dropHarmless(steps, 1)
	case len(trimmed) < len(text) && isModuleRemark(trimmed):
		l.drop(steps, 0)
	case compileCommand.MatchString(text):
		l.drop(commands, 1)
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
		case strings.HasPrefix(l.text, "Downloading from "), strings.HasPrefix(l.text, "Progress ("):
			l.dropHarmless(downloads, 0)
		case strings.HasPrefix(l.text, "Downloaded from "):
			l.dropHarmless(downloads, 1)
		}
	}
}

func markMavenInfo(l *line) {
	text := strings.TrimSpace(strings.TrimPrefix(l.text, "[INFO]"))
	switch {
	case strings.HasPrefix(text, "Downloading "):
		l.drop(downloads, 0)
	case strings.HasPrefix(text, "Downloaded "):
		l.drop(downloads, 1)
	case strings.HasPrefix(text, "Tests run:") && strings.Contains(text, "Time elapsed:") && !isError(text):
		l.drop(passedFiles, 1)
	case strings.Trim(text, "-") == "", strings.HasPrefix(text, "Running "):
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
