package store

// Identifiers gives the further words by which a compound word is found, in lower case, distinct: its parts joined without
// separators (DEC-0054 gives dec0054), and the parts of camelCase. None for a word that is neither. Safe for concurrent use.
func Identifiers(word string) []string {
	_ = word
	return nil
}

// identifierText gives what ColumnIdentifiers holds of the texts of the other columns, "" where no compound is in them.
func identifierText(texts []string) string {
	_ = texts
	return ""
}
