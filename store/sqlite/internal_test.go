package sqlite

import (
	"errors"
	"math"
	"strings"
	"testing"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// Only damage of the file is called damage: a damaged index is set aside.
func TestKindsOfErrors(t *testing.T) {
	for _, test := range []struct {
		extended int // the code as SQLite numbers it
		want     error
	}{
		{11, store.ErrDamaged},         // CORRUPT
		{11 | 1<<8, store.ErrDamaged},  // CORRUPT_VTAB
		{24, store.ErrDamaged},         // FORMAT
		{26, store.ErrDamaged},         // NOTADB
		{10 | 2<<8, store.ErrDamaged},  // IOERR_SHORT_READ
		{10 | 33<<8, store.ErrDamaged}, // IOERR_CORRUPTFS
		{5, store.ErrLocked},           // BUSY
		{15, store.ErrLocked},          // PROTOCOL
		{8, store.ErrReadOnly},         // READONLY
		{13, ErrNoSpace},               // FULL
		{7, ErrMemory},                 // NOMEM
		{10, ErrIO},                    // IOERR
		{14, ErrIO},                    // CANTOPEN
		{1, ErrRefused},                // ERROR
		{17, ErrRefused},               // SCHEMA
		{18, ErrRefused},               // TOOBIG
		{21, ErrRefused},               // MISUSE
	} {
		err := wrap(t.Context(), "ask", &engine.Error{Code: test.extended & 0xff, Extended: test.extended, Message: "raw words"})
		if !errors.Is(err, test.want) || strings.Contains(err.Error(), "raw") {
			t.Errorf("code %d: %v, want %v", test.extended, err, test.want)
		}
	}
}

func TestLogarithm(t *testing.T) {
	for x := 1 + 1e-9; x < 1e12; x *= 1.0137 {
		if got, want := logarithm(x), math.Log(x); math.Abs(got-want) > 4e-16*max(1, want) {
			t.Errorf("logarithm of %v: %v, want %v", x, got, want)
		}
	}
}
