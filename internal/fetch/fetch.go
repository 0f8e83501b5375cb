// Package fetch gets what the user listed over HTTP, and nothing else: no loopback, private or link-local address, also not by a
// redirect or a name that resolves to one; sizes, times and redirects are bounded; no cookies, no credentials of the environment.
package fetch
