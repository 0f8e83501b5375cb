package quarry_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// openNotes are for everybody. They link to what a client is not to see, by names that are their own words.
var openNotes = map[string]string{
	"Harbour.md": "---\nid: shared-id\ntags: [boats]\n---\n# Harbour\n\nThe harbour has a crane. See [[Ledger]], [[Vault]], [[Torn]], " +
		"[[Plain]], [[Turned]], [[Scan.png]] and [[Kiln#Glaze]].\n\n## Moorings\n\nRopes are checked in spring. ^ropes\n",
	"Kiln.md":         "---\naliases: [Oven]\nsensitivity: internal\n---\n# Kiln\n\nClay is fired slowly, ropes or not.\n\n## Glaze\n\nAsh glaze runs. [[Harbour#^ropes]]\n",
	"notes/Plain.md":  "---\nsensitivity: public\n---\n# Plain words\n\nA harbour without secrets: copper, rope and clay.\n",
	"Boats MOC.md":    "---\ntype: moc\n---\n# Boats\n\n[[Harbour]] [[Turned copy]] [[Kiln]]\n",
	"00-inbox/In.md":  "Words that everybody may see.\n",
	"notes/Broken.md": "---\ntitle: [a\n---\nA note with a fault of its own, about ropes.\n",
	"pictures/a.png":  "no picture",
}

// hiddenNotes are not for a client, each for another reason. Every word that a test looks for ends in "zyx".
var hiddenNotes = map[string]string{
	"Ledger.md": "---\ntitle: Titlezyx ledger\nid: shared-id\naliases: [Aliaszyx]\ntags: [tagzyx/deep]\nsensitivity: private\nowner: propzyx\n---\n" +
		"# Headzyx\n\nTextzyx of the harbour crane and ropes. [[Harbour]] [[Kiln#Glaze]] ^blockzyx\n\n## Subzyx\n\nMore ropes, clay and copper.\n",
	"diary/Day.md":        "# Dayzyx\n\nA folderzyx day at the harbour. [[Kiln]]\n",
	"diary/Scanzyx.png":   "no picture",
	"Diary/Other case.md": "# Casezyx harbour\n",
	"diary/Board.canvas":  `{"nodes":[{"id":"a","type":"text","text":"cardzyx harbour","x":0,"y":0,"width":1,"height":1}],"edges":[]}`,
	"Vault.md":            "---\nsensitivity: secret\n---\n# Vaultzyx\n\nNobody reads of the harbour vaultzyx.\n",
	"safe/Deep/Gold.md":   "# Goldzyx\n\nHarbour gold, [[Harbour]].\n",
	"Unknown.md":          "---\nsensitivity: unknownzyx\n---\n# Harbour unknownzyx\n",
	"Torn.md":             "---\ntitle: [torn\n  sensitivity: private\n---\n# Tornzyx\n\nHarbour tornzyx.\n",
	"List.md":             "---\nSensitivity: [public, Private]\n---\n# Listzyx harbour\n",
	"templates/Form.md":   "---\nsensitivity: private\n---\n# Formzyx\n",
	"templates/Empty.md":  "# Emptyzyx harbour\n",
	"MOCzyx.md":           "---\ntype: moc\nsensitivity: private\nrelated: \"[[Harbour]]\"\n---\n# Mapzyx\n\n[[Kiln]] [[Harbour]] [[notes/Plain]]\n",
	"Copyzyx.md": "---\nsensitivity: private\n---\n# Plain words\n\nA harbour without secrets: copper, rope and clay.\n\n## Moorings\n\n" +
		"Ropes are checked in spring. [[Kiln]]\n",
	"00-inbox/Heldzyx.md": "---\nsensitivity: private\n---\nThe same words of the harbour, heldzyx.\n",
	"Scan problemzyx.md":  "---\nsensitivity: private\ntags: [x\n---\nHarbour.\n",
}

var privateRules = []quarry.SensitivityConfig{{Folders: map[string]string{"diary": "private", "safe": "secret"}}}

func audienceConfig(vault, db string, audience quarry.Audience) quarry.Config {
	return quarry.Config{VaultDir: vault, DatabasePath: db, Audience: audience, Sensitivity: privateRules, Blocks: []quarry.BlockConfig{
		{Name: "harbour", Query: "harbour"}, {Name: "crane", Query: "textzyx of the ropes crane clay", MaxTokens: 400}, {Name: "linked", Query: "ropes", Filter: quarry.FilterSpec{LinksTo: []string{"Ledger"}}},
	}}
}

func openConfig(t testing.TB, config quarry.Config) *quarry.Engine {
	t.Helper()
	engine, err := quarry.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	return engine
}

// writeVault writes notes with one time for all, so that two vaults differ by their notes alone.
func writeVault(t testing.TB, dir string, lists ...map[string]string) {
	t.Helper()
	for _, notes := range lists {
		for name, text := range notes {
			writeNote(t, dir, name, text)
			setTime(t, dir, name, 0)
		}
	}
}

func setTime(t testing.TB, dir, name string, later time.Duration) {
	t.Helper()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(later)
	if err := os.Chtimes(filepath.Join(dir, filepath.FromSlash(name)), at, at); err != nil {
		t.Fatal(err)
	}
}

// asked is a question that a test puts to an engine.
type asked struct {
	method string
	about  string
	ask    func(t *testing.T, e *quarry.Engine) (any, error)
}

// names are addresses that mean hidden notes, or nothing where there are none.
var hiddenAddresses = []string{
	"Ledger", "Ledger.md", "ledger", "Titlezyx ledger", "Aliaszyx", "Ledger#Headzyx", "Ledger#^blockzyx", "Ledger:1:3", "Ledger.md:3", "Ledger#c00",
	"[[Ledger]]", "[[Aliaszyx]]", "diary/Day.md", "Day", "Dayzyx", "diary/Board.canvas", "Scanzyx.png", "diary/Scanzyx.png", "diary", "Vault.md", "Vault",
	"safe/Deep/Gold", "Gold", "Unknown", "Torn", "List.md", "templates/Form.md", "templates/Form", "Form", "templates/Empty.md", "Empty", "Diary/*", "diary/**", "*Ledger*", "safe/**",
	"Fresh", "Fresh.md", "Turned", "Turned.md", "Turned MOCzyx", "Turned archivezyx.md", "Legder", "titelzyx", "Tornn", "Scan problemzyx", "diary/Day#c00", "./diary/Day.md", "diary//Day.md",
}

// linkQuestions ask for notes by their links, and for all that lies around one.
func linkQuestions() []asked {
	var list []asked
	for _, address := range slices.Concat(hiddenAddresses, []string{"Harbour", "Kiln", "Plain", "Oven", "a.png", "Harbor", "#" + docID("Kiln.md")}) {
		for what, filter := range map[string]quarry.Filter{
			"by ": {LinkedBy: []string{address}, Hops: 3}, "not ": {NotLinksTo: []string{address}, NotLinkedBy: []string{"Kiln", address}, Hops: quarry.MaxHops},
		} {
			list = append(list, asked{"List", what + address, func(t *testing.T, e *quarry.Engine) (any, error) {
				return e.List(t.Context(), quarry.ListRequest{Filter: filter})
			}})
		}
		to := quarry.Filter{LinksTo: []string{"Kiln", address}, Hops: 2}
		list = append(list, asked{"Search", "to " + address, func(t *testing.T, e *quarry.Engine) (any, error) {
			return e.Search(t.Context(), quarry.SearchRequest{Filter: to, Query: "harbour"})
		}}, asked{"Context", "to " + address, func(t *testing.T, e *quarry.Engine) (any, error) {
			return e.Context(t.Context(), quarry.ContextRequest{Filter: to, Topic: "ropes"})
		}})
		list = append(list, operatorQuestions(address)...)
		for what, request := range map[string]quarry.LinksRequest{
			"near ": {Note: address, Hops: quarry.MaxHops, Related: 20}, "kinds ": {Note: address, Hops: 3, Kinds: []string{"references", "Depends_on"}},
			"dead ": {Note: address, Unresolved: true}, "out ": {Note: address, Hops: 3, Way: quarry.WayOut}, "back ": {Note: address, Hops: 3, Way: quarry.WayBack},
			"part ": {Note: address + "#Glaze", Hops: 2}, "block ": {Note: strings.TrimSuffix(address, "#^blockzyx") + "#^ropes"},
			"lines ": {Note: address + ":5:9", Unresolved: true},
		} {
			list = append(list, asked{"Links", what + request.Note, func(t *testing.T, e *quarry.Engine) (any, error) { return e.Links(t.Context(), request) }})
		}
		for _, dead := range []quarry.DeadLinksRequest{{Note: address}, {Note: address + "#Glaze"}, {Note: address + ":5"}} {
			list = append(list, asked{"DeadLinks", dead.Note, func(t *testing.T, e *quarry.Engine) (any, error) { return e.DeadLinks(t.Context(), dead) }})
		}
	}
	return list
}

// operatorQuestions ask for notes by links as a query does, and tell which come and what is said, without figures.
func operatorQuestions(address string) []asked {
	var list []asked
	for _, query := range []string{
		`linked-by:"ADDRESS"`, `links-to:"ADDRESS"`, `harbour -linked-by:"ADDRESS"`, `links-to:"ADDRESS" OR links-to:Plain`, `rope -links-to:"ADDRESS" linked-by:Harbour`,
	} {
		query = strings.ReplaceAll(query, "ADDRESS", strings.NewReplacer("[", "", "]", "").Replace(address))
		list = append(list, asked{operatorSearch, query, func(t *testing.T, e *quarry.Engine) (any, error) {
			answer, err := e.Search(t.Context(), quarry.SearchRequest{Query: query, Limit: 50, All: true})
			paths := []string{}
			for _, r := range answer.Results {
				paths = append(paths, r.FilePath)
			}
			slices.Sort(paths)
			return []any{paths, answer.Status == quarry.StatusNoResults, answer.Notices}, err
		}})
	}
	return list
}

// operatorSearch is a search of which nothing depends on figures.
const operatorSearch = "Search by operators"

func questions() []asked {
	list := []asked{
		{"Chunks", "", func(t *testing.T, e *quarry.Engine) (any, error) { return e.Chunks(t.Context(), "Harbour") }},
		{"Parse", "", func(t *testing.T, e *quarry.Engine) (any, error) { return e.Parse(t.Context(), "Harbour") }},
		{"Graph", "", func(t *testing.T, e *quarry.Engine) (any, error) { return e.Graph(t.Context()) }},
		{"Notices", "", func(t *testing.T, e *quarry.Engine) (any, error) { return e.Notices(t.Context()) }},
		{"GraphStats", "", func(t *testing.T, e *quarry.Engine) (any, error) { return e.GraphStats(t.Context()) }},
		{"DeadLinks", "", func(t *testing.T, e *quarry.Engine) (any, error) {
			return e.DeadLinks(t.Context(), quarry.DeadLinksRequest{})
		}},
		{"Doctor", "", func(t *testing.T, e *quarry.Engine) (any, error) {
			return e.Doctor(t.Context(), quarry.DoctorRequest{})
		}},
		{"Status", "", func(t *testing.T, e *quarry.Engine) (any, error) { return e.Status(t.Context()) }},
		{"Read", "all", func(t *testing.T, e *quarry.Engine) (any, error) { return e.Read(t.Context(), []string{"**"}, 0) }},
		{"VaultDir", "", func(_ *testing.T, e *quarry.Engine) (any, error) { return e.VaultDir(), nil }},
		{"DatabasePath", "", func(_ *testing.T, e *quarry.Engine) (any, error) { return e.DatabasePath(), nil }},
		{"IsIndexing", "", func(_ *testing.T, e *quarry.Engine) (any, error) { return e.IsIndexing(), nil }},
		{"StateDir", "", func(_ *testing.T, e *quarry.Engine) (any, error) { return e.StateDir(), nil }},
		{"Warm", "", func(t *testing.T, e *quarry.Engine) (any, error) { return nil, e.Warm(t.Context()) }},
		{"Watch", "", func(t *testing.T, e *quarry.Engine) (any, error) {
			ctx, cancel := context.WithCancel(t.Context())
			var told []quarry.WatchEvent
			err := e.Watch(ctx, quarry.WatchOptions{}, func(event quarry.WatchEvent) {
				event.Took = 0
				told = append(told, event)
				cancel()
			})
			return told, err
		}},
		{"Redactor", "", func(_ *testing.T, e *quarry.Engine) (any, error) { return e.Redactor() != nil, nil }},
	}
	for _, format := range quarry.GraphFormats {
		for _, request := range []quarry.GraphRequest{{Format: format}, {Format: format, Written: true}} {
			list = append(list, asked{"WriteGraph", fmt.Sprint(request), func(t *testing.T, e *quarry.Engine) (any, error) {
				var b strings.Builder
				err := e.WriteGraph(t.Context(), &b, request)
				return b.String(), err
			}})
		}
	}
	for _, sort := range []string{"path", "updated", "title"} {
		list = append(list, asked{"List", sort, func(t *testing.T, e *quarry.Engine) (any, error) {
			return e.List(t.Context(), quarry.ListRequest{Sort: sort})
		}})
	}
	for what, filter := range map[string]quarry.Filter{
		"tagzyx": {Tags: []string{"tagzyx"}}, "not tag": {NotTags: []string{"boats"}}, "property": {Properties: []quarry.Property{{Key: "owner"}}},
		"folder": {Folders: []string{"diary"}}, "slips": {Tags: []string{"tagzy", "boat", "tagzy/deep"}, Types: []string{"mocs"}, Folders: []string{"diari", "safe/Dep", "note"}},
	} {
		list = append(list, asked{"UnknownFilters", what, func(t *testing.T, e *quarry.Engine) (any, error) { return e.UnknownFilters(t.Context(), filter) }})
		list = append(list, asked{"List", what, func(t *testing.T, e *quarry.Engine) (any, error) {
			return e.List(t.Context(), quarry.ListRequest{Filter: filter})
		}}, asked{"Search", what, func(t *testing.T, e *quarry.Engine) (any, error) {
			return e.Search(t.Context(), quarry.SearchRequest{Filter: filter, Query: "harbour"})
		}})
	}
	list = append(list, linkQuestions()...)
	for _, query := range []string{"harbour", "textzyx", "ropes crane clay", `"folderzyx day"`, "harbour -crane", "titlezyx aliaszyx", "harbour OR goldzyx", "turnedzyx", "tag:tagzy", "harbour tag:boat", "folder:diari", ""} {
		for _, mode := range []quarry.Mode{quarry.Hybrid, quarry.Lexical, quarry.Vector} {
			list = append(list, asked{"Search", fmt.Sprintf("%s %s", mode, query), func(t *testing.T, e *quarry.Engine) (any, error) {
				return askedFor(e.Search(t.Context(), quarry.SearchRequest{Query: query, Mode: mode, Explain: true, Limit: 50}))
			}})
		}
		list = append(list, asked{"Context", query, func(t *testing.T, e *quarry.Engine) (any, error) {
			return e.Context(t.Context(), quarry.ContextRequest{Topic: query})
		}}, asked{"Search", "archived " + query, func(t *testing.T, e *quarry.Engine) (any, error) {
			return e.Search(t.Context(), quarry.SearchRequest{Query: query, Filter: quarry.Filter{ExcludeArchived: true}})
		}}, asked{"Context", "all " + query, func(t *testing.T, e *quarry.Engine) (any, error) {
			return e.Context(t.Context(), quarry.ContextRequest{Topic: query, All: true, Format: "xml", MaxTokens: 300})
		}}, asked{"Search", "expand " + query, func(t *testing.T, e *quarry.Engine) (any, error) {
			return askedFor(e.Search(t.Context(), quarry.SearchRequest{Query: query, Expand: true, Explain: true, All: true, Limit: 1}))
		}})
	}
	for _, address := range slices.Concat(hiddenAddresses, []string{"Harbour", "Kiln#Glaze", "Oven", "a.png", "Harbor", "Harbour#Nosuch", "Harbour:5:2"}) {
		list = append(list, asked{"Search", "like " + address, func(t *testing.T, e *quarry.Engine) (any, error) {
			return askedFor(e.Search(t.Context(), quarry.SearchRequest{Like: address, Explain: true}))
		}})
	}
	for _, address := range slices.Concat(hiddenAddresses, []string{"Harbour", "Kiln", "Plain", "Oven", "a.png", "Harbor", "kilm", "#shared-id", "../x", "nosuch.md"}) {
		list = append(list,
			asked{"Read", address, func(t *testing.T, e *quarry.Engine) (any, error) { return e.Read(t.Context(), []string{address}, 0) }},
			asked{"Parse", address, func(t *testing.T, e *quarry.Engine) (any, error) { return e.Parse(t.Context(), address) }},
			asked{"Chunks", address, func(t *testing.T, e *quarry.Engine) (any, error) { return e.Chunks(t.Context(), address) }},
			asked{"Links", address, func(t *testing.T, e *quarry.Engine) (any, error) {
				return e.Links(t.Context(), quarry.LinksRequest{Note: address})
			}})
	}
	for _, refresh := range []bool{false, true} {
		for _, name := range []string{"harbour", "crane", "linked", "nosuch"} {
			list = append(list, asked{"Block", name + " textzyx Ledger", func(t *testing.T, e *quarry.Engine) (any, error) {
				block, err := e.Block(t.Context(), name, refresh)
				block.Built = ""
				return block, err
			}})
		}
		list = append(list, asked{"Session", "textzyx Ledger", func(t *testing.T, e *quarry.Engine) (any, error) { return e.Session(t.Context()) }},
			asked{"Blocks", "textzyx", func(t *testing.T, e *quarry.Engine) (any, error) {
				blocks, err := e.Blocks(t.Context())
				for i := range blocks {
					blocks[i].Built = ""
				}
				return blocks, err
			}})
	}
	return append(list, asked{"Index", "", func(t *testing.T, e *quarry.Engine) (any, error) {
		return e.Index(t.Context(), quarry.IndexOptions{DryRun: true}, nil)
	}}, asked{"Index", "write", func(t *testing.T, e *quarry.Engine) (any, error) {
		return e.Index(t.Context(), quarry.IndexOptions{}, nil)
	}}, asked{"Index", "full", func(t *testing.T, e *quarry.Engine) (any, error) {
		return e.Index(t.Context(), quarry.IndexOptions{Full: true}, nil)
	}}, asked{"Capture", "heldzyx", func(t *testing.T, e *quarry.Engine) (any, error) {
		captured, err := e.Capture(t.Context(), quarry.CaptureRequest{Text: "The same words of the harbour, heldzyx.", Title: "Again", Deduplicate: true})
		captured.FilePath = captured.FilePath[len(captured.FilePath)-len("again.md"):]
		return captured, err
	}}, asked{"Capture", "open", func(t *testing.T, e *quarry.Engine) (any, error) {
		return e.Capture(t.Context(), quarry.CaptureRequest{Text: "Words that everybody may see.", Deduplicate: true})
	}}, asked{"Capture", "", func(t *testing.T, e *quarry.Engine) (any, error) {
		return e.Capture(t.Context(), quarry.CaptureRequest{})
	}},
		asked{"Close", "", func(_ *testing.T, e *quarry.Engine) (any, error) { return nil, e.Close() }})
}

// askedFor is an answer without what differs each time.
func askedFor(answer quarry.SearchAnswer, err error) (quarry.SearchAnswer, error) {
	if answer.Plan != nil {
		answer.Plan.Timings = nil
	}
	return answer, err
}

// TestQuestionsAreComplete finds methods of the engine that no question of the tests below asks.
func TestQuestionsAreComplete(t *testing.T) {
	known := map[string]bool{}
	for _, q := range questions() {
		known[q.method] = true
	}
	engine := reflect.TypeFor[*quarry.Engine]()
	for i := range engine.NumMethod() {
		if name := engine.Method(i).Name; !known[name] {
			t.Errorf("%s has no row in questions(): say what a client gets of it", name)
		}
	}
}

// answerOf is what a caller gets to see, the places of vault and index apart.
func answerOf(t *testing.T, q asked, e *quarry.Engine) string {
	t.Helper()
	vault, db := e.VaultDir(), e.DatabasePath()
	answer, err := q.ask(t, e)
	encoded, jsonErr := json.MarshalIndent(answer, "", " ")
	if jsonErr != nil {
		t.Fatal(jsonErr)
	}
	text := string(encoded)
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		text += "\nerror: " + inner.Error()
	}
	return strings.NewReplacer(vault, "VAULT", db, "DB", filepath.Dir(vault), "PLACE").Replace(text)
}

// TestClient holds every method of an engine for clients to an engine on the same vault without what clients may not see.
// After notes have changed a search may still go by figures of what they said before, and tells no word of that.
func TestClient(t *testing.T) {
	for _, isFresh := range []bool{true, false} {
		if testing.Short() && !isFresh { // the same questions once more
			continue
		}
		t.Run(fmt.Sprintf("fresh=%v", isFresh), func(t *testing.T) {
			whole, open := clientEngines(t, isFresh)
			for _, q := range questions() {
				t.Run(q.method+"/"+q.about, func(t *testing.T) {
					got, want := answerOf(t, q, whole), answerOf(t, q, open)
					diff := cmp.Diff(want, got)
					if diff != "" && (isFresh || !slices.Contains([]string{"Search", "Context", "Block", "Blocks", "Session"}, q.method)) {
						t.Errorf("the answer tells of what is hidden (-without it +with it):\n%s", diff)
					}
					wantNoHiddenWord(t, q.about, got)
				})
			}
		})
	}
}

// turningNotes become private when they have been indexed: one that links, a map, and a copy of what is open.
var turningNotes = map[string]string{
	"Turned.md":            "# Turned\n\nHarbour turnedzyx, for everybody. [[Kiln]] [[Plain]] ![[Scanzyx.png]]\n",
	"Turned MOCzyx.md":     "---\ntype: moc\n---\n# Turned mapzyx\n\n[[Kiln]] [[Harbour]] [[Plain]] [[Turned copy]]\n",
	"a/Turned copy.md":     "# Plain words\n\nA harbour without secrets: copper, rope and clay.\n",
	"Turned archivezyx.md": "---\nstatus: archived\n---\n# Turned archivezyx\n\nThe harbour of turnedzyx, [[Kiln]].\n",
}

// clientEngines are engines for clients on a vault with hidden notes and on one without. Unless the index is fresh, a note
// has turned private since, and a private one is new.
func clientEngines(t *testing.T, isFresh bool) (whole, open *quarry.Engine) {
	home := t.TempDir()
	engines := map[bool]*quarry.Engine{}
	for _, whole := range []bool{true, false} {
		vault, db := filepath.Join(home, fmt.Sprint(whole), "vault"), filepath.Join(home, fmt.Sprint(whole), "index.db")
		writeVault(t, vault, openNotes)
		if whole {
			writeVault(t, vault, hiddenNotes)
		}
		if whole && !isFresh {
			writeVault(t, vault, turningNotes)
		}
		mustIndex(t, openConfig(t, audienceConfig(vault, db, quarry.Owner)), quarry.IndexOptions{})
		if whole && !isFresh {
			for name, text := range turningNotes {
				writeNote(t, vault, name, "---\nsensitivity: private\n---\nNo more: "+text)
				setTime(t, vault, name, time.Hour)
			}
			writeNote(t, vault, "Fresh.md", "---\nsensitivity: private\n---\n# Freshzyx harbour\n")
		}
		engines[whole] = openConfig(t, audienceConfig(vault, db, quarry.Client))
	}
	return engines[true], engines[false]
}

// wantNoHiddenWord looks for words of hidden notes in an answer, those apart that were asked for.
func wantNoHiddenWord(t *testing.T, about, answer string) {
	t.Helper()
	answer = strings.NewReplacer(about, "", strings.Trim(strings.TrimSuffix(about, ".md"), "[]"), "").Replace(answer)
	for _, query := range strings.Fields(strings.NewReplacer(`"`, "", ":", " ", "/", " ", "#", " ", "^", " ", "[", " ", "]", " ").Replace(about)) {
		answer = strings.ReplaceAll(strings.ReplaceAll(answer, query, ""), strings.ToLower(query), "")
	}
	at := max(strings.Index(answer, "zyx"), strings.Index(answer, "a/Turned copy"))
	if at >= 0 {
		t.Errorf("the answer holds a hidden word: …%s…", answer[max(0, at-60):min(len(answer), at+40)])
	}
}

// TestOwner holds that the owner sees private notes, and nobody secret ones.
func TestOwner(t *testing.T) {
	if testing.Short() {
		t.Skip("asks what TestClient asks")
	}
	vault := t.TempDir()
	writeVault(t, vault, openNotes, hiddenNotes)
	db := filepath.Join(t.TempDir(), "index.db")
	engine := openConfig(t, audienceConfig(vault, db, ""))
	report := mustIndex(t, engine, quarry.IndexOptions{})
	status, err := engine.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := (quarry.SensitivityCounts{Public: 1, Internal: 5, Private: 11, Secret: 2}); status.Sensitivity != want || status.Stale != 0 {
		t.Errorf("classes %+v, want %+v; %d stale", status.Sensitivity, want, status.Stale)
	}
	reasons := map[string]string{}
	for _, p := range report.Problems {
		reasons[p.Path] += p.State + ": " + p.Reason + "\n"
	}
	for path, want := range map[string]string{
		"Vault.md": "skipped: not indexed: secret by its property\n", "safe/Deep/Gold.md": "skipped: not indexed: secret by its folder\n",
		"Unknown.md": "warning: sensitivity: unknownzyx is no class; the note is kept private\n",
	} {
		if reasons[path] != want {
			t.Errorf("%s: problem %q, want %q", path, reasons[path], want)
		}
	}
	kept := slices.DeleteFunc(status.Problems, func(p quarry.Problem) bool { return strings.Contains(p.Reason, "same id") })
	if diff := cmp.Diff(report.Problems, kept); diff != "" {
		t.Errorf("problems of status differ from those of the run:\n%s", diff)
	}
	for _, q := range questions() {
		if q.method == "Close" || q.method == "Index" || q.method == "Status" {
			continue
		}
		answer := answerOf(t, q, engine)
		for _, word := range []string{"vaultzyx", "Goldzyx"} {
			if strings.Contains(answer, word) && !strings.Contains(q.about, word) && !strings.Contains(q.about, strings.ToLower(word)) {
				t.Errorf("%s %s tells of a secret note", q.method, q.about)
			}
		}
	}
	if found, err := engine.Read(t.Context(), []string{"Ledger"}, 0); err != nil || !strings.Contains(found[0].Text, "Textzyx") {
		t.Errorf("the owner's own note: %v, %v", found, err)
	}
	if _, err := engine.Read(t.Context(), []string{"Vault.md"}, 0); !errors.Is(err, quarry.ErrNotFound) {
		t.Errorf("a secret note: %v", err)
	}
}
