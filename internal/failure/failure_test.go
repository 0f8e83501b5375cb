package failure_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quarry"
	"quarry/internal/failure"
)

func TestOf(t *testing.T) {
	for _, test := range []struct {
		err           error
		code, message string
	}{
		{fmt.Errorf("%w: diary/Letters.toml", failure.ErrConfiguration), failure.Configuration, "the configuration cannot be read"},
		{fmt.Errorf("%w: %w", failure.ErrConfiguration, quarry.ErrClosed), failure.Stopping, "the server stops"},
		{fmt.Errorf("search: %w", quarry.ErrNoIndex), failure.NoIndex, "there is no index yet"},
		{failure.ErrBuilding, failure.IndexBuilding, "the index is being built"},
		{fmt.Errorf("open /srv/me/diary: %w", quarry.ErrDamaged), failure.DamagedIndex, "the index is damaged"},
		{quarry.ErrNewerIndex, failure.UnusableIndex, "the index was written by a newer version of quarry"},
		{quarry.ErrOtherVault, failure.UnusableIndex, "the index was made of another vault"},
		{quarry.ErrForeignFile, failure.UnusableIndex, "the file in the place of the index is none"},
		{fmt.Errorf("read kiln: %w", quarry.ErrNotFound), failure.UnknownNote, "read kiln: there is no such note"},
		{fmt.Errorf("read kiln: %w", quarry.ErrLeftOut), failure.UnknownNote, "read kiln: it is left out by rule"},
		{fmt.Errorf("read kiln#x: %w", quarry.ErrNoPart), failure.UnknownPart, "read kiln#x: there is no such part"},
		{quarry.ErrSeveral, failure.AmbiguousNote, "several notes are called so"},
		{fmt.Errorf("search: %w", context.Canceled), failure.Cancelled, "the call was cancelled"},
		{fmt.Errorf("search: %w", context.DeadlineExceeded), failure.TimedOut, "it took too long"},
		{fmt.Errorf("call: %w", &failure.Answer{Message: "no", Code: "own", Suggestion: "yes"}), "own", "no"},
		{&fs.PathError{Op: "open", Path: "/srv/me/diary/Letters.md", Err: syscall.EACCES}, failure.Internal, "the question could not be answered"},
		{errors.New("diary/Letters.md is broken"), failure.Internal, "the question could not be answered"},
	} {
		said := failure.Of(test.err)
		if said.Code != test.code || said.Message != test.message || said.Suggestion == "" || strings.Contains(said.Suggestion, "diary") {
			t.Errorf("%v: %+v", test.err, said)
		}
	}
}

func TestOfIsShort(t *testing.T) {
	long := strings.Repeat("ä", 5000)
	for _, err := range []error{fmt.Errorf("read %s: %w", long, quarry.ErrNotFound), &failure.Answer{Message: long, Code: "own", Suggestion: long}} {
		said := failure.Of(err)
		if utf8.RuneCountInString(said.Message) != 601 || utf8.RuneCountInString(said.Suggestion) > 601 {
			t.Errorf("%d and %d characters", utf8.RuneCountInString(said.Message), utf8.RuneCountInString(said.Suggestion))
		}
	}
}

// A log may be read by those who may not know of a note that an error names.
func TestDetail(t *testing.T) {
	broken := &fs.PathError{Op: "open", Path: "/srv/me/diary/Letters.md", Err: syscall.EACCES}
	for want, err := range map[string]error{
		"*errors.errorString":                                                   errors.New("diary/Letters.md is broken"),
		"*fmt.wrapError: open: " + syscall.EACCES.Error():                       fmt.Errorf("read diary/Letters.md: %w", broken),
		"*fmt.wrapErrors: open: *errors.errorString: " + syscall.EACCES.Error(): fmt.Errorf("%w, %w", broken, fs.ErrClosed),
		strings.TrimSuffix(strings.Repeat("*fmt.wrapError: ", 16), ": "):        deep(40),
		"": nil,
	} {
		if diff := cmp.Diff(want, failure.Detail(err)); diff != "" {
			t.Error(diff)
		}
	}
}

func deep(levels int) error {
	err := errors.New("diary")
	for range levels {
		err = fmt.Errorf("diary: %w", err)
	}
	return err
}
