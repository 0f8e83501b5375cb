package setup

import "bytes"

// step leads to a piece: its container and its place there.
type step struct {
	in composite
	at int
}

// take removes a piece, the last of the steps that lead to it from the root, with the containers that came with it and are
// empty now. isGone tells that the whole of the file came with it.
func (f *jsonc) take(steps []step) (isGone bool, err error) {
	last := steps[len(steps)-1]
	c, i := last.in, last.at
	value, before := c.at(i), c.before(i)
	start := c.first(i).StartOffset - len(before)
	comments, _ := commentsEnd(before)
	comma, isTrailing := c.hasTrailingComma()
	if i < c.count()-1 {
		end := value.EndOffset + len(value.AfterExtra) + 1
		return false, f.splice(start+comments, end, "")
	}
	end := value.EndOffset
	if isTrailing {
		end = comma + 1
	}
	behind, _ := commentsEnd(c.after())
	switch {
	case i > 0 && !isTrailing:
		kept := string(f.text[start : start+comments])
		return false, f.splice(start-1, end, kept) // with the comma before it
	case i > 0 || comments > 0 || len(before) == 0:
		return false, f.splice(start+comments, end, "")
	case behind > 0: // somebody's comment keeps the container
		return false, f.splice(start, end, "")
	case len(steps) > 1:
		return f.take(steps[:len(steps)-1])
	}
	return f.takeRoot(before)
}

// takeRoot removes the outermost object. Its form tells whether there was a file before: see putRoot.
func (f *jsonc) takeRoot(before []byte) (isGone bool, err error) {
	rest := append(bytes.Clone(f.text[:f.root.StartOffset]), f.text[f.root.EndOffset:]...)
	isGone = !f.hasMark && bytes.ContainsRune(before, '\n') && len(bytes.TrimSpace(rest)) == 0
	f.text = rest
	return isGone, f.parse()
}

// stepsTo leads to a key below a path; nil where it is not there.
func (f *jsonc) stepsTo(path ...string) []step {
	if f.isBlank {
		return nil
	}
	var steps []step
	value := &f.root
	for _, key := range path {
		c, ok := compositeOf(value)
		if !ok {
			return nil
		}
		at := c.member(key)
		if at < 0 {
			return nil
		}
		steps = append(steps, step{c, at})
		value = c.at(at)
	}
	return steps
}
