// Package sample reads and writes samples of credentials as JSON Lines, and knows which of them no filter can be asked to
// find.
package sample

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Sample is one text of a scanner's tests.
type Sample struct {
	Rule     string `json:"rule"`     // the scanner's own name of what it tests
	Text     string `json:"text"`     // what is scanned
	Secret   string `json:"secret"`   // the secret's own bytes, all in Text; empty where they are not known
	Positive bool   `json:"positive"` // whether the scanner says that Text holds a credential
}

// Found tells whether one of the findings counts for the sample: one that overlaps the known secret, or any at all where
// the secret is not known. Each finding is a pair of byte offsets in Text, the second exclusive.
func (s Sample) Found(findings [][2]int) bool {
	if s.Secret == "" {
		return len(findings) > 0
	}
	for from := 0; ; {
		at := strings.Index(s.Text[from:], s.Secret)
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+len(s.Secret)
		for _, finding := range findings {
			if finding[0] < end && start < finding[1] {
				return true
			}
		}
		from = end
	}
}

// Read reads the samples of a file, in its order.
func Read(path string) ([]Sample, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read samples: %w", err)
	}
	defer file.Close()
	var out []Sample
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var one Sample
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, len(out)+1, err)
		}
		out = append(out, one)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return out, nil
}

// Write writes samples to a file, one a line.
func Write(path string, samples []Sample) error {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for _, one := range samples {
		if err := encoder.Encode(one); err != nil {
			return fmt.Errorf("encode a sample of %s: %w", one.Rule, err)
		}
	}
	if err := os.WriteFile(path, []byte(out.String()), 0o600); err != nil {
		return fmt.Errorf("write samples: %w", err)
	}
	return nil
}
