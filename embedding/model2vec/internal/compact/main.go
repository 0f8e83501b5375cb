// Command compact writes the two files that package model2vec embeds; go generate runs it there.
//
//	compact classes bert-charclass.json charclass.bin       the character table of the tokenizer
//	compact model potion-base-8M potion-base-8M.bin         the built-in model, from its published folder
package main

import (
	"bytes"
	"fmt"
	"os"

	"quarry/embedding/model2vec"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		panic(err) //nolint:forbidigo // a tool of the developer: the trace does no harm, and the exit code is not 0
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("three arguments are needed: classes or model, the source, the file to write")
	}
	content, err := generate(args[0], args[1])
	if err != nil {
		return err
	}
	return os.WriteFile(args[2], content, 0o644)
}

func generate(kind, source string) ([]byte, error) {
	switch kind {
	case "classes":
		measured, err := os.ReadFile(source)
		if err != nil {
			return nil, err
		}
		return characterTable(measured)
	case "model":
		return compactModel(source)
	}
	return nil, fmt.Errorf("unknown kind %q: classes or model", kind)
}

func compactModel(dir string) ([]byte, error) {
	model, err := model2vec.Load(dir, model2vec.Options{})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := model.WriteCompact(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
