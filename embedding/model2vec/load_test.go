package model2vec_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quarry/embedding/model2vec"
)

const tinyTokenizer = `{"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"lowercase":true},
"pre_tokenizer":{"type":"BertPreTokenizer"},"added_tokens":[],
"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
"vocab":{"[UNK]":0,"a":1,"##b":2}}}`

func tinyWeights() []byte {
	return safetensors("embeddings", "I8", []int{3, 2}, []byte{1, 2, 3, 4, 5, 6})
}

func rawHeader(json string, data int) []byte {
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(json)))
	return append(append(out, json...), make([]byte, data)...)
}

func TestLoadFaults(t *testing.T) {
	swap := func(old, replacement string) string {
		changed := strings.Replace(tinyTokenizer, old, replacement, 1)
		if changed == tinyTokenizer {
			t.Fatalf("%q is not in the tokenizer", old)
		}
		return changed
	}
	huge := make([]byte, 8)
	binary.LittleEndian.PutUint64(huge, math.MaxUint64)
	tests := []struct {
		name, config, tokenizer string
		weights                 []byte
		options                 model2vec.Options
		want                    string
	}{
		{name: "config is no JSON", config: "{", want: "config.json"},
		{name: "limit of another type", config: `{"max_length":"x"}`, want: "max_length"},
		{name: "limit out of range", config: `{"max_length":-1}`, want: "max_length is -1"},
		{name: "tokenizer is no JSON", tokenizer: "x", want: "tokenizer.json"},
		{name: "other tokenizer", tokenizer: swap("WordPiece", "Unigram"), want: "tokenizer Unigram is not supported yet"},
		{name: "other normalizer", tokenizer: swap("BertNormalizer", "NFC"), want: "normalizer NFC is not supported yet"},
		{name: "other pre-tokenizer", tokenizer: swap("BertPreTokenizer", "Whitespace"), want: "pre-tokenizer Whitespace is not supported yet"},
		{name: "no model", tokenizer: `{}`, want: "tokenizer none is not supported yet"},
		{name: "no unknown token", tokenizer: swap(`"[UNK]":0`, `"[X]":0`), want: `unknown token "[UNK]"`},
		{name: "id without a row", tokenizer: swap(`"a":1`, `"a":3`), want: `token "a" has id 3`},
		{name: "negative id", tokenizer: swap(`"a":1`, `"a":-1`), want: `token "a" has id -1`},
		{name: "id twice", tokenizer: swap(`"a":1`, `"a":2`), want: `have the same id 2`},
		{name: "too few tokens", tokenizer: swap(`,"##b":2`, ""), want: "2 tokens, but 3 rows"},
		{name: "weights end early", weights: []byte("1234567"), want: "header"},
		{name: "header longer than the file", weights: huge, want: "header"},
		{name: "header is no JSON", weights: rawHeader("x", 0), want: "header"},
		{name: "entry is no tensor", weights: rawHeader(`{"embeddings":1}`, 0), want: "embeddings"},
		{name: "offsets outside", weights: rawHeader(`{"embeddings":{"dtype":"I8","shape":[3,2],"data_offsets":[0,6]}}`, 5), want: "not within 5 bytes"},
		{name: "offsets reversed", weights: rawHeader(`{"embeddings":{"dtype":"I8","shape":[3,2],"data_offsets":[6,0]}}`, 6), want: "not within"},
		{name: "negative offset", weights: rawHeader(`{"embeddings":{"dtype":"I8","shape":[3,2],"data_offsets":[-6,0]}}`, 6), want: "not within"},
		{name: "shape and size differ", weights: rawHeader(`{"embeddings":{"dtype":"F32","shape":[3,2],"data_offsets":[0,6]}}`, 6), want: "needs 24 bytes"},
		{name: "shape overflows", weights: rawHeader(`{"embeddings":{"dtype":"F64","shape":[4611686018427387904,4],"data_offsets":[0,0]}}`, 0), want: "impossible shape"},
		{name: "negative shape", weights: rawHeader(`{"embeddings":{"dtype":"I8","shape":[-3,-2],"data_offsets":[0,6]}}`, 6), want: "impossible shape"},
		{name: "no embeddings", weights: safetensors("other", "I8", []int{3, 2}, make([]byte, 6)), want: `no tensor "embeddings"`},
		{name: "unknown element type", weights: safetensors("embeddings", "BF16", []int{3, 1}, make([]byte, 6)), want: `no tensor "embeddings"`},
		{name: "integers as embeddings", weights: safetensors("embeddings", "I32", []int{3, 1}, make([]byte, 12)), want: "type I32"},
		{name: "no matrix", weights: safetensors("embeddings", "I8", []int{6}, make([]byte, 6)), want: "shape [6]"},
		{name: "no columns", weights: safetensors("embeddings", "I8", []int{3, 0}, nil), want: "shape [3 0]"},
		{name: "weights of another type", weights: twoTensors("weights", "I8", "[3]", 3), want: `"weights" has elements of type I8`},
		{name: "weights of another shape", weights: twoTensors("weights", "F32", "[1,3]", 12), want: `"weights" has the shape`},
		{name: "too few weights", weights: twoTensors("weights", "F32", "[2]", 8), want: "the weights have 2"},
		{name: "mapping of another type", weights: twoTensors("mapping", "F32", "[3]", 12), want: `"mapping"`},
		{name: "mapping outside", weights: twoTensors("mapping", "I32", "[3]", 12), want: "is mapped to row"},
		{name: "mapping outside, wide", weights: twoTensors("mapping", "I64", "[3]", 24), want: "is mapped to row"},
		{name: "unknown conversion", options: model2vec.Options{DType: "int4"}, want: `unknown element type "int4"`},
		{name: "too many components", options: model2vec.Options{Dimension: 3}, want: "has 2 components, not 3"},
		{name: "negative components", options: model2vec.Options{Dimension: -1}, want: "not -1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			config, tokenizer, weights := test.config, test.tokenizer, test.weights
			if config == "" {
				config = "{}"
			}
			if tokenizer == "" {
				tokenizer = tinyTokenizer
			}
			if weights == nil {
				weights = tinyWeights()
			}
			dir := writeModel(t, config, []byte(tokenizer), weights)
			_, err := model2vec.Load(dir, test.options)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), dir) {
				t.Errorf("error %v does not tell of %q and the folder", err, test.want)
			}
		})
	}
}

// twoTensors packs good embeddings and a second tensor full of 0x7F.
func twoTensors(name, dtype, shape string, size int) []byte {
	header := fmt.Sprintf(`{"embeddings":{"dtype":"I8","shape":[3,2],"data_offsets":[0,6]},%q:{"dtype":%q,"shape":%s,"data_offsets":[6,%d]}}`,
		name, dtype, shape, 6+size)
	out := rawHeader(header, 6)
	return append(out, []byte(strings.Repeat("\x7f", size))...)
}

func TestLoadTiny(t *testing.T) {
	model := loadModel(t, writeModel(t, "{}", []byte(tinyTokenizer), tinyWeights()), model2vec.Options{})
	vectors, err := model.EmbedRaw(t.Context(), []string{"a ab b"})
	if err != nil {
		t.Fatal(err)
	}
	if v := vectors[0]; v[0] != float32(11.0/3) || v[1] != float32(14.0/3) {
		t.Errorf("vector %v, want the mean of rows 1, 1 and 2", v)
	}
}

func TestLoadMissing(t *testing.T) {
	dir := t.TempDir()
	if _, err := model2vec.Load(dir, model2vec.Options{}); err == nil || !strings.Contains(err.Error(), "model.safetensors") {
		t.Errorf("empty folder: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "config.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tokenizer.json", "model.safetensors"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var path *fs.PathError
	if _, err := model2vec.Load(dir, model2vec.Options{}); !errors.As(err, &path) {
		t.Errorf("config.json is a folder: %v", err)
	}
}
