package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"quarry/tools/secretbench/sample"
)

// secretlintPolicies are rules that look at the names of files and folders or only show how to write a rule.
var secretlintPolicies = []string{
	"example", "filter-comments", "internal-test-cjs", "internal-test-esm", "no-dotenv", "no-homedir",
	"no-k8s-kind-secret", "pattern",
}

// secretlint reads its snapshots: the folders ok.* hold nothing, the others what the messages of output.json say.
func secretlint(clone string, _ int) ([]sample.Sample, map[string]int, error) {
	outputs, err := filepath.Glob(filepath.Join(clone, "packages/@secretlint/*/test/snapshots/*/output.json"))
	if err != nil {
		return nil, nil, err
	}
	var out []sample.Sample
	unread := map[string]int{}
	for _, path := range outputs {
		rule := filepath.Base(filepath.Join(path, "../../../.."))
		rule = strings.TrimPrefix(rule, "secretlint-rule-")
		if slices.Contains(secretlintPolicies, rule) {
			unread["of a policy"]++
			continue
		}
		found, reason := snapshot(rule, path)
		if reason != "" {
			unread[reason]++
		}
		out = append(out, found...)
	}
	return out, unread, nil
}

// snapshot reads one: a sample for each message, or a negative one.
func snapshot(rule, path string) ([]sample.Sample, string) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, "unreadable"
	}
	var result struct {
		Content     string `json:"sourceContent"`
		ContentType string `json:"sourceContentType"`
		Messages    []struct {
			Type  string `json:"type"`
			Range [2]int `json:"range"`
		} `json:"messages"`
	}
	switch err := json.Unmarshal(data, &result); {
	case err != nil:
		return nil, "no JSON"
	case result.ContentType != "text" || result.Content == "":
		return nil, "no text"
	}
	units := utf16.Encode([]rune(result.Content)) // ranges count those
	var out []sample.Sample
	for _, message := range result.Messages {
		from, to := message.Range[0], message.Range[1]
		if message.Type != "message" || from > to || to > len(units) {
			continue
		}
		one := sample.Sample{Rule: rule, Text: result.Content, Secret: string(utf16.Decode(units[from:to])), Positive: true}
		out = append(out, one)
	}
	name := filepath.Base(filepath.Dir(path))
	switch {
	case len(out) == 0 && strings.HasPrefix(name, "ok"):
		return []sample.Sample{{Rule: rule, Text: result.Content}}, ""
	case len(out) == 0:
		return nil, "no message"
	case strings.HasPrefix(name, "ok"):
		return nil, "message in ok"
	}
	return out, ""
}
