package compress

import (
	"strings"

	"quarry/internal/lazyregexp"
)

// frame is one call of a stack: a line, or two.
type frame struct {
	start, end int
	isOwn      bool // not of a framework, a library or the language
}

// frameReader reads a frame at a line; its end is the line itself where there is none.
type frameReader struct {
	read       func(lines []line, at int) frame
	isLastBest bool // the place of the error is the last frame, as in Python; else the first
}

var frameReaders = []frameReader{{readPythonFrame, true}, {readGoFrame, false}, {readRustFrame, false}, {readAtFrame, false}}

// markTraces keeps the frames of a stack that are one's own, and the one where it happened; of equal stacks the first.
func markTraces(lines []line) {
	stacks := map[string]bool{}
	for i := 0; i < len(lines); {
		if lines[i].rank == dropped || lines[i].text == "" {
			i++
			continue
		}
		end := i
		for _, reader := range frameReaders {
			if stack := readStack(lines, i, reader.read); len(stack) > 0 {
				markStack(lines, stack, reader.isLastBest, stacks)
				end = stack[len(stack)-1].end
				break
			}
		}
		i = max(end, i+1)
	}
}

func readStack(lines []line, at int, read func([]line, int) frame) []frame {
	var stack []frame
	for at < len(lines) {
		f := read(lines, at)
		if f.end == f.start {
			break
		}
		stack = append(stack, f)
		at = f.end
	}
	return stack
}

func markStack(lines []line, stack []frame, isLastBest bool, stacks map[string]bool) {
	best := 0
	if isLastBest {
		best = len(stack) - 1
	}
	isKnown := isKnownStack(lines, stack, stacks)
	if markGoroutine(lines, stack, isKnown, len(stacks) <= 1) {
		return
	}
	seen := map[string]bool{}
	for i, f := range stack {
		key := lines[f.start].text
		if f.end > f.start+1 && !isLastBest {
			key = lines[f.end-1].text
		}
		isKept := !isKnown && !seen[key] && (f.isOwn || i == best)
		seen[key] = true
		for at := f.start; at < f.end; at++ {
			switch {
			case !isKept && at == f.start:
				lines[at].drop(frames, 1)
			case !isKept && at > f.start+1:
				lines[at].dropHarmless(frames, 0)
			case !isKept:
				lines[at].dropQuiet(frames, 0)
			case at == f.start || hasPlace(lines[at].text):
				lines[at].raise(failure)
			default:
				lines[at].raise(context)
			}
		}
	}
}

// isKnownStack tells whether the same stack stood before. Arguments of Go's calls do not count.
func isKnownStack(lines []line, stack []frame, stacks map[string]bool) bool {
	const least = 3
	if len(stack) < least {
		return false
	}
	var key strings.Builder
	for _, f := range stack {
		for _, l := range lines[f.start:f.end] {
			key.WriteString(withoutArguments(l.text, f.end > f.start+1))
			key.WriteByte('\n')
		}
	}
	known := stacks[key.String()]
	stacks[key.String()] = true
	return known
}

// withoutArguments is a line of a frame without what differs between two calls at the same place.
func withoutArguments(text string, isCall bool) string {
	if at := strings.LastIndex(text, " +0x"); at >= 0 {
		return text[:at]
	}
	if at := strings.LastIndex(text, " in goroutine "); at >= 0 {
		return text[:at]
	}
	if at := strings.LastIndexByte(text, '('); isCall && at >= 0 {
		return text[:at]
	}
	return text
}

// markGoroutine drops a whole goroutine: one with a stack as before, or with none of one's own calls, but for the first.
func markGoroutine(lines []line, stack []frame, isKnown, isFirst bool) bool {
	header := stack[0].start - 1
	if header < 0 || !goroutineHead.MatchString(lines[header].text) {
		return false
	}
	of := goroutines
	if !isKnown {
		of = idleGoroutines
		for _, f := range stack {
			if f.isOwn || isFirst {
				return false
			}
		}
	}
	lines[header].drop(of, 1)
	for at := stack[0].start; at < stack[len(stack)-1].end; at++ {
		lines[at].drop(of, 0)
	}
	return true
}

var (
	goroutineHead = lazyregexp.New(`^goroutine \d+ .*\[.*\]:$`)
	goCall        = lazyregexp.New(`^\s*(?:created by )?[\w./~-]+(?:\.\S+)*\(.*\)(?: in goroutine \d+)?$|^\s*created by [\w./~-]+`)
	goPlace       = lazyregexp.New(`^\s+\S.*\.(?:go|s):\d+(?: \+0x[0-9a-f]+)?$`)
	rustCall      = lazyregexp.New(`^\s+\d+: (?:0x[0-9a-f]+ - )?(\S.*)$`)
	atFrame       = lazyregexp.New(`^(?:#\s+|\s+)(?:at |❯ |⎯ )(\S.*)$`)
)

// isMore tells of what looks like a call and speaks of an error behind a colon.
func isMore(call string) bool { return strings.Contains(call, ": ") && isError(call) }

// pythonFrame is the whole first line of a frame.
var pythonFrame = lazyregexp.New(`^File ".*", line \d+(?:, in .*)?$`)

func readPythonFrame(lines []line, at int) frame {
	text := strings.TrimLeft(lines[at].text, " |+-")
	none := frame{at, at, false}
	if !strings.HasPrefix(text, `File "`) || !pythonFrame.MatchString(text) || isMore(text) {
		if rest, isMore := after(text, "[Previous line repeated "); isMore && strings.HasSuffix(rest, "]") {
			return frame{at, at + 1, true}
		}
		return none
	}
	indent := indentOf(strings.TrimLeft(lines[at].text, "|+-"))
	end := at + 1
	const longest = 12
	for end < len(lines) && end < at+longest {
		next := lines[end].text
		if next == "" || indentOf(strings.TrimLeft(next, "|+-")) <= indent || strings.HasPrefix(strings.TrimLeft(next, " |"), `File "`) {
			break
		}
		end++
	}
	return frame{at, end, !isLibrary(text)}
}

// isLibrary tells of a path that is not one's own code.
func isLibrary(text string) bool {
	for _, part := range []string{
		"/site-packages/", "/dist-packages/", "/lib/python3", "importlib/", `\lib\`, "<frozen ", "/node_modules/", "(node:", "node:internal", "internal/", "/pkg/mod/", "/vendor/", "/go/src/", "_testmain.go",
		"/rustc/", "/.cargo/registry/", "/rustlib/",
	} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return strings.HasPrefix(text, "node_modules/") || strings.Contains(text, " node_modules/") || strings.Contains(text, "(node_modules/")
}

func readGoFrame(lines []line, at int) frame {
	none := frame{at, at, false}
	if at+1 >= len(lines) || !goPlace.MatchString(lines[at+1].text) || !goCall.MatchString(lines[at].text) || isErrorMessage(lines[at+1].text) || isErrorMessage(lines[at].text) {
		return none
	}
	call := strings.TrimPrefix(strings.TrimSpace(lines[at].text), "created by ")
	return frame{at, at + 2, !isLibrary(lines[at+1].text) && !strings.HasPrefix(call, "runtime.") && !strings.HasPrefix(call, "testing.")}
}

func readRustFrame(lines []line, at int) frame {
	m := rustCall.FindStringSubmatch(lines[at].text)
	if m == nil || isMore(m[1]) || isError(m[1]) && !strings.Contains(m[1], "::") {
		return frame{at, at, false}
	}
	end := at + 1
	isOwn := true
	if end < len(lines) && strings.HasPrefix(strings.TrimLeft(lines[end].text, " "), "at ") {
		isOwn = !isLibrary(lines[end].text)
		end++
	} else if !strings.Contains(m[1], "::") && !strings.HasPrefix(m[1], "rust_") && !strings.HasPrefix(m[1], "__") {
		return frame{at, at, false}
	}
	for _, prefix := range []string{"std::", "core::", "alloc::", "rust_", "__rust", "<core::", "<alloc::", "<std::", "test::", "_start", "__libc"} {
		isOwn = isOwn && !strings.HasPrefix(m[1], prefix)
	}
	return frame{at, end, isOwn}
}

// javaLibraries are packages of the language and of the frameworks that are seen most.
var javaLibraries = []string{
	"java.", "javax.", "jakarta.", "jdk.", "sun.", "com.sun.", "org.junit.", "junit.", "org.testng.", "org.mockito.", "org.springframework.", "org.apache.",
	"org.hibernate.", "org.gradle.", "org.eclipse.", "io.netty.", "io.micrometer.", "reactor.", "kotlin.", "kotlinx.", "scala.", "groovy.", "org.codehaus.",
	"com.fasterxml.", "com.google.", "com.zaxxer.", "io.undertow.", "org.jboss.",
}

// readAtFrame reads the frames of Java and JavaScript: "at call (place)".
func readAtFrame(lines []line, at int) frame {
	text := lines[at].text
	if text == "" || text[0] != ' ' && text[0] != '\t' && text[0] != '#' || !strings.ContainsAny(text, ":(") {
		return frame{at, at, false}
	}
	m := atFrame.FindStringSubmatch(text)
	if m == nil || !strings.Contains(m[1], ":") && !strings.HasSuffix(m[1], ")") || isMore(m[1]) {
		return frame{at, at, false}
	}
	call := m[1]
	if module, rest, isModule := strings.Cut(call, "/"); isModule && !strings.ContainsAny(module, " (:") {
		for _, library := range javaLibraries {
			if strings.HasPrefix(module, library) || strings.HasPrefix(rest, library) {
				return frame{at, at + 1, false}
			}
		}
	}
	isOwn := !isLibrary(call)
	for _, library := range javaLibraries {
		isOwn = isOwn && !strings.HasPrefix(call, library)
	}
	return frame{at, at + 1, isOwn}
}
