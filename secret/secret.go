// Package secret finds credentials in bytes and puts markers in their place. It knows nothing of files or notes.
package secret

// Span is a stretch of bytes that holds a secret.
type Span struct {
	Start, End int    // byte offsets, End exclusive
	Name       string // of the rule, as it stands in the marker
}

// Count tells how often a rule found something. It never carries a value.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}
