package intake

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed vocabulary/*.txt
var vocabularies embed.FS

// cues are kinds of words that tell what a text is for.
var cueKinds = []string{"howto", "release", "advisory", "opinion", "news", "roundup", "ad", "job", "press", "chaff", "teaser", "transaction", "source"}

// builtIn is what is read of the embedded files, once.
type builtIn struct {
	domains map[string]map[string]float64 // by domain, then term
	cues    matcher
	kinds   [][]cue // by term of cues
	hosts   map[string]knownHost
}

type cue struct {
	kind   int // of cueKinds
	weight float64
}

type knownHost struct {
	authority   float64
	domain, why string
}

var loadBuiltIn = sync.OnceValue(func() *builtIn {
	b := &builtIn{domains: map[string]map[string]float64{}, hosts: map[string]knownHost{}}
	for _, domain := range Domains {
		b.domains[domain] = map[string]float64{}
		eachLine(domain, func(fields []string) {
			for _, text := range terms(fields[1]) {
				b.domains[domain][text] = max(b.domains[domain][text], figure(fields[0]))
			}
		})
	}
	eachLine("cues", func(fields []string) {
		kind := slices.Index(cueKinds, fields[0])
		for _, text := range terms(fields[2]) {
			b.addCue(text, cue{kind, figure(fields[1])})
		}
	})
	eachLine("hosts", func(fields []string) {
		domain := fields[2]
		if domain == "-" {
			domain = ""
		}
		b.hosts[fields[0]] = knownHost{figure(fields[1]), domain, fields[3]}
	})
	return b
})

func (b *builtIn) addCue(text string, added cue) {
	number := b.cues.add(text)
	for number >= len(b.kinds) {
		b.kinds = append(b.kinds, nil)
	}
	if number < 0 || added.kind < 0 {
		panic("intake: cue " + strconv.Quote(text)) //nolint:forbidigo // a mistake in an embedded file
	}
	if !slices.ContainsFunc(b.kinds[number], func(c cue) bool { return c.kind == added.kind }) {
		b.kinds[number] = append(b.kinds[number], added)
	}
}

// eachLine calls each with the fields of every line of an embedded file that is no comment.
func eachLine(name string, each func(fields []string)) {
	content, err := vocabularies.ReadFile("vocabulary/" + name + ".txt")
	if err != nil {
		panic(err) //nolint:forbidigo // a mistake in an embedded file
	}
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			each(strings.Split(line, "|"))
		}
	}
}

func terms(list string) []string {
	texts := []string{}
	for text := range strings.SplitSeq(list, ";") {
		texts = append(texts, strings.TrimSpace(text))
	}
	return texts
}

func figure(text string) float64 {
	value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		panic(fmt.Errorf("intake: %w", err)) //nolint:forbidigo // a mistake in an embedded file
	}
	return value
}
