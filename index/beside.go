package index

import (
	"context"
	"errors"

	"quarry/store"
)

// kept is what figures need of the graph that an index holds.
type kept struct {
	linked  []linked
	figures []store.Figures // none where weights do not go by them
}

// linked are the notes that one links to, each once.
type linked struct {
	path    string
	targets []string // sorted
}

func (r *run) readKept(ctx context.Context, from store.Linked) (kept, error) {
	var k kept
	for of, err := range from.Edges(ctx) {
		if err != nil {
			return kept{}, err
		}
		k.linked = append(k.linked, linked{of.Path, targetsOf(of.Edges)})
	}
	if r.config.Types == nil {
		return k, nil
	}
	var err error
	k.figures, err = from.Figures(ctx)
	return k, err
}

// beside reads what the index holds of the graph while an update goes on. It is nil where nobody foresaw that it is needed.
type beside struct {
	cancel context.CancelFunc
	opened chan struct{} // closed when it has a snapshot, so that it waits for nobody any more
	done   chan struct{} // closed when it has ended
	kept   kept
	err    error
}

var errNotLinked = errors.New("the index shows no graph beside an update")

// readBeside begins to read. Whether the snapshot shows what the update has written so far does not matter.
func (r *run) readBeside(ctx context.Context) *beside {
	ctx, cancel := context.WithCancel(ctx)
	b := &beside{cancel: cancel, opened: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(b.done)
		snapshot, err := r.config.Store.Snapshot(ctx)
		if err != nil {
			b.err = err
			return
		}
		close(b.opened)
		if linked, ok := snapshot.(store.Linked); ok {
			b.kept, err = r.readKept(ctx, linked)
		} else {
			err = errNotLinked
		}
		b.err = errors.Join(err, snapshot.Close())
	}()
	return b
}

// take gives what was read. ok is false where that could not be, or where others keep it from a snapshot: the writer, who holds
// the lock, does not wait for readers.
func (b *beside) take() (k kept, ok bool) {
	if b == nil {
		return kept{}, false
	}
	select {
	case <-b.opened:
	default:
		b.cancel()
	}
	<-b.done
	return b.kept, b.err == nil
}

// stop ends the reading, if it goes on: a reader must not outlive the update.
func (b *beside) stop() {
	if b != nil {
		b.cancel()
		<-b.done
	}
}
