package store

import (
	"context"
	"errors"
	"iter"
	"math"
)

// Edge is a link of a note that leads to a note.
type Edge struct {
	Link   int    // 0-based place in Links of the note that holds it
	Target string // path of the note it leads to, which may be the one that holds it
	Kind   string // what the link says of the two notes, in the words of package graph
	Rule   string // by which package graph found that; a store keeps both as they are, any bytes
}

// EdgesOf are the edges of one note, in the order of its links.
type EdgesOf struct {
	Path  string
	Edges []Edge
}

// Figures are what the graph as a whole says of a note.
type Figures struct {
	Path     string
	PageRank float64 // share, 0 to 1, a multiple of 1e-6
	In       int     // other notes that link here
	Out      int     // other notes that this one links to
	Weight   float64 // how much its type counts in ranking, 1 being usual; a multiple of 1e-6
}

// Bounds of Figures.
const (
	FigureUnits     = 1e6 // PageRank and Weight are kept in units of 1 / FigureUnits
	maxFigureWeight = 1e6
	maxFigureLinked = math.MaxInt32
)

// Kept gives the figures as a store keeps them: PageRank and Weight rounded. It fails where they are out of range.
func (f Figures) Kept() (Figures, error) {
	inside := f.PageRank >= 0 && f.PageRank <= 1 && f.Weight >= 0 && f.Weight <= maxFigureWeight // false for what is no number
	if !inside || min(f.In, f.Out) < 0 || max(f.In, f.Out) > maxFigureLinked {
		return Figures{}, errors.New("figures out of range")
	}
	f.PageRank = math.Round(f.PageRank*FigureUnits) / FigureUnits
	f.Weight = math.Round(f.Weight*FigureUnits) / FigureUnits
	return f, nil
}

// Linked is what a Snapshot may be beside: the graph as the last run left it, if MetaGraph says that it is of now. A view of
// a part of the notes is none, since links lead elsewhere without the rest.
//
// Edges and Figures cost what reading all there is costs; EdgesFrom and FiguresOf what the notes asked for cost: ranking may ask
// them with each query, which it does not do yet. Of paths that are given, those that are no notes are passed over, and repeats
// count once.
type Linked interface {
	// Edges yields the notes that have edges, by path. Targets are indexed notes. Little of it is in memory at a time.
	Edges(ctx context.Context) iter.Seq2[EdgesOf, error]
	// EdgesFrom lists the edges of those of the notes that have any, by path.
	EdgesFrom(ctx context.Context, paths []string) ([]EdgesOf, error)
	// Figures lists those of the notes that have any, by path.
	Figures(ctx context.Context) ([]Figures, error)
	// FiguresOf lists those of the notes that have any, by path.
	FiguresOf(ctx context.Context, paths []string) ([]Figures, error)
}

// Draft shows what an update has written so far over what was there. It is used as the Update is, and ends with it. What it
// yields is read while it is yielded: nothing may be written before a sequence has ended.
type Draft interface {
	Catalog
	Linked
}
