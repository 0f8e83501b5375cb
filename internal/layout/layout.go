// Package layout lays out a new vault: folders, rules, templates and an example of each type of note. It writes new files alone.
package layout
