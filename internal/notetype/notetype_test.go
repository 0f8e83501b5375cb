package notetype_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quarry/internal/notetype"
)

// usual are the overrides that most tests allow.
var usual = notetype.Overrides{notetype.OverrideChunkProfile, notetype.OverrideEdgeDefaults, notetype.OverrideRetrieverWeight}

func parse(t *testing.T, text string, overrides notetype.Overrides) (*notetype.Types, []notetype.Problem) {
	t.Helper()
	types, problems, err := notetype.Parse([]byte(text), overrides)
	if err != nil {
		t.Fatal(err)
	}
	return types, problems
}

const sample = `version: 1.0
default:
  retriever_weight: 0.9
  chunk_profile: default
  edge_defaults: references

types:
  concept:
    chunk_profile: medium
    edge_defaults: ["references", "Related_To", references]
    retriever_weight: 0.35
  Project:
    chunk_profile: LONG
  über-blick:
    retriever_weight: "0"
    edge_defaults: []
  task:
`

func TestOf(t *testing.T) {
	types, problems := parse(t, sample, nil)
	if len(problems) > 0 {
		t.Error(problems)
	}
	references := []string{"references"}
	for name, want := range map[string]notetype.Settings{
		"concept":    {ChunkProfile: "medium", EdgeDefaults: []string{"references", "related_to"}, RetrieverWeight: 0.35},
		" CONCEPT ":  {ChunkProfile: "medium", EdgeDefaults: []string{"references", "related_to"}, RetrieverWeight: 0.35},
		"project":    {ChunkProfile: "long", EdgeDefaults: references, RetrieverWeight: 0.9},
		"Über-Blick": {ChunkProfile: "default", EdgeDefaults: []string{}, RetrieverWeight: 0},
		"task":       {ChunkProfile: "default", EdgeDefaults: references, RetrieverWeight: 0.9},
		"unknown":    {ChunkProfile: "default", EdgeDefaults: references, RetrieverWeight: 0.9},
		"":           {ChunkProfile: "default", EdgeDefaults: references, RetrieverWeight: 0.9},
	} {
		got, complaints := types.Of(name, map[string]any{"chunk_profile": "short"})
		if diff := cmp.Diff(want, got); diff != "" || len(complaints) > 0 {
			t.Errorf("%q: %v %s", name, complaints, diff)
		}
	}
	if diff := cmp.Diff([]string{"concept", "project", "task", "über-blick"}, types.Names()); diff != "" {
		t.Error(diff)
	}
	var none *notetype.Types
	if got, complaints := none.Of("concept", map[string]any{"retriever_weight": "x"}); got.ChunkProfile != "" || got.EdgeDefaults != nil || got.RetrieverWeight != 1 || complaints != nil || none.Names() != nil {
		t.Errorf("without a file: %+v %v", got, complaints)
	}
	empty, problems := parse(t, "", nil)
	if got, _ := empty.Of("concept", nil); got.ChunkProfile != "" || got.EdgeDefaults != nil || got.RetrieverWeight != 1 || len(problems) > 0 {
		t.Errorf("of an empty file: %+v %v", got, problems)
	}
}

func TestOverrides(t *testing.T) {
	for _, c := range []struct {
		name       string
		allowed    notetype.Overrides
		properties map[string]any
		want       notetype.Settings
		complaints []string
	}{
		{
			"all", usual,
			map[string]any{"chunk_profile": " Short", "edge_defaults": []any{"Depends_On"}, "retriever_weight": "2.5"},
			notetype.Settings{ChunkProfile: "short", EdgeDefaults: []string{"depends_on"}, RetrieverWeight: 2.5},
			nil,
		},
		{
			"one is allowed", usual[:1],
			map[string]any{"chunk_profile": "short", "edge_defaults": []any{"x"}, "retriever_weight": "y"},
			notetype.Settings{ChunkProfile: "short", EdgeDefaults: []string{"references", "related_to"}, RetrieverWeight: 0.35},
			nil,
		},
		{
			"a text as a list, and none", usual,
			map[string]any{"edge_defaults": "cites", "retriever_weight": "", "chunk_profile": nil},
			notetype.Settings{ChunkProfile: "medium", EdgeDefaults: []string{"cites"}, RetrieverWeight: 0.35},
			nil,
		},
		{
			"no edges", usual,
			map[string]any{"edge_defaults": []any{}},
			notetype.Settings{ChunkProfile: "medium", EdgeDefaults: []string{}, RetrieverWeight: 0.35},
			nil,
		},
		{
			"invalid", usual,
			map[string]any{"chunk_profile": "shrot", "edge_defaults": []any{"a b"}, "retriever_weight": "heavy", "Chunk_Profile": "long"},
			notetype.Settings{ChunkProfile: "medium", EdgeDefaults: []string{"references", "related_to"}, RetrieverWeight: 0.35},
			[]string{
				`chunk_profile: there is no chunk profile "shrot" (did you mean short?); that of the note's type counts`,
				`edge_defaults: "a b" is no name of a relation: letters, digits, - and _, a letter or _ first, at most 64 bytes; that of the note's type counts`,
				`retriever_weight: "heavy" is no number; that of the note's type counts`,
			},
		},
		{
			"of no use", usual,
			map[string]any{"chunk_profile": []any{"short"}, "edge_defaults": []any{map[string]any{"a": "b"}}, "retriever_weight": map[string]any{"a": "1"}},
			notetype.Settings{ChunkProfile: "medium", EdgeDefaults: []string{"references", "related_to"}, RetrieverWeight: 0.35},
			[]string{
				"chunk_profile: is a list, and takes one value; that of the note's type counts",
				"edge_defaults: is neither a text nor a list of texts; that of the note's type counts",
				"retriever_weight: is neither a text nor a list of texts; that of the note's type counts",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			types, _ := parse(t, sample, c.allowed)
			got, complaints := types.Of("concept", c.properties)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.complaints, complaints, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, _, err := notetype.Parse(nil, notetype.Overrides{"chunk_profil"}); err == nil || !strings.Contains(err.Error(), "did you mean chunk_profile?") {
		t.Errorf("an unknown override: %v", err)
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []notetype.Problem
	}{
		{"no YAML", "types:\n  a: [\n", []notetype.Problem{{2, "this is no YAML, and nothing of the file is used: "}}},
		{"a tab", "types:\n\ta: b\n", []notetype.Problem{{2, "this is no YAML, and nothing of the file is used: "}}},
		{"no UTF-8", "types: \xff\n", []notetype.Problem{{1, "this is no YAML, and nothing of the file is used: it is not UTF-8"}}},
		{"a list", "- a\n", []notetype.Problem{{1, "the file is no mapping"}}},
		{"a text", "types\n", []notetype.Problem{{1, "the file is no mapping"}}},
		{"an unknown key", "defaults:\n  chunk_profile: x\n", []notetype.Problem{{1, `there is no key "defaults" here (did you mean default?)`}}},
		{"another key", "profiles: x\n", []notetype.Problem{{1, `there is no key "profiles" here (there are version, default and types)`}}},
		{"an unknown setting", "types:\n  moc:\n    chunk_profil: short\n", []notetype.Problem{{3, `moc: there is no setting "chunk_profil" (did you mean chunk_profile?)`}}},
		{"an unknown profile", "default:\n  chunk_profile: by-heading\n", []notetype.Problem{{2, `default: chunk_profile: there is no chunk profile "by-heading" (did you mean by_heading?)`}}},
		{"a far profile", "default:\n  chunk_profile: tiny\n", []notetype.Problem{{2, `default: chunk_profile: there is no chunk profile "tiny" (there are short, medium, long, by_heading and default)`}}},
		{"no relation", "default:\n  edge_defaults:\n    - a\n    - 1a\n", []notetype.Problem{{4, `default: edge_defaults: "1a" is no name of a relation`}}},
		{"relations as a mapping", "default:\n  edge_defaults:\n    a: b\n", []notetype.Problem{{3, "default: edge_defaults: this is neither a text nor a list of texts"}}},
		{"relations in a relation", "default:\n  edge_defaults:\n    - a\n    - [b]\n", []notetype.Problem{{4, "default: edge_defaults: the list has something that is no plain text"}}},
		{"many relations", "default:\n  edge_defaults: [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q]\n", []notetype.Problem{{2, "default: edge_defaults: there are more than 16 relations: the first 16 count"}}},
		{"a tab", "default:\n\tchunk_profile: short\n", []notetype.Problem{{2, "this is no YAML, and nothing of the file is used: a tab: YAML indents with spaces"}}},
		{"a sign", "default:\n  chunk_profile: é @short\n  edge_defaults: @é\n", []notetype.Problem{{3, "this is no YAML, and nothing of the file is used: a value cannot begin with @: put it in quotes"}}},
		{"a colon", "default:\n  edge_defaults: a: b\n", []notetype.Problem{{2, "this is no YAML, and nothing of the file is used: a colon where none can stand: put the value in quotes, or mend"}}},
		{"a control character", "version: 1\ndefault: \x01\n", []notetype.Problem{{2, "this is no YAML, and nothing of the file is used: it has control characters"}}},
		{"no UTF-8", "version: 1\ndefault: \xff\n", []notetype.Problem{{1, "this is no YAML, and nothing of the file is used: it is not UTF-8"}}},
		{"no number", "default:\n  retriever_weight: heavy\n", []notetype.Problem{{2, `default: retriever_weight: "heavy" is no number`}}},
		{"NaN", "default:\n  retriever_weight: .nan\n", []notetype.Problem{{2, `default: retriever_weight: ".nan" is no number`}}},
		{"without an end", "default:\n  retriever_weight: .inf\n", []notetype.Problem{{2, `default: retriever_weight: ".inf" is no number`}}},
		{"negative", "default:\n  retriever_weight: -0.1\n", []notetype.Problem{{2, "default: retriever_weight: -0.1 is not between 0 and 10"}}},
		{"heavy", "default:\n  retriever_weight: 10.5\n", []notetype.Problem{{2, "default: retriever_weight: 10.5 is not between 0 and 10"}}},
		{"far too heavy", "default:\n  retriever_weight: 1e999\n", []notetype.Problem{{2, "default: retriever_weight: 1e999 is not between 0 and 10"}}},
		{"a list as a weight", "default:\n  retriever_weight: [1]\n", []notetype.Problem{{2, "default: retriever_weight: is a list, and takes one value"}}},
		{"a type twice", "types:\n  moc:\n    retriever_weight: 1\n  MOC:\n    retriever_weight: 2\n", []notetype.Problem{{4, `types: "MOC" is given in line 2 already: the last one counts`}}},
		{"a type as a text", "types:\n  moc: short\n", []notetype.Problem{{2, "moc: this is no mapping of keys to values"}}},
		{"types as a list", "types:\n  - moc\n", []notetype.Problem{{2, "types: this is no mapping of keys to values"}}},
		{"an alias", "default: &a\n  chunk_profile: short\ntypes:\n  moc: *a\n", []notetype.Problem{{4, "moc: aliases are not followed"}}},
		{"an alias as a value", "default:\n  chunk_profile: &a short\ntypes:\n  moc:\n    chunk_profile: *a\n", []notetype.Problem{{5, "moc: chunk_profile: aliases are not followed"}}},
		{"merged keys", "default: &a\n  chunk_profile: short\ntypes:\n  moc:\n    <<: *a\n", []notetype.Problem{{5, "moc: merged keys are not followed"}}},
		{"a key that is a list", "[a]: b\n", []notetype.Problem{{1, "a key is no plain text"}}},
		{"a large file", strings.Repeat("#\n", notetype.MaxBytes), []notetype.Problem{{1, "the file is larger than 64 KB: nothing of it is used"}}},
		{"a version that is none", "version: [1]\n", []notetype.Problem{{1, "version: this is no number"}}},
		{"nothing", "# words\n", nil},
		{"nothing of each", "version:\ndefault:\ntypes:\n", nil},
		{"a byte order mark", "\ufeffdefault:\r\n  chunk_profile: short\r\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, problems := parse(t, c.text, nil)
			if len(problems) != len(c.want) {
				t.Fatalf("got %v, want %v", problems, c.want)
			}
			for i, p := range problems {
				if p.Line != c.want[i].Line || !strings.HasPrefix(p.Message, c.want[i].Message) {
					t.Errorf("got %d: %s, want %d: %s", p.Line, p.Message, c.want[i].Line, c.want[i].Message)
				}
			}
		})
	}
}

// TestTheRestCounts: what is wrong in a file leaves everything else as it is.
func TestTheRestCounts(t *testing.T) {
	types, problems := parse(t, "nonsense: 1\ndefault:\n  chunk_profile: nonsense\n  retriever_weight: 2\ntypes:\n  moc:\n    edge_defaults: [1]\n    chunk_profile: short\n  daily: nonsense\n", nil)
	if len(problems) != 4 {
		t.Errorf("%v", problems)
	}
	got, _ := types.Of("moc", nil)
	if diff := cmp.Diff(notetype.Settings{ChunkProfile: "short", RetrieverWeight: 2}, got); diff != "" {
		t.Error(diff)
	}
}

// TestGoodRelationsCount: of a list what is good counts, where a type and where a note has it.
func TestGoodRelationsCount(t *testing.T) {
	many := make([]string, 20)
	for i := range many {
		many[i] = string(rune('a' + i))
	}
	for _, c := range []struct {
		name, list string
		want       []string
		problems   int
		complaint  string
	}{
		{"one is bad", `[a, "b c", d]`, []string{"a", "d"}, 1, `edge_defaults: "b c" is no name of a relation: letters, digits, - and _, a letter or _ first, at most 64 bytes; what else it lists counts`},
		{"some are bad", `["1", a, "2", "3"]`, []string{"a"}, 3, `edge_defaults: "1" is no name of a relation: letters, digits, - and _, a letter or _ first, at most 64 bytes, and 2 more like this; what else it lists counts`},
		{"all are bad", `["1"]`, []string{"of_default"}, 1, `edge_defaults: "1" is no name of a relation: letters, digits, - and _, a letter or _ first, at most 64 bytes; that of the note's type counts`},
		{"too many", "[" + strings.Join(many, ", ") + "]", many[:16], 1, `edge_defaults: there are more than 16 relations: the first 16 count; what else it lists counts`},
		{"as many as can be", "[" + strings.Join(append(many[:16:16], "A", "b"), ", ") + "]", many[:16], 0, ""},
		{"none", "[]", []string{}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			types, problems := parse(t, "default: {edge_defaults: of_default}\ntypes:\n  x:\n    edge_defaults: "+c.list+"\n", usual)
			got, _ := types.Of("x", nil)
			if diff := cmp.Diff(c.want, got.EdgeDefaults); diff != "" || len(problems) != c.problems {
				t.Errorf("%v %s", problems, diff)
			}
			var property []any
			for item := range strings.SplitSeq(strings.Trim(c.list, "[]"), ", ") {
				if item != "" {
					property = append(property, strings.Trim(item, `"`))
				}
			}
			properties := map[string]any{"edge_defaults": property}
			got, reasons := types.Of("", properties)
			if diff := cmp.Diff(c.want, got.EdgeDefaults); diff != "" || strings.Join(reasons, "\n") != c.complaint {
				t.Errorf("%q %s", reasons, diff)
			}
			complaints := types.Complaints(properties)
			if len(complaints) != len(reasons) || len(reasons) > 0 && (complaints[0].Property != "edge_defaults" || complaints[0].Reason() != reasons[0]) {
				t.Errorf("complaints %+v are not %q", complaints, reasons)
			}
		})
	}
	types, problems := parse(t, "types:\n  x:\n    edge_defaults: [a, [b], {c: d}, e, null]\n", nil)
	if got, _ := types.Of("x", nil); !slices.Equal(got.EdgeDefaults, []string{"a", "e"}) || len(problems) != 3 {
		t.Errorf("%v %v", got.EdgeDefaults, problems)
	}
}

// TestManyBadRelations: a list of nothing but faults is read to its end, and little is told of it.
func TestManyBadRelations(t *testing.T) {
	list := make([]any, 2_000_000)
	for i := range list {
		list[i] = "a b"
	}
	list[len(list)-1] = "good"
	types, _ := parse(t, "", usual)
	start := time.Now()
	got, reasons := types.Of("", map[string]any{"edge_defaults": list})
	if elapsed := time.Since(start); elapsed > 5*time.Second || !slices.Equal(got.EdgeDefaults, []string{"good"}) || len(reasons) != 1 || !strings.HasSuffix(reasons[0], "and many more like this; what else it lists counts") {
		t.Errorf("%v %q in %v", got.EdgeDefaults, reasons, elapsed)
	}
}

// TestSecrets: of a name or a value that holds a secret nothing gets into the types or a message, and the rest counts.
func TestSecrets(t *testing.T) {
	hidden := strings.Repeat("Q7x", 5)
	find := func(text []byte) (found []notetype.Stretch) {
		for at := 0; ; {
			next := bytes.Index(text[at:], []byte(hidden))
			if next < 0 {
				return found
			}
			found = append(found, notetype.Stretch{at + next, at + next + len(hidden)})
			at += next + len(hidden)
		}
	}
	text := strings.ReplaceAll(`# of HIDDEN
default:
  chunk_profile: HIDDEN
  edge_defaults: HIDDEN
  retriever_weight: HIDDEN
types:
  HIDDEN: {chunk_profile: long}
  my-HIDDEN-type:
    retriever_weight: 3
  good:
    edge_defaults: [a, "HIDDEN", HIDDEN, x-HIDDEN, "\x517xQ7xQ7xQ7xQ7x", b]
    HIDDEN: 1
HIDDEN: 2
`, "HIDDEN", hidden)
	types, problems, err := notetype.ParseRedacted([]byte(text), nil, find)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := types.Of("good", nil)
	if diff := cmp.Diff(notetype.Settings{EdgeDefaults: []string{"a", "b"}, RetrieverWeight: 1}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"good"}, types.Names()); diff != "" {
		t.Error(diff)
	}
	var lines []int
	for _, p := range problems {
		lines = append(lines, p.Line)
		if strings.Contains(strings.ToLower(p.Message), strings.ToLower(hidden)) || !strings.Contains(p.Message, "looks like a secret") {
			t.Errorf("line %d: %s", p.Line, p.Message)
		}
	}
	if diff := cmp.Diff([]int{3, 4, 5, 7, 8, 11, 11, 11, 11, 12, 13}, lines); diff != "" {
		t.Error(diff)
	}
	if encoded := strings.ToLower(types.Encode()); strings.Contains(encoded, "q7x") {
		t.Error(encoded)
	}
}

// TestSecretsOverLines: a secret of several lines leaves their numbers as they are.
func TestSecretsOverLines(t *testing.T) {
	text := "default:\n  chunk_profile: \"A\n\n  B\"\n  nonsense: 1\n"
	find := func(text []byte) []notetype.Stretch {
		from, to := bytes.IndexByte(text, 'A'), bytes.IndexByte(text, 'B')
		if from < 0 || to < from {
			return nil
		}
		return []notetype.Stretch{{from, to + 1}}
	}
	_, problems, _ := notetype.ParseRedacted([]byte(text), nil, find)
	want := []notetype.Problem{
		{2, "default: chunk_profile: it holds what looks like a secret, and is left out"},
		{5, `default: there is no setting "nonsense" (there are chunk_profile, edge_defaults and retriever_weight)`},
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Error(diff)
	}
}

func TestProblemsAreBounded(t *testing.T) {
	_, problems := parse(t, strings.Repeat("nonsense: 1\n", 2000), nil)
	if len(problems) != 51 || problems[50].Message != "there is more like this, which is not told" {
		t.Errorf("%d problems, the last %v", len(problems), problems[len(problems)-1])
	}
	_, problems = parse(t, "default:\n  chunk_profile: "+strings.Repeat("é", 5000)+"\n", nil)
	if len(problems) != 1 || len(problems[0].Message) > 250 {
		t.Errorf("a message of %d bytes", len(problems[0].Message))
	}
}

func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"deep lists":    strings.Repeat("[", 60_000),
		"deep mappings": strings.Repeat("{a: ", 15_000),
		"deep blocks":   strings.Repeat("- ", 30_000),
		"many types":    "types:\n" + strings.Repeat("  a:\n", 10_000),
		"many keys":     strings.Repeat("?\n", 30_000),
		"aliases":       "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b]\ndefault: {edge_defaults: *c}\n",
		"a long key":    strings.Repeat("k", 60_000) + ": 1\n",
		"a long scalar": "default:\n  retriever_weight: " + strings.Repeat("1", 60_000) + "\n",
		"NUL":           "types:\x00\n",
		"tags":          "default: !!binary aGVsbG8=\ntypes: !x {a: !!float b}\n",
	} {
		start := time.Now()
		types, problems := parse(t, text, usual)
		if elapsed := time.Since(start); elapsed > 5*time.Second || len(problems) == 0 || types == nil {
			t.Errorf("%s: %d problems in %v", name, len(problems), elapsed)
		}
	}
}

func TestEncode(t *testing.T) {
	for _, text := range []string{"", sample, "types:\n  a: {edge_defaults: []}\n  b: {retriever_weight: 0}\n"} {
		for _, overrides := range []notetype.Overrides{nil, usual} {
			types, _ := parse(t, text, overrides)
			encoded := types.Encode()
			again, err := notetype.Decode(encoded)
			if err != nil || again.Encode() != encoded {
				t.Errorf("%s became %v, %v", encoded, again.Encode(), err)
			}
			checkEqual(t, types, again)
		}
	}
	one, _ := parse(t, "types:\n  a: {chunk_profile: short, retriever_weight: 1.0}\n  B: {edge_defaults: x}\n", notetype.Overrides{"retriever_weight", "chunk_profile"})
	other, _ := parse(t, "version: 2\ntypes:\n  b:\n    edge_defaults: [X]\n  A: {retriever_weight: 1, chunk_profile: SHORT}\n", notetype.Overrides{"chunk_profile", "retriever_weight", "chunk_profile"})
	if one.Encode() != other.Encode() {
		t.Errorf("equal settings differ: %s and %s", one.Encode(), other.Encode())
	}
	var none *notetype.Types
	if decoded, err := notetype.Decode(none.Encode()); none.Encode() != "" || decoded != nil || err != nil {
		t.Errorf("no types became %v, %v", decoded, err)
	}
	for _, text := range []string{"{", "[]", `{"x":1}`, `{"default":{"retriever_weight":"1"}}`} {
		if _, err := notetype.Decode(text); err == nil {
			t.Errorf("%s is decoded", text)
		}
	}
}

// checkEqual holds that types give the same settings.
func checkEqual(t *testing.T, a, b *notetype.Types) {
	t.Helper()
	for _, name := range []string{"", "a", "b", "concept", "project", "Über-blick", "x"} {
		for _, properties := range []map[string]any{nil, {"chunk_profile": "short", "retriever_weight": "3"}} {
			one, _ := a.Of(name, properties)
			other, _ := b.Of(name, properties)
			if diff := cmp.Diff(one, other); diff != "" {
				t.Errorf("%q: %s", name, diff)
			}
		}
	}
}

func TestPassages(t *testing.T) {
	of := func(text string, overrides ...string) string {
		types, _ := parse(t, text, overrides)
		return types.Passages()
	}
	var none *notetype.Types
	for _, same := range [][2]string{
		{none.Passages(), ""},
		{of(""), ""},
		{of("default:\n  chunk_profile: by_heading\ntypes:\n  a:\n    chunk_profile: by_heading\n", "edge_defaults"), ""},
		{of("types: {a: {retriever_weight: 2, edge_defaults: x}}\n", "retriever_weight"), ""},
		{of("default: {chunk_profile: short}\n"), of("default: {chunk_profile: SHORT, retriever_weight: 2}\ntypes: {a: {chunk_profile: short}}\n")},
		{of("types: {a: {chunk_profile: short}}\n"), of("types: {A: {chunk_profile: short}, b: {}}\n")},
	} {
		if same[0] != same[1] {
			t.Errorf("%q is not %q", same[0], same[1])
		}
	}
	seen := map[string]string{}
	for _, other := range [][]string{
		{""},
		{"", "chunk_profile"},
		{"default: {chunk_profile: short}\n"},
		{"default: {chunk_profile: long}\n"},
		{"types: {a: {chunk_profile: short}}\n"},
		{"types: {b: {chunk_profile: short}}\n"},
		{"types: {a: {chunk_profile: short}, b: {chunk_profile: short}}\n"},
		{"default: {chunk_profile: short}\ntypes: {a: {chunk_profile: by_heading}}\n"},
	} {
		got := of(other[0], other[1:]...)
		if before, ok := seen[got]; ok {
			t.Errorf("%q and %q have the same passages", before, other)
		}
		seen[got] = other[0]
	}
}

// TestExample holds that the file of the example vault is read as a whole.
func TestExample(t *testing.T) {
	raw, err := os.ReadFile("../../examples/vault/types.yaml")
	if err != nil {
		t.Fatal(err)
	}
	types, problems := parse(t, string(raw), nil)
	got, _ := types.Of("signal", nil)
	want := notetype.Settings{ChunkProfile: "medium", EdgeDefaults: []string{"references"}, RetrieverWeight: 0.8}
	if diff := cmp.Diff(want, got); diff != "" || len(problems) > 0 {
		t.Errorf("%v %s", problems, diff)
	}
}
