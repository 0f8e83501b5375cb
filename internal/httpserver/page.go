package httpserver

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"net/http"
	"slices"
	"sync"
)

// The page for people is one document, whose script and style are in it. All that it shows of notes it sets as text.
//
//go:embed page.html
var pageDocument []byte

//go:embed page.css
var pageStyle []byte

//go:embed pagemarkdown.js
var pageMarkdown []byte

//go:embed pagefilters.js
var pageFilters []byte

//go:embed page.js
var pageScript []byte

// page is the document with style and script in their elements.
var page = sync.OnceValue(func() []byte {
	whole := bytes.Replace(pageDocument, []byte("<style></style>"), slices.Concat([]byte("<style>\n"), pageStyle, []byte("</style>")), 1)
	return bytes.Replace(whole, []byte("<script></script>"), slices.Concat([]byte("<script>\n"), pageMarkdown, pageFilters, pageScript, []byte("</script>")), 1)
})

// pagePolicy allows the page its own script and style, by their hashes, and questions to this server; nothing else.
var pagePolicy = sync.OnceValue(func() string {
	return "default-src 'none'; script-src " + hashesOf("script") + "; style-src " + hashesOf("style") + "; connect-src 'self'; img-src data:; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
})

// hashesOf gives the hash of what stands in the page's element of a name, as a policy has it.
func hashesOf(element string) string {
	_, rest, isThere := bytes.Cut(page(), []byte("<"+element+">"))
	content, _, isClosed := bytes.Cut(rest, []byte("</"+element+">"))
	if !isThere || !isClosed {
		return "'none'"
	}
	sum := sha256.Sum256(content)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func servePage(w http.ResponseWriter) {
	w.Header().Set("Content-Security-Policy", pagePolicy())
	writeBody(w, http.StatusOK, "text/html; charset=utf-8", page())
}
