package mcpserver

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quarry"
	"quarry/internal/failure"
	"quarry/internal/steering"
)

// promptTokens bounds what a prompt quotes of the notes.
const promptTokens = 2000

// maxTopicCharacters bounds what a client can make a prompt say.
const maxTopicCharacters = 500

// prompt is one of those that people can choose in a client. Its text quotes notes in a block that brief writes, where nothing in a
// note can be taken for the end of the block.
type prompt struct {
	name, title, description string
	arguments                []*mcp.PromptArgument
	// asks says what is to be done, of the values of the arguments.
	asks func(map[string]string) string
	// types are those of notes that are quoted before others.
	types []string
}

var topicArgument = &mcp.PromptArgument{Name: "topic", Title: "Topic", Description: "what it is about, in plain words, or a #tag", Required: true}

var prompts = []prompt{
	{
		name: "brief_me", title: "Brief me", description: "What the notes say about a topic, with sources, gaps and contradictions",
		arguments: []*mcp.PromptArgument{topicArgument},
		asks: func(values map[string]string) string {
			return fmt.Sprintf("Brief me about %q from my notes: what they say, what is settled, what is open, where they contradict each other, and what they do not say. "+
				"Name file_path and lines for each statement. Where the block below is not enough, ask obsidian_search, and read on with obsidian_read_note. "+
				"Say so where the notes do not speak of it, and do not fill in from elsewhere.", values["topic"])
		},
	},
	{
		name: "what_did_i_decide", title: "What did I decide", description: "Decisions in the notes about a topic, with reasons and dates, newest first",
		arguments: []*mcp.PromptArgument{topicArgument}, types: []string{"decision", "adr"},
		asks: func(values map[string]string) string {
			return fmt.Sprintf("What did I decide about %q? List the decisions in my notes, the newest first: what was decided, when, why, what was rejected, and what replaced it since. "+
				"Name file_path and lines for each. Tell decisions from mere ideas. The block below is a start; look for more with obsidian_search, also with type:decision, and along obsidian_links. "+
				"Where nothing was decided, say so.", values["topic"])
		},
	},
	{
		name: "review_before_change", title: "Review before I change", description: "What the notes say that a change has to respect: decisions, rules, dependencies, failures of before",
		arguments: []*mcp.PromptArgument{
			{Name: "topic", Title: "Change", Description: "what is to be changed, in plain words", Required: true},
			{Name: "note", Title: "Note", Description: "the note that is to be changed, by its path, if it is one"},
		},
		asks: func(values map[string]string) string {
			text := fmt.Sprintf("I am about to change this: %q. Before I do, tell me from my notes what speaks against it or has to be kept in mind: decisions, rules, what depends on it, what went wrong before. "+
				"Name file_path and lines for each, the weightiest first, and end with what I should check. The block below is a start; look for more with obsidian_search.", values["topic"])
			if note := values["note"]; note != "" {
				text += fmt.Sprintf(" Read the note with obsidian_read_note, file_path %q, and see with obsidian_links what links to it.", note)
			}
			return text
		},
	},
}

func (p *prompt) described() *mcp.Prompt {
	return &mcp.Prompt{Name: p.name, Title: p.title, Description: p.description, Arguments: p.arguments}
}

// values are the arguments of a call. A mistake is an error that names what there is.
func (p *prompt) values(given map[string]string) (map[string]string, error) {
	known := namesOf(p.arguments, func(a *mcp.PromptArgument) string { return a.Name })
	values := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(given)) { // of several mistakes the same is told each time
		if !slices.Contains(known, name) {
			return nil, unknownArgument(name, known)
		}
		words := []rune(strings.Join(strings.Fields(steering.Plain(given[name])), " "))
		values[name] = string(words[:min(len(words), maxTopicCharacters)])
	}
	for _, a := range p.arguments {
		if a.Required && values[a.Name] == "" {
			return nil, wrong(failure.InvalidArguments, fmt.Sprintf("the argument %q is missing", a.Name), "give "+a.Name+": "+a.Description)
		}
	}
	return values, nil
}

// writePrompt writes a prompt with what the notes say of its topic.
func writePrompt(ctx context.Context, request *mcp.GetPromptRequest, engines Engines, p *prompt) (*mcp.GetPromptResult, error) {
	values, err := p.values(request.Params.Arguments)
	if err != nil {
		return nil, failed(ctx, engines, err)
	}
	return with(ctx, engines, func(ctx context.Context, engine *quarry.Engine) (*mcp.GetPromptResult, error) {
		block, err := p.block(ctx, engine, values["topic"])
		if err != nil {
			return nil, err
		}
		text, _ := engine.Redactor().Redact(p.asks(values) + "\n\n" + steering.Plain(block))
		return &mcp.GetPromptResult{
			Description: p.description,
			Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
		}, nil
	})
}

// block quotes the notes: those of the types that matter where they speak of the topic, else whatever does.
func (p *prompt) block(ctx context.Context, engine *quarry.Engine, topic string) (string, error) {
	for _, types := range [][]string{p.types, nil} {
		answer, err := engine.Context(ctx, quarry.ContextRequest{
			Topic: topic, MaxTokens: promptTokens, Filter: quarry.Filter{Types: types, ExcludeArchived: true},
		})
		if err != nil {
			return "", err
		}
		if answer.Status == string(quarry.StatusEmptyIndex) && engine.IsIndexing() {
			return "", failure.ErrBuilding
		}
		if types == nil || answer.Status == string(quarry.StatusOK) {
			return answer.Text, nil
		}
	}
	return "", nil
}
