package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Times within the whole, so that a server that says nothing is given up early.
const (
	dialTime   = 10 * time.Second
	tlsTime    = 10 * time.Second
	headerTime = 20 * time.Second
	idleTime   = 30 * time.Second
)

// resolver finds the addresses of a name.
type resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// newTransport connects to checked addresses alone, by no proxy, and keeps no cookie. It asks for gzip itself and leaves unpacking to
// readBody, which bounds it.
func newTransport(options Options) *http.Transport {
	d := &dialer{resolver: net.DefaultResolver, allowLoopback: options.AllowLoopbackForTests, dial: (&net.Dialer{Timeout: dialTime}).DialContext}
	return &http.Transport{
		Proxy:                  nil,
		DialContext:            d.dialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    tlsTime,
		ResponseHeaderTimeout:  headerTime,
		MaxResponseHeaderBytes: maxHeaderBytes,
		MaxIdleConns:           16,
		MaxConnsPerHost:        4,
		IdleConnTimeout:        idleTime,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
	}
}

// dialer resolves a name once and connects to the very address that it checked, so that a second answer of the name server changes
// nothing.
type dialer struct {
	resolver      resolver
	allowLoopback bool
	dial          func(ctx context.Context, network, address string) (net.Conn, error)
}

func (d *dialer) dialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForbidden, err)
	}
	addresses, err := d.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	// One closed address closes the name: a public server has none, and who mixes them wants to be asked until the other one comes.
	for _, ip := range addresses {
		if err := checkIP(ip, d.allowLoopback); err != nil {
			return nil, err
		}
	}
	var faults []error
	for _, ip := range addresses[:min(len(addresses), 4)] {
		connection, err := d.dial(ctx, network, net.JoinHostPort(ip.WithZone("").String(), port))
		if err == nil {
			return connection, nil
		}
		faults = append(faults, err)
	}
	return nil, errors.Join(faults...)
}

func (d *dialer) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip}, nil
	}
	found, err := d.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	addresses := make([]netip.Addr, 0, len(found))
	for _, ip := range found {
		addresses = append(addresses, ip.Unmap()) // resolvers give IPv4 in this form too
	}
	if len(addresses) == 0 {
		return nil, fmt.Errorf("%w: %s has no address", ErrForbidden, host)
	}
	return addresses, nil
}
