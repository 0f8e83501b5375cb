package hook

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// chatter are the words that people speak to an agent with, whatever the matter is: they ask for work, name its parts, agree or
// object. By themselves they are never what notes are looked for with, since they fit any note about work.
var chatter = lazily(`
		a an the this that these those i me my mine we us our you your it its they them their he she his her what which who whose when
		where why how is are was were am be been being do does did doing done have has had can could will would shall should might must
		may and or but nor if because so than then in on at of to for from with by as into onto about there here any such also very too
		not no please ever anything something someone anyone nothing everything everyone all both each up down out off over under back
		away through until while after before again once yes yeah yep nope ok okay sure thanks thank thx hi hello hey great good nice cool
		perfect fine right correct wrong bad worse better best dont doesnt didnt isnt arent wasnt cant wont whats hows thats ive im lets
		let youre theres continue go going ahead proceed next try tried fix fixed fixes fixing run runs ran running rerun execute
		committed push pushed pull merged revert undo redo rename renamed refactor refactoring remove removed delete deleted add added
		adding update updated updating changed changing create created make makes made making write writing written rewrite implement
		implemented implementing implementation built broken break breaks broke explain review show shows look looks looking see check
		checking use used uses using move moved clean cleanup improve simplify faster slower work works working fail fails failed failing
		problem problems tested linting doc start started begin stop finish finished main master origin diff way ways thing things stuff
		instead just now still really actually maybe want wants need needs needed like think know help tell give get gets got put keep
		keeps take above below last latest first second third previous current new old same different other others another more most less
		few some one two three unused handle handling set install installed describe summarize find found open close read call called
		return returns todo happen happens happened mean means seem seems sense idea point times today yesterday tomorrow soon later
		already decide decided
		ja nein weiter mach mache machen bitte danke gut super genau nochmal jetzt dann mal alles das die der den ist und oder nicht ich
		du wir es ein eine mit für auf von zu bau baue schreib schreibe zeig zeige ändere lösche füge hinzu datei dateien fehler teste oui
		non merci continuer vas-y encore bien le la les un une et ou est pas je tu nous il de des fais faire ajoute corrige sí si gracias
		continúa sigue el los las una y o haz hacer añade arregla prueba sim não obrigado continua sì grazie`)

// partsOfWork are words for parts of any work. By themselves they name nothing, beside a word that does they belong to it, as in
// "error budget".
var partsOfWork = lazily(`
		annotation annotations answer app application approach branch bug bugs build builds case cases change changes class classes code
		codebase command commands comment comments commit commits config configuration directory docs documentation error errors failure
		failures feature features file files folder function functions import imports input issue issues line lines lint linter list log
		logs merge message method methods name names option options output outputs page part parts plan plans pr project question readme
		rebase release repo repository request retry script scripts search section setup step steps summary task tasks test testing tests
		ticket time type types value values variable variables version warning warnings`)

// lazily gives a set of words, which is made when it is asked for: most starts of the program need none.
func lazily(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		words := map[string]bool{}
		for _, word := range strings.Fields(list) {
			words[word] = true
		}
		return words
	})
}

// word is a word of a text as it stands there, with what joins its parts.
type word struct {
	text string
	// isName: it is made as names in code are: parts joined, letters of both cases within, or letters and digits.
	isName bool
}

// wordsOf gives the words of a text, at most so many.
func wordsOf(text string, limit int) []word {
	var words []word
	for len(text) > 0 && len(words) < limit {
		start := strings.IndexFunc(text, isWordLetter)
		if start < 0 {
			break
		}
		text = text[start:]
		end := wordEnd(text)
		if w := strings.TrimRight(text[:end], "-._/:'’#+"); w != "" && utf8.RuneCountInString(w) <= maxWordLetters {
			words = append(words, word{w, isName(w)})
		}
		text = text[end:]
	}
	return words
}

// maxWordLetters: what is longer is a path, an encoded value or no word at all.
const maxWordLetters = 60

func isWordLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// wordEnd is where the word ends that a text begins with.
func wordEnd(text string) int {
	for at, r := range text {
		if !isWordLetter(r) && !strings.ContainsRune("-._/:'’#+", r) && !unicode.Is(unicode.M, r) {
			return at
		}
	}
	return len(text)
}

func isName(w string) bool {
	var hasLower, hasLetter, hasDigit, isCamel, isJoined bool
	for at, r := range w {
		switch {
		case unicode.IsUpper(r):
			isCamel = isCamel || hasLower
			hasLetter = true
		case unicode.IsLetter(r):
			hasLower, hasLetter = true, true
		case unicode.IsDigit(r):
			hasDigit = true
		case at > 0 && strings.ContainsRune("_./:#", r):
			isJoined = true
		}
	}
	return hasLetter && len(w) >= 4 && (isCamel || isJoined || hasDigit || isHyphenated(w))
}

// isHyphenated tells of a name such as grid-template-areas; that of a thing has no chatter in it, as "up-to-date" has.
func isHyphenated(w string) bool {
	parts := strings.Split(w, "-")
	return len(parts) > 2 && !slices.ContainsFunc(parts, func(part string) bool { return part == "" || isChatter(part) })
}

// unspaced counts the letters of scripts that are written without spaces.
func unspaced(w string) int {
	count := 0
	for _, r := range w {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			count++
		}
	}
	return count
}

// isChatter tells of a word that says nothing of a matter.
func isChatter(w string) bool {
	lower := strings.ToLower(strings.NewReplacer("'", "", "’", "").Replace(w))
	return chatter()[lower] || utf8.RuneCountInString(lower) < 2 && unspaced(lower) == 0
}

// textsOf are words as texts.
func textsOf(words []word) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = w.text
	}
	return list
}

// isNumber tells of a word without a letter: it names nothing by itself.
func isNumber(w string) bool { return strings.IndexFunc(w, unicode.IsLetter) < 0 }

// subject is what of a text can be looked for.
type subject struct {
	words []string // in their order, each once
	names int      // of words
}

// subjectOf leaves the words of a text that can name a matter.
func subjectOf(text string, limit int) subject {
	var s subject
	seen := map[string]bool{}
	words := wordsOf(text, limit)
	for i, w := range words {
		key := strings.ToLower(w.text)
		isPart := partsOfWork()[key]
		belongs := i > 0 && namesMatter(words[i-1].text) || i+1 < len(words) && namesMatter(words[i+1].text)
		if seen[key] || isChatter(w.text) || isPart && !belongs {
			continue
		}
		seen[key] = true
		s.words = append(s.words, w.text)
		if w.isName && !isPart {
			s.names++
		}
	}
	return s
}

// namesMatter tells of a word that can name a matter by itself.
func namesMatter(w string) bool {
	return !isChatter(w) && !partsOfWork()[strings.ToLower(w)] && !isNumber(w)
}

// weight tells how much a subject names: a word counts one, a name and four letters of a script without spaces two.
func (s subject) weight() int {
	weight := s.names
	for _, w := range s.words {
		if count := unspaced(w); count > 0 {
			weight += count / 2
		} else if namesMatter(w) {
			weight++
		}
	}
	return weight
}

// leastWeight is what a subject has to weigh to be looked for. From leastNameWeight on it is where it names a note or a section.
const leastWeight, leastNameWeight = 2, 1

// asQuery writes words so that none of them is an operator of the query language.
func asQuery(words []string) string {
	plain := strings.NewReplacer("/", " ", ":", " ", "#", " ", "\"", " ", "(", " ", ")", " ", "[", " ", "]", " ")
	var fields []string
	for _, w := range words {
		for _, field := range strings.Fields(plain.Replace(w)) {
			field = strings.TrimLeft(field, "-+/.")
			if field == "OR" || field == "AND" || field == "NOT" {
				field = strings.ToLower(field)
			}
			if field != "" {
				fields = append(fields, field)
			}
		}
	}
	return strings.Join(fields, " ")
}
