package httpserver

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quarry/internal/failure"
)

func TestRates(t *testing.T) {
	r, now := newRates(), time.Now()
	near, far := netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("192.0.2.1")
	for i := range 10_000 {
		if !r.allow(near, now, 1, 1) {
			t.Fatalf("this machine may ask %d times", i)
		}
	}
	count := 0
	for r.allow(far, now, 1, 1) {
		count++
	}
	if count != remoteBurst {
		t.Errorf("another may ask %d times at once", count)
	}
	if !r.allow(netip.MustParseAddr("192.0.2.2"), now, 1, 1) {
		t.Error("it keeps a third one from asking")
	}
	if now = now.Add(time.Second); !r.allow(far, now, remoteRate, remoteRate) || r.allow(far, now, 1, 1) {
		t.Errorf("a second later it may not ask %d times", remoteRate)
	}
	six := netip.MustParseAddr("2001:db8::1")
	if !r.allow(six, now, remoteBurst, remoteBurst) || r.allow(netip.MustParseAddr("2001:db8::ffff"), now, 1, 1) {
		t.Error("each address of a network counts by itself")
	}
}

func TestRatesForget(t *testing.T) {
	r, now := newRates(), time.Now()
	at := func(i int) netip.Addr {
		var raw [4]byte
		binary.BigEndian.PutUint32(raw[:], 0x0a000000+uint32(i))
		return netip.AddrFrom4(raw)
	}
	for i := range 2 * maxAddresses {
		r.allow(at(i), now, 1, 1)
	}
	if len(r.byAddress) > maxAddresses {
		t.Errorf("%d addresses are remembered", len(r.byAddress))
	}
	r.allow(at(3*maxAddresses), now.Add(2*forgetAfter), 1, 1)
	if len(r.byAddress) != 1 {
		t.Errorf("%d addresses are remembered when all were quiet", len(r.byAddress))
	}
}

// TestGuessesCost: who has not the token is soon refused, and is not told when it guesses right.
func TestGuessesCost(t *testing.T) {
	d := newDoor(Options{Token: "0123456789abcdef"}, nil)
	at := time.Now()
	d.now = func() time.Time { return at }
	ask := func(token string) *refusal {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/notes", nil)
		request.RemoteAddr = "192.0.2.9:1"
		request.Header.Set("Authorization", "Bearer "+token)
		return d.unwelcome(request)
	}
	tries := 0
	for ask("wrong") == &refusalToken && tries < 1000 {
		tries++
	}
	if tries != remoteBurst/guessCost {
		t.Errorf("%d tries at once", tries)
	}
	for i := range 100 { // no guess is answered that the address could not pay for, were it wrong
		at = at.Add(time.Millisecond)
		if why := ask("0123456789abcdef"); why != &refusalRate {
			t.Fatalf("guess %d, which is right, is told so: %v", i, why)
		}
	}
	if at = at.Add(time.Second); ask("0123456789abcdef") != nil {
		t.Error("the right token is refused later")
	}
	for range remoteBurst - guessCost {
		at = at.Add(time.Second / remoteRate)
		if ask("0123456789abcdef") != nil {
			t.Fatal("who has the token may not ask as often as anybody")
		}
	}
}

// TestLogRate: a flood of requests of nobody known leaves few lines, and the last tells of all.
func TestLogRate(t *testing.T) {
	var log bytes.Buffer
	d := newDoor(Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, nil)
	at := time.Now()
	d.now = func() time.Time { return at }
	ask := func() {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/notes", nil)
		request.Host = "evil.example"
		d.ServeHTTP(httptest.NewRecorder(), request)
	}
	for range 5000 {
		ask()
	}
	if lines := strings.Count(log.String(), "\n"); lines != failure.LogLinesAtOnce {
		t.Errorf("%d lines", lines)
	}
	log.Reset()
	at = at.Add(time.Second)
	ask()
	if said := log.String(); !strings.Contains(said, fmt.Sprintf("untold=%d\n", 5000-failure.LogLinesAtOnce)) || !strings.Contains(said, "forbidden_host") {
		t.Errorf("a second later: %q", said)
	}
}

// TestSlots: some are answered, some wait, and the rest are refused at once.
func TestSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlots()
		releases := []func(){}
		for range cap(s.free) {
			release, ok := s.acquire(t.Context())
			if !ok {
				t.Fatal("there is no room at the start")
			}
			releases = append(releases, release)
		}
		served := make(chan bool, maxWaiting)
		for range maxWaiting {
			go func() {
				release, ok := s.acquire(t.Context())
				if ok {
					release()
				}
				served <- ok
			}()
		}
		synctest.Wait()
		if _, ok := s.acquire(t.Context()); ok || len(s.waiting) != maxWaiting {
			t.Errorf("one more waits, behind %d", len(s.waiting))
		}
		gone, cancel := context.WithCancel(t.Context())
		releases[0]()
		for range maxWaiting {
			if !<-served {
				t.Error("one who waited was not served")
			}
		}
		release, _ := s.acquire(gone)
		defer release()
		cancel()
		if _, ok := s.acquire(gone); ok {
			t.Error("one who is gone was served")
		}
		started := time.Now()
		if _, ok := s.acquire(t.Context()); ok || time.Since(started) != maxWaitTime {
			t.Errorf("waited for %v", time.Since(started))
		}
		for _, release := range releases[1:] {
			release()
		}
	})
}
