package vault_test

import "testing"

func makePipe(t *testing.T, path string) { t.Skip("no named pipes in folders") }
