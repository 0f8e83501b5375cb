package httpserver

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"net/http"
	"sync"
)

// page is the page for people: one file, whose script and style are in it. All that it shows of notes it sets as text.
//
//go:embed page.html
var page []byte

// pagePolicy allows the page its own script and style, by their hashes, and questions to this server; nothing else.
var pagePolicy = sync.OnceValue(func() string {
	return "default-src 'none'; script-src " + hashesOf("script") + "; style-src " + hashesOf("style") + "; connect-src 'self'; img-src data:; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
})

// hashesOf gives the hash of what stands in the page's element of a name, as a policy has it.
func hashesOf(element string) string {
	_, rest, isThere := bytes.Cut(page, []byte("<"+element+">"))
	content, _, isClosed := bytes.Cut(rest, []byte("</"+element+">"))
	if !isThere || !isClosed {
		return "'none'"
	}
	sum := sha256.Sum256(content)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func servePage(w http.ResponseWriter) {
	w.Header().Set("Content-Security-Policy", pagePolicy())
	writeBody(w, http.StatusOK, "text/html; charset=utf-8", page)
}
