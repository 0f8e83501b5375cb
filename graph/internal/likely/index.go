package likely

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"quarry/internal/dialect"
	"quarry/internal/filename"
	"quarry/internal/spelling"
)

// Limits of the index of names.
const (
	maxNameBytes  = 512 // longer names are compared as they stand alone
	maxSpeltBytes = 128 // longer names are no misspelt ones
	maxAlike      = 64  // files that are kept for one form of a name; more of them say nothing
	maxCompared   = 512 // names that are compared with a misspelt one letter by letter
)

// Budget is the work that is left for guesses, for one or more targets.
type Budget struct {
	looked   int // names of which the marks are looked at
	compared int // names that are compared letter by letter
	placed   int // bytes of paths in which folders of targets are looked for; beyond, nothing is likely
}

// NewBudget is what a run over all dead links of a vault has: a second of work each.
func NewBudget() *Budget {
	return &Budget{looked: 500_000_000, compared: 5_000_000, placed: 1_000_000_000}
}

// File is a file that links may mean.
type File struct {
	Path  string
	Key   string // its path, folded
	Title string // of a note, "" if it has none
}

// Alias is another name of a file.
type Alias struct {
	Name string // folded
	File int    // place in the list of files
}

// Index finds files by forms of what they are called. It does not change and is safe for concurrent use.
type Index struct {
	files      []File
	names      []named // of files
	extensions map[string]bool
	pages      bool
	byForm     map[form][]int32
	spelt      []spelt  // by length of their letters
	marks      []uint64 // of spelt, side by side to be looked through fast
}

// form is a name as one kind of likeness compares it.
type form struct {
	like likeness
	text string
}

// spelt is a name that may be misspelt.
type spelt struct {
	*forms
	file int32
}

// query is what a target is looked up by.
type query struct {
	named
	whole string // folded
}

// New makes an index of files and further names of theirs. pages tells that names of files are those of pages in Logseq.
func New(files []File, aliases []Alias, pages bool) *Index {
	x := &Index{files: files, names: make([]named, len(files)), extensions: map[string]bool{}, pages: pages, byForm: map[form][]int32{}}
	for i := range files {
		n := nameOf(files[i].Key, pages, func(string) bool { return true })
		if n.extension == "" && !filename.IsNote(files[i].Key) {
			n.extension = "."
		}
		x.names[i], x.extensions[n.extension] = n, true
		x.put(samePlace, n.place(), int32(i))
		x.put(sameName, n.name, int32(i))
		x.putForms(n.name, int32(i))
		if title := files[i].Title; title != "" && len(title) <= maxNameBytes {
			x.putAlias(filename.Fold(strings.TrimSpace(title)), int32(i))
		}
	}
	for _, alias := range aliases {
		x.putAlias(alias.Name, int32(alias.File))
	}
	slices.SortStableFunc(x.spelt, func(a, b spelt) int { return len(a.letters) - len(b.letters) })
	x.marks = make([]uint64, len(x.spelt))
	for i := range x.spelt {
		x.marks[i] = marksOf(x.spelt[i].letters)
	}
	return x
}

func (x *Index) putAlias(alias string, file int32) {
	x.put(sameAlias, alias, file)
	if alias != x.names[file].name {
		x.putForms(alias, file)
	}
}

func (x *Index) put(like likeness, text string, file int32) {
	f := form{like, text}
	if list := x.byForm[f]; text != "" && len(list) <= maxAlike && !slices.Contains(list, file) {
		x.byForm[f] = append(list, file)
	}
}

// putForms puts the forms of a name that are no name themselves.
func (x *Index) putForms(name string, file int32) {
	if len(name) > maxNameBytes {
		return
	}
	f := formsOf(name)
	for like, text := range f.byLikeness() {
		if like != butNumber || f.unnumbered != f.letters {
			x.put(like, text, file)
		}
	}
	if editsFor(f.letters) > 0 && f.day == "" && len(f.letters) <= maxSpeltBytes {
		x.spelt = append(x.spelt, spelt{f, file})
	}
}

// asked lists what a target may be looked up by, in this order.
func (x *Index) asked(target string) []*query {
	key := filename.Fold(strings.TrimSpace(target))
	list := []*query{{nameOf(key, x.pages, func(extension string) bool { return x.extensions[extension] }), key}}
	if at := strings.IndexByte(key, '?'); at > 0 {
		key = key[:at]
		list = append(list, &query{nameOf(key, x.pages, func(extension string) bool { return x.extensions[extension] }), key})
	}
	for _, extension := range []string{".html", ".htm"} {
		if page, ok := strings.CutSuffix(key, extension); ok {
			list = append(list, &query{nameOf(page+filename.NoteExtension, x.pages, func(string) bool { return false }), page})
		}
	}
	return list
}

// alike lists what may be meant, by the likeliest kinds that there are.
func (x *Index) alike(q *query, work *Budget) []suggestion {
	found := x.with(form{sameAlias, q.whole}, form{samePlace, q.place()}, form{sameName, q.name})
	for _, s := range x.with(form{sameAlias, q.name}) {
		if q.folders != "/" { // a name in a folder is less surely that of no file
			s.like = sameName
		}
		found = append(found, s)
	}
	if len(q.name) > maxNameBytes {
		return found
	}
	f := formsOf(q.name)
	forms := f.byLikeness()
	found = append(found, x.with(form{sameDay, forms[sameDay]}, form{sameLetters, forms[sameLetters]}, form{sameWords, forms[sameWords]})...)
	if len(found) > 0 || f.day != "" { // a day is no other
		return found
	}
	if found = x.misspelt(f, work); len(found) > 0 {
		return found
	}
	if f.unnumbered == f.letters {
		return x.with(form{butNumber, f.letters})
	}
	found = x.with(form{sameLetters, forms[butNumber]})
	for i := range found {
		found[i].like = butNumber
	}
	return found
}

// with lists the files that have one of the forms, unless more have it than can be told apart.
func (x *Index) with(forms ...form) []suggestion {
	var found []suggestion
	for _, f := range forms {
		if list := x.byForm[f]; f.text != "" && len(list) <= maxAlike {
			for _, file := range list {
				found = append(found, suggestion{file: file, like: f.like})
			}
		}
	}
	return found
}

// misspelt lists the files whose names are a few edits away.
func (x *Index) misspelt(f *forms, work *Budget) []suggestion {
	limit, compared := editsFor(f.letters), 0
	if limit == 0 || len(f.letters) > maxSpeltBytes {
		return nil
	}
	marks, length := marksOf(f.letters), func(s spelt, letters int) int { return len(s.letters) - letters }
	from, _ := slices.BinarySearchFunc(x.spelt, len(f.letters)-limit, length)
	to, _ := slices.BinarySearchFunc(x.spelt, len(f.letters)+limit+1, length)
	to = min(to, from+work.looked)
	work.looked -= to - from
	var found []suggestion
	for i := from; i < to && compared < maxCompared && compared < work.compared; i++ {
		if bits.OnesCount64(x.marks[i]^marks) > 2*limit || x.spelt[i].numbers != f.numbers {
			continue
		}
		compared++
		s := &x.spelt[i]
		if edits, ok := spelling.Edits(f.letters, s.letters, min(limit, editsFor(s.letters))); ok && f.isAlike(s.forms, edits) {
			found = append(found, suggestion{file: s.file, like: fewEdits, edits: edits})
		}
	}
	work.compared -= compared
	return found
}

// isAlike tells whether edits between two names make no other word of any.
func (f *forms) isAlike(other *forms, edits int) bool {
	if len(f.inOrder) != len(other.inOrder) {
		return edits == 1
	}
	for i, word := range f.inOrder {
		allowed := editsFor(word)
		if _, ok := spelling.Edits(word, other.inOrder[i], max(allowed, 1)); !ok {
			return false
		}
		if allowed == 0 && word != other.inOrder[i] && !spelling.IsSwap(word, other.inOrder[i]) {
			return false
		}
	}
	return true
}

// editsFor is how many edits a misspelt name may be away from one of so many letters.
func editsFor(letters string) int {
	switch count := utf8.RuneCountInString(letters); {
	case count < 5:
		return 0
	case count < 9:
		return 1
	case count < 15:
		return 2
	}
	return 3
}

// marksOf notes for 32 classes of letters whether a name has any, and whether more than one. One edit changes two at most.
func marksOf(letters string) uint64 {
	marks := uint64(0)
	for _, letter := range letters {
		bit := uint64(1) << (letter % 32)
		marks |= (marks&bit)<<32 | bit
	}
	return marks
}

// forms are those of one name.
type forms struct {
	letters    string // without accents, marks and spaces; a dot between numbers
	numbers    string // of letters, joined by dots
	unnumbered string // letters without the numbers in front
	words      string // in the singular, sorted
	day        string
	inOrder    []string // the words as they stand
}

// minLetters is how many letters a form has that tells a name from others.
const minLetters = 2

func (f *forms) byLikeness() map[likeness]string {
	by := map[likeness]string{sameDay: f.day, sameWords: f.words}
	if utf8.RuneCountInString(f.letters) >= minLetters {
		by[sameLetters] = f.letters
	}
	if editsFor(f.unnumbered) > 0 {
		by[butNumber] = f.unnumbered
	}
	return by
}

func formsOf(name string) *forms {
	words := strings.FieldsFunc(plainLetters(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	f := &forms{letters: runTogether(words), inOrder: slices.Clone(words)}
	f.numbers = strings.Join(strings.FieldsFunc(f.letters, func(r rune) bool { return !unicode.IsDigit(r) }), ".")
	f.unnumbered = strings.TrimLeftFunc(f.letters, func(r rune) bool { return unicode.IsDigit(r) || r == '.' })
	if f.numbers != "" {
		if day, sure := dialect.ParseDay(name); sure {
			f.day = day
		}
	}
	if utf8.RuneCountInString(f.letters) > minLetters {
		for i := range words {
			words[i] = spelling.Singular(words[i])
		}
		slices.Sort(words)
		f.words = strings.Join(words, " ")
	}
	return f
}

// runTogether writes words as one, with a dot between two numbers.
func runTogether(words []string) string {
	var b strings.Builder
	isNumber := false
	for _, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		if isNumber && unicode.IsDigit(first) {
			b.WriteByte('.')
		}
		b.WriteString(word)
		last, _ := utf8.DecodeLastRuneInString(word)
		isNumber = unicode.IsDigit(last)
	}
	return b.String()
}

// ligatures are letters that have no accent to take off.
var ligatures = strings.NewReplacer("ß", "ss", "ø", "o", "ł", "l", "đ", "d", "æ", "ae", "œ", "oe", "ı", "i")

// plainLetters takes the accents off a folded name, and what changes with the way of writing.
func plainLetters(name string) string {
	if filename.IsASCII(name) {
		return strings.ReplaceAll(name, "'", "")
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(ligatures.Replace(name)) {
		if isAccent := r >= 0x300 && r <= 0x36F; !isAccent && r != '\'' && r != '’' {
			b.WriteRune(r)
		}
	}
	return b.String()
}
