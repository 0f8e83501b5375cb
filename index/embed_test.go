package index_test

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/embedding"
	"quarry/embedding/model2vec"
	"quarry/index"
	"quarry/internal/interaction"
	"quarry/store"
	"quarry/store/memory"
)

func builtInModel(t *testing.T) *model2vec.Model {
	t.Helper()
	model, err := model2vec.BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// ranked is what the ranking of a query may see of an index, whatever the ids of passages are.
type ranked struct {
	Vectors     map[string][]float32 // by path and index of the passage
	Data        map[string][]byte
	Tokens      []int // in how many passages each token of the model is
	Lexical     []candidate
	Meaning     []candidate
	Identifiers []int // passages with them
}

// candidate is a store.Candidate without ids.
type candidate struct {
	store.Candidate
	Path string
}

func rankedOf(t *testing.T, model embedding.TokenModel, from store.Store) ranked {
	t.Helper()
	ctx := t.Context()
	snapshot := must[store.Snapshot](t)(from.Snapshot(ctx))
	defer snapshot.Close()
	out := ranked{Vectors: map[string][]float32{}, Data: map[string][]byte{}}
	for _, file := range must[[]store.File](t)(snapshot.Files(ctx)) {
		n, _, err := snapshot.Note(ctx, file.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range n.Passages {
			name, id := fmt.Sprint(p.Path, " ", p.Index), []store.PassageID{p.ID}
			out.Vectors[name] = must[[][]float32](t)(snapshot.Vectors(ctx, id))[0]
			out.Data[name] = must[[][]byte](t)(snapshot.RankData(ctx, id))[0]
		}
	}
	tokens := make([]uint16, model.VocabularySize())
	for i := range tokens {
		tokens[i] = uint16(i)
	}
	out.Tokens = must[[]int](t)(snapshot.TokenFrequencies(ctx, tokens, nil))
	out.Identifiers = must[[]int](t)(snapshot.Frequencies(ctx, []string{"dec0054", "element", "snakecase"}, nil))
	weights := store.Weights{}
	for i := range weights {
		weights[i] = 1
	}
	terms := []store.Term{{Text: "bread"}, {Text: "element"}, {Text: "DEC-0054"}}
	query := interaction.NewQuery(model, "to bake a loaf", nil, 0).Vector()
	ask := func(lexical, vector int) (list []candidate) {
		q := store.CandidateQuery{
			Lexical:     store.LexicalQuery{Terms: terms, Weights: weights, Limit: lexical},
			Vector:      store.VectorQuery{Vector: query, Limit: vector},
			Identifiers: []store.Term{{Text: "dec0054"}, {Text: "element"}},
		}
		for _, c := range must[[]store.Candidate](t)(snapshot.Candidates(ctx, q)) {
			path := c.Note.Path
			c.ID, c.Note = 0, nil
			list = append(list, candidate{c, path})
		}
		return list
	}
	out.Lexical, out.Meaning = ask(50, 1), ask(1, 50)
	return out
}

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// randomNote is a note that some queries find.
func randomNote(random *rand.Rand) string {
	sentences := []string{
		"Bread is baked in a hot oven.", "The loaf has to rest.", "See DEC-0054.", "Call `getElementById()` for it.", "A snake_case name.",
		"Rebase the branch onto main.", "中文 words.", "Nothing of note.", "The oven is hot, and so is the loaf.",
	}
	var b strings.Builder
	fmt.Fprintf(&b, "---\naliases: [%s]\n---\n", sentences[random.IntN(3)])
	for range random.IntN(5) {
		fmt.Fprintf(&b, "## %s\n", sentences[random.IntN(len(sentences))])
		for range random.IntN(80) {
			b.WriteString(sentences[random.IntN(len(sentences))] + "\n")
		}
	}
	return b.String()
}

// TestWhatRanksInAnUpdatedIndexIsThatOfAFreshOne edits a vault at random.
func TestWhatRanksInAnUpdatedIndexIsThatOfAFreshOne(t *testing.T) {
	model := builtInModel(t)
	for name, open := range map[string]func(*testing.T) store.Store{
		"sqlite": openSQLite, "memory": func(*testing.T) store.Store { return memory.New() },
	} {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(7, 7))
			v := newVault(nil)
			config := index.Config{
				Source: v, Store: open(t), Embedder: model, Settings: "1", Workers: 2, Started: time.Unix(1700000000, 0),
				Logger: slog.New(slog.DiscardHandler),
			}
			defer config.Store.Close()
			for range 12 {
				for range 1 + random.IntN(6) {
					path := fmt.Sprintf("n%d.md", random.IntN(15))
					if v.write(path, randomNote(random)); random.IntN(4) == 0 {
						v.remove(path)
					}
				}
				for path := range v.content {
					v.time[path] += 100 // or a note that comes back could look like the one that was there
					if random.IntN(3) > 0 {
						v.time[path] -= 100
					}
				}
				must[index.Report](t)(index.Run(t.Context(), config, index.Options{Force: true}))
				fresh := config
				fresh.Store = open(t)
				must[index.Report](t)(index.Run(t.Context(), fresh, index.Options{}))
				got, want := rankedOf(t, model, config.Store), rankedOf(t, model, fresh.Store)
				if err := fresh.Store.Close(); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatal("(-fresh +updated)\n", diff)
				}
			}
			got := rankedOf(t, model, config.Store)
			sum := 0
			for _, count := range got.Tokens {
				sum += count
			}
			if len(got.Lexical) < 5 || len(got.Meaning) < 5 || sum < 50 || got.Identifiers[0] == 0 || got.Identifiers[2] == 0 {
				t.Errorf("too little to compare: %d and %d candidates, %d tokens, identifiers %v", len(got.Lexical), len(got.Meaning), sum, got.Identifiers)
			}
		})
	}
}

// textModel hides that a model gives tokens.
type textModel struct{ embedding.Embedder }

// TestVectorsAreThoseOfTheTexts: cut into tokens once or embedded text by text, a passage has the same vector to the bit; and it is
// the mix of body, title and headings.
func TestVectorsAreThoseOfTheTexts(t *testing.T) {
	model := builtInModel(t)
	f := newFixture(t, map[string]string{
		"Baking bread.md": "## In the oven\n\nHalf an hour, at first.\n", "more.md": "Leave the dough to rise.\n\n## 中\n\n中文\n", "empty.md": "", "?.md": "日本\n",
	})
	f.config.Embedder = model
	f.run(t, index.Options{})
	got := rankedOf(t, model, f.store)
	f.config.Embedder, f.config.Store = textModel{model}, memory.New()
	must[index.Report](t)(index.Run(t.Context(), f.config, index.Options{}))
	plain := rankedOf(t, model, f.config.Store)
	if diff := cmp.Diff(plain.Vectors, got.Vectors); diff != "" {
		t.Error("(-texts +tokens)\n", diff)
	}
	for name, data := range plain.Data {
		if data != nil {
			t.Errorf("%s: a model without tokens gives %v", name, data)
		}
	}
	const passage = "Baking bread.md 0"
	texts := must[[][]float32](t)(model.Embed(context.Background(), []string{"Half an hour, at first.", "Baking bread", "In the oven"}))
	length := 0.0
	mixed := make([]float64, model.Dim())
	for i := range mixed {
		mixed[i] = 0.7*float64(texts[0][i]) + 0.2*float64(texts[1][i]) + 0.1*float64(texts[2][i])
		length += mixed[i] * mixed[i]
	}
	cosine := 0.0
	for i, x := range got.Vectors[passage] {
		cosine += float64(x) * mixed[i] / math.Sqrt(length)
	}
	if cosine < 0.99999 {
		t.Errorf("cosine with the mix %.6f", cosine)
	}
	var tokens []string
	if err := interaction.EachToken(got.Data[passage], func(token uint16) { tokens = append(tokens, model.Token(int32(token))) }); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(tokens, " "); !strings.Contains(all, "oven") || !strings.Contains(all, "bread") || !strings.Contains(all, "hour") {
		t.Errorf("tokens %s", all)
	}
}
