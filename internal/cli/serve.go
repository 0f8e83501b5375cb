package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"quarry/internal/httpserver"
	"quarry/internal/mcpserver"
)

// serverMemoryBytes is where a server that many ask at a time begins to collect garbage sooner.
const serverMemoryBytes = 256 << 20

// defaultServeAddress is where `serve` listens.
const defaultServeAddress = "127.0.0.1:7777"

func (a *app) mcpCommand() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the notes to AI clients by MCP, over standard input and output or over HTTP",
		Long: `Speaks the Model Context Protocol on standard input and output, until the input ends; with --http over HTTP, at POST /mcp, until it is
stopped. All tools are read-only; nothing leaves this machine but what a client asks for, and private notes
(docs/configuration.md) are not handed out. A changed configuration counts from the next request on; while it cannot be read,
requests are refused.

Over HTTP it listens on this machine alone unless another address is given, which needs a token: QUARRY_TOKEN, or [server] token or
token_file in the user's configuration. docs/http.md tells who may ask. ` + "`quarry serve`" + ` has a page and an API beside.`,
		Example: `  claude mcp add notes -- quarry mcp --vault ~/notes
  codex mcp add notes -- quarry mcp --vault ~/notes
  quarry mcp --http 127.0.0.1:7777`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("http") {
				return a.serveHTTP(cmd.Context(), "--http", address, true)
			}
			return a.serveStdio(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&address, "http", "", "serve over HTTP on this `address`, such as 127.0.0.1:7777; port 0 takes any that is free")
	return cmd
}

func (a *app) serveStdio(ctx context.Context) error {
	live, err := a.openLive(ctx)
	if err != nil {
		return err
	}
	ctx, end := a.untilParentEnds(ctx)
	defer end()
	live.keepFresh(ctx)
	a.noticeWaiting("Waiting for an MCP client on standard input, which starts this command by itself; Ctrl-C ends it.")
	err = mcpserver.Serve(ctx, live, versionInfo().Version, io.NopCloser(a.io.In), unclosed{a.out.to})
	return errors.Join(err, live.Close())
}

// unclosed keeps the server from closing the process's own output.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

func (a *app) serveCommand() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve a page to search with, an HTTP API and MCP, on this machine",
		Long: `Serves, until it is stopped, a page to search with in a browser at /, an HTTP API below /api/, described by /api/openapi.json, and MCP at
POST /mcp. What it tells is what a client may know: no private notes (docs/configuration.md). It fetches nothing from elsewhere.

It listens on this machine alone unless another address is given, which needs a token: QUARRY_TOKEN, or [server] token or token_file in
the user's configuration. docs/http.md tells who may ask, and of the API.`,
		Example: `  quarry serve --vault ~/notes
  quarry serve --addr 127.0.0.1:8080
  QUARRY_TOKEN=$(openssl rand -hex 32) quarry serve --addr 192.168.1.5:7777
  curl localhost:7777/api/status`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.serveHTTP(cmd.Context(), "--addr", address, false)
		},
	}
	cmd.Flags().StringVar(&address, "addr", defaultServeAddress, "listen on this `address`; port 0 takes any that is free")
	return cmd
}

// serveHTTP serves over HTTP until ctx ends: MCP alone, or all there is.
func (a *app) serveHTTP(ctx context.Context, flag, address string, mcpOnly bool) error {
	options, err := a.serverOptions(mcpOnly)
	if err != nil {
		return err
	}
	place, err := listenPlace(ctx, flag, address)
	if err != nil {
		return err
	}
	if !place.IP.IsLoopback() && options.Token == "" {
		return usage("set QUARRY_TOKEN, or [server] token or token_file in your configuration; "+makesToken+"; 127.0.0.1 needs none",
			"%s %s can be reached from other machines, which needs a token", flag, address)
	}
	live, err := a.openLive(ctx)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", place.String())
	if err != nil {
		return errors.Join(listenError(place, err), live.Close())
	}
	defer saveMemory(serverMemoryBytes)()
	serving, stop := context.WithCancel(ctx)
	defer stop()
	live.keepFresh(serving)
	a.announce(listener.Addr(), options)
	err = httpserver.Serve(serving, listener, httpserver.Handler(live, options))
	stop()
	return errors.Join(err, live.Close())
}

// serverOptions are who may ask, as environment and configuration have it now.
func (a *app) serverOptions(mcpOnly bool) (httpserver.Options, error) {
	user, err := a.userSettings()
	if err != nil {
		return httpserver.Options{}, err
	}
	token, err := a.serverToken(user.Server)
	if err != nil {
		return httpserver.Options{}, err
	}
	logger, err := a.logger()
	if err != nil {
		return httpserver.Options{}, err
	}
	return httpserver.Options{
		Version: versionInfo().Version, Token: token, Hosts: user.Server.lowerHosts(), Origins: user.Server.Origins, MCPOnly: mcpOnly, Logger: logger,
	}, nil
}

// listenPlace is where to listen: a host and a port, or a port of this machine alone. A name is looked up here, so that what is listened
// on is what was found to be safe.
func listenPlace(ctx context.Context, flag, address string) (*net.TCPAddr, error) {
	const takes = "give an address such as 127.0.0.1:7777; port 0 takes any that is free"
	if _, err := strconv.Atoi(address); err == nil {
		address = "127.0.0.1:" + address
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, usage(takes, "%s %q is no address with a port", flag, address)
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, usage(takes, "%s: %q is no port from 0 to 65535", flag, port)
	}
	place := &net.TCPAddr{IP: net.IPv4zero, Port: int(number)}
	switch {
	case host == "":
	case strings.EqualFold(host, "localhost"):
		place.IP = net.IPv4(127, 0, 0, 1)
	default:
		found, err := net.DefaultResolver.LookupIPAddr(ctx, host)
		if err != nil || len(found) == 0 {
			return nil, usage(takes, "%s: the host %q is not known", flag, host)
		}
		place.IP, place.Zone = found[0].IP, found[0].Zone
	}
	return place, nil
}

// listenError says in plain words why nothing can be served there.
func listenError(place *net.TCPAddr, err error) error {
	const windowsInUse, windowsNotHere = syscall.Errno(10048), syscall.Errno(10049)
	isWindows := runtime.GOOS == "windows"
	reason, hint := err, "name another address"
	var system syscall.Errno
	if errors.As(err, &system) {
		reason = system
	}
	switch {
	case errors.Is(err, syscall.EADDRINUSE), isWindows && errors.Is(err, windowsInUse):
		reason, hint = errors.New("the port is in use"), "another program listens there, perhaps another quarry; end it, or name another port (0 takes any that is free)"
	case errors.Is(err, syscall.EADDRNOTAVAIL), isWindows && errors.Is(err, windowsNotHere):
		reason, hint = errors.New("the address is none of this machine"), "127.0.0.1 is this machine alone, 0.0.0.0 all of its addresses"
	case errors.Is(err, syscall.EACCES):
		reason, hint = errors.New("it is not allowed"), "ports below 1024 are the system's; name another one"
	}
	return &hinted{fmt.Errorf("listen on %s: %w", place, reason), hint}
}

// announce says where the server is, also to who wants quiet: nothing else tells the port that was free.
func (a *app) announce(address net.Addr, options httpserver.Options) {
	at, others := callNames(address, net.InterfaceAddrs)
	what := "page at " + at + "/, API at " + at + "/api/openapi.json, MCP at " + at + httpserver.MCPPath
	if options.MCPOnly {
		what = "MCP at " + at + httpserver.MCPPath
	}
	if len(others) > 0 {
		what += "; from other machines at " + strings.Join(others, ", ")
	}
	if options.Token != "" {
		what += "; a token is asked for"
	}
	fmt.Fprintf(a.io.Err, "quarry: serving %s\n", what)
	if options.Token != "" {
		return
	}
	for _, host := range options.Hosts {
		if !isLoopbackHost(host) {
			a.notice("notice: no token is asked for, though %s is a name of the server: whoever can reach it there may ask", host)
			return
		}
	}
}

// maxCallNames is how many addresses of a machine are announced.
const maxCallNames = 3

// callNames are how a server can be called on its machine, and from others where it listens on all addresses: that itself is none by
// which it answers.
func callNames(address net.Addr, addressesOf func() ([]net.Addr, error)) (at string, others []string) {
	place, ok := address.(*net.TCPAddr)
	if !ok || !place.IP.IsUnspecified() {
		return "http://" + address.String(), nil
	}
	port := strconv.Itoa(place.Port)
	all, err := addressesOf()
	if err != nil {
		all = nil // then it is called by what the user knows
	}
	var six []string
	for _, one := range all {
		network, ok := one.(*net.IPNet)
		if !ok || !network.IP.IsGlobalUnicast() {
			continue
		}
		name := "http://" + net.JoinHostPort(network.IP.String(), port)
		if network.IP.To4() != nil {
			others = append(others, name)
		} else if place.IP.To4() == nil {
			six = append(six, name)
		}
	}
	others = append(others, six...)
	return "http://localhost:" + port, others[:min(len(others), maxCallNames)]
}
