package main

import (
	"bytes"
	"cmp"
	_ "embed" // the scripts
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"quarry/tools/secretbench/sample"
)

var (
	//go:embed detectsecrets.py
	detectSecretsScript []byte
	//go:embed planted.py
	plantedScript []byte
	//go:embed validate.go.txt
	validateSource []byte
	//go:embed generate.go.txt
	generateSource []byte
)

// detectSecrets reads the parameters of the plugin tests by loading them.
func detectSecrets(clone string, _ int) ([]sample.Sample, map[string]int, error) {
	samples, err := python(detectSecretsScript, clone)
	return samples, nil, err
}

// planted writes what a script with tables of planted secrets makes of them.
func planted(script, out string, seed int) error {
	for _, kind := range []string{"planted", "innocent"} {
		samples, err := python(plantedScript, script, kind, strconv.Itoa(seed))
		if err != nil {
			return err
		}
		if err := sample.Write(filepath.Join(out, kind+".jsonl"), samples); err != nil {
			return err
		}
		report(kind, samples, nil, nil)
	}
	return nil
}

// python runs a script that prints samples.
func python(script []byte, arguments ...string) ([]sample.Sample, error) {
	command := exec.Command("python3", append([]string{"-"}, arguments...)...)
	command.Stdin, command.Stderr = bytes.NewReader(script), os.Stderr
	data, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("python3: %w", err)
	}
	return decode(data)
}

func decode(data []byte) ([]sample.Sample, error) {
	var out []sample.Sample
	for decoder := json.NewDecoder(bytes.NewReader(data)); decoder.More(); {
		var one sample.Sample
		if err := decoder.Decode(&one); err != nil {
			return nil, fmt.Errorf("a printed sample: %w", err)
		}
		out = append(out, one)
	}
	return out, nil
}

// gitleaks runs the scanner's own generator with two of its files put aside: instead of validating its samples it prints
// them with the secret that its rule finds, and random ones come out the same for the same seed.
func gitleaks(clone string, seed int) ([]sample.Sample, map[string]int, error) {
	clone, err := filepath.Abs(clone)
	if err != nil {
		return nil, nil, err
	}
	folder, err := os.MkdirTemp("", "secretbench")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(folder)
	overlay := map[string]string{}
	for path, source := range map[string][]byte{
		"cmd/generate/config/utils/validate.go": validateSource, "cmd/generate/secrets/regen.go": generateSource,
	} {
		own := filepath.Join(folder, filepath.Base(path))
		if err := os.WriteFile(own, source, 0o600); err != nil {
			return nil, nil, err
		}
		overlay[filepath.Join(clone, path)] = own
	}
	data, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return nil, nil, err
	}
	list, samples := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "samples.jsonl")
	if err := os.WriteFile(list, data, 0o600); err != nil {
		return nil, nil, err
	}
	command := exec.Command("go", "run", "-overlay", list, ".", filepath.Join(folder, "rules.toml"))
	command.Dir = filepath.Join(clone, "cmd/generate/config")
	command.Env = append(os.Environ(), "SECRETBENCH_SAMPLES="+samples, "SECRETBENCH_SEED="+strconv.Itoa(seed), "GOFLAGS=-mod=mod")
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		return nil, nil, fmt.Errorf("generator: %w", err)
	}
	data, err = os.ReadFile(samples)
	if err != nil {
		return nil, nil, err
	}
	out, err := decode(data)
	slices.SortFunc(out, func(a, b sample.Sample) int { // it goes through maps
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Secret, b.Secret))
	})
	return out, nil, err
}
