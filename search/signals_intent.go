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
	plan.K, plan.LexicalWeight, plan.VectorWeight = settings.K, lexicalWeight, 1
	if settings.Fusion == RRF {
		plan.Fusion, plan.Depth = string(RRF), max(settings.Depth, request.Limit+depthExtra)
		weights := legWeights[plan.Intent]
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

// A question of so many words or more needs no mark.
const questionWords = 7

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
	case strings.ContainsAny(query, "?？؟") || slices.Contains(questionStarts, lower[words[0].start:words[0].end]),
		len(words) >= questionWords, containsAny(lower, questionSigns):
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
var questionStarts = strings.Fields(`what how why when where who whom whose which can could does do did is are was were should would will
	wie was warum wieso weshalb wer wem wen wo wohin woher wann welche welcher welches welchen kann
	comment pourquoi quoi quel quelle quels quelles quand où qui combien est-ce
	cómo qué cuál cuáles cuándo dónde quién quiénes cuánto cuántos come perché cosa quale quali dove chi
	como quem onde quando qual quais quanto hoe wat waarom wanneer waar welk
	как что почему зачем кто где куда когда какой какая какие какое сколько كيف ماذا لماذا متى أين من ما هل क्या कैसे क्यों कब कहाँ कौन`)

// Signs of a question in scripts without spaces, and where words take endings.
var questionSigns = strings.Fields(`什么 什麼 怎么 怎麼 如何 为什么 為什麼 哪里 哪裡 哪个 哪些 多少 吗 どう なぜ 何 どこ いつ 誰 ですか ますか 어떻게 왜 무엇 언제 어디 누가 누구 ทำไม อย่างไร อะไร ที่ไหน เมื่อไร ใคร`)

// Words that ask for the newest, or for the state of things, in lower case.
var newestWords = strings.Fields(`newest latest current currently recent recently today nowadays
	neueste neuester neuestes neuesten neuste neusten aktuell aktuelle aktuellen aktueller aktuelles aktuellste aktuellsten jüngste jüngsten heute derzeit momentan zuletzt
	récent récente récents récentes récemment dernier dernière derniers dernières actuel actuelle actuels actuelles actuellement aujourd
	reciente recientes recientemente último última últimos últimas actual actuales actualmente hoy
	recente recenti recentemente ultimo ultima ultimi ultime attuale attuali attualmente oggi
	recentes atual atuais atualmente hoje nieuwste huidige actueel actuele vandaag laatste recentste
	последний последняя последнее последние новейший новейшая новейшее новейшие актуальный актуальная актуальные текущий текущая текущее текущие недавно недавний недавние сегодня сейчас
	أحدث الحالي الحالية حاليا حالياً اليوم مؤخرا مؤخراً नवीनतम हालिया वर्तमान आज`)

var newestSigns = strings.Fields(`最新 最近 当前 當前 目前 现在 現在 今天 今日 최신 최근 현재 오늘 ล่าสุด ปัจจุบัน วันนี้`)

// asksNewest tells of queries that ask for the newest or for the state of things.
func asksNewest(query string) bool {
	query = strings.ToLower(query)
	for _, w := range wordsOf(query) {
		if slices.Contains(newestWords, query[w.start:w.end]) {
			return true
		}
	}
	return containsAny(query, newestSigns)
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
