package chunk

// TokenCharacters is how many characters count as a token.
const TokenCharacters = 4

// sizes are what a profile decides, in characters.
type sizes struct {
	most    int // of a passage
	overlap int // of what a passage repeats of the one before it, at most; 0: nothing, and headings of level 3 part as well
}

// sizesOf gives the sizes of a profile.
func sizesOf(p Profile) sizes {
	switch p {
	case Short:
		return sizes{most: 128 * TokenCharacters, overlap: 32 * TokenCharacters}
	case Medium, Default:
		return sizes{most: 256 * TokenCharacters, overlap: 64 * TokenCharacters}
	case Long:
		return sizes{most: 512 * TokenCharacters, overlap: 128 * TokenCharacters}
	case ByHeading:
	}
	return sizes{most: MaxCharacters}
}

// joined is how large a passage may grow by joining sections: a heading and its few words had better go with a large
// neighbour than be a passage of its own.
func (s sizes) joined() int { return s.most + s.most/10 }

// header is how large the header of a table may be that is repeated in every piece.
func (s sizes) header() int { return s.most / 4 }

// least is the least size that is aimed at for a piece for which there is so much room. On five vaults it is found as well as
// even halves are, and leaves fewer small passages.
func (s sizes) least(room int) int { return room * 3 / 4 }

// pieces is how many a text becomes, of which the first has so much room.
func (s sizes) pieces(characters, room int) int {
	if characters <= room {
		return 1
	}
	step := s.most - s.overlap
	return 1 + (characters-room+step-1)/step
}
