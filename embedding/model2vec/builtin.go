package model2vec

import (
	_ "embed"
	"fmt"
	"sync"
)

//go:generate go run ./internal/compact model ../../../shared/models/potion-base-8M potion-base-8M.bin

// builtIn is potion-base-8M in the compact form; where it is from stands in potion-base-8M.NOTICE.
//
//go:embed potion-base-8M.bin
var builtIn string

var openBuiltIn = sync.OnceValues(func() (*Model, error) {
	model, err := openCompact(builtIn)
	if err != nil {
		return nil, fmt.Errorf("open the built-in model: %w", err)
	}
	return model, nil
})

// BuiltIn gives the model in the program, potion-base-8M with 256 components: always the same one, ready in microseconds
// as it is used where it lies. The error is that of a damaged program.
func BuiltIn() (*Model, error) {
	return openBuiltIn()
}
