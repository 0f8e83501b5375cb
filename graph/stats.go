package graph

// Stats are figures of a whole graph. Its JSON form is what `graph --stats --json` prints.
type Stats struct {
	Notes      int            `json:"notes"`
	Edges      int            `json:"edges"`      // between notes, those of defaults and mirrored ones among them
	Links      int            `json:"links"`      // as written, external ones left out
	Unresolved int            `json:"unresolved"` // of Links: no file, or no such heading or block
	Kinds      map[string]int `json:"kinds"`      // edges between notes by kind
	Rules      map[string]int `json:"rules"`      // edges between notes by rule
	// Components are the numbers of notes that hang together, largest first, those of one note left out.
	Components []int    `json:"components"`
	Orphans    []string `json:"orphans"` // notes that no link joins to another, sorted
	Top        []Ranked `json:"top"`     // the notes of highest PageRank, at most 10
	Hubs       []Ranked `json:"hubs"`    // the notes that link to most others, at most 10
	Maps       []Map    `json:"maps"`    // notes of type moc with what they gather, by path
}

// Ranked is a note with its figures.
type Ranked struct {
	Path     string  `json:"path"`
	PageRank float64 `json:"pagerank"`
	In       int     `json:"in"`  // other notes that link to it
	Out      int     `json:"out"` // other notes it links to
}

// Map is a map of content with the notes that it links to, sorted.
type Map struct {
	Path    string   `json:"path"`
	Members []string `json:"members"`
}

// Stats counts. links are those of the notes, as written, with what became of each.
func (g Graph) Stats(links, unresolved int) Stats { return Stats{} }
