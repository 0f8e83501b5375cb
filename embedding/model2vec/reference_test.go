package model2vec_test

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"quarry/embedding/model2vec"
)

// readLines decodes a file of JSON Lines.
func readLines[T any](tb testing.TB, path string) []T {
	tb.Helper()
	file, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	var lines []T
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		var line T
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			tb.Fatalf("%s: %v", path, err)
		}
		lines = append(lines, line)
	}
	if err := scanner.Err(); err != nil || len(lines) == 0 {
		tb.Fatalf("%s: %d lines, %v", path, len(lines), err)
	}
	return lines
}

// writeModel makes a model folder.
func writeModel(tb testing.TB, config string, tokenizer, weights []byte) (dir string) {
	tb.Helper()
	dir = tb.TempDir()
	for name, content := range map[string][]byte{"config.json": []byte(config), "tokenizer.json": tokenizer, "model.safetensors": weights} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

// safetensors packs one tensor.
func safetensors(name, dtype string, shape []int, data []byte) []byte {
	header, _ := json.Marshal(map[string]any{name: map[string]any{"dtype": dtype, "shape": shape, "data_offsets": []int{0, len(data)}}})
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header, data)
}

// TestConversions runs every element type with every kind of weights through every conversion.
func TestConversions(t *testing.T) {
	type line struct {
		Model     []byte `json:"model"`
		Normalize bool   `json:"normalize"`
		DType     string `json:"dtype"`
		Dimension int    `json:"dimension"`
		Vector    []byte `json:"vector"`
	}
	tokenizer, err := os.ReadFile("testdata/conversions.tokenizer.json")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range readLines[line](t, "testdata/conversions.jsonl") {
		config, _ := json.Marshal(map[string]any{"normalize": c.Normalize})
		options := model2vec.Options{Dimension: c.Dimension, DType: c.DType}
		model := loadModel(t, writeModel(t, string(config), tokenizer, c.Model), options)
		vectors, err := model.EmbedRaw(t.Context(), []string{"one two three two one"})
		if err != nil {
			t.Fatal(err)
		}
		if at := differentBits(vectors[0], goldenLine{Vector: c.Vector}.vector()); at >= 0 {
			t.Errorf("line %d, %+v, normalize %v: component %d of %v is not that of the reference", i+1, options, c.Normalize, at, vectors[0])
		}
	}
}

// TestTokenizerSwitches runs the switches of the normalizer with all kinds of added tokens.
func TestTokenizerSwitches(t *testing.T) {
	type line struct {
		Normalizer  json.RawMessage      `json:"normalizer"`
		AddedTokens []json.RawMessage    `json:"added_tokens"`
		Cases       [][2]json.RawMessage `json:"cases"`
	}
	base, err := os.ReadFile(filepath.Join(fixtures, "wordpiece-nonorm/tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range readLines[line](t, "testdata/tokenizers.jsonl") {
		var file map[string]json.RawMessage
		if err := json.Unmarshal(base, &file); err != nil {
			t.Fatal(err)
		}
		file["normalizer"] = c.Normalizer
		file["added_tokens"], _ = json.Marshal(c.AddedTokens)
		tokenizer, _ := json.Marshal(file)
		rows := 1000 + len(c.AddedTokens) // the five special ones are in the vocabulary of 1,005
		for _, added := range c.AddedTokens[5:] {
			var token struct{ ID int }
			if err := json.Unmarshal(added, &token); err != nil {
				t.Fatal(err)
			}
			if token.ID < 1005 {
				rows--
			}
		}
		model := loadModel(t, writeModel(t, "{}", tokenizer, safetensors("embeddings", "I8", []int{rows, 1}, make([]byte, rows))), model2vec.Options{})
		for _, pair := range c.Cases {
			var text string
			var want []int32
			if err := json.Unmarshal(pair[0], &text); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(pair[1], &want); err != nil {
				t.Fatal(err)
			}
			if got := model.Tokenize(text); !slices.Equal(got, want) {
				t.Errorf("line %d, %s, %+q: ids %v, want %v", i+1, c.Normalizer, text, got, want)
			}
		}
	}
}
