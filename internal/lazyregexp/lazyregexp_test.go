package lazyregexp_test

import (
	"sync"
	"testing"

	"quarry/internal/lazyregexp"
)

func TestOfManyAtOnce(t *testing.T) {
	word := lazyregexp.New(`(\w+)-(\w+)`)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if got := word.ReplaceAllString("one-two", "$2-$1"); got != "two-one" {
				t.Errorf("got %q", got)
			}
		})
	}
	all.Wait()
}

func TestWrongPanicsAtItsFirstUse(t *testing.T) {
	wrong := lazyregexp.New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	wrong.MatchString("")
}
