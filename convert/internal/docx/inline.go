package docx

import (
	"encoding/xml"
	"net/url"
	"path"
	"strconv"
	"strings"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// field is a field of Word, between its instruction and its end.
type field struct {
	instruction string
	isResult    bool
	address     string
	anchor      string
}

const (
	maxFields           = 64
	maxInstructionBytes = 8 << 10
)

// inline reads an element within a paragraph.
func (d *document) inline(x *cursor, e xml.StartElement, p *paragraph) error {
	visit := func(e xml.StartElement) error { return d.inline(x, e, p) }
	switch x.name(e) {
	case "w:r":
		return d.run(x, p)
	case "w:hyperlink":
		address, anchor := d.hyperlink(e)
		return d.within(p, address, anchor, func() error { return x.each(visit) })
	case "w:fldSimple":
		made := d.instruct(value(e, "instr"))
		if made.address == "" && made.anchor == "" {
			return x.each(visit)
		}
		return d.within(p, made.address, made.anchor, func() error { return x.each(visit) })
	case "w:sdt":
		return d.control(x, visit)
	case "w:ins", "w:moveTo", "w:smartTag", "w:customXml", "w:sdtContent", "w:dir", "w:bdo":
		return x.each(visit)
	case "mc:AlternateContent":
		return d.alternatives(x, visit)
	case "w:del", "w:moveFrom":
		d.into.Lost["deletion that was tracked"]++
	case "w:bookmarkStart":
		if name := value(e, "name"); name != "" && name != "_GoBack" && len(p.anchors) < 1000 {
			p.anchors = append(p.anchors, name)
		}
	case "m:oMath", "m:oMathPara":
		return d.formula(x, p)
	}
	return x.skip()
}

// within reads what is in a link.
func (d *document) within(p *paragraph, address, anchor string, read func() error) error {
	outer, outerAnchor := p.address, p.anchor
	p.address, p.anchor = address, anchor
	err := read()
	p.address, p.anchor = outer, outerAnchor
	return err
}

func (d *document) run(x *cursor, p *paragraph) error {
	var r run
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch x.name(e) {
		case "w:rPr":
			var err error
			r, err = x.runProperties()
			return err
		case "w:t":
			text, err := x.text()
			if err == nil {
				d.write(p, r, text)
			}
			return err
		case "w:tab", "w:ptab":
			d.write(p, r, "\t")
		case "w:br", "w:cr":
			if kind := value(e, "type"); kind == "" || kind == "textWrapping" {
				d.write(p, r, "\n")
			}
		case "w:noBreakHyphen":
			d.write(p, r, "-")
		case "w:sym":
			d.symbol(p, r, e)
		case "w:footnoteReference", "w:endnoteReference":
			d.note(p, r, strings.TrimSuffix(e.Name.Local, "Reference")+":"+value(e, "id"))
		case "w:commentReference":
			d.into.Lost["comment"]++
		case "w:fldChar":
			return d.fieldChar(x, e, p)
		case "w:instrText":
			text, err := x.text()
			d.instruction(text)
			return err
		case "w:drawing", "w:pict", "w:object":
			return d.drawing(x, e, p)
		case "mc:AlternateContent":
			return d.alternatives(x, visit)
		case "w:ruby":
			return d.ruby(x, visit)
		}
		return x.skip()
	}
	return x.each(visit)
}

// ruby reads the text that a reading aid stands above.
func (d *document) ruby(x *cursor, visit func(xml.StartElement) error) error {
	return x.each(func(e xml.StartElement) error {
		if x.name(e) != "w:rubyBase" {
			return x.skip()
		}
		return x.each(func(e xml.StartElement) error {
			if x.name(e) != "w:r" {
				return x.skip()
			}
			return x.each(visit)
		})
	})
}

// write adds text to a paragraph, unless it is hidden or an instruction.
func (d *document) write(p *paragraph, r run, text string) {
	if len(d.fields) > 0 && !d.fields[len(d.fields)-1].isResult || text == "" {
		return
	}
	if r.isHidden {
		d.into.Lost["hidden text"]++
		return
	}
	set, on, font := d.styles.format(r.style)
	s := span{text: d.clean(text), format: on&^r.set | r.on, address: p.address, anchor: p.anchor}
	if r.font != "" {
		font = r.font
	}
	if set&mono == 0 && isMono(font) && !isMono(d.styles.font) && !d.isMonoStyle(p.style) {
		s.format |= mono
	}
	if r.isUnderline && s.address == "" && s.anchor == "" && strings.TrimSpace(text) != "" {
		d.into.Lost["underline"]++
	}
	p.spans = append(p.spans, s)
}

// isMonoStyle tells whether paragraphs of a style are code as a whole.
func (d *document) isMonoStyle(id string) bool {
	k, _ := d.styles.is(id)
	return k == code
}

// clean is text without what cannot be written.
func (d *document) clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u00a0':
			return ' '
		case r == '\u00ad' || r == '\ufeff' || r == '\u200b':
			return -1
		case isPrivate(r):
			d.into.Lost["sign of a font"]++
			return -1
		}
		return r
	}, text)
}

func (d *document) symbol(p *paragraph, r run, e xml.StartElement) {
	code, err := strconv.ParseUint(value(e, "char"), 16, 21)
	text := ""
	if err == nil {
		text = sign(value(e, "font"), rune(code))
	}
	if text == "" {
		d.into.Lost["sign of a font"]++
		return
	}
	d.write(p, r, text)
}

// note writes the number of a footnote or an endnote.
func (d *document) note(p *paragraph, r run, id string) {
	if _, ok := d.notes[id]; !ok || r.isHidden || len(d.fields) > 0 && !d.fields[len(d.fields)-1].isResult {
		return
	}
	if d.noteAt[id] == 0 {
		d.noteIDs = append(d.noteIDs, id)
		d.noteAt[id] = len(d.noteIDs)
	}
	p.spans = append(p.spans, span{text: "[^" + strconv.Itoa(d.noteAt[id]) + "]", isMade: true})
}

func (d *document) fieldChar(x *cursor, e xml.StartElement, p *paragraph) error {
	switch value(e, "fldCharType") {
	case "begin":
		if len(d.fields) < maxFields {
			d.fields = append(d.fields, field{})
		}
	case "separate":
		if last := len(d.fields) - 1; last >= 0 {
			made := d.instruct(d.fields[last].instruction)
			made.isResult = true
			d.fields[last] = made
			d.link(p)
		}
	case "end":
		if last := len(d.fields) - 1; last >= 0 {
			d.fields = d.fields[:last]
			d.link(p)
		}
	}
	return x.skip()
}

// openLink is the innermost field that is a link, nil for none.
func (d *document) openLink() *field {
	for i := len(d.fields) - 1; i >= 0; i-- {
		if f := &d.fields[i]; f.isResult && (f.address != "" || f.anchor != "") {
			return f
		}
	}
	return nil
}

func (d *document) link(p *paragraph) {
	p.address, p.anchor = "", ""
	if f := d.openLink(); f != nil {
		p.address, p.anchor = f.address, f.anchor
	}
}

func (d *document) instruction(text string) {
	if last := len(d.fields) - 1; last >= 0 && !d.fields[last].isResult && len(d.fields[last].instruction) < maxInstructionBytes {
		d.fields[last].instruction += text
	}
}

var word = lazyregexp.New(`"((?:[^"\\]|\\.)*)"|(\S+)`)

// instruct reads the instruction of a field: where it links to.
func (d *document) instruct(text string) field {
	f := field{instruction: text}
	var words []string
	for _, m := range word.FindAllStringSubmatch(text[:min(len(text), maxInstructionBytes)], 64) {
		words = append(words, strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(m[1])+m[2])
	}
	if len(words) == 0 {
		return f
	}
	switch strings.ToUpper(words[0]) {
	case "HYPERLINK":
		for i := 1; i < len(words); i++ {
			switch words[i] {
			case `\l`, `\o`, `\t`:
				if words[i] == `\l` && i+1 < len(words) {
					f.anchor = words[i+1]
				}
				i++
			case `\h`, `\m`, `\n`:
			default:
				if f.address == "" {
					f.address = words[i]
				}
			}
		}
		if f.address != "" {
			f.address, f.anchor = d.target(f.address, f.anchor)
		}
	case "REF":
		for _, one := range words[1:] {
			if one == `\h` {
				f.anchor = words[1]
			}
		}
	}
	return f
}

// hyperlink is where an element links to: an address, or a place within the document.
func (d *document) hyperlink(e xml.StartElement) (address, anchor string) {
	anchor = value(e, "anchor")
	if r, ok := d.relations[value(e, "id")]; ok && r.isExternal {
		return d.target(r.target, anchor)
	}
	return "", anchor
}

var (
	google = lazyregexp.New(`^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$`)
	scheme = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+.-]+):`)
)

// target is an address as a note has it: Google's redirect unwrapped once. One that begins with "#" is a place in the document.
func (d *document) target(address, anchor string) (_, place string) {
	address = strings.TrimSpace(address)
	if inner, ok := strings.CutPrefix(address, "#"); ok {
		return "", inner
	}
	parsed, err := url.Parse(address)
	if err == nil && google.MatchString(parsed.Hostname()) && parsed.Path == "/url" {
		for _, name := range []string{"q", "url"} {
			if inner := parsed.Query().Get(name); isWeb(inner) {
				return inner, ""
			}
		}
	}
	if anchor != "" && isWeb(address) && !strings.Contains(address, "#") {
		address += "#" + anchor
	}
	return address, ""
}

func isWeb(address string) bool {
	lower := strings.ToLower(address[:min(len(address), 8)])
	return strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "mailto:")
}

// formula keeps the text of an equation.
func (d *document) formula(x *cursor, p *paragraph) error {
	d.into.Lost["formula, of which the text stays"]++
	var b strings.Builder
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch x.name(e) {
		case "m:t", "w:t":
			text, err := x.text()
			b.WriteString(text)
			return err
		case "m:den":
			b.WriteString("/")
		case "m:sup":
			b.WriteString("^")
		case "m:sub":
			b.WriteString("_")
		case "m:rad":
			b.WriteString("√")
		case "w:rPr", "m:rPr", "m:ctrlPr":
			return x.skip()
		}
		return x.each(visit)
	}
	err := x.each(visit)
	p.spans = append(p.spans, span{text: d.clean(b.String())})
	return err
}

// picture is what a drawing shows.
type picture struct {
	alternative string
	pixels      int
}

// pixel is one at 96 to the inch, in the unit of drawings.
const pixel = 9525

// drawing reads pictures and text boxes.
func (d *document) drawing(x *cursor, start xml.StartElement, p *paragraph) error {
	alternative, pixels, count := "", 0, 0
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch x.name(e) {
		case "wp:extent":
			if width, err := strconv.Atoi(value(e, "cx")); err == nil && width >= pixel {
				pixels = min(width/pixel, 10_000)
			}
		case "wp:docPr":
			if alternative = value(e, "descr"); alternative == "" {
				alternative = value(e, "title")
			}
		case "v:shape", "v:rect":
			if value(e, "hr") == "t" {
				count++
				p.isRule = true
			}
			alternative = value(e, "alt")
		case "a:blip":
			count++
			d.picture(p, value(e, "embed"), value(e, "link"), picture{alternative: alternative, pixels: pixels})
		case "v:imagedata":
			count++
			d.picture(p, value(e, "id"), "", picture{alternative: alternative, pixels: pixels})
		case "w:txbxContent":
			count++
			return d.textBox(x, p)
		case "mc:AlternateContent":
			return d.alternatives(x, visit)
		}
		return x.each(visit)
	}
	err := x.each(visit)
	if x.name(start) == "w:object" {
		d.into.Lost["embedded object"]++
	} else if count == 0 {
		d.into.Lost["drawing"]++
		if alternative != "" {
			p.spans = append(p.spans, span{text: d.clean(alternative)})
		}
	}
	return err
}

// textBox reads what is in a text box, which follows the paragraph that it hangs on.
func (d *document) textBox(x *cursor, p *paragraph) error {
	fields, bookmarks, wasItem := d.fields, d.bookmarks, d.wasItem
	d.fields, d.bookmarks, d.wasItem = nil, nil, false
	blocks, err := d.body(x)
	d.fields, d.bookmarks, d.wasItem = fields, append(bookmarks, d.bookmarks...), wasItem
	p.after = append(p.after, blocks...)
	return err
}

// picture writes a picture: one of the document as an attachment, one from elsewhere as its address.
func (d *document) picture(p *paragraph, embedded, linked string, shown picture) {
	alternative := markdown.Escape(draft.Line(d.clean(shown.alternative)))
	r, ok := d.relations[embedded]
	if !ok || r.isExternal {
		if ok = false; embedded == "" || linked != "" {
			r = d.relations[linked]
		}
		if r.isExternal && isWeb(r.target) {
			p.spans = append(p.spans, span{text: "![" + alternative + "](" + escapeAddress(r.target) + ")", isMade: true})
			return
		}
	}
	if !ok || d.archive.parts[r.target] == nil {
		d.into.Problem(d.where, "a picture of it is not in the document")
		if alternative != "" {
			p.spans = append(p.spans, span{text: alternative, isMade: true})
		}
		return
	}
	id := d.where + "#" + r.target
	if !d.pictures[id] {
		d.pictures[id] = true
		d.into.Attachments = append(d.into.Attachments, export.Attachment{ID: id, Path: stem(d.where) + "/" + path.Base(r.target), Read: d.reader(r.target)})
	}
	to := export.Target{ID: id, Text: alternative, IsEmbed: true, Otherwise: alternative}
	if shown.pixels > 0 {
		to.Size = strconv.Itoa(shown.pixels)
	}
	p.spans = append(p.spans, span{text: d.into.Link(to), isMade: true, address: p.address})
}

// reader reads a part of the document when it is wanted.
func (d *document) reader(part string) func() ([]byte, error) {
	library, where, pictures := d.library, d.where, d.pictures
	return func() ([]byte, error) {
		a, err := library.open(where)
		if err != nil {
			return nil, err
		}
		content, err := a.read(part, maxMediaBytes)
		if delete(pictures, where+"#"+part); len(pictures) == 0 {
			library.archive = nil // the last one: the document need not stay in memory
		}
		return content, err
	}
}
