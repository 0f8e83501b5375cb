package source

import (
	"bytes"
	"fmt"
	"mime"
	"path"
	"strings"

	"github.com/jhillyerd/enmime/v2"

	"quarry/intake"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// enmimeText decodes the words of a header that are encoded.
func enmimeText(raw string) string {
	decoder := &mime.WordDecoder{CharsetReader: charsetReader}
	if text, err := decoder.DecodeHeader(raw); err == nil {
		return text
	}
	return raw
}

// mailBody gathers what a mail says and has with it.
type mailBody struct {
	*reader
	name        string
	leave       map[string]bool // addresses that leave the list
	texts       []string
	attachments []intake.Attachment
	pictures    map[string]string // name by Content-ID
	shown       map[string]bool   // names that the text shows
	forwards    int
}

func (b *mailBody) read(root *enmime.Part) {
	b.pictures, b.shown = map[string]string{}, map[string]bool{}
	b.attach(root)
	b.part(root)
}

// attach names all files first, since the text may show one that comes behind it.
func (b *mailBody) attach(p *enmime.Part) {
	for ; p != nil; p = p.NextSibling {
		switch {
		case p.FirstChild != nil || strings.HasPrefix(p.ContentType, "multipart/"):
			b.attach(p.FirstChild)
		case isText(p) || p.ContentType == "message/rfc822" || isNoise(p.ContentType) || len(p.Content) == 0 && p.FileName == "":
		default:
			name := b.nameFor(p)
			attachment := intake.Attachment{Name: name}
			if b.in.Attachments {
				attachment.Content = p.Content
			}
			b.attachments = append(b.attachments, attachment)
			if p.ContentID != "" {
				b.pictures[p.ContentID] = name
			}
		}
	}
}

// isText tells a part that is read from one that is attached.
func isText(p *enmime.Part) bool {
	return (p.ContentType == "text/plain" || p.ContentType == "text/html" || p.ContentType == "" || p.ContentType == "text/enriched") && p.Disposition != "attachment"
}

func isNoise(kind string) bool {
	return strings.HasSuffix(kind, "-signature") || kind == "text/x-amp-html" || kind == "application/ms-tnef" || kind == "message/delivery-status"
}

// nameFor is a name for a file that no other one of the mail has.
func (b *mailBody) nameFor(p *enmime.Part) string {
	given := path.Base(strings.ReplaceAll(oneLine(p.FileName, 200), `\`, "/"))
	extension := path.Ext(given)
	stem := draft.FileName(strings.TrimSuffix(given, extension))
	if extension = draft.FileName(strings.TrimPrefix(extension, ".")); extension == "" {
		if known, err := mime.ExtensionsByType(p.ContentType); err == nil && len(known) > 0 {
			extension = strings.TrimPrefix(known[0], ".")
		}
	}
	if stem == "" {
		stem = "attachment"
	}
	if extension != "" {
		extension = "." + extension
	}
	for n := 1; ; n++ {
		name := stem + extension
		if n > 1 {
			name = fmt.Sprintf("%s %d%s", stem, n, extension)
		}
		isFree := true
		for _, a := range b.attachments {
			isFree = isFree && !strings.EqualFold(a.Name, name)
		}
		if isFree {
			return name
		}
	}
}

// part reads a part and those beside it.
func (b *mailBody) part(p *enmime.Part) {
	for ; p != nil; p = p.NextSibling {
		for _, fault := range p.Errors {
			if fault.Severe || fault.Name == enmime.ErrorCharsetConversion && !strings.Contains(fault.Detail, unnamedCharset) {
				b.problem(b.name, fault.Name+": "+fault.Detail)
			}
		}
		switch {
		case p.ContentType == "multipart/alternative":
			b.alternative(p)
		case p.ContentType == "multipart/encrypted":
			b.problem(b.name, "the mail is encrypted: its text cannot be read")
		case p.FirstChild != nil:
			b.part(p.FirstChild)
		case p.ContentType == "message/rfc822":
			b.forwarded(p)
		case isText(p):
			b.add(b.text(p))
		}
	}
}

func (b *mailBody) add(text string) {
	if text = strings.TrimSpace(text); text != "" {
		b.texts = append(b.texts, text)
	}
}

func (b *mailBody) text(p *enmime.Part) string {
	content := p.Content
	if len(content) > maxTextBytes {
		b.problem(b.name, fmt.Sprintf("a text of the mail is left out: it is over %d MiB", maxTextBytes>>20))
		return ""
	}
	if p.Charset == unnamedCharset || strings.EqualFold(p.Charset, "us-ascii") {
		content = toUTF8(content, "")
	}
	if p.ContentType == "text/html" {
		return b.html(string(valid(content)))
	}
	text := strings.ReplaceAll(string(valid(content)), "\r\n", "\n")
	if strings.EqualFold(p.ContentTypeParams["format"], "flowed") || strings.Contains(strings.ToLower(p.Header.Get("Content-Type")), "format=flowed") {
		text = unflow(text, strings.Contains(strings.ToLower(p.Header.Get("Content-Type")), "delsp=yes"))
	}
	return markdown.FromText(unwrapText(withoutFooter(text, b.leave)))
}

// alternative takes the HTML of a choice where it says more than the plain text, else that; further parts are read beside it.
func (b *mailBody) alternative(p *enmime.Part) {
	var plain, rich *enmime.Part
	var other []*enmime.Part
	for child := p.FirstChild; child != nil; child = child.NextSibling {
		switch {
		case child.ContentType == "text/plain" && plain == nil && isText(child):
			plain = child
		case child.ContentType == "text/html" && rich == nil && isText(child):
			rich = child
		case child.FirstChild != nil:
			other = append(other, child)
		}
	}
	for _, child := range other { // HTML with its pictures
		if found := firstHTML(child); rich == nil && found != nil {
			rich = found
		}
	}
	var fromPlain, fromRich string
	if plain != nil {
		fromPlain = b.text(plain)
	}
	if rich != nil {
		fromRich = b.text(rich)
	}
	if fromPlain != "" && (!saysMore(fromRich, fromPlain) || len(fromRich)*2 < len(fromPlain)) {
		b.add(fromPlain)
		return
	}
	b.add(fromRich)
}

func firstHTML(p *enmime.Part) *enmime.Part {
	return p.DepthMatchFirst(func(q *enmime.Part) bool { return q.ContentType == "text/html" && isText(q) })
}

var structure = lazyregexp.New(`(?m)^#{1,6} |^\s*(?:[-*+]|\d+\.) |^\||^` + "```" + `|!\[|\]\(|\*\*|\*[^\s*]`)

// saysMore tells whether a text from HTML has any form, or more words, than the plain one.
func saysMore(rich, plain string) bool {
	return rich != "" && (structure.MatchString(rich) || len(strings.Fields(rich)) > len(strings.Fields(plain))*11/10)
}

// forwarded puts a mail within a mail under its subject.
func (b *mailBody) forwarded(p *enmime.Part) {
	if b.forwards++; b.forwards > maxForwards {
		b.problem(b.name, fmt.Sprintf("a mail within the mail is left out: there are more than %d", maxForwards))
		return
	}
	inner, err := readParts(p.Content)
	if err != nil {
		b.problem(b.name, "a mail within the mail cannot be read: "+err.Error())
		return
	}
	subject := oneLine(header{inner}.text("Subject"), maxTitle)
	if subject == "" {
		subject = "Mail"
	}
	b.add("## " + markdown.Escape(subject))
	b.attach(inner)
	b.part(inner)
}

// html is the Markdown of a mail's HTML without what is there to count, to leave or to be seen before it is opened.
func (b *mailBody) html(source string) string {
	options := markdown.Options{TopHeading: 2, IsMail: true}
	options.Link = func(address, text string) (string, bool) {
		target := webAddress(unwrapped(address))
		switch {
		case b.leave[address] || isLeaving(address):
			return withoutAddresses(text), true
		case target == "" && !strings.HasPrefix(strings.ToLower(address), "mailto:"):
			return text, true // relative to nothing
		case target == "" || target == address:
			return "", false
		case text == "" || text == address || text == markdown.Escape(address):
			return target, true
		}
		return "[" + text + "](" + strings.NewReplacer("(", "%28", ")", "%29", " ", "%20", "<", "%3C", ">", "%3E").Replace(target) + ")", true
	}
	options.Image = func(address, alternative string) (string, bool) {
		if id, ok := strings.CutPrefix(address, "cid:"); ok {
			return b.picture(id, alternative), true
		}
		return "", isPixel(address, alternative)
	}
	cleaned, err := withoutFooters(source, b.leave)
	if err != nil {
		cleaned = source
	}
	return b.convert(b.name, cleaned, options)
}

// withoutAddresses is the text of a link that goes, which may be its address.
func withoutAddresses(text string) string {
	return strings.TrimSpace(plainAddress.ReplaceAllString(text, ""))
}

// picture shows a file of the mail: embedded where it is kept, else by its name.
func (b *mailBody) picture(id, alternative string) string {
	name, ok := b.pictures[id]
	if !ok {
		return alternative
	}
	b.shown[name] = true
	if b.in.Attachments {
		return "![[" + name + "]]"
	}
	return strings.TrimSpace(alternative + " (" + markdown.Escape(name) + ")")
}

// result is the whole text, with the names of files that it does not show below it.
func (b *mailBody) result() string {
	var names []string
	for _, a := range b.attachments {
		switch {
		case b.shown[a.Name]:
		case b.in.Attachments:
			names = append(names, "- [["+a.Name+"]]")
		default:
			names = append(names, "- "+markdown.Escape(a.Name))
		}
	}
	if len(names) > 0 {
		b.texts = append(b.texts, strings.Join(names, "\n"))
	}
	return strings.Join(b.texts, "\n\n")
}

// unflow joins lines that a mail program broke softly (RFC 3676).
func unflow(text string, dropsSpace bool) string {
	var b bytes.Buffer
	depthBefore, isSoft := 0, false
	for line := range strings.SplitSeq(text, "\n") {
		quote := len(line) - len(strings.TrimLeft(line, ">"))
		rest := strings.TrimPrefix(line[quote:], " ") // stuffed
		if isSoft && quote == depthBefore {
			b.WriteString(rest)
		} else {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			if quote > 0 {
				b.WriteString(strings.Repeat(">", quote) + " ")
			}
			b.WriteString(rest)
		}
		isSoft = strings.HasSuffix(rest, " ") && rest != "-- "
		if isSoft && dropsSpace {
			b.Truncate(b.Len() - 1)
		}
		depthBefore = quote
	}
	return b.String()
}
