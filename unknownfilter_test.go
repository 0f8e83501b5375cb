package quarry_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"quarry"
)

// TestUnknownFiltersAreBounded holds that of many values that no note has the first eight are told, each shortly.
func TestUnknownFiltersAreBounded(t *testing.T) {
	e := openConfig(t, quarry.Config{VaultDir: vaultOf(t, map[string]string{"a.md": "words\n"}), DatabasePath: filepath.Join(t.TempDir(), "index.db")})
	mustIndex(t, e, quarry.IndexOptions{})
	for count, told := range map[int]int{1: 1, 8: 8, 9: 8, 3000: 8} {
		var tags []string
		for i := range count {
			tags = append(tags, fmt.Sprintf("tag-%d-%s", i, strings.Repeat("ä", 500)))
		}
		notices, err := e.UnknownFilters(t.Context(), quarry.Filter{Tags: tags, Folders: []string{"nosuch"}})
		if want := told + min(1, 8-told); err != nil || len(notices) != want {
			t.Errorf("%d tags: %d notices, want %d: %v", count, len(notices), want, err)
			continue
		}
		for i, notice := range notices[:told] {
			if length := len([]rune(notice)); !strings.Contains(notice, fmt.Sprintf("tag-%d-", i)) || length > 100 {
				t.Errorf("%d tags: notice %d has %d characters: %s", count, i, length, notice)
			}
		}
	}
}
