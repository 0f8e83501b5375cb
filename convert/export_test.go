package convert

import (
	"context"

	"quarry/convert/export"
)

// WithFormat adds a format until the function that it gives is called.
func WithFormat(name string, read func(context.Context, *export.Tree, *export.Builder) error) (end func()) {
	before := formats
	formats = append(Formats(), Format{Name: name, Title: name, read: read})
	return func() { formats = before }
}
