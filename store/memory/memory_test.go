package memory_test

import (
	"testing"

	"quarry/store"
	"quarry/store/memory"
	"quarry/store/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return memory.New() })
}
