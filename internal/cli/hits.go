package cli

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"quarry"
)

// queryWord is a word of a query that is looked for in the rows of a passage, and marked.
type queryWord struct {
	text   string  // as plainWord and withoutEnding give it
	weight float64 // what it tells, above 0
}

const (
	leastWeight  = .1 // of a word that is everywhere
	usualLetters = 8  // of a word whose rarity nobody knows: longer ones are rare
)

// markedWords are the words of the query that carry it: those left out as too common are not among them. Where the words were
// not asked for, those of one or two letters are left out, which are hardly ever what a text is about.
func markedWords(answer quarry.SearchAnswer) []queryWord {
	rarity := map[string]float64{}
	if answer.Plan != nil {
		for _, term := range answer.Plan.Terms {
			for _, word := range textWords(term.Text) {
				word = markedForm(word)
				rarity[word] = max(rarity[word], term.IDF, leastWeight)
			}
		}
	}
	words := answer.Terms
	if len(words) == 0 {
		words = slices.DeleteFunc(textWords(answer.Query), func(word string) bool {
			return len(word) <= 2 && strings.Trim(word, "0123456789") != ""
		})
	}
	var marked []queryWord
	for _, word := range words {
		word = markedForm(word)
		weight, isKnown := rarity[word]
		if !isKnown {
			weight = max(float64(min(utf8.RuneCountInString(word), usualLetters))/usualLetters, leastWeight)
		}
		marked = append(marked, queryWord{word, weight})
	}
	return marked
}

func textWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !isWordRune(r) })
}

// markedForm is a word as it is looked for in rows.
func markedForm(word string) string { return withoutEnding(plainWord(word)) }

// withoutEnding cuts the endings of English that searching cuts, as far as a word remains that others can begin with.
func withoutEnding(word string) string {
	for _, ending := range []string{"ations", "ation", "ings", "ing", "ies", "ied", "es", "ed", "s", "e", "y"} {
		if rest, has := strings.CutSuffix(word, ending); has && isBeginning(rest) {
			return rest
		}
	}
	return word
}

// plainWord is a word as the full-text index compares it: lower case, without accents.
func plainWord(word string) string {
	for i := range len(word) {
		if word[i] < utf8.RuneSelf {
			continue
		}
		return norm.NFC.String(strings.Map(func(r rune) rune {
			if r >= 0x300 && r < 0x370 { // accents alone: marks of other scripts are vowels
				return -1
			}
			return unicode.ToLower(r)
		}, norm.NFD.String(word)))
	}
	return strings.ToLower(word)
}

// maxRead is how many notes of an answer are read again, to tell the lines.
const maxRead = 50

// noteLines reads the notes of an answer as they lie on disk, to tell on which lines of them the rows stand that are shown.
type noteLines struct {
	read  func(path string) string // "" where it cannot be read
	known map[string][]string
}

func linesFrom(ctx context.Context, engine *quarry.Engine) *noteLines {
	return &noteLines{known: map[string][]string{}, read: func(path string) string {
		excerpts, err := engine.Read(ctx, []string{path}, 0)
		if err != nil || len(excerpts) != 1 || excerpts[0].FilePath != path {
			return "" // the place of the passage is told instead
		}
		return excerpts[0].Text
	}}
}

// of gives the lines of a note, none where they are not known.
func (n *noteLines) of(path string) []string {
	if n == nil {
		return nil
	}
	lines, isKnown := n.known[path]
	if !isKnown && len(n.known) < maxRead {
		if text := n.read(path); text != "" {
			lines = strings.Split(text, "\n")
		}
		n.known[path] = lines
	}
	return lines
}

// placed is a passage that is shown from one of its lines on (0-based, -1 for none): with the line of the file and the headings of
// that line, or its own where the file does not hold it as it stands.
func (n *noteLines) placed(r quarry.SearchResult, at int) quarry.SearchResult {
	if at < 0 || r.Stale || !isMarkdown(r.FilePath) {
		return r
	}
	file := n.of(r.FilePath)
	if len(file) < r.LineEnd || r.LineStart < 1 || r.LineEnd < r.LineStart {
		return r
	}
	passage := strings.Split(r.ChunkText, "\n")
	line := lineIn(file[:r.LineEnd], r.LineStart, passage, at)
	if line == 0 {
		return r
	}
	r.HeadingPath = headingsAt(r.HeadingPath, headingLevel(file[r.LineStart-1]), passage[:at+1])
	r.LineStart = line
	return r
}

// lineIn is the line of a file, from one on, that a line of a passage is: counted from the end, where both end alike, or else the only
// one that reads so. It is 0 where the file does not tell.
func lineIn(file []string, from int, passage []string, at int) int {
	isEnd := true
	for i := len(passage) - 1; i >= at && isEnd; i-- {
		line := len(file) - len(passage) + i
		isEnd = line >= from-1 && strings.TrimSpace(passage[i]) == strings.TrimSpace(file[line]) ||
			i == at && line >= from-1 && strings.TrimSpace(passage[i]) != "" && strings.Contains(file[line], strings.TrimSpace(passage[i]))
	}
	if isEnd {
		return len(file) - len(passage) + at + 1
	}
	found, wanted := 0, strings.TrimSpace(passage[at])
	for i := from - 1; i < len(file); i++ {
		if strings.TrimSpace(file[i]) != wanted {
			continue
		}
		if found > 0 {
			return 0
		}
		found = i + 1
	}
	return found
}

// headingsAt are the headings above the last of some lines of a passage, whose own headings are path, the last of this level (0 where
// that is not known: then those in the passage are taken to lie below).
func headingsAt(path []string, level int, lines []string) []string {
	type heading struct {
		text  string
		level int
	}
	var chain []heading
	for i, text := range path {
		chain = append(chain, heading{text, max(level-(len(path)-1-i), 0)})
	}
	fences := fenceReader{}
	for _, line := range lines {
		inCode, isFence := fences.next(line)
		found := headingLevel(line)
		if found == 0 || inCode || isFence {
			continue
		}
		for len(chain) > 0 && chain[len(chain)-1].level >= found {
			chain = chain[:len(chain)-1]
		}
		chain = append(chain, heading{headingText(line), found})
	}
	texts := make([]string, len(chain))
	for i, h := range chain {
		texts[i] = h.text
	}
	return texts
}

// headingText is what the line of a heading says, without the marks before and behind it.
func headingText(line string) string {
	text := strings.TrimSpace(strings.TrimLeft(line, "#"))
	if open := strings.TrimRight(text, "#"); open == "" || strings.HasSuffix(open, " ") {
		text = strings.TrimSpace(open)
	}
	return text
}

// headingLevel is 1 to 6 for the line of a heading, else 0.
func headingLevel(line string) int {
	if !isHeading(line) {
		return 0
	}
	return len(line) - len(strings.TrimLeft(line, "#"))
}

// isMarkdown tells a note from a file whose passages are no lines of it.
func isMarkdown(file string) bool {
	file = strings.ToLower(file)
	return (strings.HasSuffix(file, ".md") || strings.HasSuffix(file, ".markdown")) && !strings.HasSuffix(file, ".excalidraw.md")
}
