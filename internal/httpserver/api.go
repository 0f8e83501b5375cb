package httpserver

import (
	"context"
	_ "embed" // the description of the API
	"errors"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quarry"
	"quarry/internal/budget"
	"quarry/internal/failure"
	"quarry/internal/mcpserver"
)

// openAPI describes the API; the test that makes it holds it against the endpoints.
//
//go:embed openapi.json
var openAPI []byte

const openAPIPath = apiPath + "openapi.json"

// Bounds of what one answer may have.
const (
	maxLimit     = 1000
	maxNotes     = 100_000
	maxMaxTokens = 1_000_000
)

// api answers questions about the notes. An answer is the document that the command of the same purpose prints with --json, to a
// client.
type api struct {
	engines mcpserver.Engines
	logger  *slog.Logger
	lines   failure.LogRate // of errors that are not foreseen
}

// endpoint is one question of the API.
type endpoint struct {
	summary, description string
	parameters           []parameter
	answers              []any // values of the types that an answer can have, for the description
	run                  func(ctx context.Context, engine *quarry.Engine, v *values) (any, error)
}

// tokensParameter bounds an answer; otherwise says what counts where it is not given.
func tokensParameter(description, otherwise string) parameter {
	return parameter{name: "max_tokens", kind: "integer", description: description + ", 4 characters a token", least: 1, most: maxMaxTokens, otherwise: otherwise}
}

var endpoints = map[string]endpoint{
	apiPath + "search": {
		"Find passages by words and by meaning", "The answer of `quarry search --json`.",
		slices.Concat([]parameter{
			{name: "query", kind: "string", description: "what to look for, with the operators of the command; may be empty where like or a filter is given"},
			{name: "limit", kind: "integer", description: "passages at most", least: 1, most: maxLimit, otherwise: "10"},
			tokensParameter("bound on all passages together", "4000"),
			{name: "mode", kind: "string", description: "words and meaning, words alone or meaning alone", allowed: []string{string(quarry.Hybrid), string(quarry.Lexical), string(quarry.Vector)}, otherwise: string(quarry.Hybrid)},
			{name: "like", kind: "string", description: "passages near to this note, or to a part of it"},
			{name: "expand", kind: "boolean", description: "add notes that links join to the best hits; via says how", otherwise: "false"},
			{name: "all", kind: "boolean", description: "list the nearest passages, too, where nothing relevant was found", otherwise: "false"},
			{name: "min_score", kind: "number", description: "leave out passages with a lower score", least: 0, most: 1},
			{name: "fusion", kind: "string", description: "how words and meaning become one ranking; otherwise as the configuration has it", allowed: []string{string(quarry.FusionSum), string(quarry.FusionRRF)}},
			{name: "explain", kind: "boolean", description: "tell how the query was understood and what each score is the sum of", otherwise: "false"},
		}, filterParameters),
		[]any{quarry.SearchAnswer{}},
		search,
	},
	apiPath + "context": {
		"Write a block about a topic, ready for a prompt", "The answer of `quarry context --format json`.",
		slices.Concat([]parameter{
			{name: "topic", kind: "string", description: "what the block is to be about", isRequired: true},
			tokensParameter("bound on the block", "2000"),
			{name: "format", kind: "string", description: "of the text", allowed: []string{"markdown", "xml"}, otherwise: "markdown"},
			{name: "expand", kind: "boolean", description: "take in what links lead to from the best passages", otherwise: "true"},
			{name: "all", kind: "boolean", description: "quote the nearest passages, too, where nothing relevant was found", otherwise: "false"},
		}, filterParameters),
		[]any{quarry.ContextAnswer{}},
		contextOf,
	},
	apiPath + "notes": {
		"List notes by filter", "The answer of `quarry ls --json`.",
		slices.Concat([]parameter{
			{name: "sort", kind: "string", description: "order", allowed: []string{"path", "updated", "created", "title"}, otherwise: "path"},
			{name: "limit", kind: "integer", description: "notes at most", least: 1, most: maxNotes, otherwise: "20"},
			tokensParameter("bound on the list", "no bound"),
		}, filterParameters),
		[]any{noteList{}},
		listNotes,
	},
	apiPath + "note": {
		"Read a note or a part of it", "The answer of `quarry get --json`.",
		[]parameter{
			{name: "file_path", kind: "array", description: "an address: path, name or #docid, with #Heading, #^block or :FROM:COUNT for a part; or a pattern", isRequired: true},
			tokensParameter("bound on all texts together", "1000000"),
		},
		[]any{excerptList{}},
		readNote,
	},
	apiPath + "links": {
		"The links around a note", "The answer of `quarry links --json`.",
		[]parameter{
			{name: "note", kind: "string", description: "path, name or #docid, also with #Heading for a part; may be left out with unresolved"},
			{name: "out", kind: "boolean", description: "only the links from the note", otherwise: "false"},
			{name: "back", kind: "boolean", description: "only the links to it", otherwise: "false"},
			{name: "related", kind: "boolean", description: "only the notes that are nearest to it", otherwise: "false"},
			{name: "unresolved", kind: "boolean", description: "dead links with what may be meant; of all notes where none is named", otherwise: "false"},
			{name: "hops", kind: "integer", description: "notes up to so many links away, too", least: 1, most: quarry.MaxHops, otherwise: "1"},
			{name: "kind", kind: "array", description: "links of this kind alone; repeat for OR"},
			tokensParameter("bound on the lists", "no bound"),
		},
		[]any{linksAnswer{}, deadLinksAnswer{}},
		linksOf,
	},
	apiPath + "status": {
		"What is indexed", "The answer of `quarry status --json` to a client, in which vault is the name of its folder, and db is empty.",
		nil,
		[]any{statusAnswer{}},
		status,
	},
}

// serve answers one question.
func (a *api) serve(w http.ResponseWriter, request *http.Request, asked endpoint) {
	filter := a.engines.Redactor()
	document, err := func() ([]byte, error) {
		engine, release, err := a.engines.Acquire(request.Context())
		if err != nil {
			return nil, err
		}
		defer release()
		filter = engine.Redactor()
		v, err := readValues(request.URL.RawQuery, asked.parameters)
		if err != nil {
			return nil, err
		}
		answer, err := asked.run(request.Context(), engine, v)
		if errors.Is(err, quarry.ErrNoIndex) && engine.IsIndexing() {
			err = failure.ErrBuilding
		}
		if err != nil {
			return nil, err
		}
		return encode(answer)
	}()
	code := http.StatusOK
	if err != nil {
		var described problem
		if code, described = a.describe(request.Context(), err); described.Code == failure.IndexBuilding {
			w.Header().Set("Retry-After", "2")
		}
		if document, err = encode(described); err != nil {
			document = []byte("{}\n") // three texts can be encoded
		}
	}
	writeBody(w, code, "application/json", filter.RedactJSON(document))
}

func search(ctx context.Context, engine *quarry.Engine, v *values) (any, error) {
	request := quarry.SearchRequest{
		Query: v.text("query"), Limit: v.integer("limit", quarry.DefaultLimit), MaxTokens: v.integer("max_tokens", quarry.DefaultMaxTokens),
		Mode: quarry.Mode(v.text("mode")), MinScore: v.share("min_score"), Like: v.text("like"), Expand: v.boolean("expand", false),
		All: v.boolean("all", false), Fusion: quarry.Fusion(v.text("fusion")), Explain: v.boolean("explain", false), Filter: v.filter(time.Now()),
	}
	if strings.TrimSpace(request.Query+request.Like) == "" && !request.Filter.Narrows() {
		v.fail("query", "is missing")
	}
	if err := v.err(); err != nil {
		return nil, err
	}
	return engine.Search(ctx, request)
}

func contextOf(ctx context.Context, engine *quarry.Engine, v *values) (any, error) {
	request := quarry.ContextRequest{
		Topic: v.text("topic"), MaxTokens: v.integer("max_tokens", quarry.DefaultContextTokens), Format: v.text("format"),
		Filter: v.filter(time.Now()), All: v.boolean("all", false), HitsAlone: !v.boolean("expand", true),
	}
	if err := v.err(); err != nil {
		return nil, err
	}
	return engine.Context(ctx, request)
}

type noteList struct {
	Notes     []quarry.NoteSummary `json:"notes"`
	Truncated bool                 `json:"truncated,omitempty"` // to the budget
}

func listNotes(ctx context.Context, engine *quarry.Engine, v *values) (any, error) {
	request := quarry.ListRequest{Filter: v.filter(time.Now()), Sort: v.text("sort"), Limit: v.integer("limit", 20)}
	if err := v.err(); err != nil {
		return nil, err
	}
	notes, err := engine.List(ctx, request)
	if err != nil {
		return nil, err
	}
	b := budget.New(v.integer("max_tokens", 0))
	list := noteList{Notes: budget.Within(b, notes)}
	list.Truncated = b.IsSpent()
	return list, nil
}

type excerptList struct {
	Results []quarry.Excerpt `json:"results"`
}

func readNote(ctx context.Context, engine *quarry.Engine, v *values) (any, error) {
	if err := v.err(); err != nil {
		return nil, err
	}
	excerpts, err := engine.Read(ctx, v.list("file_path"), v.integer("max_tokens", maxMaxTokens))
	return excerptList{excerpts}, err
}

// statusAnswer is what a client may know of the state of the index.
type statusAnswer struct {
	quarry.Status
	Indexing bool `json:"indexing"` // a run of the index is going on
}

func status(ctx context.Context, engine *quarry.Engine, _ *values) (any, error) {
	answer, err := engine.Status(ctx)
	if err != nil {
		return nil, err
	}
	answer.Vault, answer.DB = filepath.Base(answer.Vault), "" // who asks need not sit at this machine
	return statusAnswer{answer, engine.IsIndexing()}, nil
}
