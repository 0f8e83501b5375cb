// Package setup merges quarry into the configuration of AI clients, and takes it out again: nothing else in their files changes.
package setup
