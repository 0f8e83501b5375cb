package secret

import "math"

// byteShape counts the kinds of bytes in a value.
type byteShape struct{ lower, upper, digits, others int }

func (s byteShape) letters() int { return s.lower + s.upper }

func shapeOf(value []byte) byteShape {
	var s byteShape
	for _, c := range value {
		switch {
		case isLower(c):
			s.lower++
		case isUpper(c):
			s.upper++
		case isDigit(c):
			s.digits++
		default:
			s.others++
		}
	}
	return s
}

// entropy is Shannon's, in bits for each byte, of the frequencies in the value itself. A random value of 40 characters
// of Base64 has about 4.8, of 32 of hexadecimal 3.6; English words 3 to 4.2.
func entropy(value []byte) float64 {
	var counts [256]int
	for _, c := range value {
		counts[c]++
	}
	bits, total := 0.0, float64(len(value))
	for _, count := range counts {
		if count > 0 {
			p := float64(count) / total
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// commonPairs are the 120 pairs of letters that make up 78 % of those inside the words of English technical notes; of
// random letters they are 18 %.
const commonPairs = "abacadagaialamanaparasatbeblcacechcocrcsctdedidoeaecedeeefelemeneresetevexfifoge" +
	"hahehihoicidifiliminioisitkelalelilllolumamemompnancndnengnonsntocodofolomonopor" +
	"otouowpapeplpoprrarerirorsrtscsesisospsssttatethtitotrtstyueulunurusutvavewewiyo"

var isCommonPair = func() (set [26 * 26]bool) {
	for i := 0; i+1 < len(commonPairs); i += 2 {
		set[int(commonPairs[i]-'a')*26+int(commonPairs[i+1]-'a')] = true
	}
	return set
}()

// wordy is the wordiness from which a value is taken for words.
const wordy = 0.45

// What is known of letters before any is seen: a few pairs of random ones, of which this share is common. So a short value
// is not taken for words because of two or three pairs.
const (
	priorPairs  = 2
	randomShare = 0.18
)

// wordiness is the share of pairs of neighbouring letters that English uses often, 0 to 1: about 0.8 for words, 0.2 for
// random letters. A change from small to capital letters, as in camelCase, is no pair. 0 for fewer than four pairs.
func wordiness(value []byte) float64 {
	pairs, common := 0, 0
	for i := 1; i < len(value); i++ {
		a, b := value[i-1], value[i]
		if !isAlpha(a) || !isAlpha(b) || isLower(a) && isUpper(b) {
			continue
		}
		pairs++
		if isCommonPair[int(foldByte(a)-'a')*26+int(foldByte(b)-'a')] {
			common++
		}
	}
	if pairs < 4 {
		return 0
	}
	return (float64(common) + priorPairs*randomShare) / float64(pairs+priorPairs)
}

// looksRandom tells a generated value from names, words and numbers.
func looksRandom(value []byte) bool {
	s := shapeOf(value)
	if s.letters() == 0 || s.digits == 0 && (len(value) < 24 || s.lower == 0 || s.upper == 0) {
		return false
	}
	floor := 3.0
	if len(value) < 24 {
		floor = 2.75
	}
	most := wordy
	if s.lower > 2 && s.upper > 2 && (s.digits > 2 || s.digits > 0 && len(value) >= 30 && min(s.lower, s.upper) > 5) {
		most = 0.6 // few words are written so
	}
	return entropy(value) >= floor && (wordiness(value) < most || s.digits > 0 && isHex(value))
}

// looksGenerated is stricter than looksRandom: for keys that say little.
func looksGenerated(value []byte) bool {
	shape := shapeOf(value)
	if shape.digits < 3 || shape.others > len(value)/8 || !looksRandom(value) {
		return false
	}
	return isHex(value) && len(value) >= 32 || wordiness(value) < 0.35 && !isHex(value)
}

// isHex: the letters a to f make many common pairs, so that wordiness says nothing.
func isHex(value []byte) bool {
	for _, c := range value {
		if hexValue(c) < 0 {
			return false
		}
	}
	return true
}

// isUUID: 8-4-4-4-12 hexadecimal digits.
func isUUID(value []byte) bool {
	if len(value) != 36 {
		return false
	}
	for i, c := range value {
		if isDash := i == 8 || i == 13 || i == 18 || i == 23; isDash != (c == '-') || !isDash && hexValue(c) < 0 {
			return false
		}
	}
	return true
}

// isFingerprint: a key of OpenPGP as its programs name it, in whole or by its last digits.
func isFingerprint(value []byte) bool {
	return (len(value) == 40 || len(value) == 16) && isHex(value) && shapeOf(value).lower == 0
}

// isRow: half of the value or more are digits and letters in their order.
func isRow(value []byte) bool {
	inRow, run := 0, 1
	for i := 1; i <= len(value); i++ {
		if i < len(value) && (value[i] == value[i-1]+1 || value[i] == '0' && value[i-1] == '9') {
			run++
			continue
		}
		if run >= 5 {
			inRow += run
		}
		run = 1
	}
	return 2*inRow >= len(value) && inRow > 0
}

// isScattered: small letters, capitals and digits follow each other as they come; even in camelCase they do so less.
func isScattered(value []byte) bool {
	changes := 0
	for i := 1; i < len(value); i++ {
		a, b := value[i-1], value[i]
		changes += boolInt(isLower(a) != isLower(b) || isUpper(a) != isUpper(b))
	}
	return 2*changes >= len(value)
}

// readsRandom is for a stretch beside a name: names of settings are words.
func readsRandom(stretch []byte) bool { return looksRandom(stretch) || isScattered(stretch) }
