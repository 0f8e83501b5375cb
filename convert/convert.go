// Package convert makes notes of other apps' exports. A reader for each format finds notes, attachments and links in what the user
// hands over; the planner gives them names that are valid, unique and new in the vault, resolves links, and tells what could not be
// kept. Nothing of the source is touched, nothing in the vault overwritten, and a second run adds nothing. It knows nothing of the
// index and nothing of intake.
package convert
