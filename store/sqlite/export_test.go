package sqlite

// SetManyNotes says from how many notes on a writer reads tables as a whole.
func (s *Store) SetManyNotes(notes int) { s.manyNotes = notes }
