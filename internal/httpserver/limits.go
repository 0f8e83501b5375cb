package httpserver

import (
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How often an address may ask: programs on this machine nearly as often as they like, since what they can ask at a time is
// bounded, too.
const (
	remoteRate, remoteBurst     = 50, 200
	loopbackRate, loopbackBurst = 5_000, 20_000

	maxAddresses = 4096
	forgetAfter  = time.Minute
)

// rates bounds how often each address asks. It is safe for concurrent use.
type rates struct {
	mu        sync.Mutex
	byAddress map[netip.Addr]*visitor
	others    *rate.Limiter // of those there is no room for
}

type visitor struct {
	limiter *rate.Limiter
	seen    time.Time
}

func newRates() *rates {
	return &rates{byAddress: map[netip.Addr]*visitor{}, others: rate.NewLimiter(remoteRate, remoteBurst)}
}

// allow takes a cost from what an address has left, where that is at least the reserve; false takes nothing.
func (r *rates) allow(address netip.Addr, now time.Time, cost, reserve int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	limiter := r.of(address, now)
	return limiter.TokensAt(now) >= float64(reserve) && limiter.AllowN(now, cost)
}

func (r *rates) of(address netip.Addr, now time.Time) *rate.Limiter {
	if address.Is6() && !address.IsLoopback() {
		if network, err := address.Prefix(64); err == nil { // which is what one household or host gets
			address = network.Addr()
		}
	}
	if known, ok := r.byAddress[address]; ok {
		known.seen = now
		return known.limiter
	}
	if len(r.byAddress) >= maxAddresses && !r.forget(now) {
		return r.others
	}
	limiter := rate.NewLimiter(remoteRate, remoteBurst)
	if address.IsLoopback() {
		limiter = rate.NewLimiter(loopbackRate, loopbackBurst)
	}
	r.byAddress[address] = &visitor{limiter, now}
	return limiter
}

// forget drops the addresses that have been quiet, and tells whether there was any.
func (r *rates) forget(now time.Time) bool {
	before := len(r.byAddress)
	for address, known := range r.byAddress {
		if now.Sub(known.seen) > forgetAfter {
			delete(r.byAddress, address)
		}
	}
	return len(r.byAddress) < before
}

// maxConnections is how many are open at a time; others wait to be accepted.
const maxConnections = 1024

// boundedListener accepts so many connections at a time as free has room for.
type boundedListener struct {
	net.Listener
	free chan struct{}
}

func (l *boundedListener) Accept() (net.Conn, error) {
	l.free <- struct{}{}
	connection, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &boundedConn{Conn: connection, release: sync.OnceFunc(func() { <-l.free })}, nil
}

type boundedConn struct {
	net.Conn
	release func()
}

func (c *boundedConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
