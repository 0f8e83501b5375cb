package graph

import "quarry/internal/filename"

// NameKey is the same text for two names that SameName takes for one.
func NameKey(name string) string { return filename.Fold(name) }
