package index_test

import (
	"testing"

	"quarry/index"
)

// TestMayBeRedacted holds that a file which is really called like a redacted one is known by its own name.
func TestMayBeRedacted(t *testing.T) {
	token := "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
	for path, want := range map[string]bool{
		index.StoredPath(nil, "of "+token+".md"): true, index.StoredPath(nil, token+"/a.md"): true,
		"k [REDACTED:github-token].md": false, "k [REDACTED:github-token]~abc.md": false, "[REDACTED:jwt]~ab12cd/a.md": false, "a~ab12cd": false,
		"": false, "~ab12cd": false,
	} {
		if index.MayBeRedacted(path) != want {
			t.Errorf("%q: want %v", path, want)
		}
	}
}
