package index

import (
	"context"
	"math"
	"slices"

	"quarry/embedding"
	"quarry/internal/interaction"
	"quarry/store"
)

// A passage's vector is the unit sum of those of its text, its note's title and the headings above it, in these weights, each the
// plain mean of its tokens: how rare a word is in the vault is for the query to say, so that nothing is embedded anew when others
// change. The further text of passages with data (Passage.IndexText) has no share: with it, or in place of the text, no figure
// of two sets changed.
const (
	textWeight    = 0.7
	titleWeight   = 0.2
	headingWeight = 0.1
)

// Texts embedded in one call.
const embedBatch = 64

// embed gives each passage of a note its vector, nil where the model knows no word of it, and its tokens for the second stage of
// ranking.
func (r *run) embed(ctx context.Context, n *store.Note) error {
	if r.config.Embedder == nil || len(n.Passages) == 0 {
		return nil
	}
	texts := []string{n.Title}
	place := map[string]int{"": -1} // of a heading trail in texts
	for _, p := range n.Passages {
		if _, ok := place[p.Section]; !ok {
			place[p.Section] = len(texts)
			texts = append(texts, p.Section)
		}
	}
	bodies := len(texts)
	for _, p := range n.Passages {
		texts = append(texts, p.Text)
	}
	vectors, tokens, err := r.embedTexts(ctx, texts)
	if err != nil {
		return err
	}
	for i := range n.Passages {
		p := &n.Passages[i]
		headings := place[p.Section]
		p.Vector = mix(r.config.Embedder.Dim(), []weighted{
			{vectors[bodies+i], textWeight}, {vectors[0], titleWeight}, {at(vectors, headings), headingWeight},
		})
		if r.packer != nil {
			p.RankData = r.packer.Pack(interaction.Text{Title: tokens[0], Headings: at(tokens, headings), Body: tokens[bodies+i]})
		}
	}
	return nil
}

// embedTexts gives each text its vector of unit length, or nil, and the tokens of a model whose tokens can be packed.
func (r *run) embedTexts(ctx context.Context, texts []string) (vectors [][]float32, tokens [][]int32, err error) {
	vectors = make([][]float32, 0, len(texts))
	if r.packer != nil {
		return r.packer.embed(ctx, texts)
	}
	for batch := range slices.Chunk(texts, embedBatch) {
		some, err := r.config.Embedder.Embed(ctx, batch)
		if err != nil {
			return nil, nil, err
		}
		vectors = append(vectors, some...)
	}
	return vectors, nil, nil
}

// tokenPacker is a model whose tokens can be packed.
type tokenPacker struct {
	*interaction.Packer
	model embedding.TokenModel
}

// embed cuts each text once. The vectors are those that Embed gives.
func (p *tokenPacker) embed(ctx context.Context, texts []string) (vectors [][]float32, tokens [][]int32, err error) {
	all, ends := make([]int32, 0, 64*len(texts)), make([]int, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		all = p.model.AppendTokens(all, text)
		ends[i] = len(all)
	}
	begin := 0
	for _, end := range ends {
		own := all[begin:end:end]
		tokens = append(tokens, own)
		vectors = append(vectors, unit(p.model.EmbedTokens(own)))
		begin = end
	}
	return vectors, tokens, nil
}

// newPacker prepares to pack the tokens of a model; nil for one that gives none, or too many.
func newPacker(embedder embedding.Embedder) *tokenPacker {
	model, ok := embedder.(embedding.TokenModel)
	if !ok {
		return nil
	}
	if packer := interaction.NewPacker(model); packer != nil {
		return &tokenPacker{packer, model}
	}
	return nil
}

// at is the element at i, nil where there is none.
func at[T any](lists [][]T, i int) []T {
	if i < 0 || i >= len(lists) {
		return nil
	}
	return lists[i]
}

// weighted is a vector of unit length, or nil, with its share in a mix.
type weighted struct {
	vector []float32
	weight float32
}

// unit brings a vector to unit length; nil for zeros. One that has it stays as it is, to the bit.
func unit(v []float32) []float32 {
	square := squares(v)
	if math.Abs(square-1) < 1e-6 {
		return v
	}
	return scaled(v, square)
}

// mix is the unit sum of vectors; nil if all are nil, or cancel out. Each step is rounded, so that it is the same on all
// machines.
func mix(dimension int, parts []weighted) []float32 {
	sum := make([]float32, dimension)
	for _, p := range parts {
		for i, x := range p.vector {
			sum[i] += float32(p.weight * x)
		}
	}
	return scaled(sum, squares(sum))
}

func squares(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	return sum
}

// scaled divides a vector by its length, of which it takes the square; nil where that is 0.
func scaled(v []float32, square float64) []float32 {
	if square == 0 {
		return nil
	}
	length := float32(math.Sqrt(square))
	for i := range v {
		v[i] /= length
	}
	return v
}
