package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"quarry"
)

// typesSettings are the table [types] of a configuration.
type typesSettings struct {
	File      string   `toml:"file"`      // of the settings of types; in the vault's own file below the vault
	Overrides []string `toml:"overrides"` // properties of notes that count before their type
}

// overridable are the properties that can count before the type of a note.
var overridable = []string{"chunk_profile", "edge_defaults", "retriever_weight"}

// wrongTypes finds the first mistake in the table of types.
func wrongTypes(s settings, lines map[string]int) *misplaced {
	if file := s.Types.File; lines["types.file"] > 0 && (strings.TrimSpace(file) == "" || strings.ContainsRune(file, 0)) {
		return &misplaced{"types.file", `leave the key out for "types.yaml" at the vault's root`, errors.New("it takes the path of a file")}
	}
	for i, name := range s.Types.Overrides {
		if slices.Contains(overridable, name) {
			continue
		}
		hint := "overrides takes " + strings.Join(overridable, ", ")
		if near := nearest(name, overridable); near != "" {
			hint = fmt.Sprintf("did you mean %s? %s", near, hint)
		}
		return &misplaced{fmt.Sprintf("types.overrides[%d]", i), hint, fmt.Errorf("%q is no property that a type decides", name)}
	}
	return nil
}

// misplaced tells of a path that leads out of the vault from its root.
func (t typesSettings) misplaced() *misplaced {
	if t.File == "" || filepath.IsAbs(t.File) || filepath.IsLocal(filepath.FromSlash(t.File)) {
		return nil
	}
	return &misplaced{"types.file", "a file outside of the vault is named by its absolute path", errors.New("the path leads out of the vault")}
}

// types lays the vault's table over the user's, unless it names a file outside of the vault.
func (o *vaultOverlay) types() {
	switch file := o.own.Types.File; {
	case file == "":
	case !filepath.IsLocal(filepath.FromSlash(file)):
		o.ignored("types.file", "a file in the vault cannot name places outside of it")
	default:
		o.user.Types.File = file
	}
	if o.own.Types.Overrides != nil {
		o.user.Types.Overrides = o.own.Types.Overrides
	}
}

// config is the table as the engine takes it.
func (t typesSettings) config() quarry.TypesConfig {
	return quarry.TypesConfig{File: t.File, Overrides: t.Overrides}
}
