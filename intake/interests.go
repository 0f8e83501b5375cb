package intake

import (
	"strconv"
	"strings"

	"quarry/internal/lazyregexp"
)

var (
	itemPattern   = lazyregexp.New(`^\s*(?:[-*+]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$`)
	weightPattern = lazyregexp.New(`^(.*?)\s*\(\s*(?:×|x|\*)?\s*(\d+(?:[.,]\d+)?)\s*\)$`)
	markPattern   = lazyregexp.New("\\[\\[(?:[^\\]|]*\\|)?([^\\]|]*)\\]\\]|\\[([^\\]]*)\\]\\([^)]*\\)|[*_`~=]{1,3}")
)

// ParseInterests reads interests.md: each item of a list and each heading from the second level on is a topic, whose weight may stand
// behind it: "- tide clocks (3)", from .1 to 3, else 1; ~~struck out~~ it does not count. Text before a colon is the topic, and what
// follows explains it. Frontmatter, code, the first heading of the page and everything else are text for people. There is no wrong
// file; at most 2,000 topics are taken, each once, with its highest weight.
func ParseInterests(markdown []byte) []Interest {
	interests, places := []Interest{}, map[string]int{}
	text := strings.TrimPrefix(strings.ToValidUTF8(cut(string(markdown[:min(len(markdown), maxRulesBytes)]), maxRulesBytes), "�"), "\ufeff")
	inFence, inFrontmatter := "", false
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, " \t\r\n")
		trimmed := strings.TrimSpace(line)
		switch mark := fenceMark(trimmed); {
		case number == 1 && line == "---":
			inFrontmatter = true
			continue
		case inFrontmatter:
			inFrontmatter = line != "---" && line != "..."
			continue
		case mark != "" && (inFence == "" || inFence == mark):
			if inFence == "" {
				inFence = mark
			} else {
				inFence = ""
			}
			continue
		case inFence != "":
			continue
		}
		interest, isOne := interestOfLine(trimmed)
		if !isOne {
			continue
		}
		key := strings.ToLower(interest.Phrase)
		if place, isThere := places[key]; isThere {
			interests[place].Weight = max(interests[place].Weight, interest.Weight)
		} else if len(interests) < maxInterests {
			places[key] = len(interests)
			interests = append(interests, interest)
		}
	}
	return interests
}

func interestOfLine(line string) (Interest, bool) {
	if item := itemPattern.FindStringSubmatch(line); item != nil {
		return interestOf(item[1])
	}
	if heading := strings.TrimLeft(line, "#"); strings.HasPrefix(line, "##") && strings.HasPrefix(heading, " ") {
		return interestOf(strings.TrimRight(heading, "# "))
	}
	return Interest{}, false
}

// interestOf reads one topic with its weight.
func interestOf(text string) (Interest, bool) {
	if text = strings.TrimSpace(text); strings.HasPrefix(text, "~~") {
		return Interest{}, false
	}
	text = markPattern.ReplaceAllString(text, "$1$2")
	interest := Interest{Weight: 1}
	if parts := weightPattern.FindStringSubmatch(text); parts != nil {
		if weight, err := strconv.ParseFloat(strings.Replace(parts[2], ",", ".", 1), 64); err == nil {
			text, interest.Weight = parts[1], min(max(weight, .1), 3)
		}
	}
	if topic, _, hasMore := strings.Cut(text, ": "); hasMore && !isBlank(topic) {
		text = topic
	}
	interest.Phrase = strings.Trim(strings.Join(strings.Fields(text), " "), " .,;:#")
	if isBlank(interest.Phrase) || len(interest.Phrase) > maxPhraseBytes {
		return Interest{}, false
	}
	return interest, true
}
