package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"quarry"
	"quarry/internal/lazyregexp"
)

// blockSettings is one table [blocks.NAME].
type blockSettings struct {
	Query     string       `toml:"query"`
	Filters   blockFilters `toml:"filters"`
	MaxTokens *int64       `toml:"max_tokens"`
	TTLHours  *float64     `toml:"ttl_hours"`

	place int // in the order of both files, 0 where there is one file alone
}

// blockFilters are the filters of a block, under the names of the flags of search. A list takes one text, too.
type blockFilters struct {
	Tag             any    `toml:"tag"`
	Type            any    `toml:"type"`
	Status          any    `toml:"status"`
	Domain          any    `toml:"domain"`
	Path            any    `toml:"path"`
	Folder          any    `toml:"folder"`
	Prop            any    `toml:"prop"`
	Since           string `toml:"since"`
	Until           string `toml:"until"`
	LinksTo         any    `toml:"links_to"`
	LinkedBy        any    `toml:"linked_by"`
	Hops            *int64 `toml:"hops"`
	IncludeArchived bool   `toml:"include_archived"`
}

// sessionSettings is the table [session]: tokens of 4 characters.
type sessionSettings struct {
	System       *int64 `toml:"system_tokens"`
	Blocks       *int64 `toml:"block_tokens"`
	Search       *int64 `toml:"search_tokens"`
	Conversation *int64 `toml:"conversation_tokens"`
}

// captureSettings is the table [capture].
type captureSettings struct {
	Folder *string `toml:"folder"` // below the vault
}

// Keys of [blocks.NAME], of its filters, of [session] and of [capture].
var (
	blockKeys       = []string{"query", "filters", "max_tokens", "ttl_hours"}
	blockFilterKeys = []string{"tag", "type", "status", "domain", "path", "folder", "prop", "since", "until", "links_to", "linked_by", "hops", "include_archived"}
	sessionKeys     = []string{"system_tokens", "block_tokens", "search_tokens", "conversation_tokens"}
	captureKeys     = []string{"folder"}
)

// mostTTLHours is a year.
const mostTTLHours = 8760

var blockName = lazyregexp.New(`^[A-Za-z0-9_-]{1,64}$`)

// lists are the filters that take several texts, by key.
func (f *blockFilters) lists() []namedValue {
	return []namedValue{
		{"tag", f.Tag},
		{"type", f.Type},
		{"status", f.Status},
		{"domain", f.Domain},
		{"path", f.Path},
		{"folder", f.Folder},
		{"prop", f.Prop},
		{"links_to", f.LinksTo},
		{"linked_by", f.LinkedBy},
	}
}

type namedValue struct {
	key   string
	value any
}

// textsOf are the texts of a value: one text or a list of them, none where the key is not there.
func textsOf(value any) (texts []string, ok bool) {
	switch value := value.(type) {
	case nil:
		return nil, true
	case string:
		return []string{value}, true
	case []any:
		for _, item := range value {
			text, isText := item.(string)
			if !isText {
				return nil, false
			}
			texts = append(texts, text)
		}
		return texts, true
	}
	return nil, false
}

// spec is the filter as the engine takes it; what wrongBlocks finds is left out.
func (f *blockFilters) spec() quarry.FilterSpec {
	texts := func(value any) []string {
		list, _ := textsOf(value)
		return list
	}
	spec := quarry.FilterSpec{
		Tags: texts(f.Tag), Types: texts(f.Type), Statuses: texts(f.Status), Domains: texts(f.Domain), Globs: texts(f.Path), Folders: texts(f.Folder),
		Properties: texts(f.Prop), Since: f.Since, Until: f.Until, LinksTo: texts(f.LinksTo), LinkedBy: texts(f.LinkedBy), IncludeArchived: f.IncludeArchived,
	}
	if f.Hops != nil {
		spec.Hops = int(*f.Hops)
	}
	return spec
}

// wrongBlocks finds the first mistake in the tables of blocks, of the session and of captures.
func wrongBlocks(s settings, lines map[string]int) *misplaced {
	names := s.blockNames()
	if len(names) > quarry.MaxBlocks {
		return &misplaced{"blocks." + names[quarry.MaxBlocks], "take some out", fmt.Errorf("there are %d blocks, and %d are the most", len(names), quarry.MaxBlocks)}
	}
	for _, name := range names {
		if mistake := s.wrongBlock(name, lines); mistake != nil {
			return mistake
		}
	}
	for _, one := range s.Session.values() {
		if one.value != nil && (*one.value < 1 || *one.value > quarry.MaxBlockTokens) {
			return &misplaced{"session." + one.key, fmt.Sprintf("%s takes 1 to %d tokens", one.key, quarry.MaxBlockTokens), fmt.Errorf("%d is out of range", *one.value)}
		}
	}
	if folder := s.Capture.Folder; folder != nil {
		if err := quarry.CheckCaptureFolder(*folder); err != nil {
			return &misplaced{"capture.folder", `folder takes a folder below the vault, such as "00-inbox"`, err}
		}
	}
	return nil
}

func (s settings) wrongBlock(name string, lines map[string]int) *misplaced {
	key, block := "blocks."+name, s.Blocks[name]
	switch {
	case !blockName.MatchString(name):
		return &misplaced{key, "a block is called by at most 64 letters, digits, - and _", fmt.Errorf("%q is no name of a block", name)}
	case strings.TrimSpace(block.Query) == "":
		if lines[key+".query"] > 0 {
			key += ".query"
		}
		return &misplaced{key, `query = "what the block is about"`, errors.New("a block needs a query")}
	case block.MaxTokens != nil && (*block.MaxTokens < quarry.MinBlockTokens || *block.MaxTokens > quarry.MaxBlockTokens):
		return &misplaced{key + ".max_tokens", fmt.Sprintf("max_tokens takes %d to %d", quarry.MinBlockTokens, quarry.MaxBlockTokens), fmt.Errorf("%d is out of range", *block.MaxTokens)}
	case block.TTLHours != nil && !(*block.TTLHours > 0 && *block.TTLHours <= mostTTLHours):
		return &misplaced{key + ".ttl_hours", fmt.Sprintf("ttl_hours takes a number above 0, at most %d", mostTTLHours), fmt.Errorf("%v is out of range", *block.TTLHours)}
	}
	return block.Filters.wrong(key + ".filters.")
}

// wrong finds the first mistake in the filters of a block, whose keys begin with prefix.
func (f *blockFilters) wrong(prefix string) *misplaced {
	for _, one := range f.lists() {
		if _, ok := textsOf(one.value); !ok {
			return &misplaced{prefix + one.key, listsKeys, fmt.Errorf("it takes %s", oneTextOrMore)}
		}
	}
	now := time.Now()
	for _, day := range []struct{ key, value string }{{"since", f.Since}, {"until", f.Until}} {
		if _, err := quarry.ParseDay(day.value, now); err != nil {
			return &misplaced{prefix + day.key, `dates are "2026-01-31", "2026-01", "7d", "3w", "2m", "1y" for a span back from today, or words such as "last monday"`, err}
		}
	}
	if f.Hops != nil && (*f.Hops < 1 || *f.Hops > quarry.MaxHops) {
		return &misplaced{prefix + "hops", fmt.Sprintf("hops takes 1 to %d", quarry.MaxHops), fmt.Errorf("%d is out of range", *f.Hops)}
	}
	spec := f.spec()
	for _, one := range []struct {
		key  string
		spec quarry.FilterSpec
	}{{"links_to", quarry.FilterSpec{LinksTo: spec.LinksTo}}, {"linked_by", quarry.FilterSpec{LinkedBy: spec.LinkedBy}}} {
		if _, err := one.spec.Filter(now); err != nil {
			return &misplaced{prefix + one.key, one.key + " takes a note's path, name or #docid", err}
		}
	}
	return nil
}

const oneTextOrMore = `a text in quotes, or a list of texts`

// blockNames are the names of the blocks in their order: that of the file, or of both.
func (s settings) blockNames() []string {
	line := func(name string) int {
		first := s.lines["blocks."+name]
		for key, at := range s.lines {
			if strings.HasPrefix(key, "blocks."+name+".") && (first == 0 || at < first) {
				first = at
			}
		}
		return first
	}
	lines := map[string]int{}
	for name := range s.Blocks {
		lines[name] = line(name)
	}
	return slices.SortedFunc(maps.Keys(s.Blocks), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.Blocks[a].place, s.Blocks[b].place), cmp.Compare(lines[a], lines[b]), cmp.Compare(a, b))
	})
}

type tokens struct {
	key    string
	value  *int64
	target *int
}

func (s *sessionSettings) values() []tokens { return s.into(&quarry.SessionBudget{}) }

// into pairs the keys with the fields of a budget.
func (s *sessionSettings) into(b *quarry.SessionBudget) []tokens {
	return []tokens{
		{"system_tokens", s.System, &b.System},
		{"block_tokens", s.Blocks, &b.Blocks},
		{"search_tokens", s.Search, &b.Search},
		{"conversation_tokens", s.Conversation, &b.Conversation},
	}
}

// budget is the table as the engine takes it.
func (s *sessionSettings) budget() quarry.SessionBudget {
	budget := quarry.DefaultSessionBudget()
	for _, one := range s.into(&budget) {
		if one.value != nil {
			*one.target = int(*one.value)
		}
	}
	return budget
}

// blocks lays the vault's blocks behind the user's, of which one of the same name counts, lowers the budget, and takes the folder of
// captures over where the user names none.
func (o *vaultOverlay) blocks() {
	all := map[string]blockSettings{}
	add := func(s settings, name string) {
		block := s.Blocks[name]
		block.place = len(all) + 1
		all[name] = block
	}
	for _, name := range o.user.blockNames() {
		add(o.user, name)
	}
	for _, name := range o.own.blockNames() {
		switch _, isTaken := all[name]; {
		case isTaken:
			o.ignored("blocks."+name, "your configuration has a block of this name")
		case len(all) >= quarry.MaxBlocks:
			o.ignored("blocks."+name, fmt.Sprintf("with yours there are more than %d", quarry.MaxBlocks))
		default:
			add(o.own, name)
		}
	}
	o.user.Blocks = all
	o.session()
	switch {
	case o.own.Capture.Folder == nil:
	case o.user.Capture.Folder != nil:
		o.ignored("capture.folder", "your configuration names another")
	default:
		o.user.Capture.Folder = o.own.Capture.Folder
	}
}

// session lowers the budget of the user to that of the vault.
func (o *vaultOverlay) session() {
	budget := o.user.Session.budget()
	user := o.user.Session.into(&budget)
	for i, own := range o.own.Session.values() {
		switch most := *user[i].target; {
		case own.value == nil:
		case *own.value > int64(most):
			o.ignored(fmt.Sprintf("session.%s = %d", own.key, *own.value), fmt.Sprintf("a file in the vault can only lower it (%d)", most))
		default:
			lowered := *own.value
			o.user.Session.set(i, &lowered)
		}
	}
}

func (s *sessionSettings) set(at int, value *int64) {
	*[]**int64{&s.System, &s.Blocks, &s.Search, &s.Conversation}[at] = value
}

// kindOfBlockKey says what a key of these tables takes, "" for a text in quotes.
func kindOfBlockKey(key string) string {
	if table, name, _ := strings.Cut(key, "."); table == "session" && name != "" {
		return "a whole number of tokens"
	}
	name, isBlock := strings.CutPrefix(key, "blocks.")
	_, key, isInside := strings.Cut(name, ".")
	key, isFilter := strings.CutPrefix(key, "filters.")
	switch {
	case !isBlock:
		return ""
	case !isInside || key == "filters":
		return "a table"
	case isFilter && slices.ContainsFunc((&blockFilters{}).lists(), func(one namedValue) bool { return one.key == key }):
		return oneTextOrMore
	case key == "max_tokens", key == "hops":
		return "a whole number"
	case key == "ttl_hours":
		return "a number of hours"
	case key == "include_archived":
		return "true or false"
	}
	return ""
}

// layBlocks puts blocks, budget and capture folder into the engine's configuration.
func (s settings) layBlocks(config *quarry.Config) {
	for _, name := range s.blockNames() {
		from := s.Blocks[name]
		block := quarry.BlockConfig{Name: name, Query: from.Query, Filter: from.Filters.spec()}
		if from.MaxTokens != nil {
			block.MaxTokens = int(*from.MaxTokens)
		}
		if from.TTLHours != nil {
			block.TTL = time.Duration(*from.TTLHours * float64(time.Hour))
		}
		config.Blocks = append(config.Blocks, block)
	}
	config.Session = s.Session.budget()
	if s.Capture.Folder != nil {
		config.CaptureFolder = *s.Capture.Folder
	}
}
