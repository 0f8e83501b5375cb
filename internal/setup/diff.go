package setup

import (
	"fmt"
	"strings"
)

// Diff tells what a change does, line by line: those that go with "-", those that come with "+", each run of them under the
// number of its first line. No other line is shown, since a client's files may hold what nobody is to see.
func (c FileChange) Diff() string {
	var b strings.Builder
	old, new := linesOf(c.Before), linesOf(c.After)
	start := 0
	for start < len(old) && start < len(new) && old[start] == new[start] {
		start++
	}
	end := 0
	for end < len(old)-start && end < len(new)-start && old[len(old)-1-end] == new[len(new)-1-end] {
		end++
	}
	d := differ{out: &b, old: old[start : len(old)-end], new: new[start : len(new)-end], shift: start}
	d.run()
	return b.String()
}

// linesOf parts a text into lines, each with its end.
func linesOf(text []byte) []string {
	lines := strings.SplitAfter(string(text), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// maxCells bounds the table by which two texts are compared; beyond it all lines between the first and the last difference are
// shown.
const maxCells = 4 << 20

type differ struct {
	out      *strings.Builder
	old, new []string
	shift    int // lines before
	isOpen   bool
}

func (d *differ) run() {
	width := len(d.new) + 1
	if (len(d.old)+1)*width > maxCells {
		for i, line := range d.old {
			d.write(i, "-", line)
		}
		for _, line := range d.new {
			d.write(0, "+", line)
		}
		return
	}
	// common[i*width+j] is how many lines old[i:] and new[j:] have in common, in order.
	common := make([]int32, (len(d.old)+1)*width)
	for i := len(d.old) - 1; i >= 0; i-- {
		for j := len(d.new) - 1; j >= 0; j-- {
			if d.old[i] == d.new[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(d.old) || j < len(d.new) {
		switch {
		case i < len(d.old) && j < len(d.new) && d.old[i] == d.new[j]:
			i, j, d.isOpen = i+1, j+1, false
		case i < len(d.old) && (j == len(d.new) || common[(i+1)*width+j] >= common[i*width+j+1]):
			d.write(i, "-", d.old[i])
			i++
		default:
			d.write(i, "+", d.new[j])
			j++
		}
	}
}

func (d *differ) write(line int, sign, text string) {
	if !d.isOpen {
		fmt.Fprintf(d.out, "@@ line %d @@\n", d.shift+line+1)
		d.isOpen = true
	}
	shown, hasEnd := strings.CutSuffix(text, "\n")
	d.out.WriteString(sign + strings.TrimSuffix(shown, "\r") + "\n")
	if !hasEnd {
		d.out.WriteString("\\ no new line at the end\n")
	}
}
