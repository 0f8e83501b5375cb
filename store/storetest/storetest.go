// Package storetest holds every implementation of package store to its contract.
package storetest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quarry/store"
)

// named is a test with its name.
type named struct {
	name string
	run  func(t *testing.T, s store.Store)
}

// graphTests check what a store keeps of the graph.
var graphTests = []named{
	{"Edges", testEdges},
	{"EdgesBesideOthers", testEdgesBeside},
	{"EdgesRefused", testEdgesRefused},
	{"Draft", testDraft},
}

// rankingTests check what ranking and the language of queries ask for.
var rankingTests = []named{
	{"Candidates", testCandidates},
	{"TokenFrequencies", testTokenFrequencies},
	{"NoTokens", testNoTokens},
	{"Sections", testSections},
	{"Keys", testKeys},
	{"Newest", testNewest},
}

// RunGraph is Run for what a store keeps of the graph alone.
func RunGraph(t *testing.T, open func(t *testing.T) store.Store) {
	for _, test := range graphTests {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

// Run checks the stores that open makes: empty, and closed by a cleanup of its test.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	RunGraph(t, open)
	for _, test := range append([]named{
		{"Empty", testEmpty},
		{"RoundTrip", testRoundTrip},
		{"Replace", testReplace},
		{"Delete", testDelete},
		{"Touch", testTouch},
		{"ProblemsAndMeta", testProblemsAndMeta},
		{"OtherFiles", testOtherFiles},
		{"Outlines", testOutlines},
		{"Lister", testLister},
		{"FullShowsNothingBeforeCommit", testFull},
		{"FullPutsAPathTwice", testFullTwice},
		{"FullDeletesAmongMany", testFullDeletes},
		{"RollbackDropsAFullRun", testRollback},
		{"RollbackKeepsIncrementalCalls", testRollbackIncremental},
		{"SnapshotsDoNotChange", testIsolation},
		{"OneWriter", testLock},
		{"EndedUpdate", testEnded},
		{"CancelledContext", testCancelled},
		{"NoteIDs", testNoteIDs},
		{"DocIDs", testDocIDs},
		{"Classes", testClasses},
		{"Filters", testFilters},
		{"WithoutArchived", testWithoutArchived},
		{"Limits", testLimits},
		{"Orders", testOrders},
		{"BM25", testBM25},
		{"Occurrence", testOccurrence},
		{"Phrases", testPhrases},
		{"HostileTerms", testHostileTerms},
		{"Frequencies", testFrequencies},
		{"Holding", testHolding},
		{"WordsWithoutSpaces", testUnspaced},
		{"NamesWithoutSpaces", testNamesUnspaced},
		{"FurtherColumns", testFurtherColumns},
		{"Marks", testMarks},
		{"LexicalTies", testLexicalTies},
		{"LexicalWithin", testLexicalWithin},
		{"Among", func(t *testing.T, s store.Store) { testAmong(t, s, open(t)) }},
		{"AmongNothing", testAmongNothing},
		{"AmongManySets", testManyAmong},
		{"Nearest", testNearest},
		{"NearestTies", testNearestTies},
		{"NearestWithin", testNearestWithin},
		{"Passages", testPassages},
		{"Vectors", testVectors},
		{"FilterByPaths", testFilterPaths},
		{"FilterLinks", testFilterLinks},
		{"Verify", testVerify},
		{"IncrementalEqualsFull", func(t *testing.T, s store.Store) { testSameAnswers(t, s, open(t)) }},
		{"Concurrency", testConcurrency},
	}, rankingTests...) {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

// dimension of the vectors in these tests.
const dimension = 24

// close to int8: half a step in each of the components.
const cosineTolerance = 0.01

func begin(t *testing.T, s store.Store, mode store.Mode) store.Update {
	t.Helper()
	u, err := s.Begin(t.Context(), mode)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = u.Rollback() }) // after a commit it does nothing
	return u
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write puts notes in one call of an update of its own.
func write(t *testing.T, s store.Store, mode store.Mode, notes ...store.Note) {
	t.Helper()
	u := begin(t, s, mode)
	ok(t, u.Put(t.Context(), notes))
	ok(t, u.Commit(t.Context()))
}

func open(t *testing.T, s store.Store) store.Snapshot {
	t.Helper()
	v, err := s.Snapshot(t.Context())
	ok(t, err)
	t.Cleanup(func() { ok(t, v.Close()) })
	return v
}

func paths(t *testing.T, v store.Snapshot) []string {
	t.Helper()
	files, err := v.Files(t.Context())
	ok(t, err)
	list := []string{}
	for _, f := range files {
		list = append(list, f.Path)
	}
	return list
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// vector makes a vector of unit length that depends on the seed alone.
func vector(seed uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, 1))
	v := make([]float32, dimension)
	length := 0.0
	for i := range v {
		v[i] = float32(random.NormFloat64())
		length += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(length))
	}
	return v
}

// plainNote has one passage a text, with a vector that depends on the text.
func plainNote(path string, texts ...string) store.Note {
	n := store.Note{
		File: store.File{Path: path, SizeBytes: 10, ModifiedNanoseconds: 1.7e18, ContentHash: "00ff"},
		Kind: "note", Title: path,
	}
	for i, text := range texts {
		seed := uint64(14695981039346656037)
		for _, c := range []byte(text) {
			seed = (seed ^ uint64(c)) * 1099511628211
		}
		n.Passages = append(n.Passages, store.Passage{
			Path: path, Index: i, Text: text, LineStart: i + 1, LineEnd: i + 1, Vector: vector(seed),
		})
	}
	return n
}

// richNote fills every field, with texts that are hostile to a database.
func richNote(path string) store.Note {
	n := plainNote(path, "Kilns 'fire'; DROP TABLE chunks; -- \x00 \"glaze\" \xff\xfe 陶器", "", strings.Repeat("long ", 4000))
	n.Inode, n.DeclaredID, n.Kind, n.Title = math.MaxUint64, "id'\"", "kanban", "Ti\"tle\x00"
	n.Type, n.Status, n.Domain, n.Source, n.Created, n.Updated = "guide", "open", "craft", "https://x", "2024-01-02", "2024-02-03T04:05"
	n.Tags, n.Aliases = []string{"a/b", "ü", "c,\"d\""}, []string{"one", "two & <three>"}
	n.Frontmatter = []byte(`{"a":1,"b":["x","Y"],"c":"ünïcode \" '"}`)
	n.EmbeddedAtUnix = 1.7e9 + 0.25
	n.Sensitivity, n.Redactions = "private", []store.Redaction{{Name: "a \"b\" 陶", Count: 1}, {Name: "jwt", Count: 1 << 30}}
	n.Headings, n.BlockIDs = []store.Heading{{Level: 2, Text: "One"}, {Level: 1, Text: "'陶\x00\""}}, []string{"id-1", "'"}
	n.Passages[0].IndexText = "key: 'value' \x00 \xff 陶土"
	n.Links = []store.Link{
		{Target: "a b", Subpath: "#x", Display: "'d'", Relation: "uses", Embed: true, Hidden: true, Line: 3, ChunkOrd: 1},
		{},
		{Target: "https://x/?a=1#b", Markdown: true, External: true, FromField: true, RelationInside: true, Line: 1},
	}
	n.Passages[0].Section, n.Passages[0].HeadingPath = "One", []string{"One"}
	n.Passages[1].Section, n.Passages[1].HeadingPath = "Two", []string{"One", "T\x00wo"}
	n.Passages[1].Vector, n.Passages[1].RankData = nil, []byte{}
	n.Passages[2].HeadingContext, n.Passages[2].HeadingPath = "Title | guide | a, b", []string{"Top"}
	n.Passages = append(n.Passages, n.Passages[0], n.Passages[0])
	n.Passages[3].Section, n.Passages[3].HeadingPath = "A > B", []string{"Title", "A", "B"}
	n.Passages[4].Section, n.Passages[4].HeadingPath = "A > B", []string{"Title", "A > B"}
	for i := range n.Passages {
		n.Passages[i].Index = i
	}
	n.Passages[2].RankData = TokenData(5, 1000, 3)
	n.Passages[2].LineStart, n.Passages[2].LineEnd = 5, 700
	return n
}

// stripped is what Snapshot.Note gives of a note that was put, ids left out.
func stripped(n store.Note) store.Note {
	n.NoteID, n.DocID = "", ""
	passages := make([]store.Passage, len(n.Passages))
	for i, p := range n.Passages {
		p.ID, p.Vector, p.RankData = 0, nil, nil
		passages[i] = p
	}
	n.Passages = passages
	return n
}

// counted is a note with the number of its passages, which the store has to find out.
func counted(n store.Note) store.Note {
	n.PassageCount = len(n.Passages)
	return n
}

func read(t *testing.T, v store.Snapshot, path string) store.Note {
	t.Helper()
	n, found, err := v.Note(t.Context(), path)
	ok(t, err)
	if !found {
		t.Fatalf("no note %q", path)
	}
	return n
}

// place names a passage the same way in every index.
type place struct {
	Path  string
	Index int
}

// places resolves hits, so that answers of different indexes can be compared.
func places(t *testing.T, v store.Snapshot, hits []store.Hit) []place {
	t.Helper()
	ids := make([]store.PassageID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	found, err := v.Passages(t.Context(), ids)
	ok(t, err)
	list := make([]place, len(found))
	for i, f := range found {
		list[i] = place{f.Path, f.Index}
	}
	return list
}

func lexical(t *testing.T, v store.Snapshot, limit int, terms ...store.Term) ([]place, []float64) {
	t.Helper()
	return lexicalWithin(t, v, limit, nil, terms...)
}

func lexicalWithin(t *testing.T, v store.Snapshot, limit int, within *store.Set, terms ...store.Term) ([]place, []float64) {
	t.Helper()
	hits, err := v.Lexical(t.Context(), store.LexicalQuery{Terms: terms, Weights: weights, Limit: limit, Within: within})
	ok(t, err)
	return places(t, v, hits), scores(hits)
}

// weights are all different, so that columns that are mixed up show.
var weights = store.Weights{1, 0.5, 0.3, 2, 0.7, 0.9, 0.2}

func scores(hits []store.Hit) []float64 {
	list := make([]float64, len(hits))
	for i, h := range hits {
		list[i] = h.Score
	}
	return list
}

func should(words ...string) []store.Term {
	terms := make([]store.Term, len(words))
	for i, w := range words {
		terms[i] = store.Term{Text: w}
	}
	return terms
}

// corpus makes notes of words of which some are frequent, as in texts.
func corpus(seed uint64, notes int) []store.Note {
	random := rand.New(rand.NewPCG(seed, 2))
	list := make([]store.Note, notes)
	for i := range list {
		var texts []string
		for range random.IntN(4) {
			texts = append(texts, sentence(random, 3+random.IntN(30)))
		}
		n := plainNote(fmt.Sprintf("%c/note %d.md", 'a'+rune(random.IntN(5)), i), texts...)
		for k := range n.Passages {
			n.Passages[k].Section = sentence(random, 2)
			n.Passages[k].HeadingPath = []string{n.Passages[k].Section}
			n.Passages[k].HeadingContext = sentence(random, 3)
		}
		if random.IntN(3) == 0 {
			n.DeclaredID = fmt.Sprint("id", random.IntN(notes))
		}
		n.Tags = []string{fmt.Sprint("t", random.IntN(4))}
		list[i] = n
	}
	return list
}

func sentence(random *rand.Rand, words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = fmt.Sprint("w", int(math.Exp(random.Float64()*6)))
	}
	return strings.Join(list, " ")
}

func contexts(t *testing.T) (live, dead context.Context) {
	dead, cancel := context.WithCancel(t.Context())
	cancel()
	return t.Context(), dead
}
