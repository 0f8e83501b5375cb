package model2vec_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quarry/embedding/model2vec"
)

const (
	fixtures   = "../../fixtures/model2vec"
	sharedDir  = "../../../shared"
	potionName = "potion-base-8M"
)

// goldenLine is what the reference said of a text; make_fixtures.py explains the form.
type goldenLine struct {
	Group  string  `json:"group"`
	Text   string  `json:"text"`
	IDs    []int32 `json:"ids"`
	Vector []byte  `json:"vector_b64"`
}

func (g goldenLine) vector() []float32 {
	out := make([]float32, len(g.Vector)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(g.Vector[4*i:]))
	}
	return out
}

func readGolden(tb testing.TB, path string) []goldenLine {
	tb.Helper()
	file, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	var lines []goldenLine
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		var raw struct {
			goldenLine
			Base64 string `json:"vector_b64"`
		}
		if err := json.Unmarshal(scanner.Bytes(), &raw); err != nil {
			tb.Fatalf("%s: %v", path, err)
		}
		if raw.Vector, err = base64.StdEncoding.DecodeString(raw.Base64); err != nil {
			tb.Fatalf("%s: %v", path, err)
		}
		lines = append(lines, raw.goldenLine)
	}
	if err := scanner.Err(); err != nil || len(lines) == 0 {
		tb.Fatalf("%s: %d lines, %v", path, len(lines), err)
	}
	return lines
}

// potionGolden is the fullest golden file of the real model at hand: the shared one also has passages that may not be copied here.
func potionGolden(tb testing.TB, suffix string) []goldenLine {
	tb.Helper()
	name := "golden-" + potionName + suffix + ".jsonl"
	full := filepath.Join(sharedDir, "fixtures/model2vec", name)
	if _, err := os.Stat(full); err == nil {
		return readGolden(tb, full)
	}
	return readGolden(tb, filepath.Join(fixtures, name))
}

func potionDir(tb testing.TB) string {
	tb.Helper()
	dir := filepath.Join(sharedDir, "models", potionName)
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("the published model is not beside the checkout: %v", err)
	}
	return dir
}

func builtIn(tb testing.TB) *model2vec.Model {
	tb.Helper()
	model, err := model2vec.BuiltIn()
	if err != nil {
		tb.Fatal(err)
	}
	return model
}

func loadModel(tb testing.TB, dir string, options model2vec.Options) *model2vec.Model {
	tb.Helper()
	model, err := model2vec.Load(dir, options)
	if err != nil {
		tb.Fatal(err)
	}
	return model
}

// syntheticDirs lists the small models in the repository, by whether their tokenizer can be read.
func syntheticDirs(tb testing.TB) (readable, others []string) {
	tb.Helper()
	goldens, err := filepath.Glob(filepath.Join(fixtures, "*", "golden.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, path := range goldens {
		dir := filepath.Dir(path)
		if name := filepath.Base(dir); strings.HasPrefix(name, "bpe-") || strings.HasPrefix(name, "unigram-") {
			others = append(others, dir)
		} else {
			readable = append(readable, dir)
		}
	}
	if len(readable) != 10 || len(others) != 3 {
		tb.Fatalf("%d and %d synthetic models, not 10 and 3", len(readable), len(others))
	}
	return readable, others
}

func short(text string) string {
	if len(text) > 60 {
		return text[:60] + "…"
	}
	return text
}

func checkTokens(t *testing.T, model *model2vec.Model, lines []goldenLine) {
	t.Helper()
	for _, line := range lines {
		if got := model.Tokenize(line.Text); !slices.Equal(got, line.IDs) {
			t.Errorf("%s %q: ids %v, want %v", line.Group, short(line.Text), got, line.IDs)
		}
	}
}

// checkBits compares the vectors of all texts in one call and, for the first few, of each alone.
func checkBits(t *testing.T, model *model2vec.Model, lines []goldenLine) {
	t.Helper()
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = line.Text
	}
	vectors, err := model.EmbedRaw(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range lines {
		if at := differentBits(vectors[i], line.vector()); at >= 0 {
			t.Errorf("%s %q: component %d is not that of the reference", line.Group, short(line.Text), at)
		}
		alone, err := model.EmbedRaw(context.Background(), texts[i:i+1])
		if err != nil {
			t.Fatal(err)
		}
		if at := differentBits(alone[0], vectors[i]); at >= 0 {
			t.Errorf("%s %q: alone and among others differ in component %d", line.Group, short(line.Text), at)
		}
	}
}

// differentBits gives the first component in which two vectors differ, -1 if there is none.
func differentBits(a, b []float32) int {
	if len(a) != len(b) {
		return min(len(a), len(b))
	}
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return i
		}
	}
	return -1
}

func TestGoldenTokens(t *testing.T) {
	t.Run("built in", func(t *testing.T) { checkTokens(t, builtIn(t), potionGolden(t, "")) })
	readable, _ := syntheticDirs(t)
	for _, dir := range readable {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			checkTokens(t, loadModel(t, dir, model2vec.Options{}), readGolden(t, filepath.Join(dir, "golden.jsonl")))
		})
	}
}

func TestGoldenVectorsSynthetic(t *testing.T) {
	readable, _ := syntheticDirs(t)
	for _, dir := range readable {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			checkBits(t, loadModel(t, dir, model2vec.Options{}), readGolden(t, filepath.Join(dir, "golden.jsonl")))
		})
	}
}

func TestGoldenVectorsPotion(t *testing.T) {
	dir := potionDir(t)
	tests := []struct {
		suffix  string
		options model2vec.Options
	}{
		{"", model2vec.Options{}},
		{"-dim64", model2vec.Options{Dimension: 64}},
		{"-dim128", model2vec.Options{Dimension: 128}},
		{"-int8", model2vec.Options{DType: "int8"}},
		{"-float16", model2vec.Options{DType: "float16"}},
	}
	for _, test := range tests {
		t.Run("as published"+test.suffix, func(t *testing.T) {
			model, lines := loadModel(t, dir, test.options), potionGolden(t, test.suffix)
			checkTokens(t, model, lines)
			checkBits(t, model, lines)
		})
	}
}

// TestBuiltInCosine holds the int8 form to the vectors of the published weights.
func TestBuiltInCosine(t *testing.T) {
	const floor = 0.9999
	model := builtIn(t)
	lowest, lowestText := 1.0, ""
	for _, line := range potionGolden(t, "") {
		vectors, err := model.Embed(context.Background(), []string{line.Text})
		if err != nil {
			t.Fatal(err)
		}
		if len(line.IDs) == 0 {
			if vectors[0] != nil {
				t.Errorf("%s %q: no word is known, yet there is a vector", line.Group, short(line.Text))
			}
			continue
		}
		if cosine := cosine(vectors[0], line.vector()); cosine < lowest {
			lowest, lowestText = cosine, line.Text
		}
	}
	t.Logf("lowest cosine %.7f, of %q", lowest, short(lowestText))
	if lowest < floor {
		t.Errorf("lowest cosine %.7f is under %g", lowest, floor)
	}
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

func TestOtherTokenizersAreAnError(t *testing.T) {
	_, others := syntheticDirs(t)
	for _, dir := range others {
		_, err := model2vec.Load(dir, model2vec.Options{})
		var unsupported *model2vec.UnsupportedError
		if !errors.As(err, &unsupported) || unsupported.Part != "tokenizer" {
			t.Errorf("%s: error %v, want an UnsupportedError of the tokenizer", dir, err)
		}
	}
}
