package index_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"quarry/index"
)

// deleting is a vault of notes that go in runs over their paths.
type deleting struct {
	*fixture
	recent index.Deletions
}

func newDeleting(t *testing.T, notes int) *deleting {
	t.Helper()
	content := map[string]string{}
	for i := range notes {
		content[nameOf(i)] = "a note of some words"
	}
	d := &deleting{fixture: newFixture(t, content)}
	d.run(t, index.Options{Recent: &d.recent})
	return d
}

func nameOf(i int) string { return fmt.Sprintf("%03d.md", i) }

// drop takes notes away, and has a run look at them alone.
func (d *deleting) drop(from, to int) error {
	var paths []string
	for i := from; i < to; i++ {
		d.vault.remove(nameOf(i))
		paths = append(paths, nameOf(i))
	}
	_, err := index.Run(context.Background(), d.config, index.Options{Paths: paths, Recent: &d.recent})
	return err
}

func (d *deleting) expect(t *testing.T, want error, err error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error %v, want %v", err, want)
	}
}

// Ten runs that each delete ten of a hundred notes are guarded as one that deletes them all.
func TestMassDeleteInSmallRuns(t *testing.T) {
	d := newDeleting(t, 100)
	for i := 0; i < 50; i += 10 {
		d.expect(t, nil, d.drop(i, i+10))
	}
	for i := 50; i < 100; i += 10 {
		d.expect(t, index.ErrMassDelete, d.drop(i, i+10))
	}
	if n := len(d.texts(t)); n != 50 {
		t.Errorf("%d notes are left, want 50", n)
	}
	d.recent.Forget()
	d.expect(t, index.ErrMassDelete, d.drop(50, 51))
	for i := 50; i < 100; i++ {
		d.vault.write(nameOf(i), "back again")
	}
	d.run(t, index.Options{Recent: &d.recent}) // all is looked at, and passes
	d.recent.Forget()
	d.expect(t, nil, d.drop(50, 60))
}

func TestDeletionsThatAreMeant(t *testing.T) {
	t.Run("with pauses", func(t *testing.T) {
		d := newDeleting(t, 100)
		for i := 0; i < 80; i += 10 {
			d.recent.Forget()
			d.expect(t, nil, d.drop(i, i+10))
		}
	})
	t.Run("others come", func(t *testing.T) {
		d := newDeleting(t, 100)
		for i := 0; i < 100; i += 10 {
			for j := i; j < i+10; j++ {
				d.vault.write(nameOf(1000+j), "a note in the place of another")
			}
			d.expect(t, nil, d.drop(i, i+10))
			d.run(t, index.Options{Recent: &d.recent})
		}
	})
	t.Run("forced by somebody else", func(t *testing.T) {
		d := newDeleting(t, 100)
		d.expect(t, nil, d.drop(0, 50))
		d.expect(t, index.ErrMassDelete, d.drop(50, 60))
		d.run(t, index.Options{Force: true, Recent: &d.recent})
		d.expect(t, nil, d.drop(60, 70))
	})
	t.Run("few", func(t *testing.T) {
		d := newDeleting(t, 19)
		for i := range 19 {
			d.expect(t, nil, d.drop(i, i+1))
		}
	})
}
