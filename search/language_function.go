package search

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"quarry/store"
)

// Function words hold a sentence together and name nothing: articles, pronouns, prepositions, conjunctions, auxiliaries and the words
// that a question begins with. They are never what a query is about. Words that name things as well, such as "use", "up" or "while",
// are not among them.

// functionLists have the function words of a language a line; English is the first.
var functionLists = [...]string{
	`a an the this that these those i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it its itself they them their
	theirs themselves
	what which who whom whose when where why how is are was were am be been being do does did doing done have has had can could will
	would shall should might must ought and or but nor if because so than then in on at of to for from with by as into onto about
	there here any such also very too not no please ever anything something someone anyone cannot
	dont doesnt didnt isnt cant wont whats hows ive im`,

	`der die das den dem des ein eine einer eines einem einen und oder aber sondern denn weil dass daß ob wenn als wie was wer wem wen wessen
	wo woher wohin wann warum wieso weshalb welche welcher welches welchen welchem ich mich mir du dich dir er ihn ihm sie ihr es wir uns
	euch ihnen mein meine meinen meinem meiner meines dein deine sein seine seinen seinem seiner ihre ihren ihrem ihrer unser unsere
	ist sind war waren bin bist wird werden wurde wurden worden hat haben habe hatte hatten kann können konnte könnte muss muß müssen soll
	sollen sollte will wollen darf dürfen mag möchte man sich in im an am auf aus bei beim mit nach von vom zu zum zur für über unter um
	durch gegen ohne so auch noch nur schon sehr nicht kein keine keinen keiner doch da dann hier dort dies diese dieser dieses diesen diesem
	etwas bitte`,

	`le la les un une des du de au aux et ou mais donc or ni car que qui quoi dont où quand comment pourquoi combien quel quelle quels quelles
	je me moi tu te toi il elle on nous vous ils elles lui leur leurs eux y en se soi ce cet cette ces ça cela ceci mon ma mes ton ta tes
	son sa ses notre nos votre vos est sont était étaient suis es sommes êtes être été ai as a avons avez ont avoir avait avaient peut peux
	peuvent pouvoir doit dois doivent faut fait faire dans sur sous avec sans pour par chez vers entre comme si ne pas plus très aussi à lors
	lorsque puisque quelque quelques`,

	`el la los las un una unos unas lo al del de y e o u pero sino porque que qué quien quién quienes quiénes cual cuál cuales cuáles cuando
	cuándo donde dónde como cómo cuanto cuánto cuantos cuántos cuanta cuánta yo me mí tú te ti él ella ello nosotros vosotros ellos ellas usted
	ustedes se sí le les nos os mi mis tu tus su sus nuestro nuestra nuestros nuestras es son era eran soy eres somos ser sido está están estoy
	estaba estar fue fueron he ha has han hay haber había puede puedo pueden poder debe debo deben tengo tiene tienen en con sin por para sobre
	a ante desde hasta hacia entre si no ni muy también más este esta esto estos estas ese esa eso esos esas aquel aquella`,

	`il lo la i gli le un uno una di a da in con su per tra fra del dello della dei degli delle al allo alla ai agli alle dal dallo dalla dai
	dagli dalle nel nello nella nei negli nelle sul sullo sulla sui sugli sulle dell all dall nell sull quell quest e ed o od ma però perché
	che chi cui cosa quale quali quando dove come quanto quanta quanti quante io me mi tu te ti lui lei noi vi voi loro si ci ne mio mia miei mie
	tuo tua suo sua suoi sue nostro nostra è sono era erano sei siamo siete essere stato stata ho hai ha abbiamo avete hanno avere aveva può
	posso possono potere deve devo devono fare fa se non più molto anche questo questa questi queste quello quella quelli quelle`,

	`o a os as um uma uns umas de do da dos das em no na nos nas ao aos à às por pelo pela pelos pelas para com sem sobre entre até desde e ou
	mas porque que quê quem qual quais quando onde como quanto quanta quantos quantas eu me mim tu te ti ele ela nós vós eles elas você vocês
	se si lhe lhes meu minha meus minhas teu tua seu sua seus suas nosso nossa é são era eram sou somos ser sido está estão estou estar foi
	foram há tem têm tenho ter tinha pode posso podem poder deve devo devem não nem muito também mais este esta isto estes estas esse essa isso
	esses essas aquele aquela aquilo`,

	`de het een en of maar want dat die dit deze wat wie wiens waar wanneer waarom hoe welk welke ik mij me jij je jou hij hem zij ze haar
	wij we ons onze jullie u uw hun zich zijn mijn is was waren ben bent wordt worden werd werden heb hebt heeft hebben had hadden kan kun kunt
	kunnen kon moet moeten mag mogen wil willen zal zullen zou in op aan van voor met bij naar uit over onder door tegen zonder om te tot als
	dan dus ook nog al wel niet geen er hier daar`,

	`и в во на с со к ко у о об от до из за по под над при про для без через между но а или что чтобы как так когда где куда откуда почему
	зачем кто кого кому чей какой какая какое какие каким сколько который которая которое которые я меня мне мной ты тебя тебе он его ему она
	её ее ей оно мы нас нам вы вас вам они их им мой моя моё мое мои твой твоя свой своя свои себя наш наша ваш это этот эта эти тот та те
	то быть был была было были есть будет будут может могу можно могут нужно надо должен должна не ни нет ли же бы если потому уже ещё еще
	тоже также очень`,
}

// languages is a set of functionLists: a bit each.
type languages uint16

const english languages = 1

var functionWords = sync.OnceValue(func() map[string]languages {
	words := map[string]languages{}
	for i, list := range functionLists {
		for _, word := range strings.Fields(list) {
			words[word] |= english << i
		}
	}
	return words
})

// functions tells the function words of one query.
type functions struct {
	languages languages
	isMixed   bool // it has letters in lower case: a word in capitals is a name then
}

// functionsOf takes the language that a text has most function words of, beside English. Of those in Latin letters, which share words,
// two have to be there. In a text of other scripts English is names.
func functionsOf(text string) functions {
	f := functions{isMixed: strings.IndexFunc(text, unicode.IsLower) >= 0}
	least := 1
	if isLatin, _ := scriptOf(text); isLatin {
		f.languages, least = english, 2
	}
	var counts [len(functionLists)]int
	seen := map[string]bool{}
	lower, known := strings.ToLower(text), functionWords()
	for _, w := range wordsOf(lower) {
		word := lower[w.start:w.end]
		for i := range counts {
			if !seen[word] && known[word]&(english<<i) != 0 {
				counts[i]++
			}
		}
		seen[word] = true
	}
	most := max(slices.Max(counts[:]), least)
	for i, count := range counts {
		if count == most && counts[0] < most {
			f.languages |= english << i
		}
	}
	return f
}

// have tells of a function word at a place in the text of the query. In capitals among other letters, as in IS NOT NULL, or beside a
// sign that makes it a name, as in --all, ::before, not() or `this`, it is none.
func (f functions) have(text string, w place) bool {
	word := text[w.start:w.end]
	if functionWords()[strings.ToLower(word)]&f.languages == 0 && !isContracted(text, w) {
		return false
	}
	isShouted := f.isMixed && len(word) > 1 && strings.ToUpper(word) == word
	return !isShouted && !isNamed(text, w)
}

// without leaves the function words out of a text, unless they are all of it.
func (f functions) without(text string) string {
	var rest strings.Builder
	for _, w := range wordsOf(text) {
		if !f.have(text, w) {
			rest.WriteString(text[w.start:w.end])
			rest.WriteByte(' ')
		}
	}
	if rest.Len() == 0 {
		return text
	}
	return rest.String()
}

// mayBe tells of a function word of any language: it is one where the vault is full of it.
func (f functions) mayBe(text string, w place) bool {
	word := text[w.start:w.end]
	return functionWords()[strings.ToLower(word)] != 0 && !isNamed(text, w)
}

// isNamed tells of a sign in front of a word, or behind it, that makes it a name in some program.
func isNamed(text string, w place) bool {
	before, size := utf8.DecodeLastRuneInString(text[:w.start])
	further, _ := utf8.DecodeLastRuneInString(text[:w.start-size])
	isBefore := strings.ContainsRune("-:@$#<`=", before) && !store.IsWordCharacter(further)
	return isBefore || w.end < len(text) && strings.IndexByte("(`=", text[w.end]) >= 0
}

// isContracted tells of what an apostrophe ties to its neighbour: it's, don't, l'eau.
func isContracted(text string, w place) bool {
	word := text[w.start:w.end]
	before, sizeBefore := utf8.DecodeLastRuneInString(text[:w.start])
	further, _ := utf8.DecodeLastRuneInString(text[:w.start-sizeBefore])
	behind, sizeBehind := utf8.DecodeRuneInString(text[w.end:])
	next := firstWord(text[w.end+sizeBehind:])
	switch {
	case isApostrophe(before) && unicode.IsLetter(further):
		return slices.Contains(englishEnds, strings.ToLower(word))
	case isApostrophe(behind) && slices.Contains(englishEnds, next):
		return next == "t" && strings.HasSuffix(strings.ToLower(word), "n") // go's and db's name something
	case isApostrophe(behind) && next != "":
		return slices.Contains(elided, strings.ToLower(word))
	}
	return false
}

// What English ties to the end of a word, and what French, Italian and o'clock tie to the beginning of one.
var (
	englishEnds = strings.Fields("s t d m ll re ve")
	elided      = strings.Fields("l d j m t s n c o qu jusqu lorsqu puisqu quoiqu")
)

// firstWord is the word that a text begins with, in lower case; "" where it begins with something else.
func firstWord(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return !store.IsWordCharacter(r) })
	if end < 0 {
		end = len(text)
	}
	return strings.ToLower(text[:end])
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }
