package model2vec

import (
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"
)

// UnsupportedError tells that a model is in a form that this package cannot read yet.
type UnsupportedError struct {
	Part string // "tokenizer", "normalizer", "pre-tokenizer"
	Type string // as the file names it, e.g. "BPE"
}

// Error names the part and its type.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("%s %s is not supported yet", e.Part, e.Type)
}

// tokenizerFile is what matters of tokenizer.json. Truncation, padding and the post-processor have no effect on vectors.
type tokenizerFile struct {
	AddedTokens  []addedTokenFile `json:"added_tokens"`
	Normalizer   *normalizerFile  `json:"normalizer"`
	PreTokenizer *struct {
		Type string `json:"type"`
	} `json:"pre_tokenizer"`
	Model struct {
		Type string `json:"type"`
	} `json:"model"`
}

type addedTokenFile struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LeftStrip  bool   `json:"lstrip"`
	RightStrip bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
}

type normalizerFile struct {
	Type         string `json:"type"`
	CleanText    bool   `json:"clean_text"`
	PadChinese   bool   `json:"handle_chinese_chars"`
	StripAccents *bool  `json:"strip_accents"` // null: as Lowercase
	Lowercase    bool   `json:"lowercase"`
}

// wordPieceFile is the model of a WordPiece tokenizer.
type wordPieceFile struct {
	Model struct {
		Unknown     string           `json:"unk_token"`
		Prefix      string           `json:"continuing_subword_prefix"`
		LongestWord int              `json:"max_input_chars_per_word"`
		Vocabulary  map[string]int32 `json:"vocab"`
	} `json:"model"`
}

// readTokenizer reads tokenizer.json. idLimit is one more than the highest id that the weights allow. size counts the
// tokens of the vocabulary and the added ones; maxTokens 0 means no limit.
func readTokenizer(content []byte, idLimit, maxTokens int) (t *tokenizer, size int, err error) {
	var file tokenizerFile
	if err := json.Unmarshal(content, &file); err != nil {
		return nil, 0, err
	}
	if err := file.supported(); err != nil {
		return nil, 0, err
	}
	var model wordPieceFile
	if err := json.Unmarshal(content, &model); err != nil {
		return nil, 0, err
	}
	all, err := file.allTokens(model.Model.Vocabulary, idLimit)
	if err != nil {
		return nil, 0, err
	}
	t = &tokenizer{normalizer: file.Normalizer.normalizer(), maxTokens: maxTokens, maxRunes: maxTokens * medianRunes(all)}
	if t.wordPiece, err = model.wordPiece(idLimit); err != nil {
		return nil, 0, err
	}
	t.unknown = t.wordPiece.unknown
	t.addTokens(file.AddedTokens, all)
	return t, len(all), nil
}

func (f *tokenizerFile) supported() error {
	switch {
	case f.Model.Type != "WordPiece":
		return &UnsupportedError{"tokenizer", orNone(f.Model.Type)}
	case f.Normalizer == nil:
		return &UnsupportedError{"normalizer", "none"}
	case f.Normalizer.Type != "BertNormalizer":
		return &UnsupportedError{"normalizer", orNone(f.Normalizer.Type)}
	case f.PreTokenizer == nil:
		return &UnsupportedError{"pre-tokenizer", "none"}
	case f.PreTokenizer.Type != "BertPreTokenizer":
		return &UnsupportedError{"pre-tokenizer", orNone(f.PreTokenizer.Type)}
	}
	return nil
}

func orNone(name string) string {
	if name == "" {
		return "none"
	}
	return name
}

// allTokens joins vocabulary and added tokens; an added token that the vocabulary has too keeps the vocabulary's id.
func (f *tokenizerFile) allTokens(vocabulary map[string]int32, idLimit int) (map[string]int32, error) {
	all := make(map[string]int32, len(vocabulary)+len(f.AddedTokens))
	for token, id := range vocabulary {
		all[token] = id
	}
	for _, added := range f.AddedTokens {
		if _, ok := all[added.Content]; !ok {
			all[added.Content] = added.ID
		}
	}
	for token, id := range all {
		if id < 0 || int(id) >= idLimit {
			return nil, fmt.Errorf("token %q has id %d, but the weights have %d", token, id, idLimit)
		}
	}
	return all, nil
}

func (n *normalizerFile) normalizer() normalizer {
	out := normalizer{cleanText: n.CleanText, padChinese: n.PadChinese, stripAccents: n.Lowercase, lowercase: n.Lowercase}
	if n.StripAccents != nil {
		out.stripAccents = *n.StripAccents
	}
	out.prepare()
	return out
}

// wordPiece checks the model and builds its table.
func (f *wordPieceFile) wordPiece(idLimit int) (wordPiece, error) {
	m := f.Model
	unknown, ok := m.Vocabulary[m.Unknown]
	if !ok {
		return wordPiece{}, fmt.Errorf("the unknown token %q is not in the vocabulary", m.Unknown)
	}
	tokens := make([]string, idLimit)
	for token, id := range m.Vocabulary {
		if other := tokens[id]; other != "" {
			return wordPiece{}, fmt.Errorf("tokens %q and %q have the same id %d", min(token, other), max(token, other), id)
		}
		tokens[id] = token
	}
	w := wordPiece{vocabulary: newVocabulary(tokens), prefix: m.Prefix, unknown: unknown, longestWord: m.LongestWord}
	w.prepare()
	return w, nil
}

// addTokens sorts the added tokens by when they are looked for; those for normal text are normalized themselves.
func (t *tokenizer) addTokens(added []addedTokenFile, ids map[string]int32) {
	var raw, normal []addedToken
	for _, a := range added {
		token := addedToken{content: a.Content, id: ids[a.Content], leftStrip: a.LeftStrip, rightStrip: a.RightStrip, oneWord: a.SingleWord}
		if a.Normalized {
			token.content = string(t.normalizer.append(nil, a.Content))
			normal = append(normal, token)
		} else {
			raw = append(raw, token)
		}
	}
	t.raw, t.normal = newAddedTokens(raw), newAddedTokens(normal)
}

// medianRunes is the integer part of the median length of the tokens in code points.
func medianRunes(tokens map[string]int32) int {
	if len(tokens) == 0 {
		return 0
	}
	lengths := make([]int, 0, len(tokens))
	for token := range tokens {
		lengths = append(lengths, utf8.RuneCountInString(token))
	}
	slices.Sort(lengths)
	middle := len(lengths) / 2
	if len(lengths)%2 == 1 {
		return lengths[middle]
	}
	return (lengths[middle-1] + lengths[middle]) / 2
}
