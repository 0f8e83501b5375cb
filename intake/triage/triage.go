// Package triage leads signals into a vault: it reads inputs, fetches what the user listed, leaves out what was seen, scores, routes,
// writes notes, and keeps all of it in the ledger. The packages that it leads know nothing of each other.
package triage
