package search

import (
	"slices"
	"strings"
	"unicode"
)

// Intents: what kind of query it is. They set the weights of the legs where ranks are fused.
const (
	intentIdentifier = "identifier"
	intentQuestion   = "question"
	intentMixed      = "mixed"
)

// legWeights are those of the lexical and of the vector leg, by intent: names are found by words, questions by meaning as well, of
// which the built-in model knows too little for more (.8 costs a set of questions .004 nDCG@10, equal weights gain .03).
var legWeights = map[string][2]float64{
	intentIdentifier: {1, 0.4},
	intentQuestion:   {0.9, 1},
	intentMixed:      {1, 1},
}

// understand settles how a planned query is scored: fusion, form, intent, depth and weights.
func (s Searcher) understand(request Request, plan *Plan) {
	settings := s.settings()
	if request.Fusion != "" {
		settings.Fusion = request.Fusion
	}
	plan.Fusion, plan.Depth = string(Sum), max(candidateDepth, request.Limit+depthExtra)
	plan.Intent, plan.AsksNewest = intentOf(plan.text), asksNewest(plan.text)
	plan.Form = s.formFor(plan)
	if settings.Fusion == RRF {
		plan.Fusion, plan.Depth = string(RRF), max(settings.Depth, request.Limit+depthExtra)
		weights := legWeights[plan.Intent]
		plan.K = settings.K
		plan.LexicalWeight, plan.VectorWeight = float64(settings.LexicalWeight*weights[0]), float64(settings.VectorWeight*weights[1])
	}
}

// formFor is the form that mode, model and script of the query ask for.
func (s Searcher) formFor(plan *Plan) Form {
	if plan.Mode == Vector && s.Embedder != nil {
		return FormVector
	}
	isLatin, isUnspaced := scriptOf(plan.text)
	wordsAlone := plan.Mode == Lexical || s.Embedder == nil
	switch {
	case !wordsAlone && (isLatin || isMultilingual(s.Embedder)):
		return FormSum
	case isUnspaced:
		return FormUnspaced
	case !isLatin:
		return FormGuarded
	}
	return FormLexical
}

const (
	// A question of so many words or more needs no mark.
	questionWords = 7
	// maybeQuestionWords are the fewest of a query that begins with what may be a question: "can bus", "dove tailed joints".
	maybeQuestionWords = 4
)

// intentOf tells queries that name something from those that ask, by their form.
func intentOf(query string) string {
	fields := strings.Fields(query)
	names := 0
	for _, field := range fields {
		if isIdentifier(field) {
			names++
		}
	}
	lower := strings.ToLower(query)
	words := wordsOf(lower)
	switch {
	case names > 0 && 2*names >= len(fields):
		return intentIdentifier
	case len(words) == 0:
		return intentMixed
	case strings.ContainsAny(query, "?？؟"), len(words) >= questionWords, containsAny(lower, questionSigns):
		return intentQuestion
	}
	first := lower[words[0].start:words[0].end]
	if slices.Contains(questionStarts, first) || len(words) >= maybeQuestionWords && slices.Contains(maybeQuestionStarts, first) {
		return intentQuestion
	}
	return intentMixed
}

// isIdentifier tells of names that programs and people give things: snake_case, camelCase, DEC-0054, a/path, --flag, v1.2.
func isIdentifier(field string) bool {
	field = strings.Trim(field, "\"'`()[]{},;:?!.")
	if strings.HasPrefix(field, "--") && len(field) > 2 {
		return true
	}
	var before rune
	lower, upper, digit, letter, inside := false, false, false, false, false
	for _, r := range field {
		inside = inside || strings.ContainsRune("_/\\.:#", r) && (unicode.IsLetter(before) || unicode.IsDigit(before))
		upper = upper || unicode.IsUpper(r) && unicode.IsLower(before)
		lower, digit, letter = lower || unicode.IsLower(r), digit || unicode.IsDigit(r), letter || unicode.IsLetter(r)
		before = r
	}
	return letter && (inside || upper || digit)
}

// Words that a question begins with, in lower case.
var questionStarts = strings.Fields(`what how why when where who whom whose which
	wie warum wieso weshalb wer wem woher wohin wann welche welcher welches welchen
	comment pourquoi quoi quel quelle quels quelles combien est-ce
	cómo qué cuál cuáles cuándo dónde quién quiénes cuánto cuántos perché quanto quanti hoe wat waarom wanneer waar welk
	как что почему зачем кто где куда когда какой какая какие какое сколько كيف ماذا لماذا متى أين من ما هل क्या कैसे क्यों कब कहाँ कौन`)

// Those that are other words as well, of the same language or of another.
var maybeQuestionStarts = strings.Fields(`can could does do did is are was were should would will
	wo wen kann quand où qui come cosa quale quali dove chi como quem onde quando qual quais`)

// Signs of a question in scripts without spaces, and where words take endings.
var questionSigns = strings.Fields(`什么 什麼 怎么 怎麼 如何 为什么 為什麼 哪里 哪裡 哪个 哪些 多少 吗 どう なぜ 何 どこ いつ 誰 ですか ますか 어떻게 왜 무엇 언제 어디 누가 누구 ทำไม อย่างไร อะไร ที่ไหน เมื่อไร ใคร`)

// Words that ask for the newest, or for the state of things, in lower case. What is as often something else ("current", "today",
// "dernier", "actual") is not among them.
var newestWords = strings.Fields(`newest latest currently recently nowadays
	neueste neuester neuestes neuesten neuste neuster neustes neusten aktuellste aktuellster aktuellstes aktuellsten derzeit momentan zuletzt neulich
	récemment actuellement dernièrement recientemente actualmente recentemente attualmente atualmente
	nieuwste recentste momenteel onlangs
	новейший новейшая новейшее новейшие недавно сейчас
	أحدث حاليا حالياً مؤخرا مؤخراً नवीनतम हालिया`)

// Phrases that do, of words side by side.
var newestPhrases = []string{
	"most recent", "current state", "current status", "current version", "current plan", "state of things", "as of today", "right now",
	"aktueller stand", "aktuellen stand", "aktuelle stand", "aktueller status", "aktuelle version", "aktuellen version",
	"plus récent", "plus récente", "plus récents", "plus récentes", "dernière version", "état actuel",
	"más reciente", "más recientes", "última versión", "estado actual", "più recente", "più recenti", "ultima versione", "stato attuale",
	"mais recente", "mais recentes", "última versão", "estado atual", "meest recente", "laatste versie", "huidige stand", "huidige status",
	"последняя версия", "последнюю версию", "текущее состояние", "текущий статус", "текущая версия",
}

var newestSigns = strings.Fields(`最新 最近 目前 최신 최근 ล่าสุด`)

// asksNewest tells of queries that ask for the newest or for the state of things.
func asksNewest(query string) bool {
	query = strings.ToLower(query)
	var words []string
	for _, w := range wordsOf(query) {
		words = append(words, query[w.start:w.end])
	}
	if slices.ContainsFunc(words, func(word string) bool { return slices.Contains(newestWords, word) }) {
		return true
	}
	spaced := " " + strings.Join(words, " ") + " "
	return slices.ContainsFunc(newestPhrases, func(phrase string) bool { return strings.Contains(spaced, " "+phrase+" ") }) ||
		containsAny(query, newestSigns)
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
