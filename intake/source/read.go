package source

import (
	"context"
	"errors"

	_ "codeberg.org/readeck/go-readability/v2" // pages
	_ "github.com/jhillyerd/enmime/v2"         // mails
	_ "github.com/mmcdole/gofeed"              // feeds
)

// ErrUnknown tells that an input is of no kind that is read here.
var ErrUnknown = errors.New("this is no feed, bookmarks, mail or page")

// Read reads an input of any kind, told by its content.
func Read(_ context.Context, _ Input) (Batch, error) { return Batch{}, ErrUnknown }
