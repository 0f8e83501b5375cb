package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quarry"
	"quarry/internal/steering"
)

// Codes of errors, which clients may rely on. docs/mcp.md lists them.
const (
	codeInvalidArguments = "invalid_arguments"
	codeUnknownArgument  = "unknown_argument"
	codeUnknownTool      = "unknown_tool"
	codeUnknownPrompt    = "unknown_prompt"
	codeUnknownNote      = "unknown_note"
	codeUnknownPart      = "unknown_part"
	codeAmbiguousNote    = "ambiguous_note"
	codeNoIndex          = "no_index"
	codeIndexBuilding    = "index_building"
	codeDamagedIndex     = "damaged_index"
	codeUnusableIndex    = "unusable_index"
	codeConfiguration    = "configuration"
	codeCancelled        = "cancelled"
	codeInternal         = "internal"
)

// maxErrorCharacters bounds what an error says: it may quote what a client sent.
const maxErrorCharacters = 600

// toolError is an error in the form that clients get.
type toolError struct {
	Message    string `json:"error"`
	Code       string `json:"code"`
	Suggestion string `json:"suggestion"`
}

func (e *toolError) Error() string { return e.Message }

var (
	errNoIndex  = &toolError{"there is no index yet", codeNoIndex, "call again in a few seconds; if it stays, ask the user to run `quarry index`"}
	errBuilding = &toolError{
		"the index is being built", codeIndexBuilding, "call again in a few seconds; obsidian_read_note reads notes by their path meanwhile",
	}
)

// describe puts an error into the form that clients get.
func describe(err error) *toolError {
	var known *toolError
	switch said := shortened(err.Error()); {
	case errors.As(err, &known):
		return &toolError{shortened(known.Message), known.Code, shortened(known.Suggestion)}
	case errors.Is(err, ErrConfiguration): // more would tell what it says
		return &toolError{ErrConfiguration.Error(), codeConfiguration, "ask the user to run `quarry status`, which names the mistake; nothing is answered until it is mended"}
	case errors.Is(err, quarry.ErrNoIndex):
		return errNoIndex
	case errors.Is(err, quarry.ErrDamaged):
		return &toolError{"the index is damaged", codeDamagedIndex, "ask the user to run `quarry index --verify`"}
	case errors.Is(err, quarry.ErrNewerIndex):
		return &toolError{"the index was written by a newer version of quarry", codeUnusableIndex, "ask the user to update quarry, or to choose another file by --db"}
	case errors.Is(err, quarry.ErrOtherVault), errors.Is(err, quarry.ErrForeignFile):
		return &toolError{"the index is not one of this vault", codeUnusableIndex, "ask the user to choose another file by --db"}
	case errors.Is(err, quarry.ErrNoPart):
		return &toolError{said, codeUnknownPart, "name one of the headings that there are, or read the note without a part"}
	case errors.Is(err, quarry.ErrNotFound):
		return &toolError{said, codeUnknownNote, "name a note by the file_path of a passage, by its name or its #docid, or look for it with obsidian_search"}
	case errors.Is(err, quarry.ErrSeveral):
		return &toolError{said, codeAmbiguousNote, "give the path of the one that is meant"}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &toolError{"the call was cancelled", codeCancelled, "call again"}
	default:
		return &toolError{said, codeInternal, "try again; if it stays, ask the user to run `quarry status`"}
	}
}

// shortened is a text of so many characters at most that an error may say.
func shortened(text string) string {
	if runes := []rune(text); len(runes) > maxErrorCharacters {
		return string(runes[:maxErrorCharacters]) + "…"
	}
	return text
}

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
		encoded, encodeErr := encode(describe(err))
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
