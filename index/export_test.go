package index

// WithMaxCompared gives the configuration with another bound of the rewritten notes that are compared with what they were.
func WithMaxCompared(c Config, notes int) Config {
	c.maxCompared = notes
	return c
}
