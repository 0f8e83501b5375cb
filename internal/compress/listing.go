package compress

import (
	"strings"

	"quarry/internal/lazyregexp"
)

// listing is a form of listing.
type listing uint8

const (
	noListing listing = iota
	longListing
	pathListing
	treeListing
	statusListing
	shortStatus
	commits
)

var (
	longEntry   = lazyregexp.New(`^([-dlcbps])[-rwxsStT]{9}[.+@]? +\d+ +\S+ +\S+ +(\d+(?:\.\d+)?[KMGT]?|\d+, +\d+) +(?:[A-Z][a-z]{2} +\d+ +[\d:]+|\d+ [A-Z][a-z]{2} +[\d:]+|\d{4}-\d\d-\d\d \S+(?: [+-]\d{4})?) (.+)$`)
	statusEntry = lazyregexp.New(`^(?:[MADRCUT?! ][MADRCUT?! ]) (\S.*)$`)
	changeEntry = lazyregexp.New(`^\t(?:((?:both |deleted by |added by )?[a-z]+(?: by \w+)?):\s+)?(\S.*)$`)
	commitHead  = lazyregexp.New(`^commit [0-9a-f]{40}`)
	pathLine    = lazyregexp.New(`^(?:\.{0,2}/|[A-Za-z]:\\)?[\w.@+~-][^:\s"'(){};=<>|,*]*[/\\][^:\t"'(){};=<>|*]*$`)
)

// listingOf tells in which form things are listed.
func listingOf(lines []line) listing {
	if len(lines) == 0 {
		return noListing
	}
	first := lines[0].text
	switch {
	case strings.HasPrefix(first, "On branch "), strings.HasPrefix(first, "HEAD detached "):
		return statusListing
	case commitHead.MatchString(first):
		return commits
	case isShare(lines, 60, longEntry.MatchString):
		return longListing
	case isShare(lines, 60, func(text string) bool { return treeDepth(text) >= 0 }):
		return treeListing
	case isShare(lines, 90, func(text string) bool { return statusEntry.MatchString(text) }):
		return shortStatus
	case isShare(lines, 90, func(text string) bool { return pathLine.MatchString(text) && !hasPlace(text) }):
		return pathListing
	}
	return noListing
}

func shortenListing(lines []line) []line {
	switch listingOf(sample(lines)) {
	case longListing:
		return shortenLong(lines)
	case pathListing:
		return shortenPaths(lines)
	case treeListing:
		markTree(lines)
	case statusListing:
		return shortenStatus(lines)
	case shortStatus:
		return shortenShortStatus(lines)
	case commits:
		return shortenCommits(lines)
	}
	return lines
}

// shortenPaths puts paths together by folder; other lines, such as errors, stay behind them.
func shortenPaths(lines []line) []line {
	var groups folderGroups
	var others []line
	for _, l := range lines {
		if !pathLine.MatchString(l.text) || isError(l.text) && strings.Contains(l.text, ": ") {
			l.raise(failure)
			others = append(others, l)
			continue
		}
		folder, name, isNoise := folderOf(l.text)
		groups.add(folder+": ", name, isNoise)
	}
	return append(groups.lines(), others...)
}

// shortenLong keeps of each entry its name and size.
func shortenLong(lines []line) []line {
	var read []line
	var groups folderGroups
	flush := func() {
		read = append(read, groups.lines()...)
		groups = folderGroups{}
	}
	folder := ""
	for _, l := range lines {
		m := longEntry.FindStringSubmatch(l.text)
		switch {
		case m != nil && m[1] == "d":
			if m[3] != "." && m[3] != ".." {
				groups.add("folders: ", m[3]+"/", false)
			}
		case m != nil:
			mark := ""
			if m[1] == "-" && strings.IndexByte(l.text[:10], 'x') > 0 {
				mark = "*"
			}
			_, _, isNoise := folderOf(folder + "/x")
			groups.add("files: ", m[3]+mark+" "+m[2], isNoise && folder != "")
		case strings.HasPrefix(l.text, "total ") && !isError(l.text):
			l.drop(otherLines, 0)
			read = append(read, l)
		default:
			flush()
			if name, isFolder := strings.CutSuffix(l.text, ":"); isFolder {
				folder = name
			} else if isError(l.text) {
				l.raise(failure)
			}
			read = append(read, l)
		}
	}
	flush()
	return read
}

// treeDepth is where the name begins in a line of tree, -1 in other lines.
func treeDepth(text string) int {
	for _, branch := range []string{"├── ", "└── ", "|-- ", "`-- ", "+---", `\---`} {
		if at := strings.Index(text, branch); at >= 0 && strings.Trim(text[:at], "│| \u00a0") == "" {
			return at + len(branch)
		}
	}
	return -1
}

// markTree drops files of a folder beyond the first few with an ending, and all below noisy folders.
func markTree(lines []line) {
	counts := map[string]int{} // by place of the folder and ending
	var open []int             // depths of the folders around
	folder, noiseDepth := 0, -1
	folders := map[int]int{}
	for i := range lines {
		depth := treeDepth(lines[i].text)
		if depth < 0 {
			continue
		}
		if strings.HasSuffix(lines[i].text, "]") && strings.Contains(lines[i].text, " [") && isError(lines[i].text[strings.LastIndex(lines[i].text, " ["):]) {
			lines[i].raise(failure) // "name [error opening dir]"
		}
		if noiseDepth >= 0 && depth > noiseDepth {
			lines[i].drop(files, 1)
			continue
		}
		noiseDepth = -1
		for len(open) > 0 && open[len(open)-1] >= depth {
			open = open[:len(open)-1]
		}
		parent := 0
		if len(open) > 0 {
			parent = folders[open[len(open)-1]]
		}
		name := lines[i].text[depth:]
		if i+1 < len(lines) && treeDepth(lines[i+1].text) > depth {
			folder++
			open = append(open, depth)
			folders[depth] = folder
			if noiseFolders[strings.TrimSuffix(name, "/")] {
				noiseDepth = depth
			}
			continue
		}
		key := endingOf(name) + "\x00" + itoa(parent)
		if counts[key]++; counts[key] > namesEach/2 {
			lines[i].drop(files, 1)
		}
	}
}
