package intake

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word of a text as it stands, and its stem.
type token struct{ raw, stem string }

// tokensOf cuts a text into words: runs of letters and digits, with the + and # of C++ and C#. Letters of CJK scripts are none, since
// nothing parts their words: matchers look for those in the text as it is.
func tokensOf(text string, into []token) []token {
	start := -1
	for at := 0; at < len(text); {
		c, width := rune(text[at]), 1
		if c >= utf8.RuneSelf {
			c, width = utf8.DecodeRuneInString(text[at:])
		}
		isWord := c < utf8.RuneSelf && isWordByte(byte(c)) || c >= utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.Is(unicode.Mn, c)) && (c < 0x2e80 || !isCJK(c) && c != 'ー')
		switch {
		case isWord && start < 0:
			start = at
		case !isWord && start >= 0 && c != '+' && (c != '#' || at != start+1):
			into = append(into, tokenOf(text[start:at]))
			start = -1
		}
		at += width
	}
	if start >= 0 {
		into = append(into, tokenOf(text[start:]))
	}
	return into
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

const maxWordBytes = 64 // a longer word is no word of a language

func tokenOf(raw string) token {
	if len(raw) > maxWordBytes {
		return token{raw, raw}
	}
	return token{raw, stem(strings.ToLower(raw))}
}

// stem cuts the commonest endings of English and German words, lightly: a word and its plural or its participle become one. It is no
// word itself.
func stem(word string) string {
	if len(word) < 4 {
		return word
	}
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		word = word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"), strings.HasSuffix(word, "xes"):
		word = word[:len(word)-2]
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is"):
		word = word[:len(word)-1]
	}
	switch n := len(word); {
	case strings.HasSuffix(word, "ing") && n > 6:
		word = single(word[:n-3])
	case strings.HasSuffix(word, "ed") && n > 5 && !strings.HasSuffix(word, "eed"):
		word = single(word[:n-2])
	case strings.HasSuffix(word, "ern") && n > 8:
		word = word[:n-3]
	case strings.HasSuffix(word, "en") && n > 7, strings.HasSuffix(word, "er") && n > 9:
		word = word[:n-2]
	}
	if len(word) > 4 && strings.HasSuffix(word, "e") {
		word = word[:len(word)-1]
	}
	return word
}

// single undoes the doubling before an ending: debugg → debug.
func single(word string) string {
	if n := len(word); n > 3 && word[n-1] == word[n-2] && strings.IndexByte("bdgmnprt", word[n-1]) >= 0 {
		return word[:n-1]
	}
	return word
}

// ordinary are names that are ordinary words, too: they are found only as they are written here.
var ordinary = wordSet(`Rust Swift React Make Flux Chef Puppet Cursor Whisper Gemini Llama Spark Hive Arrow Iceberg Presto Lambda Vault Nomad
	Consul Remix Astro Angular Phoenix Crystal Julia Ruby Scheme Racket Dart Flutter Expo Canva Framer Safari Blink Gecko Baseline Turbo Metro
	Realm Apple Nature Modal Replicate Claude Codex Drone Dagger Tekton Backstage Sentry Tempo Jaeger Loki Fabric Hermes Detox Maestro Espresso
	Capacitor Ionic Spline Rive Sketch Ember Alpine Parcel Rollup Bazel Meson Perl Basic Elm Emacs Pulsar Flink Trino Airflow Prefect Looker
	Tableau Superset Chroma Grok Kimi Kyber Spectre Meltdown Pegasus Okta Snyk Cypress Hugo Jekyll Gatsby Lit Stripe Turbopack Signals Sass
	Tailwind Solid Spanner Pulumi Packer Vagrant Splunk Fastify Hono Fargate Pixel Go Roc Nim Gleam Dart Aider Cline Windsurf Chrome`)

// isExact tells that a term is found only with the case of its letters: a short abbreviation or a name that is an ordinary word.
func isExact(words []token) bool {
	if len(words) != 1 {
		return false
	}
	word := words[0].raw
	return strings.ToLower(word) != word && (utf8.RuneCountInString(word) <= 3 || ordinary[word])
}

func isCJK(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
