package model2vec

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Options change a model as it is loaded.
type Options struct {
	Dimension int    // keep the first components; 0: all
	DType     string // "float32", "float16" or "int8", rounded as the reference rounds; "": as stored
}

// defaultMaxTokens is the limit of a model whose configuration has none.
const defaultMaxTokens = 512

// layout says where a folder has its files.
type layout struct {
	config, weights, tokenizer string
	tensor                     string // the name of the embeddings
}

// layouts are tried in this order; the first that is complete counts.
var layouts = []layout{
	{"config.json", "model.safetensors", "tokenizer.json", "embeddings"},
	{"config_sentence_transformers.json", "model.safetensors", "tokenizer.json", "embedding.weight"},
	{"config_sentence_transformers.json", "0_StaticEmbedding/model.safetensors", "0_StaticEmbedding/tokenizer.json", "embedding.weight"},
}

// modelConfig is what acts of a model's configuration.
type modelConfig struct {
	Normalize bool            `json:"normalize"`
	MaxLength json.RawMessage `json:"max_length"` // absent: 512; null: no limit
}

// Load reads a model from a folder in one of the layouts of Model2Vec or sentence-transformers. Only WordPiece
// tokenizers can be read yet; others give an *UnsupportedError. It takes about 0.1 s for 30 MB of weights.
func Load(dir string, options Options) (*Model, error) {
	model, err := load(dir, options)
	if err != nil {
		return nil, fmt.Errorf("load model %s: %w", dir, err)
	}
	return model, nil
}

func load(dir string, options Options) (*Model, error) {
	where, err := findLayout(dir)
	if err != nil {
		return nil, err
	}
	files := modelFiles{layout: where}
	for _, file := range []struct {
		name    string
		content *[]byte
	}{
		{where.config, &files.configContent},
		{where.tokenizer, &files.tokenizerContent},
		{where.weights, &files.weightsContent},
	} {
		if *file.content, err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(file.name))); err != nil {
			return nil, err
		}
	}
	return files.model(folderName(dir), options)
}

// modelFiles is what a folder holds.
type modelFiles struct {
	layout
	configContent, tokenizerContent, weightsContent []byte
}

// model puts the parts together.
func (f *modelFiles) model(name string, options Options) (*Model, error) {
	normalized, maxTokens, err := readConfig(f.configContent)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.config, err)
	}
	rows, err := readMatrix(f.weightsContent, f.tensor, options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.weights, err)
	}
	tokens, size, err := readTokenizer(f.tokenizerContent, rows.idLimit(), maxTokens)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.tokenizer, err)
	}
	if rows.mapping == nil && rows.rows() != size {
		return nil, fmt.Errorf("%d tokens, but %d rows of weights and no mapping", size, rows.rows())
	}
	model := &Model{name: name, tokenizer: tokens, weights: rows, normalized: normalized}
	model.hash = hashModel(name, options, [][]byte{f.configContent, f.tokenizerContent, f.weightsContent})
	return model, nil
}

func findLayout(dir string) (layout, error) {
	for _, l := range layouts {
		complete := true
		for _, name := range []string{l.config, l.weights, l.tokenizer} {
			switch info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); {
			case errors.Is(err, fs.ErrNotExist):
				complete = false
			case err != nil:
				return layout{}, err
			case !info.Mode().IsRegular(): // a pipe would keep the reader waiting
				return layout{}, &fs.PathError{Op: "open", Path: filepath.Join(dir, filepath.FromSlash(name)), Err: errors.New("not a regular file")}
			}
		}
		if complete {
			return l, nil
		}
	}
	return layout{}, errors.New("the folder has not all of model.safetensors, tokenizer.json and config.json, nor the files of sentence-transformers")
}

// readConfig gives whether vectors are normalized, and the limit of tokens: 0 for none.
func readConfig(content []byte) (normalized bool, maxTokens int, err error) {
	var config modelConfig
	if err := json.Unmarshal(content, &config); err != nil {
		return false, 0, err
	}
	switch {
	case config.MaxLength == nil:
		return config.Normalize, defaultMaxTokens, nil
	case bytes.Equal(config.MaxLength, []byte("null")):
		return config.Normalize, 0, nil
	}
	if err := json.Unmarshal(config.MaxLength, &maxTokens); err != nil {
		return false, 0, fmt.Errorf("max_length: %w", err)
	}
	if maxTokens <= 0 || maxTokens > 1<<24 {
		return false, 0, fmt.Errorf("max_length is %d, not in 1 to %d", maxTokens, 1<<24)
	}
	return config.Normalize, maxTokens, nil
}

func readMatrix(content []byte, name string, options Options) (*matrix, error) {
	tensors, err := readTensors(content)
	if err != nil {
		return nil, err
	}
	rows, err := newMatrix(tensors, name)
	if err != nil {
		return nil, err
	}
	if err := rows.convert(options.DType); err != nil {
		return nil, err
	}
	return rows, rows.cut(options.Dimension)
}

// folderName is the last element of the folder's path, resolved so that "." has a name too.
func folderName(dir string) string {
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	return strings.TrimSuffix(filepath.Base(dir), string(filepath.Separator))
}

// hashModel covers all that decides vectors, and the name.
func hashModel(name string, options Options, files [][]byte) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %d %q\n", name, options.Dimension, options.DType)
	for _, content := range files {
		fmt.Fprintf(sum, "%d\n", len(content))
		sum.Write(content)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
