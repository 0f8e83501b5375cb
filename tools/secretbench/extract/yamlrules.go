package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"quarry/tools/secretbench/sample"
)

// yamlRule is what kingfisher and Nosey Parker have in common: a pattern with its own examples.
type yamlRule struct {
	ID               string   `yaml:"id"`
	Pattern          string   `yaml:"pattern"`
	Visible          *bool    `yaml:"visible"` // kingfisher: false for identifiers that only help to verify another rule
	Categories       []string `yaml:"categories"`
	Examples         []string `yaml:"examples"`
	NegativeExamples []string `yaml:"negative_examples"`
}

func kingfisher(clone string, _ int) ([]sample.Sample, map[string]int, error) {
	return yamlRules(filepath.Join(clone, "data/rules"), func(rule yamlRule) bool {
		return rule.Visible == nil || *rule.Visible
	})
}

// noseyParker leaves out rules for identifiers (account numbers, client names) that are no secret by the scanner's own
// word, but not those whose identifier is one half of a key pair.
func noseyParker(clone string, _ int) ([]sample.Sample, map[string]int, error) {
	return yamlRules(filepath.Join(clone, "crates/noseyparker/data/default/builtin/rules"), func(rule yamlRule) bool {
		return !slices.Contains(rule.Categories, "identifier") || slices.Contains(rule.Categories, "secret") || rule.ID == "np.aws.1"
	})
}

func yamlRules(folder string, credential func(yamlRule) bool) ([]sample.Sample, map[string]int, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.yml"))
	if err != nil || len(paths) == 0 {
		return nil, nil, fmt.Errorf("no rules in %s (%w)", folder, err)
	}
	var out []sample.Sample
	unread := map[string]int{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		var file struct {
			Rules []yamlRule `yaml:"rules"`
		}
		if err := yaml.Unmarshal(data, &file); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, rule := range file.Rules {
			if !credential(rule) {
				unread["of an identifier"] += len(rule.Examples)
				continue
			}
			out = append(out, rule.samples()...)
		}
	}
	return out, unread, nil
}

func (r yamlRule) samples() []sample.Sample {
	pattern, _ := regexp.Compile(withoutExtended(r.Pattern)) // RE2 does not know all of it: then the secret is not known
	var out []sample.Sample
	for _, text := range r.Examples {
		out = append(out, sample.Sample{Rule: r.ID, Text: text, Secret: captured(pattern, text), Positive: true})
	}
	for _, text := range r.NegativeExamples {
		out = append(out, sample.Sample{Rule: r.ID, Text: text})
	}
	return out
}

// captured is what the pattern's group TOKEN caught, else its only group, else all of the match. Of several groups without
// that name nobody knows which is the secret: user, host and password look alike.
func captured(pattern *regexp.Regexp, text string) string {
	if pattern == nil {
		return ""
	}
	groups := pattern.FindStringSubmatch(text)
	if groups == nil {
		return ""
	}
	if i := pattern.SubexpIndex("TOKEN"); i >= 0 && groups[i] != "" {
		return groups[i]
	}
	switch pattern.NumSubexp() {
	case 0:
		return groups[0]
	case 1:
		return groups[1]
	}
	return ""
}

// withoutExtended takes blanks and comments out of a pattern that is written with the flag x, which RE2 does not know.
func withoutExtended(pattern string) string {
	flags := regexp.MustCompile(`\(\?[a-z]*x[a-z]*\)`)
	if !flags.MatchString(pattern) {
		return strings.TrimSpace(pattern)
	}
	pattern = regexp.MustCompile(`\(\?#[^)]*\)`).ReplaceAllString(pattern, "")
	pattern = flags.ReplaceAllStringFunc(pattern, func(flag string) string {
		return strings.Replace(strings.Replace(flag, "x", "", 1), "(?)", "", 1)
	})
	var out strings.Builder
	comment := false
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case comment:
			comment = c != '\n'
		case c == '\\' && i+1 < len(pattern):
			out.WriteString(pattern[i : i+2])
			i++
		case c == '#':
			comment = true
		case c != ' ' && c != '\n' && c != '\t' && c != '\r':
			out.WriteByte(c)
		}
	}
	return out.String()
}
