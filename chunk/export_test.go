package chunk

// Sizes gives how many characters a passage of the profile has at most, and how many of them repeat the end of the one before
// it.
func (p Profile) Sizes() (maxCharacters, overlapCharacters int) {
	s := sizesOf(p)
	return s.most, s.overlap
}

// Repeated is what a passage begins with and the one before it ends with.
func (p *Passage) Repeated() string { return p.repeated }
