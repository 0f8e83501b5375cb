package interaction_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/embedding"
	"quarry/embedding/model2vec"
	"quarry/internal/interaction"
)

// letters is a model of one token a letter, "a" to "z", and "." whose vector is short. Token i has a vector of its own direction
// and length 200 + 10·i, but "a" and "b" have the cosine .6.
type letters struct{ size int }

const dimension = 32

func (letters) Embed(context.Context, []string) ([][]float32, error) { return nil, nil }
func (letters) Dim() int                                             { return dimension }
func (letters) Name() string                                         { return "letters" }
func (letters) Hash() string                                         { return "00" }

func (m letters) VocabularySize() int { return max(m.size, 27) }

func (m letters) AppendTokens(ids []int32, text string) []int32 {
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z':
			ids = append(ids, r-'a')
		case r == '.':
			ids = append(ids, 26)
		}
	}
	return ids
}

func (m letters) EmbedTokens([]int32) []float32 { return make([]float32, dimension) }

func (m letters) Row(id int32) (row []int8, scale float32) {
	row = make([]int8, dimension)
	switch {
	case id == 26:
		row[26], scale = 100, 0.01
	case id == 1: // "b" leans to "a"
		row[0], row[1], scale = 60, 80, 2.1
	case id < 26:
		row[id], scale = 100, 2+0.1*float32(id)
	default:
		row[id%dimension], scale = 100, 2
	}
	return row, scale
}

func text(title, headings, body string) interaction.Text {
	cut := func(s string) []int32 { return letters{}.AppendTokens(nil, s) }
	return interaction.Text{Title: cut(title), Headings: cut(headings), Body: cut(body)}
}

func pack(title, headings, body string) []byte {
	return interaction.NewPacker(letters{}).Pack(text(title, headings, body))
}

func score(t *testing.T, q *interaction.Query, data ...[]byte) []interaction.Scores {
	t.Helper()
	scores, err := q.Score(data)
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

func TestEachTokenGivesTheDistinctTokensRising(t *testing.T) {
	for _, test := range []struct {
		name string
		data []byte
		want []uint16
	}{
		{"of title, headings and body", pack("cc", "b", "zab"), []uint16{0, 1, 2, 25}},
		{"short ones left out", pack("", "", "x..y."), []uint16{23, 24}},
		{"nothing", pack("", "", ""), nil},
		{"short ones alone", pack(".", "..", "..."), nil},
		{"title alone", pack("q", "", ""), []uint16{16}},
		{"many runs", pack("", "", strings.Repeat("hello", 50)), []uint16{4, 7, 11, 14}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []uint16
			if err := interaction.EachToken(test.data, func(token uint16) { got = append(got, token) }); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if (test.data == nil) != (test.want == nil) {
				t.Errorf("data %v", test.data)
			}
		})
	}
}

// TestPackKeepsAnyTokens packs tokens of all kinds of spread in a large vocabulary.
func TestPackKeepsAnyTokens(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	model := letters{size: 1 << 16}
	packer := interaction.NewPacker(model)
	for range 300 {
		highest := 27 + random.IntN(1<<16-27)
		list := func(most int) []int32 {
			tokens := make([]int32, random.IntN(most))
			for i := range tokens {
				tokens[i] = int32(random.IntN(highest) + 1)
				if random.IntN(3) == 0 {
					tokens[i] = int32(random.IntN(26))
				}
			}
			return tokens
		}
		text := interaction.Text{Title: list(9), Headings: list(9), Body: list(600)}
		var want, got []uint16
		for _, token := range slices.Concat(text.Title, text.Headings, text.Body) {
			if token != 26 {
				want = append(want, uint16(token))
			}
		}
		slices.Sort(want)
		want = slices.Compact(want)
		data := packer.Pack(text)
		if err := interaction.EachToken(data, func(token uint16) { got = append(got, token) }); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		if !bytes.Equal(data, packer.Pack(text)) {
			t.Fatal("the same tokens give other bytes")
		}
		score(t, interaction.NewQuery(model, "xyz", nil, 0), data)
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.002 {
		t.Errorf("%s = %.4f, want %.4f", what, got, want)
	}
}

func TestScores(t *testing.T) {
	equal := func(text string) *interaction.Query { return interaction.NewQuery(letters{}, text, nil, 0) }
	for _, test := range []struct {
		name  string
		query *interaction.Query
		data  []byte
		want  interaction.Scores
	}{
		{"the token itself", equal("z"), pack("", "", "z"), interaction.Scores{Window: 1, MaxSim: 1}},
		{"another", equal("z"), pack("", "", "y"), interaction.Scores{}},
		{"a neighbour", equal("t"), pack("t", "tx", "xy"), interaction.Scores{Title: 1, Headings: 39 / math.Hypot(39, 43), MaxSim: 1}},
		// t and x have the lengths 390 and 430.
		{"two in one window", equal("t"), pack("", "", "tx"), interaction.Scores{Window: 39 / math.Hypot(39, 43), MaxSim: 1}},
		{"twice in it", equal("t"), pack("", "", "txt"), interaction.Scores{Window: 78 / math.Hypot(78, 43), MaxSim: 1}},
		// Weights of MaxSim are the lengths, all idf being the same.
		{"half of the query", equal("tx"), pack("", "", "x"), interaction.Scores{Window: 43 / math.Hypot(39, 43), MaxSim: 43. / 82}},
		// 64 tokens a window, 32 a step: of 32 x, 32 t, 32 x the best for t has half of each.
		{
			"the best window", equal("t"), pack("", "", strings.Repeat("x", 64)+strings.Repeat("t", 32)+strings.Repeat("x", 32)),
			interaction.Scores{Window: 39 / math.Hypot(39, 43), MaxSim: 1},
		},
		{"a window of its own", equal("t"), pack("", "", strings.Repeat("x", 64)+strings.Repeat("t", 64)), interaction.Scores{Window: 1, MaxSim: 1}},
		{"no token of the model", equal("4"), pack("", "", "x"), interaction.Scores{}},
		{"no data", equal("x"), nil, interaction.Scores{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := score(t, test.query, test.data)[0]
			near(t, "Window", got.Window, test.want.Window)
			near(t, "Title", got.Title, test.want.Title)
			near(t, "Headings", got.Headings, test.want.Headings)
			near(t, "MaxSim", got.MaxSim, test.want.MaxSim)
		})
	}
}

// TestNeighbourCounts holds a cosine between tokens against its value: in the model of letters, that of "a" and "b" is .6.
func TestNeighbourCounts(t *testing.T) {
	q := interaction.NewQuery(similar{}, "a", nil, 0)
	got := score(t, q, interaction.NewPacker(similar{}).Pack(text("", "", "b")))[0]
	near(t, "Window", got.Window, 0.6)
	near(t, "MaxSim", got.MaxSim, 0.6)
}

// similar is a model of two tokens of the cosine .6.
type similar struct{ letters }

func (similar) VocabularySize() int { return 2 }

// TestIdfWeighsTheQuery: a token that is everywhere has no share in vector and MaxSim.
func TestIdfWeighsTheQuery(t *testing.T) {
	passages := 1000
	q := interaction.NewQuery(letters{}, "zy.", []int{passages, 1, 0}, passages) // tokens y, z, "."
	if got := interaction.Tokens(letters{}, "zy."); !slices.Equal(got, []uint16{24, 25, 26}) {
		t.Fatalf("Tokens = %v", got)
	}
	v := q.Vector()
	idf := func(n float64) float64 { return math.Log(1 + (float64(passages)-n+0.5)/(n+0.5)) }
	y, z, dot := 440*math.Pow(idf(1000), 0.75), 450*math.Pow(idf(1), 0.75), math.Pow(idf(1000), 0.75)
	length := math.Sqrt(y*y + z*z + dot*dot)
	near(t, "z", float64(v[25]), z/length)
	near(t, "y", float64(v[24]), y/length)
	near(t, ".", float64(v[26]), dot/length) // never packed: not as rare as one that was never seen
	got := score(t, q, pack("", "", "z"), pack("", "", "y"))
	if got[0].MaxSim < 0.97 || got[1].MaxSim > 0.03 {
		t.Errorf("MaxSim = %v", got)
	}
	if other := interaction.NewQuery(letters{}, "x", []int{math.MaxInt32}, -5); len(other.Vector()) != dimension {
		t.Error("counts that cannot be are no error")
	}
}

// TestManyPassagesEqualOne: the scores of a passage do not depend on the others.
func TestManyPassagesEqualOne(t *testing.T) {
	q := interaction.NewQuery(letters{}, "quick", nil, 0)
	data := [][]byte{pack("fox", "jumps", "over the lazy dog"), nil, pack("", "", "quick"), pack("quick", "", "brown quill")}
	all := score(t, q, data...)
	for i, one := range data {
		if diff := cmp.Diff(score(t, q, one)[0], all[i]); diff != "" {
			t.Errorf("%d: %s", i, diff)
		}
	}
}

// stray is a model that gives numbers outside its vocabulary, too.
type stray struct{ letters }

func (m stray) AppendTokens(ids []int32, text string) []int32 {
	return append(m.letters.AppendTokens(append(ids, -1, 27, 1<<16), text), 1<<16+1)
}

func TestTokensOutsideTheVocabulary(t *testing.T) {
	if diff := cmp.Diff([]uint16{0, 1}, interaction.Tokens(stray{}, "ab")); diff != "" {
		t.Error(diff)
	}
	cut := func(s string) []int32 { return stray{}.AppendTokens(nil, s) }
	data := interaction.NewPacker(stray{}).Pack(interaction.Text{Title: cut("cc"), Headings: cut("b"), Body: cut("zab")})
	got := score(t, interaction.NewQuery(stray{}, "ab", nil, 0), data)[0]
	if diff := cmp.Diff(score(t, interaction.NewQuery(letters{}, "ab", nil, 0), data)[0], got); diff != "" || got.MaxSim != 1 {
		t.Error(diff, got)
	}
}

func TestModelOfTooManyTokens(t *testing.T) {
	model := letters{size: 1<<16 + 1}
	if got := interaction.NewPacker(model).Pack(text("a", "b", "c")); got != nil {
		t.Errorf("packed %v", got)
	}
	if got := interaction.Tokens(model, "abc"); got != nil {
		t.Errorf("Tokens = %v", got)
	}
	q := interaction.NewQuery(model, "c", nil, 0)
	if v := q.Vector(); len(v) != dimension || v[2] != 1 {
		t.Errorf("Vector = %v", v)
	}
	if got := score(t, q, pack("", "", "c"))[0]; got != (interaction.Scores{}) {
		t.Errorf("scores %v", got)
	}
}

func TestLongTextsAreBounded(t *testing.T) {
	long := strings.Repeat("abcdefghijklmnopqrstuvwxyz", 10_000)
	if got := len(pack(long, long, long)); got > 10_000 {
		t.Errorf("%d bytes", got)
	}
	q := interaction.NewQuery(letters{}, long, nil, 0)
	if got := score(t, q, pack(long, long, long))[0]; got.MaxSim < 0.9999 || got.Window < 0.9 {
		t.Errorf("scores %v", got)
	}
}

// TestBuiltInModel: the nearer passage has the higher scores in a real model, and its vector is near that of Embed.
func TestBuiltInModel(t *testing.T) {
	model := builtIn(t)
	data := [][]byte{
		packText(model, "Bread", "Baking", "Leave the dough to rise in a warm place, then bake the loaf in a hot oven."),
		packText(model, "Git", "Branches", "Rebase the branch onto main and resolve the conflicts by hand."),
	}
	q := interaction.NewQuery(model, "how to bake a loaf", nil, 0)
	got := score(t, q, data...)
	if got[0].Window <= got[1].Window || got[0].MaxSim <= got[1].MaxSim || got[0].Title <= got[1].Title || got[0].Headings <= got[1].Headings {
		t.Errorf("scores %+v", got)
	}
	want, err := model.Embed(t.Context(), []string{"how to bake a loaf"})
	if err != nil {
		t.Fatal(err)
	}
	cosine := 0.0
	for i, x := range q.Vector() {
		cosine += float64(x * want[0][i])
	}
	near(t, "cosine with Embed", cosine, 1)
}

// TestWithoutKernels runs TestTheSameBitsEverywhere in a process that takes the processor for one without AVX2, whatever this one
// has.
func TestWithoutKernels(t *testing.T) {
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTheSameBitsEverywhere$", "-test.v")
	command.Env = append(os.Environ(), "GODEBUG=cpu.avx2=off")
	out, err := command.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: TestTheSameBitsEverywhere")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestTheSameBitsEverywhere holds data and scores of the built-in model against known ones.
func TestTheSameBitsEverywhere(t *testing.T) {
	model := builtIn(t)
	data := packText(model, "Bread", "Baking > Ovens", strings.Repeat("Leave the dough to rise in a warm place; then bake it. ", 12))
	if got, want := fmt.Sprintf("%x", sha256.Sum256(data))[:16], "bf72dbb47819f0c9"; got != want {
		t.Errorf("packed %d bytes of hash %s, want %s", len(data), got, want)
	}
	q := interaction.NewQuery(model, "how hot is an oven for bread", []int{3, 90, 100, 14, 5, 40, 1}, 100)
	s := score(t, q, data)[0]
	got := fmt.Sprintf("%x", []uint64{math.Float64bits(s.Window), math.Float64bits(s.Title), math.Float64bits(s.Headings), math.Float64bits(s.MaxSim)})
	if want := "[3fe08829a62d4186 3fdce84b7ad8984f 3feabed9269bb420 3feb8203eaa576b6]"; got != want {
		t.Errorf("scores %+v are %s, want %s", s, got, want)
	}
}

func builtIn(tb testing.TB) embedding.TokenModel {
	tb.Helper()
	model, err := model2vec.BuiltIn()
	if err != nil {
		tb.Fatal(err)
	}
	return model
}

func packText(model embedding.TokenModel, title, headings, body string) []byte {
	return interaction.NewPacker(model).Pack(interaction.Text{
		Title: model.AppendTokens(nil, title), Headings: model.AppendTokens(nil, headings), Body: model.AppendTokens(nil, body),
	})
}

func FuzzScore(f *testing.F) {
	model := builtIn(f)
	query := interaction.NewQuery(model, "where the words of a query stand", nil, 0)
	whole := packText(model, "A title", "Above > below", strings.Repeat("Some text of many different words, and more of it. ", 9))
	f.Add([]byte{})
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte{1, 0xff, 0xff, 3, 1, 1, 1, 0, 0, 0, 0})
	f.Add([]byte{1, 1, 0, 0, 0x80, 1, 0})
	f.Add(append(slices.Clone(whole), 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		last, count := -1, 0
		err := interaction.EachToken(data, func(token uint16) {
			if int(token) <= last {
				t.Fatalf("token %d after %d", token, last)
			}
			last = int(token)
			count++
		})
		if count > 8*len(data) {
			t.Fatalf("%d tokens of %d bytes", count, len(data))
		}
		scores, scoreErr := query.Score([][]byte{data})
		if err != nil && scoreErr == nil {
			t.Fatalf("damaged for one, not for the other: %v", err)
		}
		if scoreErr != nil {
			return
		}
		s := scores[0]
		for _, x := range []float64{s.Window, s.Title, s.Headings, s.MaxSim} {
			if !(x >= -1 && x <= 1) {
				t.Fatalf("scores %+v", s)
			}
		}
	})
}

func BenchmarkScore(b *testing.B) {
	model := builtIn(b)
	packer := interaction.NewPacker(model)
	random := rand.New(rand.NewPCG(3, 4))
	data := make([][]byte, 100)
	for i := range data {
		body := make([]int32, 100) // as many are left of 220 tokens of a technical text
		for j := range body {      // frequent tokens have low numbers
			body[j] = int32(1000 * math.Pow(28, random.Float64()*random.Float64()*random.Float64()))
		}
		data[i] = packer.Pack(interaction.Text{Title: body[:5], Headings: body[5:12], Body: body})
	}
	query := interaction.NewQuery(model, "how to keep the state of a component between two renders of it", nil, 0)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := query.Score(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPack(b *testing.B) {
	model := builtIn(b)
	packer := interaction.NewPacker(model)
	tokens := model.AppendTokens(nil, strings.Repeat("Some text of many different words, and more of it. ", 18))
	for b.Loop() {
		packer.Pack(interaction.Text{Title: tokens[:6], Headings: tokens[6:12], Body: tokens})
	}
}

func BenchmarkNewQuery(b *testing.B) {
	model := builtIn(b)
	for b.Loop() {
		interaction.NewQuery(model, "how to keep the state of a component", nil, 0)
	}
}
