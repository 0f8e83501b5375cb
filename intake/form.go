package intake

import (
	"net/url"
	"regexp"
	"strings"
)

// form is the outward shape of a body of Markdown: what it is made of, whatever it is about.
type form struct {
	prose                                                 string // without code, addresses and marks of links
	words                                                 int
	headings, bullets, steps, tasks, tables, quotes       int
	fences, codeLines, spans, commands, figures, links    int
	linkLines, lines, versions, measures, vulnerabilities int
	hosts                                                 map[string]bool // linked to, other than the signal's own
}

var (
	linkPattern    = regexp.MustCompile(`(!?)\[([^\]\n]*)\]\(<?(https?://[^\s)>]+)[^)\n]*\)`)
	barePattern    = regexp.MustCompile(`<?https?://[^\s)>\]]+>?`)
	spanPattern    = regexp.MustCompile("`[^`\n]+`")
	stepPattern    = regexp.MustCompile(`^\d{1,2}[.)]\s`)
	commandPattern = regexp.MustCompile(`^\s*(\$|#|>|%|❯) \S|^\s*(sudo|git|go|npm|pnpm|yarn|npx|uv|pip|cargo|docker|kubectl|helm|terraform|tofu|ansible|aws|gcloud|az|curl|wget|ssh|apt|brew|systemctl|psql|sqlite3|make|claude|ollama|adb|xcrun|swift|flutter) [a-z-]`)
	versionPattern = regexp.MustCompile(`\bv?\d{1,4}\.\d{1,4}(\.\d{1,5})?\b`)
	measurePattern = regexp.MustCompile(`(?i)\b\d[\d.,]*\s?(%|ms|µs|us|ns|s|sec|seconds|minutes|hours|days|x|×|[kmgt]i?b|qps|rps|req/s|fps|px|rem|tokens|rows|rpm|watts|w|v|mhz|ghz|sekunden|minuten|stunden|zeilen|secondes)\b|\b\d[\d.,]*\s?(%|秒|倍|件)`)
	cvePattern     = regexp.MustCompile(`(?i)\b(cve-\d{4}-\d{4,}|ghsa(-[0-9a-z]{4}){3}|cwe-\d+|usn-\d+|dsa-\d+)`)
	percentOff     = regexp.MustCompile(`(?i)\b\d{1,2}\s?(%|percent|prozent)\s?(off|discount|rabatt|günstiger|de réduction|de remise|cheaper)|-\d{1,2}\s?%|\d{1,2}\s?(%|％)\s?(オフ|引き)`)
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
	f.versions = len(versionPattern.FindAllStringIndex(f.prose, 20))
	f.measures = len(measurePattern.FindAllStringIndex(f.prose, 20))
	return f
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
