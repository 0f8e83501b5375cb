package model2vec

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

// TestCompactRoundTrip writes small models in the compact form and reads them back.
func TestCompactRoundTrip(t *testing.T) {
	texts := []string{"", "the note", "A markdown note, a  markdown note; research search SEARCH. [SEP]é", "naïve 中文 한글 text", "\xff"}
	for _, name := range []string{"wordpiece-cased-added-maxlen16", "wordpiece-nonorm", "wordpiece-f16-weights-mapping"} {
		original, err := Load(filepath.Join("../../fixtures/model2vec", name), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := original.WriteCompact(&file); err != nil {
			t.Fatal(err)
		}
		compact, err := openCompact(file.String())
		if err != nil {
			t.Fatal(err)
		}
		if compact.Name() != name || compact.Dim() != original.Dim() || compact.VocabularySize() != original.VocabularySize() || compact.normalized != original.normalized {
			t.Errorf("%s: %s, %d components, %d tokens", name, compact.Name(), compact.Dim(), compact.VocabularySize())
		}
		for _, text := range texts {
			if got, want := compact.Tokenize(text), original.Tokenize(text); !slices.Equal(got, want) {
				t.Errorf("%s, %q: ids %v, want %v", name, text, got, want)
			}
		}
		got, _ := compact.EmbedRaw(context.Background(), texts)
		want, _ := original.EmbedRaw(context.Background(), texts)
		for i := range texts {
			for j := range want[i] {
				if off := got[i][j] - want[i][j]; off > 0.02 || off < -0.02 {
					t.Errorf("%s, %q: component %d is off by %g", name, texts[i], j, off)
				}
			}
		}
		checkDamaged(t, file.String())
	}
}

// checkDamaged cuts the file short and makes it longer: always an error.
func checkDamaged(t *testing.T, file string) {
	t.Helper()
	for size := 0; size < len(file); size += 1 + size/3 {
		if _, err := openCompact(file[:size]); !errors.Is(err, errCompact) {
			t.Errorf("%d of %d bytes: error %v", size, len(file), err)
		}
	}
	if _, err := openCompact(file + "x"); !errors.Is(err, errCompact) {
		t.Errorf("one byte more: error %v", err)
	}
	if _, err := openCompact("X" + file[1:]); !errors.Is(err, errCompact) {
		t.Errorf("other magic: error %v", err)
	}
}

// TestHalf decodes every binary16 number, and rounds it and what lies between it and the next.
func TestHalf(t *testing.T) {
	for bits := uint16(0); bits < 0x7C00; bits++ {
		low := float64(halfToFloat32(bits))
		if got := roundToHalf(low); got != low {
			t.Fatalf("%#x: %g becomes %g", bits, low, got)
		}
		if got := float64(halfToFloat32(bits | 0x8000)); got != -low {
			t.Fatalf("%#x: %g and %g", bits, low, got)
		}
		if bits == 0x7BFF {
			break
		}
		high := float64(halfToFloat32(bits + 1))
		if high <= low {
			t.Fatalf("%#x: %g is not above %g", bits+1, high, low)
		}
		even := low
		if bits&1 == 1 {
			even = high
		}
		middle := (low + high) / 2
		for x, want := range map[float64]float64{middle: even, middle - (high-low)/1e6: low, middle + (high-low)/1e6: high} {
			if got := roundToHalf(x); got != want {
				t.Fatalf("%g becomes %g, want %g", x, got, want)
			}
		}
	}
	for _, x := range []float64{65520, 1e300} {
		if got := roundToHalf(x); got-got == 0 {
			t.Errorf("%g becomes %g", x, got)
		}
	}
	if got := roundToHalf(65519.99); got != 65504 {
		t.Errorf("65519.99 becomes %g", got)
	}
}

// FuzzModelFiles reads rubbish as a model: an error or a model that answers, no panic.
func FuzzModelFiles(f *testing.F) {
	const header = `{"embeddings":{"dtype":"I8","shape":[3,2],"data_offsets":[0,6]},"mapping":{"dtype":"I32","shape":[3],"data_offsets":[6,18]}}`
	weights := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	weights = append(append(weights, header...), "abcdef\x00\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00"...)
	f.Add([]byte(`{"max_length":3,"normalize":true}`), []byte(`{"normalizer":{"type":"BertNormalizer","lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},
"added_tokens":[{"id":2,"content":"x y","normalized":true,"lstrip":true}],"model":{"type":"WordPiece","unk_token":"?","continuing_subword_prefix":"##",
"max_input_chars_per_word":9,"vocab":{"?":0,"a":1,"##b":2}}}`), weights)
	f.Fuzz(func(t *testing.T, config, tokenizer, weights []byte) {
		files := modelFiles{layouts[0], config, tokenizer, weights}
		for _, dtype := range []string{"", "int8", "float16"} {
			model, err := files.model("fuzzed", Options{DType: dtype})
			if err != nil {
				continue
			}
			for _, id := range model.Tokenize("a ab x y [UNK] ##b é") {
				model.EmbedTokens([]int32{id})
			}
		}
	})
}

func BenchmarkOpenBuiltIn(b *testing.B) {
	for b.Loop() {
		model, err := openCompact(builtIn)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := model.Embed(context.Background(), []string{"first query"}); err != nil {
			b.Fatal(err)
		}
	}
}
