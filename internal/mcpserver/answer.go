package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quarry/internal/steering"
)

// answerCall runs a tool and gives its document, in which it leaves no secret, both as text and as structured content.
func answerCall(ctx context.Context, request *mcp.CallToolRequest, engines Engines, t *tool) (*mcp.CallToolResult, error) {
	ctx, end := withClient(ctx)
	defer end()
	filter := engines.Redactor()
	document, err := func() ([]byte, error) {
		engine, release, err := engines.Acquire(ctx)
		if err != nil {
			return nil, err
		}
		defer release()
		filter = engine.Redactor()
		a, err := readArguments(request.Params.Arguments, t.parameters)
		if err != nil {
			return nil, err
		}
		document, err := withIndex(ctx, engine, toldBy(request), func() ([]byte, error) { return t.run(ctx, engine, a) })
		return document, withNear(ctx, engine, err, a)
	}()
	if err != nil {
		encoded, encodeErr := encode(described(ctx, engines, err, "tool", t.name))
		if encodeErr != nil {
			return nil, encodeErr
		}
		document = filter.RedactJSON(encoded)
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: string(document)}},
		StructuredContent: json.RawMessage(document),
		IsError:           err != nil,
	}, nil
}

// encode writes a document without escaping what is no danger outside HTML, and what nobody would see by its number.
func encode(document any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(document); err != nil {
		return nil, err
	}
	return steering.EscapeJSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }
