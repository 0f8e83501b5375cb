package model2vec_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/embedding"
	"quarry/embedding/model2vec"
)

var _ embedding.Embedder = (*model2vec.Model)(nil)

func embedOne(tb testing.TB, model *model2vec.Model, text string) []float32 {
	tb.Helper()
	vectors, err := model.Embed(context.Background(), []string{text})
	if err != nil {
		tb.Fatal(err)
	}
	return vectors[0]
}

func length(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

func TestBuiltInFacts(t *testing.T) {
	model := builtIn(t)
	if model.Name() != potionName || model.Dim() != 256 || model.VocabularySize() != 29528 || len(model.Hash()) != 64 {
		t.Errorf("name %q, dimension %d, vocabulary %d, hash %q", model.Name(), model.Dim(), model.VocabularySize(), model.Hash())
	}
	if model.Token(0) != "[PAD]" || model.Token(29527) != "##～" {
		t.Errorf("first and last token %q, %q", model.Token(0), model.Token(29527))
	}
}

// TestBuiltInIsTheModel holds ids and rows of the built-in model to the published one.
func TestBuiltInIsTheModel(t *testing.T) {
	compact, published := builtIn(t), loadModel(t, potionDir(t), model2vec.Options{})
	if compact.Name() != published.Name() || compact.VocabularySize() != published.VocabularySize() {
		t.Fatalf("%s with %d tokens, %s with %d", compact.Name(), compact.VocabularySize(), published.Name(), published.VocabularySize())
	}
	worst := 1.0
	for id := range int32(compact.VocabularySize()) {
		if compact.Token(id) != published.Token(id) {
			t.Fatalf("id %d is %q, published %q", id, compact.Token(id), published.Token(id))
		}
		worst = min(worst, cosine(compact.EmbedTokens([]int32{id}), published.EmbedTokens([]int32{id})))
		row, scale := compact.Row(id)
		other, otherScale := published.Row(id)
		if !slices.Equal(row, other) || scale != otherScale || scale <= 0 {
			t.Fatalf("id %d: the rows differ", id)
		}
	}
	t.Logf("lowest cosine of a token %.7f", worst)
	if worst < 0.9999 {
		t.Errorf("lowest cosine of a token is %.7f", worst)
	}
}

func TestEmbed(t *testing.T) {
	for _, model := range []*model2vec.Model{
		builtIn(t),
		loadModel(t, filepath.Join(fixtures, "wordpiece-int8-nonorm"), model2vec.Options{}),
		loadModel(t, filepath.Join(fixtures, "wordpiece-f16"), model2vec.Options{}),
	} {
		for _, text := range []string{"", " \n", "\xff\xfe", "\u200b", "[UNK]"} {
			if v := embedOne(t, model, text); v != nil {
				t.Errorf("%s: %q has a vector", model.Name(), text)
			}
		}
		v := embedOne(t, model, "the note")
		if len(v) != model.Dim() || math.Abs(length(v)-1) > 1e-3 {
			t.Errorf("%s: %d components, length %g", model.Name(), len(v), length(v))
		}
		if diff := cmp.Diff(v, embedOne(t, model, "\xffthe no\xc3\x00te\x80")); diff != "" {
			t.Errorf("%s: bytes that are no UTF-8 are not dropped: %s", model.Name(), diff)
		}
	}
}

func TestEmbedRawOfNothing(t *testing.T) {
	model := builtIn(t)
	vectors, err := model.EmbedRaw(t.Context(), []string{"", "a"})
	if err != nil || len(vectors) != 2 || len(vectors[0]) != 256 || length(vectors[0]) != 0 || length(vectors[1]) == 0 {
		t.Errorf("%v, %v", vectors, err)
	}
	if vectors, err := model.EmbedRaw(t.Context(), nil); err != nil || len(vectors) != 0 {
		t.Errorf("no texts: %v, %v", vectors, err)
	}
}

func TestEmbedStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := builtIn(t).Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestEmbedTokens(t *testing.T) {
	model := builtIn(t)
	const text = "Tokens, then their vector: naïve [CLS] 🫠"
	raw, err := model.EmbedRaw(t.Context(), []string{text})
	if err != nil {
		t.Fatal(err)
	}
	if at := differentBits(raw[0], model.EmbedTokens(model.Tokenize(text))); at >= 0 {
		t.Errorf("component %d differs", at)
	}
	if got, want := model.AppendTokens([]int32{7}, "a"), append([]int32{7}, model.Tokenize("a")...); !slices.Equal(got, want) {
		t.Errorf("appended %v, want %v", got, want)
	}
}

// TestLongTextsAreCut holds the work for a text within bounds, whatever is in it.
func TestLongTextsAreCut(t *testing.T) {
	model := builtIn(t)
	for _, unit := range []string{"a ", "a", "[CLS]", "\u0301", "\U0001d165\u302e", "中", "한", "\xff", "🫠 ", "\x00", "[", "ﷺ"} {
		whole := strings.Repeat(unit, 4<<20/len(unit))
		cut := whole[:len(unit)*3072]
		if got, want := model.Tokenize(whole), model.Tokenize(cut); !slices.Equal(got, want) || len(got) > 512 {
			t.Errorf("%q: %d ids, %d of the first 3,072 characters", unit, len(got), len(want))
		}
	}
}

func TestUnlimitedModelTakesLongTexts(t *testing.T) {
	base := filepath.Join(fixtures, "wordpiece-nonorm")
	tokenizer, err := os.ReadFile(filepath.Join(base, "tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	weights, err := os.ReadFile(filepath.Join(base, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	model := loadModel(t, writeModel(t, `{"max_length": null}`, tokenizer, weights), model2vec.Options{})
	if got := len(model.Tokenize(strings.Repeat("a ", 100_000))); got != 100_000 {
		t.Errorf("%d ids", got)
	}
	// Marks that survive and have to be sorted, in one run of a megabyte: not in quadratic time.
	model.Tokenize(strings.Repeat("\u302e\U0001d165", 1<<17))
	model.Tokenize(strings.Repeat("a", 10<<20))
}

func TestConcurrentUse(t *testing.T) {
	model := builtIn(t)
	texts := []string{"one note", "a longer one about keyword search", "", "naïve café 中文", "x"}
	want, err := model.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				got, err := model.Embed(context.Background(), texts)
				if err != nil {
					t.Error(err)
					return
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
					return
				}
				model.Row(17)
			}
		})
	}
	group.Wait()
}

func TestHashTellsModelsApart(t *testing.T) {
	base := filepath.Join(fixtures, "wordpiece-nonorm")
	seen := map[string]string{builtIn(t).Hash(): "built in"}
	for name, options := range map[string]model2vec.Options{
		"plain": {}, "cut": {Dimension: 8}, "cut shorter": {Dimension: 7}, "int8": {DType: "int8"}, "float16": {DType: "float16"},
	} {
		hash := loadModel(t, base, options).Hash()
		if other, ok := seen[hash]; ok {
			t.Errorf("%s and %s have the same hash", name, other)
		}
		seen[hash] = name
		if again := loadModel(t, base, options).Hash(); again != hash {
			t.Errorf("%s: two hashes, %s and %s", name, hash, again)
		}
	}
}

func FuzzTokenize(f *testing.F) {
	for _, line := range readGolden(f, filepath.Join(fixtures, "golden-potion-base-8M.jsonl")) {
		if len(line.Text) < 200 {
			f.Add(line.Text)
		}
	}
	f.Add("\xff\xc3(\xe2\x82\xed\xa0\x80")
	model := builtIn(f)
	cased := loadModel(f, filepath.Join(fixtures, "wordpiece-cased-added-maxlen16"), model2vec.Options{})
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range []*model2vec.Model{model, cased} {
			ids := m.Tokenize(text)
			if !slices.Equal(ids, m.Tokenize(text)) {
				t.Fatalf("two answers for %+q", text)
			}
			if !slices.Equal(ids, m.Tokenize(strings.ToValidUTF8(text, "\uFFFD"))) && len(text) < 16 {
				t.Fatalf("invalid bytes of %+q are not read as U+FFFD", text)
			}
			for _, id := range ids {
				if id < 0 || int(id) >= m.VocabularySize() {
					t.Fatalf("id %d for %+q", id, text)
				}
			}
		}
		for _, x := range embedOne(t, model, text) {
			if x != x {
				t.Fatalf("NaN for %+q", text)
			}
		}
	})
}

// TestLongTextsAreCutAsTheirWords compares the words of long texts, which are remembered from one to the next, with each alone.
func TestLongTextsAreCutAsTheirWords(t *testing.T) {
	model := builtIn(t)
	random := rand.New(rand.NewPCG(11, 12))
	letters := []rune("abcdefghijklmnopqrstuvwxyzé界0")
	for range 40 {
		var words []string
		var want []int32
		for bytes := 0; bytes < 600; bytes += 1 + len(words[len(words)-1]) {
			word := make([]rune, 1+random.IntN(3)*random.IntN(12))
			for i := range word {
				word[i] = letters[random.IntN(1+random.IntN(len(letters)))]
			}
			words = append(words, string(word))
			want = model.AppendTokens(want, string(word))
		}
		text := strings.Join(words, " ")
		for range 2 {
			if got := model.Tokenize(text); !slices.Equal(got, want) {
				t.Fatalf("%q gives %v, want %v", text, got, want)
			}
		}
	}
}
