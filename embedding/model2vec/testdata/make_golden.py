#!/usr/bin/env python3
"""Writes conversions.jsonl and tokenizers.jsonl from the Python reference; running it again gives the same bytes.

needs: model2vec==0.10.0 tokenizers==0.23.3 safetensors==0.8.0 numpy==2.4.6

They cover what the fixtures of the module leave out: element types times weights times conversions, and the switches of
the normalizer times the kinds of added tokens.

conversions.jsonl  {"model": safetensors in base64, "normalize", "dtype", "dimension", "vector": little-endian float32 in
                   base64} for the text TEXT, with the tokenizer conversions.tokenizer.json
tokenizers.jsonl   {"normalizer", "added_tokens", "cases": [[text, ids without unknown ones], ...]}: to be put into the
                   tokenizer of fixtures/model2vec/wordpiece-nonorm
"""
import base64, json, os, random, tempfile
import numpy as np
from model2vec import StaticModel
from safetensors.numpy import save, save_file
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers

HERE = os.path.dirname(os.path.abspath(__file__))
BASE = os.path.join(HERE, "../../../fixtures/model2vec/wordpiece-nonorm/tokenizer.json")
TEXT = "one two three two one"


def conversions(rng, pick):
    t = Tokenizer(models.WordPiece(vocab={w: i for i, w in enumerate(["[UNK]", "one", "two", "three"])}, unk_token="[UNK]", max_input_chars_per_word=100))
    t.normalizer, t.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    t.save(os.path.join(HERE, "conversions.tokenizer.json"), pretty=False)
    out = open(os.path.join(HERE, "conversions.jsonl"), "w", newline="\n")
    for dtype in ("float32", "float16", "float64", "int8"):
        for weights in (None, np.float32, np.float64):
            for convert in (None, "float32", "float16", "int8"):
                dim, mapped, normalize = pick.choice([2, 7, 8, 11, 131]), pick.random() < .4, pick.random() < .5
                rows = 3 if mapped else 4
                e = rng.normal(0, 40, (rows, dim)) if dtype == "int8" else rng.normal(0, pick.choice([1e-6, .3, 50]), (rows, dim))
                tensors = {"embeddings": (np.clip(np.rint(e), -128, 127) if dtype == "int8" else e).astype(dtype)}
                if weights: tensors["weights"] = rng.uniform(.01, 2, 4).astype(weights)
                if mapped: tensors["mapping"] = rng.integers(0, rows, 4).astype(pick.choice([np.int32, np.int64]))
                m = StaticModel(tensors["embeddings"], t, normalize=normalize, weights=tensors.get("weights"), token_mapping=tensors.get("mapping"))
                with tempfile.TemporaryDirectory() as d:
                    m.save_pretrained(d)
                    cut = pick.choice([None, max(2, dim // 2)])
                    v = StaticModel.from_pretrained(d, quantize_to=convert, dimensionality=cut).encode([TEXT])[0]
                b64 = lambda b: base64.b64encode(b).decode()
                out.write(json.dumps({"model": b64(save(tensors)), "normalize": normalize, "dtype": convert or "", "dimension": cut or 0, "vector": b64(v.astype("<f4").tobytes())}) + "\n")


def tokenizers(pick):
    words = ["foo", "Foo bar", "É", "éa", "  x", "[CLS]x", "foobar", "a", "ab", "abc", "-", "é-è", "x\u0301", "中", "search", "ß", "A B"]
    glue = words + [" ", "  ", "b", "c", "_", "1", "\n", ".", "\u00a0", "\u200d", "Foo", "[SEP]", "[UNK]"]
    odd = "\u0301\u0327\u302e\u302f\U0001d165\U0001d16d\u0e31\u094d\u00ad\x07\x00\x0b\x85\ufffd\ufeff\ue000\u2003\u3000가각豈İẞΣᾼ①Ａ\U0001d15e\u0344\u0958\u2260\u037e\u2e43"
    out = open(os.path.join(HERE, "tokenizers.jsonl"), "w", newline="\n")
    for n in range(24):
        spec = json.load(open(BASE, encoding="utf8"))
        spec["normalizer"] = {"type": "BertNormalizer", "clean_text": n & 1 == 0, "handle_chinese_chars": n & 2 == 0, "strip_accents": [None, True, False][n % 3], "lowercase": n & 4 == 0}
        t = Tokenizer.from_str(json.dumps(spec))
        for w in pick.sample(words, 4):
            t.add_tokens([AddedToken(w, lstrip=pick.random() < .4, rstrip=pick.random() < .4, single_word=pick.random() < .4, normalized=pick.random() < .6)])
        unknown, cases = t.token_to_id("[UNK]"), []
        for _ in range(30):
            text = "".join(pick.choice(odd) if pick.random() < .35 else pick.choice(glue) for _ in range(pick.randrange(1, 16)))
            cases.append([text, [i for i in t.encode(text, add_special_tokens=False).ids if i != unknown]])
        out.write(json.dumps({"normalizer": spec["normalizer"], "added_tokens": json.loads(t.to_str())["added_tokens"], "cases": cases}) + "\n")


conversions(np.random.default_rng(31), random.Random(32))
tokenizers(random.Random(33))
