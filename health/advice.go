package health

import (
	"context"
	"strings"
)

// maxShownLine is how long a line may be, in bytes, to be written anew in a remedy.
const maxShownLine = 120

// secretMark stands in a line in the place of a secret.
const secretMark = "[REDACTED"

// advice says what to write against a problem of a note, from its line and from what was said of it.
func (e *Examination) advice(file string, line int, reason string) string {
	var lines []string
	if e.facts.Lines != nil && line > 0 && isNoteFile(file) {
		lines = e.facts.Lines(file)
	}
	for _, at := range []int{line, line - 1} { // what is not closed shows in the line behind
		if at < 1 || at > len(lines) {
			continue
		}
		text := strings.TrimRight(lines[at-1], " \t\r")
		if mended := mendedLine(text); mended != "" && len(text) <= maxShownLine && !strings.Contains(text, secretMark) {
			if at != line {
				return "write `" + mended + "` in the line before"
			}
			return "write `" + mended + "`"
		}
	}
	for _, known := range yamlFaults {
		if strings.Contains(reason, known.said) {
			return known.advice
		}
	}
	return ""
}

// yamlFaults say what helps where the line is not to be shown.
var yamlFaults = []struct{ said, advice string }{
	{"tab", "write spaces in the place of the tab"},
	{
		"mapping values are not allowed",
		"put quotes round the value, which has a colon with a space behind it; or, if it is a property, write it at the start of its line",
	},
	{"cannot start any token", "put quotes round a value that begins with a sign such as @, % or `; write spaces where the line begins with a tab"},
	{"unknown anchor", "put quotes round the value, which begins with a star"},
	{"is given more than once", "delete one of the two lines"},
	{"placeholder", "put quotes round it, or fill it in"},
	{"expected ',' or ']'", "close the list with ]"},
	{"expected ',' or '}'", "close the braces with }"},
	{"could not find expected ':'", "give the line before a name and a colon, or indent it below the property that it belongs to"},
	{"unexpected end of stream", "close the quotes"},
	{"hexadecimal", "write the value in single quotes: a backslash in double quotes begins a code"},
	{"unknown escape", "write the value in single quotes: a backslash in double quotes begins a code"},
	{"sequence entries are not allowed", "put quotes round the value, or write the list in lines of its own below the name"},
	{"mapping keys are not allowed", "put quotes round the value, which begins with a question mark"},
	{"did not find expected key", "put quotes round the whole value; or indent the line as those beside it"},
	{"comment", "put quotes round the value: what follows a # is a comment"},
	{"non-breaking space", "write a plain space there"},
	{"edge of the canvas", "open the canvas and delete the arrow that has no card at one end"},
	{"never closed", "write --- in the line behind the last property"},
}

var (
	propertyLine = lazy(`^(\s*(?:- )?)([^\s:#"'\[\]{}-][^:]{0,100}?):[ \t]+(.+)$`)
	tightLine    = lazy(`^([\pL_][\pL\pN_-]{0,60}):([^\s:/\\].*)$`)
	itemLine     = lazy(`^(\s*- +)(.+)$`)
)

// mendedLine writes a line of properties as it is likely meant, "" where nothing is wrong with it by itself.
func mendedLine(line string) string {
	if plain := strings.ReplaceAll(line, "\u00a0", " "); plain != line {
		return orMended(plain)
	}
	if bare := strings.TrimLeft(line, "\t"); bare != line {
		return orMended(strings.Repeat("  ", len(line)-len(bare)) + bare)
	}
	parts := propertyLine().FindStringSubmatch(line)
	switch {
	case parts == nil:
	case parts[2] == "<<":
		return ""
	case strings.HasPrefix(parts[3], "#") && strings.HasPrefix(strings.ToLower(parts[2]), "tag"):
		return parts[1] + parts[2] + ": [" + strings.Join(strings.FieldsFunc(parts[3], isTagMark), ", ") + "]"
	}
	if parts == nil {
		if tight := tightLine().FindStringSubmatch(line); tight != nil {
			return tight[1] + ": " + orQuoted(tight[2])
		}
		if item := itemLine().FindStringSubmatch(line); item != nil && mendedValue(item[2]) != "" {
			return item[1] + mendedValue(item[2])
		}
		return ""
	}
	if mended := mendedValue(parts[3]); mended != "" {
		return parts[1] + parts[2] + ": " + mended
	}
	return ""
}

// isTagMark tells of what stands between tags.
func isTagMark(r rune) bool { return r == '#' || r == ',' || r == ' ' || r == '\t' }

func orMended(line string) string {
	if mended := mendedLine(line); mended != "" {
		return mended
	}
	return line
}

func orQuoted(value string) string {
	if mended := mendedValue(value); mended != "" {
		return mended
	}
	return value
}

// mendedValue writes a value with the quotes that it lacks, "" where it lacks none.
func mendedValue(value string) string {
	first := value[0]
	switch {
	case linksInOneText().MatchString(value) && first == '[':
		return `["` + strings.Join(linksOf(value), `", "`) + `"]`
	case strings.HasPrefix(value, "{{"), strings.HasPrefix(value, "<%"):
		return quoted(value)
	case strings.HasPrefix(value, "[#"):
		return strings.ReplaceAll(value, "#", "")
	case first == '[' && !strings.HasSuffix(value, "]") && strings.Count(value, "[") == strings.Count(value, "]")+1:
		return value + "]"
	case first == '"' || first == '\'':
		return mendedQuotes(value)
	case first == '[' || first == '{' || first == '|':
		return ""
	case strings.IndexByte("@`%*&!>?#", first) >= 0, strings.HasPrefix(value, "- "), strings.Contains(value, ": "), strings.HasSuffix(value, ":"):
		return quoted(value)
	}
	return ""
}

// mendedQuotes writes a value whose quotes end too early, late or hold a code that is none.
func mendedQuotes(value string) string {
	mark := value[:1]
	inner := strings.TrimPrefix(value, mark)
	end := strings.LastIndex(inner, mark)
	isWhole := end >= 0 && end == len(inner)-1
	switch {
	case end < 0:
		return quoted(inner)
	case isWhole && mark == `"` && strings.Contains(inner[:end], `\`):
		return quoted(inner[:end])
	case isWhole && strings.Contains(inner[:end], mark):
		return quoted(inner[:end])
	case !isWhole:
		return quoted(value)
	}
	return ""
}

// quoted puts quotes round a value: single ones where it has a mark in it that double ones would need a code for.
func quoted(value string) string {
	if strings.ContainsAny(value, `"\`) {
		return "'" + strings.ReplaceAll(value, "'", "''") + "'"
	}
	return `"` + value + `"`
}

// problems tells what the last run could not read as it was meant.
func (e *Examination) problems(ctx context.Context) {
	for _, p := range until(ctx, e.facts.Problems) {
		f := Finding{Path: p.Path, Message: strings.TrimPrefix(p.Reason, "frontmatter: ")}
		if p.Line != nil {
			f.Line = *p.Line
		}
		switch p.State {
		case "failed":
			f.Check, f.Remedy = FailedFile, "mend the file, then run `quarry index`"
		case "skipped":
			f.Check, f.Remedy = SkippedFile, "nothing if it is to stay out: name it in .indexignore, so that it is no longer told of"
		default:
			f.Check, f.Remedy = FaultyNote, "mend "+place(p.Path, f.Line)
			if advice := e.advice(p.Path, f.Line, p.Reason); advice != "" {
				f.Remedy = advice
			}
			f.Remedy += ", then run `quarry index`"
		}
		e.add(f)
	}
}
