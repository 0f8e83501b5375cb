package intake

import (
	"net/url"
	"strings"

	"quarry/internal/lazyregexp"
)

// form is the outward shape of a body of Markdown: what it is made of, whatever it is about.
type form struct {
	prose                                              string // without code, addresses and marks of links
	words                                              int
	headings, bullets, steps, tasks, tables, quotes    int
	fences, codeLines, spans, commands, figures, links int
	linkLines, lines, versions, measures               int
	namesVulnerability                                 bool
	hosts                                              map[string]bool // linked to, other than the signal's own
}

var (
	linkPattern    = lazyregexp.New(`(!?)\[([^\]\n]*)\]\(<?(https?://[^\s)>]+)[^)\n]*\)`)
	barePattern    = lazyregexp.New(`<?https?://[^\s)>\]]+>?`)
	spanPattern    = lazyregexp.New("`[^`\n]+`")
	stepPattern    = lazyregexp.New(`^\d{1,2}[.)]\s`)
	commandPattern = lazyregexp.New(`^\s*(\$|#|>|%|❯) \S|^\s*(sudo|git|go|npm|pnpm|yarn|npx|uv|pip|cargo|docker|kubectl|helm|terraform|tofu|ansible|aws|gcloud|az|curl|wget|ssh|apt|brew|systemctl|psql|sqlite3|make|claude|ollama|adb|xcrun|swift|flutter) [a-z-]`)
	versionPattern = lazyregexp.New(`^\d{1,4}\.\d{1,4}(\.\d{1,5})?\b`)
	measurePattern = lazyregexp.New(`(?i)^\d[\d.,]*\s?(?:(?:ms|µs|us|ns|s|sec|seconds|minutes|hours|days|x|×|[kmgt]i?b|qps|rps|req/s|fps|px|rem|tokens|rows|rpm|watts|w|v|mhz|ghz|sekunden|minuten|stunden|zeilen|secondes)\b|%|秒|倍|件)`)
	cvePattern     = lazyregexp.New(`(?i)\b(cve-\d{4}-\d{4,}|ghsa(-[0-9a-z]{4}){3}|cwe-\d+|usn-\d+|dsa-\d+)`)
	percentOff     = lazyregexp.New(`(?i)\b\d{1,2}\s?(%|percent|prozent)\s?(off|discount|rabatt|günstiger|de réduction|de remise|cheaper)|-\d{1,2}\s?%|\d{1,2}\s?(%|％)\s?(オフ|引き)`)
)

// formOf reads a body. Of one above 64 KiB the beginning is read.
func formOf(signal Signal) *form {
	f := &form{hosts: map[string]bool{}}
	own := registrable(hostOf(signal.Address))
	var prose strings.Builder
	inFence := ""
	for line := range strings.Lines(cut(signal.Body, maxBodyBytes)) {
		trimmed := strings.TrimSpace(line)
		if mark := fenceMark(trimmed); mark != "" && (inFence == "" || strings.HasPrefix(mark, inFence)) {
			if inFence == "" {
				inFence = mark
				f.fences++
				prose.WriteString(strings.Trim(trimmed, "`~ ") + "\n")
			} else {
				inFence = ""
			}
			continue
		}
		if inFence != "" || strings.HasPrefix(line, "    ") && trimmed != "" && !isListItem(trimmed) {
			f.codeLine(line)
			continue
		}
		if trimmed != "" {
			f.proseLine(trimmed, own, &prose)
		}
	}
	f.prose = prose.String()
	f.words = len(strings.Fields(f.prose)) + countWide(f.prose)/2
	f.countFigures()
	f.namesVulnerability = namesVulnerability(f.prose)
	return f
}

const (
	maxFigures  = 20
	figureBytes = 32 // of a number with its unit
)

// countFigures counts versions and measures: numbers, looked at where they begin.
func (f *form) countFigures() {
	for at := 0; at < len(f.prose) && f.versions+f.measures < maxFigures; at++ {
		if !isDigit(f.prose[at]) {
			continue
		}
		window := f.prose[at:min(len(f.prose), at+figureBytes)]
		if measurePattern.MatchString(window) {
			f.measures++
		} else if versionPattern.MatchString(window) {
			f.versions++
		}
		for at < len(f.prose) && (isDigit(f.prose[at]) || f.prose[at] == '.') {
			at++
		}
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// namesVulnerability tells of a number of CVE or of another register; the pattern is asked where a hyphen and a digit are.
func namesVulnerability(text string) bool {
	for at := 1; at < len(text); at++ {
		if text[at-1] == '-' && (isDigit(text[at]) || text[at]|0x20 >= 'a' && text[at]|0x20 <= 'z') && isVulnerabilityPrefix(text[:at-1]) {
			if cvePattern.MatchString(text[max(0, at-5):min(len(text), at+40)]) {
				return true
			}
		}
	}
	return false
}

func isVulnerabilityPrefix(before string) bool {
	last := strings.ToLower(before[max(0, len(before)-4):])
	for _, prefix := range []string{"cve", "ghsa", "cwe", "usn", "dsa"} {
		if strings.HasSuffix(last, prefix) {
			return true
		}
	}
	return false
}

func fenceMark(line string) string {
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

func isListItem(line string) bool {
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ") || stepPattern.MatchString(line)
}

func (f *form) codeLine(line string) {
	f.codeLines++
	if commandPattern.MatchString(line) {
		f.commands++
	}
}

func (f *form) proseLine(line, own string, prose *strings.Builder) {
	f.lines++
	switch {
	case strings.HasPrefix(line, "#") && strings.HasPrefix(strings.TrimLeft(line, "#"), " "):
		f.headings++
	case strings.HasPrefix(line, "- [ ]") || strings.HasPrefix(line, "- [x]"):
		f.tasks++
	case stepPattern.MatchString(line):
		f.steps++
	case isListItem(line):
		f.bullets++
	case strings.HasPrefix(line, "|"):
		f.tables++
	case strings.HasPrefix(line, ">"):
		f.quotes++
	}
	rest := line
	if strings.Contains(line, "http") {
		rest = f.linksOf(line, own)
	}
	if strings.Contains(rest, "`") {
		f.spans += len(spanPattern.FindAllStringIndex(rest, 50))
	}
	if strings.HasPrefix(line, "$ ") {
		f.commands++
	}
	prose.WriteString(rest)
	prose.WriteByte('\n')
}

// linksOf counts the links of a line and gives it without their addresses.
func (f *form) linksOf(line, own string) string {
	count := 0
	note := func(address string) {
		count++
		if host := registrable(hostOf(strings.Trim(address, "<>"))); host != "" && host != own {
			f.hosts[host] = true
		}
	}
	rest := linkPattern.ReplaceAllStringFunc(line, func(link string) string {
		parts := linkPattern.FindStringSubmatch(link)
		if parts[1] == "!" {
			f.figures++
		} else {
			note(parts[3])
		}
		return parts[2]
	})
	rest = barePattern.ReplaceAllStringFunc(rest, func(address string) string { note(address); return " " })
	f.links += count
	if count > 0 && len(strings.Fields(rest)) < 14*count {
		f.linkLines++
	}
	return rest
}

// isLinkList tells of a body that is mostly links with a few words each.
func (f *form) isLinkList() bool {
	return f.links >= 4 && f.linkLines*2 >= f.lines && f.words < 30*f.links
}

// slugWords are the words of an address's path, which a bookmark often has more of than its title.
func slugWords(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return cut(strings.NewReplacer("-", " ", "_", " ", "/", " ", ".", " ").Replace(parsed.Path), maxTitleBytes)
}
