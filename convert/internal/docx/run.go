package docx

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// format is how a piece of text is shown, a set of bits.
type format uint8

const (
	bold format = 1 << iota
	italic
	strike
	mono
	marked
	above // superscript
	below // subscript
)

// span is a piece of a paragraph.
type span struct {
	text    string
	format  format
	address string // of the link that it is in
	anchor  string // within the document
	isMade  bool   // it is Markdown already
}

func (s span) isLike(other span) bool {
	return s.format == other.format && s.address == other.address && s.anchor == other.anchor && !s.isMade && !other.isMade
}

// run is what the properties of a run say.
type run struct {
	set, on     format
	font, style string
	isHidden    bool
	isUnderline bool
}

func (x *cursor) runProperties() (run, error) {
	var r run
	say := func(what format, isOn bool) {
		r.set |= what
		if isOn {
			r.on |= what
		}
	}
	return r, x.each(func(e xml.StartElement) error {
		switch x.name(e) {
		case "w:rStyle":
			r.style = value(e, "val")
		case "w:b":
			say(bold, isOn(e))
		case "w:i":
			say(italic, isOn(e))
		case "w:strike", "w:dstrike":
			say(strike, isOn(e))
		case "w:highlight":
			say(marked, isOn(e))
		case "w:shd":
			say(marked, isColourful(value(e, "fill")) || r.on&marked != 0)
		case "w:vertAlign":
			say(above, value(e, "val") == "superscript")
			say(below, value(e, "val") == "subscript")
		case "w:vanish":
			r.isHidden = isOn(e)
		case "w:u":
			r.isUnderline = isOn(e)
		case "w:rFonts":
			if r.font = value(e, "ascii"); r.font == "" {
				r.font = value(e, "hAnsi")
			}
		}
		return x.skip()
	})
}

// isColourful tells whether a background, "ffff00", is a marker's and not a shade of grey.
func isColourful(fill string) bool {
	number, err := strconv.ParseUint(fill, 16, 32)
	if err != nil || len(fill) != 6 {
		return false
	}
	red, green, blue := int(number>>16), int(number>>8&0xff), int(number&0xff)
	return max(red, green, blue)-min(red, green, blue) >= 0x40
}

// signs are characters of fonts that hold signs in the place of letters, by font and code.
var signs = map[string]map[rune]string{
	"wingdings": {
		0x6c: "●", 0x6d: "❍", 0x6e: "■", 0x6f: "☐", 0x71: "❑", 0x76: "❖", 0xa7: "▪", 0xa8: "☐", 0xd8: "➢", 0xdf: "←", 0xe0: "→", 0xe1: "↑", 0xe2: "↓", 0xe8: "➔", 0xfb: "✗", 0xfc: "✓", 0xfd: "☒", 0xfe: "☑",
		0x4a: "☺", 0x4c: "☹", 0x28: "☎", 0x2a: "✉", 0xf0: "⇨",
	},
	"symbol": {
		0x61: "α", 0x62: "β", 0x63: "χ", 0x64: "δ", 0x65: "ε", 0x66: "φ", 0x67: "γ", 0x68: "η", 0x69: "ι", 0x6b: "κ", 0x6c: "λ", 0x6d: "μ", 0x6e: "ν", 0x70: "π", 0x71: "θ", 0x72: "ρ", 0x73: "σ", 0x74: "τ", 0x77: "ω", 0x78: "ξ", 0x79: "ψ", 0x7a: "ζ",
		0x44: "Δ", 0x46: "Φ", 0x47: "Γ", 0x4c: "Λ", 0x50: "Π", 0x51: "Θ", 0x53: "Σ", 0x57: "Ω", 0x58: "Ξ", 0x59: "Ψ",
		0xa3: "≤", 0xa5: "∞", 0xab: "↔", 0xac: "←", 0xad: "↑", 0xae: "→", 0xaf: "↓", 0xb0: "°", 0xb1: "±", 0xb3: "≥", 0xb4: "×", 0xb7: "•", 0xb8: "÷", 0xb9: "≠", 0xba: "≡", 0xbb: "≈", 0xd0: "∠", 0xd6: "√", 0xe5: "∑", 0xf2: "∫",
	},
}

// sign is a character of a font of signs, "" where it is not known.
func sign(font string, code rune) string {
	font = strings.ToLower(font)
	if code >= 0xf000 && code <= 0xf0ff {
		code -= 0xf000
	}
	for name, known := range signs {
		if strings.HasPrefix(font, name) {
			return known[code]
		}
	}
	if code > 0xff && !isPrivate(code) {
		return string(code)
	}
	return ""
}

func isPrivate(r rune) bool { return r >= 0xe000 && r <= 0xf8ff }
