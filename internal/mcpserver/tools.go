package mcpserver

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quarry"
)

// tool is one of those that clients can call. All of them only read.
type tool struct {
	name, title, description string
	parameters               parameters
	required                 []string
	run                      func(context.Context, *quarry.Engine, arguments) ([]byte, error)
}

var tools = []tool{
	{"obsidian_search", "Search notes", searchDescription, searchParameters, nil, searchNotes},
	{"obsidian_get_context", "Notes about a topic", contextDescription, contextParameters, []string{"topic"}, contextOf},
}

func (t tool) described() *mcp.Tool {
	no := false
	return &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: t.parameters.schema(t.required...),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &no},
	}
}

const searchDescription = `Find passages in the user's notes by words and by meaning: ranked, with file_path, section and lines. Ask in plain words, in the language of the notes.
The query may hold: "words side by side", -without, one OR other, tag:a/b or #a/b, type: status: domain: path: folder: file: title: section:, since:7d, until:2026-01-31, [property:value], [property], links-to: linked-by:, ( ) to group; a - in front of one excludes. Filters without words list notes, newest first.
status: "ok"; "weak" = listed, but the notes may not speak of this, so say so; "nothing_relevant" = the notes do not seem to speak of this, nothing is listed unless all is true, so tell the user and do not guess; "no_results" = nothing passes the filters and the words that are required; "empty_index".
score (0 to 1) is how surely the notes speak of the matter at all, the highest of a passage's own and of those behind it, not how likely a passage is the right answer. notices tell what is in no note and what may be the reason where little was found.`

const contextDescription = `A ready block of text about a topic, quoted from the user's notes with sources. The topic may hold the same operators as a query of obsidian_search, and status means the same.`

const (
	defaultLimit     = 5
	defaultMaxTokens = 2000
	maxLimit         = 100
	maxMaxTokens     = 50000
)

var (
	modes   = []string{string(quarry.Hybrid), string(quarry.Lexical), string(quarry.Vector)}
	fusions = []string{string(quarry.FusionSum), string(quarry.FusionRRF)}
	formats = []string{"markdown", "xml"}
)

var searchParameters = slices.Concat(parameters{
	{name: "query", kind: "string", description: "what to look for, in plain words and with the operators above; may be empty where like or a filter is given"},
	{name: "limit", kind: "integer", description: "passages at most (default 5)"},
	{name: "max_tokens", kind: "integer", description: "bound on the text of the whole answer, 4 characters a token (default 2000)"},
	{name: "mode", kind: "string", description: "words and meaning (hybrid, default), words alone or meaning alone", allowed: modes},
	{name: "like", kind: "string", description: "passages near to this note (path, name or #docid) or a part of it (Note#Heading), which is itself left out"},
	{name: "expand", kind: "boolean", description: "add notes that links join to the best hits; via says how"},
	{name: "all", kind: "boolean", description: "list the nearest passages also where nothing relevant was found"},
	{name: "min_score", kind: "number", description: "leave out passages with a lower score", least: 0, most: 1},
	{name: "fusion", kind: "string", description: "sum (scores are added) or rrf (ranks are fused); otherwise as the user has configured it", allowed: fusions},
	{name: "explain", kind: "boolean", description: "tell how the query was understood and what each score is the sum of"},
}, filterParameters)

var contextParameters = slices.Concat(parameters{
	{name: "topic", kind: "string", description: "what the block is to be about, in plain words"},
	{name: "max_tokens", kind: "integer", description: "bound on the text of the whole answer, 4 characters a token (default 2000)"},
	{name: "format", kind: "string", description: "markdown (default) or xml", allowed: formats},
	{name: "expand", kind: "boolean", description: "take in what links lead to from the best passages (default true)"},
	{name: "all", kind: "boolean", description: "quote the nearest passages also where nothing relevant was found"},
}, filterParameters)

var filterParameters = parameters{
	{name: "tag", kind: "array", description: "notes with one of these tags" + excludes},
	{name: "type", kind: "array", description: "notes of one of these types" + excludes},
	{name: "status", kind: "array", description: "notes with one of these statuses" + excludes},
	{name: "domain", kind: "array", description: "notes of one of these domains" + excludes},
	{name: "path", kind: "array", description: "notes whose path matches one of these patterns" + excludes},
	{name: "folder", kind: "array", description: "notes below one of these folders" + excludes},
	{name: "since", kind: "string", description: "updated on this day or later: 2026-01-31, 2026-01, 7d, 3w, 2m, 1y ago, or words such as last monday"},
	{name: "until", kind: "string", description: "updated on this day or earlier, in the same forms"},
	{name: "prop", kind: "array", description: "notes with one of these properties: key or key=value" + excludes},
	{name: "links_to", kind: "array", description: "notes that link to one of these notes, each by path, name or #docid" + excludes},
	{name: "linked_by", kind: "array", description: "notes that one of these notes links to" + excludes},
	{name: "hops", kind: "integer", description: "how many links away still counts for links_to and linked_by (default 1)", least: 1, most: quarry.MaxHops},
	{name: "include_archived", kind: "boolean", description: "archived notes too, which are left out otherwise, unless status asks for them"},
}

// excludes is said of each filter that takes away what a "-" stands before.
const excludes = "; a - in front of one excludes it"

// isFilter tells of a filter that lets some notes through and others not, beside those of the archive.
func isFilter(filter quarry.Filter) bool {
	filter.ExcludeArchived = false
	return !filter.IsEmpty()
}

// searchNotes gives the document of an answer.
func searchNotes(ctx context.Context, engine *quarry.Engine, a arguments) ([]byte, error) {
	if err := a.onlyKnown(searchParameters); err != nil {
		return nil, err
	}
	request := quarry.SearchRequest{
		Query: a.text("query"), Limit: min(a.integer("limit", defaultLimit), maxLimit),
		MaxTokens: min(a.integer("max_tokens", defaultMaxTokens), maxMaxTokens), Mode: quarry.Mode(a.text("mode")), MinScore: a.number("min_score"),
		Like: a.text("like"), Expand: a.boolean("expand"), All: a.boolean("all"), Fusion: quarry.Fusion(a.text("fusion")), Explain: a.boolean("explain"),
		Filter: a.filter(time.Now()),
	}
	a.oneOf("mode", modes)
	a.oneOf("fusion", fusions)
	if isBlank(request.Query) && isBlank(request.Like) && !isFilter(request.Filter) {
		a.fail("query", "is missing")
	}
	if err := a.err(); err != nil {
		return nil, err
	}
	answer, err := engine.Search(ctx, request)
	if err != nil {
		return nil, err
	}
	if said := saidOf(answer.Status, len(answer.Results) > 0); said != "" {
		answer.Notices = append(answer.Notices, said)
	}
	return documentOf(answer, engine.Redactor(), charactersPerToken*request.MaxTokens)
}

// saidOf is what a client is told to make of a status, "" where that is plain.
func saidOf(status quarry.SearchStatus, isListed bool) string {
	switch {
	case status == quarry.StatusWeak:
		return "the notes may not speak of this; tell the user so"
	case status == quarry.StatusNothingRelevant && isListed:
		return "these are the nearest passages, and the notes do not seem to speak of this; tell the user so"
	case status == quarry.StatusNothingRelevant:
		return "the notes do not seem to speak of this; tell the user so, try other words, or set all to see the nearest passages"
	case status == quarry.StatusNoResults:
		return "nothing passes the filters and the words that are required; try fewer of them"
	}
	return ""
}

// contextOf gives the document of a block. The engine bounds the text of the block alone: where its document has no room, a shorter
// block is asked for, once.
func contextOf(ctx context.Context, engine *quarry.Engine, a arguments) ([]byte, error) {
	if err := a.onlyKnown(contextParameters); err != nil {
		return nil, err
	}
	request := quarry.ContextRequest{
		Topic: a.text("topic"), MaxTokens: min(a.integer("max_tokens", defaultMaxTokens), maxMaxTokens), Format: a.text("format"), Filter: a.filter(time.Now()), All: a.boolean("all"),
		HitsAlone: a.has("expand") && !a.boolean("expand"),
	}
	a.oneOf("format", formats)
	if isBlank(request.Topic) {
		a.fail("topic", "is missing")
	}
	if err := a.err(); err != nil {
		return nil, err
	}
	maxCharacters := charactersPerToken * request.MaxTokens
	var answer quarry.ContextAnswer
	for range 2 {
		var err error
		if answer, err = engine.Context(ctx, request); err != nil {
			return nil, err
		}
		document, surplus, err := bounded(answer, engine.Redactor(), maxCharacters)
		if err != nil || surplus <= 0 {
			return document, err
		}
		if request.MaxTokens, err = shorterBlock(answer.Text, utf8.RuneCount(document), maxCharacters); err != nil {
			return nil, err
		}
		if request.MaxTokens <= 0 {
			break
		}
	}
	answer.Topic, answer.Text, answer.Sources = "", "", []quarry.ContextSource{}
	answer.Notices = []string{"max_tokens is too small for a block"}
	document, _, err := bounded(answer, engine.Redactor(), maxCharacters)
	return document, err
}

// shorterShare is how much of the room a second block is to fill: another text may hold more that is written longer in JSON.
const shorterShare = .9

// shorterBlock is the bound, in tokens, of a block whose document has room where that of another, with a text, is so long.
func shorterBlock(text string, documentCharacters, maxCharacters int) (maxTokens int, err error) {
	encoded, err := encode(text)
	if err != nil || text == "" {
		return 0, err
	}
	written := utf8.RuneCount(encoded)
	room := maxCharacters - (documentCharacters - written)
	return int(shorterShare * float64(room) * float64(utf8.RuneCountInString(text)) / float64(written*charactersPerToken)), nil
}
