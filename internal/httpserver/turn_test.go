package httpserver

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestPause: who waits for something keeps nobody else from being answered, and too many do not wait.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlots()
		over, done := make(chan struct{}), make(chan bool, 4*maxPaused)
		wait := func() { <-over }
		for range maxPaused + 1 {
			go func() {
				one := &turn{slots: s, ctx: t.Context()}
				defer one.end()
				done <- one.take() && one.pause(wait)
			}()
		}
		synctest.Wait()
		if len(s.free) != 0 || len(s.paused) != maxPaused || len(done) != 1 || <-done {
			t.Fatalf("%d slots are held, %d wait, %d are done", len(s.free), len(s.paused), len(done))
		}
		close(over)
		for range maxPaused {
			if !<-done {
				t.Error("one who waited does not go on")
			}
		}
		synctest.Wait()
		if len(s.free)+len(s.paused)+len(s.waiting) != 0 {
			t.Errorf("%d slots and %d places are held at the end", len(s.free), len(s.paused))
		}
	})
}

// TestPauseTogether: of the calls in one body several wait, those whose wait is over go on with one slot, and some are left over when the
// client is gone.
func TestPauseTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlots()
		one := &turn{slots: s, ctx: t.Context()}
		if !one.take() {
			t.Fatal("there is no slot")
		}
		var calls sync.WaitGroup
		for i := range 9 {
			calls.Go(func() {
				goesOn := one.pause(func() { time.Sleep(time.Duration(i/3+1) * time.Second) })
				if goesOn != (i < 6) {
					t.Errorf("call %d goes on: %v", i, goesOn)
				}
			})
		}
		for i, row := range []struct{ slots, places int }{{0, 1}, {1, 0}, {1, 0}} { // all wait; three work; six do
			time.Sleep(time.Duration(min(i+1, 2)) * time.Second / 2)
			if len(s.free) != row.slots || len(s.paused) != row.places {
				t.Errorf("%d slots and %d places are held by one request, not %d and %d", len(s.free), len(s.paused), row.slots, row.places)
			}
		}
		one.end()
		calls.Wait()
		if len(s.free)+len(s.paused) != 0 {
			t.Errorf("%d slots and %d places are held at the end", len(s.free), len(s.paused))
		}
	})
}

// TestPauseKeepsTheSlot: while one call of a body works, the end of the wait of another gives its slot to nobody.
func TestPauseKeepsTheSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlots()
		for range cap(s.free) - 1 {
			s.free <- struct{}{}
		}
		one := &turn{slots: s, ctx: t.Context()}
		if !one.take() {
			t.Fatal("there is no slot")
		}
		var calls sync.WaitGroup
		for i := range 3 {
			calls.Go(func() {
				time.Sleep(time.Duration(i/2) * 2 * time.Second) // the last one begins when the first works
				if !one.pause(func() { time.Sleep(time.Duration(i+1) * time.Second) }) {
					t.Errorf("call %d does not go on", i)
				}
			})
		}
		time.Sleep(1500 * time.Millisecond)
		other := make(chan bool)
		go func() {
			_, ok := s.acquire(t.Context())
			other <- ok
		}()
		calls.Wait()
		synctest.Wait()
		if len(s.free) != cap(s.free) || len(s.waiting) != 1 {
			t.Errorf("%d slots are held and %d wait", len(s.free), len(s.waiting))
		}
		one.end()
		if !<-other {
			t.Error("nobody gets the slot at the end")
		}
	})
}

// TestSlowReaders: clients that do not read their long answers keep nobody else from being answered.
func TestSlowReaders(t *testing.T) {
	long := []byte(strings.Repeat("x", 32<<20)) // more than the system keeps for one connection
	door := newDoor(Options{Logger: slog.New(slog.DiscardHandler)}, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.URL.Path == "/api/note" {
			writeBody(w, http.StatusOK, "text/plain", long)
			return
		}
		if request.URL.Path == MCPPath {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write(long)
			return
		}
		writeBody(w, http.StatusOK, "text/plain", []byte("ok"))
	}))
	server := httptest.NewServer(door)
	defer server.Close()
	defer server.CloseClientConnections()
	host := strings.TrimPrefix(server.URL, "http://")
	for _, path := range []string{"/api/note", MCPPath} {
		for range 2 * cap(door.slots.free) {
			connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", host)
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			if _, err := connection.Write([]byte("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")); err != nil {
				t.Fatal(err)
			}
		}
	}
	for until := time.Now().Add(10 * time.Second); len(door.slots.writing) < 4*cap(door.slots.free) && time.Now().Before(until); time.Sleep(time.Millisecond) {
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/api/status", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("%d %v", answer.StatusCode, err)
	}
}
