// Package hook answers the hooks of AI clients: an event as JSON comes in, context or a shorter output goes out, and nothing at
// all where there is any trouble.
package hook
