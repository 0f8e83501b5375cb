// Package httpserver serves the notes over HTTP: MCP, an API, and a page for people, behind one door that checks who asks.
package httpserver
