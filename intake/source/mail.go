package source

import (
	"bytes"
	"fmt"
	"net/mail"
	"strconv"
	"strings"
	"time"

	"github.com/jhillyerd/enmime/v2"

	"quarry/intake"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
)

var (
	mailField = lazyregexp.New(`(?im)^(?:from|to|subject|date|message-id|received|return-path|mime-version|delivered-to|reply-to|sender|list-id|list-unsubscribe|content-type|dkim-signature|x-[a-z-]+)[ \t]*:`)
	mboxLine  = lazyregexp.New(`^From \S+(?: at \S+)?\s+(?:[A-Z][a-z]{2},? )?\s*(?:[A-Z][a-z]{2}\s+\d{1,2}|\d{1,2}\s+[A-Z][a-z]{2})[ \d:+A-Za-z-]*\d{4}`)
	sizeLine  = lazyregexp.New(`^(\d{1,10}) *\r?\n`)
	fromMark  = lazyregexp.New(`(?m)^>(>*From )`)
)

// isMail tells a mail by its header: at least three known fields, one of them who it is from or its id.
func isMail(raw []byte) bool {
	_, raw = fromAppleMail(raw)
	header := headerOf(raw[:min(len(raw), 64<<10)])
	if colon := bytes.IndexByte(header, ':'); colon < 1 || colon > 60 || bytes.ContainsAny(header[:colon], " \t\n<>{}[]\"#") {
		return false
	}
	names := map[string]bool{}
	for _, field := range mailField.FindAll(header, 100) {
		names[strings.ToLower(strings.TrimRight(string(field), ": \t"))] = true
	}
	return len(names) >= 3 && (names["from"] || names["message-id"] || names["received"])
}

// headerOf is a mail up to the first empty line.
func headerOf(raw []byte) []byte {
	end := len(raw)
	for _, mark := range []string{"\n\n", "\n\r\n", "\r\r"} {
		if at := bytes.Index(raw[:end], []byte(mark)); at >= 0 {
			end = at
		}
	}
	return raw[:end]
}

// isMbox tells a file of mails by the line before the first.
func isMbox(raw []byte) bool {
	line, rest, _ := bytes.Cut(raw[:min(len(raw), 64<<10)], []byte("\n"))
	return len(line) < 500 && mboxLine.Match(line) && isMail(rest)
}

// fromAppleMail is a mail without the size before it and the list of properties behind it that Apple Mail adds.
func fromAppleMail(raw []byte) (ok bool, _ []byte) {
	m := sizeLine.FindSubmatch(raw[:min(len(raw), 32)])
	if m == nil {
		return false, raw
	}
	size, err := strconv.Atoi(string(m[1]))
	if rest := raw[len(m[0]):]; err == nil && size <= len(rest) {
		return true, rest[:size]
	}
	return false, raw
}

// oneMail reads a file of one mail: .eml, of a Maildir, .emlx.
func (r *reader) oneMail(raw []byte) error {
	r.batch.Kind = "eml"
	_, raw = fromAppleMail(raw)
	signal, err := r.mail(raw, "")
	if err != nil {
		return err
	}
	r.batch.Title = signal.Title
	r.add(signal)
	return nil
}

// mbox reads a file of mails, each behind a line "From ADDRESS DATE".
func (r *reader) mbox(raw []byte) error {
	r.batch.Kind = "mbox"
	count := 0
	for len(raw) > 0 {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		_, raw, _ = bytes.Cut(raw, []byte("\n"))
		end := nextMail(raw)
		one := raw[:end]
		raw = raw[end:]
		if count++; count > maxSignals {
			r.leave(fmt.Sprintf("more than %d in one file", maxSignals), "")
			continue
		}
		signal, err := r.mail(unquoteFrom(one), fmt.Sprintf("mail %d", count))
		if err != nil {
			r.problem(fmt.Sprintf("mail %d", count), err.Error())
			continue
		}
		r.add(signal)
	}
	if len(r.batch.Signals) == 0 {
		return fmt.Errorf("none of %d mails could be read: %w", count, ErrDamaged)
	}
	return nil
}

// nextMail is where the next line begins that parts mails.
func nextMail(raw []byte) int {
	for at := 0; at < len(raw); {
		found := bytes.Index(raw[at:], []byte("\nFrom "))
		if found < 0 {
			return len(raw)
		}
		at += found + 1
		if line, _, _ := bytes.Cut(raw[at:min(len(raw), at+500)], []byte("\n")); mboxLine.Match(line) {
			return at
		}
	}
	return len(raw)
}

// unquoteFrom takes one ">" away from the lines that the file had to mark.
func unquoteFrom(raw []byte) []byte {
	if !bytes.Contains(raw, []byte(">From ")) {
		return raw
	}
	return fromMark.ReplaceAll(raw, []byte("$1"))
}

// mail reads one mail; name tells it from others of a file.
func (r *reader) mail(raw []byte, name string) (intake.Signal, error) {
	root, err := readParts(raw)
	if err != nil {
		return intake.Signal{}, err
	}
	h := header{root}
	s := intake.Signal{Channel: intake.Mail, Title: oneLine(h.text("Subject"), maxTitle), Identity: messageID(h.text("Message-Id"))}
	if s.Title != "" {
		name = s.Title
	}
	from := h.from()
	s.Author, s.Origin, s.OriginName = from.Name, from.Address, from.Name
	if s.Author == "" {
		s.Author = from.Address
	}
	list := listID(h.text("List-Id"))
	if list != "" {
		s.Origin = list
	}
	if list != "" || h.text("List-Unsubscribe") != "" {
		s.Properties = append(s.Properties, draft.Property{Name: "newsletter", Value: true})
	}
	s.Created = r.mailDate(h, name)
	b := &mailBody{reader: r, name: name, leave: unsubscribeAddresses(h.text("List-Unsubscribe"))}
	b.read(root)
	s.Body, s.Attachments = b.result(), b.attachments
	if s.Title == "" {
		if s.Title = firstSentence(s.Body); s.Title == "" {
			s.Title = strings.TrimSpace("Mail " + s.Author)
		}
	}
	if s.Identity == "" && s.Body == "" && s.Origin == "" {
		return s, fmt.Errorf("%w: no sender and no text", ErrDamaged)
	}
	return s, nil
}

// header reads fields of a mail's header as text.
type header struct{ part *enmime.Part }

func (h header) text(name string) string {
	raw := h.part.Header.Get(name)
	if len(raw) > 16<<10 {
		raw = raw[:16<<10]
	}
	return strings.Join(strings.Fields(string(toUTF8([]byte(enmimeText(raw)), ""))), " ")
}

// from is who sent a mail.
func (h header) from() mail.Address {
	for _, name := range []string{"From", "Sender", "Reply-To"} {
		raw := h.part.Header.Get(name)
		if raw = raw[:min(len(raw), 4096)]; raw == "" {
			continue
		}
		if list, err := enmime.ParseAddressList(raw); err == nil && len(list) > 0 {
			return mail.Address{Name: oneLine(list[0].Name, 200), Address: oneLine(list[0].Address, 200)}
		}
		if text := h.text(name); text != "" {
			address := bareMailbox.FindString(text)
			return mail.Address{Name: oneLine(strings.Trim(strings.ReplaceAll(text, address, ""), ` <>"`), 200), Address: oneLine(address, 200)}
		}
	}
	return mail.Address{}
}

func (r *reader) mailDate(h header, name string) time.Time {
	if text := h.text("Date"); text != "" {
		return r.firstDate(name, text)
	}
	if received := h.text("Received"); received != "" { // the last to add one is the first
		if at := strings.LastIndexByte(received, ';'); at >= 0 {
			when, _ := parseDate(received[at+1:])
			return when
		}
	}
	return time.Time{}
}

func messageID(text string) string { return oneLine(strings.Trim(text, "<> "), 500) }

var (
	bareMailbox = lazyregexp.New(`[^\s<>()"]+@[^\s<>()"]+`)
	listForm    = lazyregexp.New(`<([^<>\s]+)>`)
)

// listID is the id in "Name <id>".
func listID(text string) string {
	if m := listForm.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	return oneLine(strings.Trim(text, "<>"), 200)
}

// unsubscribeAddresses are the addresses of a field List-Unsubscribe.
func unsubscribeAddresses(text string) map[string]bool {
	addresses := map[string]bool{}
	for _, m := range listForm.FindAllStringSubmatch(text, 10) {
		addresses[m[1]] = true
	}
	return addresses
}
