package graph_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	gonum "gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/community"
	"gonum.org/v1/gonum/graph/network"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"

	"quarry/graph"
	"quarry/store"
)

// linked is a vault at random, as this package and as gonum see it.
type linked struct {
	names      []string
	pairs      [][2]int
	network    *graph.Network
	directed   *simple.DirectedGraph
	undirected *simple.UndirectedGraph
}

// newLinked joins notes in groups of 40, and each to hubs; the last tenth of the notes have few links.
func newLinked(random *rand.Rand, size, links int) *linked {
	l := &linked{directed: simple.NewDirectedGraph(), undirected: simple.NewUndirectedGraph()}
	for i := range size {
		l.names = append(l.names, fmt.Sprintf("%06d.md", i))
		l.directed.AddNode(simple.Node(i))
		l.undirected.AddNode(simple.Node(i))
	}
	for range links {
		from, to := random.IntN(size), int(float64(size)*math.Pow(random.Float64(), 3))
		if random.IntN(3) > 0 {
			to = from/40*40 + random.IntN(40)
		}
		if to < size && from < size*9/10 {
			l.pairs = append(l.pairs, [2]int{from, to})
		}
		if to < size && from < size*9/10 && from != to {
			l.directed.SetEdge(l.directed.NewEdge(simple.Node(from), simple.Node(to)))
			l.undirected.SetEdge(l.undirected.NewEdge(simple.Node(from), simple.Node(to)))
		}
	}
	shuffled := slices.Clone(l.names)
	random.Shuffle(size, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	l.network = graph.NewNetwork(shuffled, l.each)
	return l
}

// each yields the pairs, and some with notes that are not there.
func (l *linked) each(yield func(source, target string) bool) {
	for _, p := range l.pairs {
		if !yield(l.names[p[0]], l.names[p[1]]) || !yield("gone.md", l.names[p[1]]) || !yield(l.names[p[0]], "gone.md") {
			return
		}
	}
}

func (l *linked) sets(found [][]gonum.Node) [][]string {
	sets := make([][]string, len(found))
	for i, nodes := range found {
		for _, node := range nodes {
			sets[i] = append(sets[i], l.names[node.ID()])
		}
		slices.Sort(sets[i])
	}
	slices.SortFunc(sets, func(a, b []string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a[0], b[0])
	})
	return sets
}

// TestNetworkAgainstGonum holds figures and components against those of gonum.
func TestNetworkAgainstGonum(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	for _, size := range []int{1, 2, 30, 700} {
		l := newLinked(random, size, size*3)
		ranks := network.PageRank(l.directed, 0.85, 1e-12)
		for i, f := range l.network.Figures() {
			want := store.Figures{
				Path: l.names[i], PageRank: f.PageRank, In: l.directed.To(int64(i)).Len(), Out: l.directed.From(int64(i)).Len(),
			}
			if f != want || math.Abs(f.PageRank-ranks[int64(i)]) > 1e-6 {
				t.Fatalf("%+v, want %+v of PageRank %v", f, want, ranks[int64(i)])
			}
		}
		if diff := cmp.Diff(l.sets(topo.ConnectedComponents(l.undirected)), l.network.Components()); diff != "" {
			t.Errorf("components (-want +got): %s", diff)
		}
	}
}

// TestReachAgainstGonum holds the length of ways against gonum's, and that Via is the first note from which one goes on.
func TestReachAgainstGonum(t *testing.T) {
	l := newLinked(rand.New(rand.NewPCG(15, 16)), 200, 500)
	backward := simple.NewDirectedGraph()
	for edge := range eachEdge(l.directed) {
		backward.SetEdge(backward.NewEdge(edge.To(), edge.From()))
	}
	for way, g := range map[graph.Direction]gonum.Graph{graph.Forward: l.directed, graph.Backward: backward, graph.Both: l.undirected} {
		for from := range 50 {
			want := map[string]int{}
			ways := path.DijkstraFrom(simple.Node(from), g)
			for to := range l.names {
				if hops := ways.WeightTo(int64(to)); hops > 0 && hops <= 3 {
					want[l.names[to]] = int(hops)
				}
			}
			got, before := map[string]int{l.names[from]: 0}, graph.Reached{}
			for _, r := range l.network.Reach([]string{l.names[from], "gone.md", l.names[from]}, way, 3) {
				if r.Hops < before.Hops || r.Hops == before.Hops && r.Path <= before.Path {
					t.Errorf("%+v stands before %+v", before, r)
				}
				if via, ok := got[r.Via]; !ok || via != r.Hops-1 {
					t.Errorf("%+v is reached through a note that is %d away", r, via)
				}
				got[r.Path], before = r.Hops, r
			}
			delete(got, l.names[from])
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("way %d from %d (-want +got): %s", way, from, diff)
			}
		}
	}
}

func eachEdge(g *simple.DirectedGraph) func(yield func(gonum.Edge) bool) {
	return func(yield func(gonum.Edge) bool) {
		for edges := g.Edges(); edges.Next(); {
			if !yield(edges.Edge()) {
				return
			}
		}
	}
}

func TestReachVia(t *testing.T) {
	n := graph.NewNetwork([]string{"d", "c", "b", "a"}, func(yield func(string, string) bool) {
		_ = yield("a", "c") && yield("a", "b") && yield("c", "d") && yield("b", "d") && yield("a", "a")
	})
	want := []graph.Reached{{Path: "b", Hops: 1, Via: "a"}, {Path: "c", Hops: 1, Via: "a"}, {Path: "d", Hops: 2, Via: "b"}}
	if diff := cmp.Diff(want, n.Reach([]string{"a"}, graph.Forward, 9)); diff != "" {
		t.Errorf("(-want +got): %s", diff)
	}
	for _, none := range [][]graph.Reached{n.Reach([]string{"a"}, graph.Backward, 9), n.Reach([]string{"x"}, graph.Both, 9), n.Reach([]string{"a"}, graph.Both, 0)} {
		if none == nil || len(none) > 0 {
			t.Errorf("got %v, want none", none)
		}
	}
}

// TestCommunities holds that the sets are as good as gonum's by modularity, hang together, and come out of any order of pairs.
func TestCommunities(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 18))
	for _, size := range []int{1, 50, 600} {
		l := newLinked(random, size, size*4)
		sets := l.network.Communities()
		nodes, count := make([][]gonum.Node, len(sets)), 0
		for i, set := range sets {
			count += len(set)
			inside := simple.NewUndirectedGraph()
			for _, name := range set {
				at, _ := slices.BinarySearch(l.names, name)
				nodes[i] = append(nodes[i], simple.Node(at))
				if inside.Node(int64(at)) == nil {
					inside.AddNode(simple.Node(at))
				}
				for _, other := range set {
					if to, _ := slices.BinarySearch(l.names, other); l.undirected.HasEdgeBetween(int64(at), int64(to)) {
						inside.SetEdge(inside.NewEdge(simple.Node(at), simple.Node(to)))
					}
				}
			}
			if parts := topo.ConnectedComponents(inside); len(parts) != 1 {
				t.Errorf("a community has %d parts", len(parts))
			}
		}
		if count != size {
			t.Errorf("%d of %d notes are in a community", count, size)
		}
		theirs := community.Modularize(l.undirected, 1, rand.NewPCG(1, 1)).Communities()
		got, want := community.Q(l.undirected, nodes, 1), community.Q(l.undirected, theirs, 1)
		if got < want-.02 {
			t.Errorf("modularity is %v, that of gonum %v", got, want)
		}
		random.Shuffle(len(l.pairs), func(i, j int) { l.pairs[i], l.pairs[j] = l.pairs[j], l.pairs[i] })
		if diff := cmp.Diff(sets, graph.NewNetwork(l.names, l.each).Communities()); diff != "" {
			t.Errorf("the order of pairs matters: %s", diff)
		}
	}
}

// TestCliques holds that two cliques with one link between them are two communities.
func TestCliques(t *testing.T) {
	var names []string
	for i := range 10 {
		names = append(names, fmt.Sprint(i))
	}
	names = append(names, "alone")
	n := graph.NewNetwork(names, func(yield func(string, string) bool) {
		for i := range 10 {
			for j := range i {
				if i/5 == j/5 || i == 5 && j == 4 {
					yield(names[i], names[j])
				}
			}
		}
	})
	want := [][]string{names[:5], names[5:10], {"alone"}}
	if diff := cmp.Diff(want, n.Communities()); diff != "" {
		t.Errorf("communities (-want +got): %s", diff)
	}
	if diff := cmp.Diff([][]string{names[:10], {"alone"}}, n.Components()); diff != "" {
		t.Errorf("components (-want +got): %s", diff)
	}
}

// TestRelated holds the scores against the formula, worked out from all pairs.
func TestRelated(t *testing.T) {
	l := newLinked(rand.New(rand.NewPCG(19, 20)), 120, 500)
	neighbours := func(i int, to bool) map[int64]float64 {
		found := map[int64]float64{}
		list, back := l.directed.From(int64(i)), l.directed.To
		if to {
			list, back = l.directed.To(int64(i)), l.directed.From
		}
		for list.Next() {
			z := list.Node().ID()
			found[z] = 1 / math.Log(1+float64(back(z).Len()))
		}
		return found
	}
	shared := func(a, b int) (sum float64) {
		for _, to := range []bool{false, true} {
			of := neighbours(b, to)
			for z, weight := range neighbours(a, to) {
				if _, ok := of[z]; ok {
					sum += weight
				}
			}
		}
		return sum
	}
	for a := range 20 {
		want := map[string]float64{}
		for b := range l.names {
			if a != b && !l.undirected.HasEdgeBetween(int64(a), int64(b)) && shared(a, b) > 0 {
				want[l.names[b]] = math.Round(1e6*shared(a, b)/(math.Sqrt(shared(a, a)*shared(b, b))+1)) / 1e6
			}
		}
		got, before := map[string]float64{}, graph.Related{Score: 1}
		for _, r := range l.network.Related(l.names[a], 1000) {
			if r.Score > before.Score || r.Score == before.Score && r.Path < before.Path || r.Score <= 0 {
				t.Errorf("%v stands before %v", before, r)
			}
			got[r.Path], before = r.Score, r
		}
		if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
			t.Errorf("(-want +got): %s", diff)
		}
	}
	for _, none := range [][]graph.Related{l.network.Related("gone.md", 5), l.network.Related(l.names[0], 0)} {
		if none == nil || len(none) > 0 {
			t.Errorf("got %v, want none", none)
		}
	}
	if got := l.network.Related(l.names[0], 2); len(got) != 2 {
		t.Errorf("%d notes, want 2", len(got))
	}
}

// TestHubsCountLess holds that a note which shares a rare neighbour is nearer than one which shares a hub.
func TestHubsCountLess(t *testing.T) {
	names := []string{"a", "hub", "near", "rare", "far"}
	for i := range 30 {
		names = append(names, fmt.Sprint(i))
	}
	n := graph.NewNetwork(names, func(yield func(string, string) bool) {
		for _, name := range append(names[5:], "a", "far") {
			yield(name, "hub")
		}
		_ = yield("a", "rare") && yield("near", "rare")
	})
	if got := n.Related("a", 1); len(got) != 1 || got[0].Path != "near" {
		t.Errorf("got %v, want near", got)
	}
}

// TestRelatedIsBounded has a hub of 20,000 links with as many notes beside it. To work out anew for each of them what the hub
// shares with itself would take ten seconds.
func TestRelatedIsBounded(t *testing.T) {
	const size = 20_000
	names := []string{"hub"}
	for i := range size {
		names = append(names, fmt.Sprintf("a%05d", i), fmt.Sprintf("b%05d", i))
	}
	n := graph.NewNetwork(names, func(yield func(string, string) bool) {
		for i := range size {
			yield("hub", names[1+2*i])
			yield(names[2+2*i], names[1+2*i])
		}
	})
	within(t, 2*time.Second, "a hub", func() {
		if got := n.Related("hub", size+1); len(got) != size || got[0].Path != "b00000" {
			t.Fatalf("%d notes", len(got))
		}
	})
}

func TestEmptyNetwork(t *testing.T) {
	for _, n := range []*graph.Network{graph.NewNetwork(nil, maps.All(map[string]string{})), graph.Assemble(nil, graph.NewResolver(nil)).Network()} {
		if len(n.Figures())+len(n.Components())+len(n.Communities())+len(n.Related("a", 1))+len(n.Reach([]string{"a"}, graph.Both, 2)) != 0 {
			t.Error("something comes of nothing")
		}
	}
}

// TestPageRankTakesLittle has room for a slow machine: the figures of 17,000 notes take about 12 ms.
func TestPageRankTakesLittle(t *testing.T) {
	l := newLinked(rand.New(rand.NewPCG(21, 22)), 17000, 100000)
	if took := quickest(time.Second, func() { l.network.Figures() }); took > time.Second {
		t.Errorf("the figures took %v", took)
	}
}

func BenchmarkFigures17000(b *testing.B) {
	l := newLinked(rand.New(rand.NewPCG(21, 22)), 17000, 100000)
	b.ReportAllocs()
	for b.Loop() {
		l.network.Figures()
	}
}

func BenchmarkCommunities17000(b *testing.B) {
	l := newLinked(rand.New(rand.NewPCG(21, 22)), 17000, 100000)
	for b.Loop() {
		l.network.Communities()
	}
}

// BenchmarkGonum17000 is what gonum takes for PageRank. It starts from weights at random, so that the last bits are others each time.
func BenchmarkGonum17000(b *testing.B) {
	l := newLinked(rand.New(rand.NewPCG(21, 22)), 17000, 100000)
	b.ReportAllocs()
	for b.Loop() {
		network.PageRankSparse(l.directed, 0.85, 1e-10)
	}
}
