package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/zricethezav/gitleaks/v8/detect"

	"quarry/secret"
)

// filter is one of those measured.
type filter struct {
	name    string
	started time.Duration // until a first short text has been scanned
	scan    func(text string) ([][2]int, time.Duration, error)
	close   func()
}

// scanAll scans several texts and returns the number of findings and the time of the scans.
func (f *filter) scanAll(texts []string) (findings int, took time.Duration, err error) {
	for _, text := range texts {
		found, duration, err := f.scan(text)
		if err != nil {
			return 0, 0, err
		}
		findings += len(found)
		took += duration
	}
	return findings, took, nil
}

// firstText is what a filter scans to be ready.
const firstText = "A note of one line, with a token in it.\n"

// start makes all filters ready.
func start(programs pairs) ([]*filter, error) {
	leaks, err := newGitleaks()
	if err != nil {
		return nil, err
	}
	filters := []*filter{newQuarry(), leaks}
	for _, pair := range programs {
		one, err := newProgram(pair[0], pair[1])
		if err != nil {
			return nil, err
		}
		filters = append(filters, one)
	}
	return filters, nil
}

// timed wraps a scan that cannot fail.
func timed(scan func(text string) [][2]int) func(string) ([][2]int, time.Duration, error) {
	return func(text string) ([][2]int, time.Duration, error) {
		before := time.Now()
		found := scan(text)
		return found, time.Since(before), nil
	}
}

func newQuarry() *filter {
	before := time.Now()
	secret.Find([]byte(firstText))
	return &filter{name: "quarry", started: time.Since(before), close: func() {}, scan: timed(func(text string) [][2]int {
		var out [][2]int
		for _, span := range secret.Find([]byte(text)) {
			out = append(out, [2]int{span.Start, span.End})
		}
		return out
	})}
}

// newGitleaks runs gitleaks as a library with its own rules. It tells no offsets: its finding is the first place of the
// secret that no finding before it has taken.
func newGitleaks() (*filter, error) {
	zerolog.SetGlobalLevel(zerolog.Disabled) // it logs secrets
	before := time.Now()
	detector, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		return nil, fmt.Errorf("gitleaks: %w", err)
	}
	detector.DetectString(firstText)
	return &filter{name: "gitleaks", started: time.Since(before), close: func() {}, scan: timed(func(text string) [][2]int {
		var out [][2]int
		next := map[string]int{}
		for _, finding := range detector.DetectString(text) {
			from := next[finding.Secret]
			at := strings.Index(text[from:], finding.Secret)
			if at < 0 { // reported by several rules
				from, at = 0, max(strings.Index(text, finding.Secret), 0)
			}
			next[finding.Secret] = from + at + len(finding.Secret)
			out = append(out, [2]int{from + at, from + at + len(finding.Secret)})
		}
		return unite(out)
	})}, nil
}

// newProgram runs another filter as a program. It reads lines {"text": …} and answers each with
// {"nanoseconds": …, "findings": [{"start": …, "end": …}, …]}, byte offsets; a first line tells how long its start took.
func newProgram(name, path string) (*filter, error) {
	command := exec.Command(path)
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	pipe, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	command.Env = append(command.Environ(), "GOMAXPROCS=1")
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	out := bufio.NewReader(pipe)
	_, took, err := answer(out)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	scan := func(text string) ([][2]int, time.Duration, error) {
		if err := json.NewEncoder(in).Encode(map[string]string{"text": text}); err != nil {
			return nil, 0, err
		}
		return answer(out)
	}
	end := func() {
		_ = in.Close()
		_ = command.Wait() // it has answered everything by then
	}
	return &filter{name: name, started: took, scan: scan, close: end}, nil
}

func answer(out *bufio.Reader) ([][2]int, time.Duration, error) {
	line, err := out.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	var reply struct {
		Nanoseconds int64
		Findings    []struct{ Start, End int }
	}
	if err := json.Unmarshal(line, &reply); err != nil {
		return nil, 0, fmt.Errorf("answer: %w", err)
	}
	found := make([][2]int, len(reply.Findings))
	for i, one := range reply.Findings {
		found[i] = [2]int{one.Start, one.End}
	}
	return found, time.Duration(reply.Nanoseconds), nil
}
