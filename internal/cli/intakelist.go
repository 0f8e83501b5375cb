package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"quarry/intake"
	"quarry/intake/ledger"
	"quarry/intake/triage"
)

// reviewMode is what the list with keys shows.
type reviewMode int

const (
	showsList reviewMode = iota
	showsText
	showsDomains
)

// reviewer is the list with keys. It draws what it is and changes by what is pressed.
type reviewer struct {
	app           *app
	ctx           context.Context // of the one command that it is
	triage        *triage.Triage
	entries       []ledger.Entry
	total         int // that wait, also those that are not in the list
	at, top       int // the signal under the cursor, and the first one that shows
	scroll        int // first row of the text
	mode          reviewMode
	domain        int // under the cursor
	said          string
	columns, rows int
}

// press does what a key means; it gives true for the end.
func (r *reviewer) press(key string) (ends bool) {
	if key == "quit" {
		return true
	}
	r.said = ""
	switch r.mode {
	case showsDomains:
		r.pressDomain(key)
		return false
	case showsText:
		if r.pressText(key) {
			return false
		}
	case showsList:
		if r.pressList(key) {
			return false
		}
	}
	switch key {
	case "q":
		return true
	case "a":
		r.decide(func(id int64) ([]triage.Decided, error) { return r.triage.Accept(r.ctx, []int64{id}, "") })
	case "d":
		r.decide(func(id int64) ([]triage.Decided, error) { return r.triage.Drop(r.ctx, []int64{id}) })
	case "m":
		r.pickDomain()
	case "u":
		r.undo()
	}
	return false
}

// pressList moves the cursor through the list.
func (r *reviewer) pressList(key string) bool {
	page := max(r.listRows()-1, 1)
	switch key {
	case "j", "down":
		r.at++
	case "k", "up":
		r.at--
	case "page down":
		r.at += page
	case "page up":
		r.at -= page
	case "home", "g":
		r.at = 0
	case "end", "G":
		r.at = len(r.entries) - 1
	case "enter":
		if len(r.entries) > 0 {
			r.mode = showsText
		}
	default:
		return false
	}
	r.at, r.scroll = max(min(r.at, len(r.entries)-1), 0), 0
	return true
}

// pressText moves through the text of a signal.
func (r *reviewer) pressText(key string) bool {
	page := max(r.listRows()-1, 1)
	switch key {
	case "j", "down":
		r.scroll++
	case "k", "up":
		r.scroll--
	case "page down":
		r.scroll += page
	case "page up":
		r.scroll -= page
	case "home", "g":
		r.scroll = 0
	case "end", "G":
		r.scroll = 1 << 30
	case "enter", "escape", "q":
		r.mode, r.scroll = showsList, 0
	default:
		return false
	}
	r.scroll = max(min(r.scroll, len(r.textRows(r.columns))-r.listRows()), 0)
	return true
}

// pickDomain opens the list of domains at that of the signal.
func (r *reviewer) pickDomain() {
	if len(r.entries) == 0 {
		return
	}
	r.mode, r.domain = showsDomains, 0
	for at, name := range r.triage.Domains() {
		if name == r.entries[r.at].Domain {
			r.domain = at
		}
	}
}

// pressDomain moves through the domains; a letter goes to the next one that begins with it.
func (r *reviewer) pressDomain(key string) {
	domains := r.triage.Domains()
	switch key {
	case "down", "j":
		r.domain = min(r.domain+1, len(domains)-1)
	case "up", "k":
		r.domain = max(r.domain-1, 0)
	case "escape", "q":
		r.mode = showsList
	case "enter":
		r.mode = showsList
		r.decide(func(id int64) ([]triage.Decided, error) { return r.triage.Move(r.ctx, []int64{id}, domains[r.domain]) })
	default:
		for step := 1; step <= len(domains); step++ {
			if at := (r.domain + step) % len(domains); strings.HasPrefix(domains[at], strings.ToLower(key)) {
				r.domain = at
				return
			}
		}
	}
}

// decide settles the signal under the cursor and goes on with the next one.
func (r *reviewer) decide(do func(id int64) ([]triage.Decided, error)) {
	if len(r.entries) == 0 {
		return
	}
	done, err := do(r.entries[r.at].ID)
	if err != nil {
		r.said = oneLine(err.Error())
		return
	}
	r.mode, r.scroll = showsList, 0
	r.said = "u takes back: " + decidedLine(done[0])
	if err := r.load(0); err != nil {
		r.said = oneLine(err.Error())
	}
}

func (r *reviewer) undo() {
	done, err := r.triage.Undo(r.ctx, 0)
	if err == nil {
		r.mode, r.scroll = showsList, 0
		r.said = decidedLine(done)
		err = r.load(done.ID)
	}
	if err != nil {
		r.said = oneLine(err.Error())
	}
}

// Rows around the list, and the width from which the text stands beside it.
const (
	rowsAround  = 3 // the title, what was said, the keys
	wideColumns = 110
)

func (r *reviewer) listRows() int { return max(r.rows-rowsAround, 1) }

// view is the whole screen.
func (r *reviewer) view() string {
	var main []string
	switch r.mode {
	case showsText:
		main = window(r.textRows(r.columns), r.scroll, r.listRows())
	case showsDomains:
		main = r.domainRows()
	case showsList:
		main = r.listAndText()
	}
	rows := append([]string{r.titleRow()}, main...)
	for len(rows) < r.rows-2 {
		rows = append(rows, "")
	}
	rows = append(rows, r.fit(r.said, r.columns), r.app.style(styleFaint, r.fit(r.help(), r.columns)))
	return strings.Join(rows[max(0, len(rows)-r.rows):], "\r\n")
}

func (r *reviewer) titleRow() string {
	title := fmt.Sprintf("Review: %d waiting", r.total)
	if len(r.entries) > 0 {
		title = fmt.Sprintf("Review: %d of %d", r.at+1, r.total)
	}
	return r.app.style(styleTitle, r.fit(title, r.columns))
}

func (r *reviewer) help() string {
	switch r.mode {
	case showsText:
		return "j/k scroll · Enter back · a accept · d drop · m move · u undo · ^C quit"
	case showsDomains:
		return "j/k or a letter · Enter moves it there · Esc back"
	case showsList:
	}
	return "j/k · Enter text · a accept · d drop · m move · u undo · q quit"
}

// fit is a text in one row.
func (r *reviewer) fit(text string, columns int) string {
	return runewidth.Truncate(oneLine(printable(text)), max(columns, 1), "…")
}

func window(rows []string, from, count int) []string {
	from = max(min(from, len(rows)-count), 0)
	return rows[from:min(from+count, len(rows))]
}

// listAndText is the list, with the text of the signal under the cursor beside it where there is room.
func (r *reviewer) listAndText() []string {
	if len(r.entries) == 0 {
		return []string{"", "Nothing waits for you. u takes the last decision back."}
	}
	count := r.listRows()
	r.top = max(min(r.top, r.at), r.at-count+1)
	width := r.columns
	var text []string
	if r.columns >= wideColumns {
		width = r.columns * 45 / 100
		text = window(r.textRows(r.columns-width-3), 0, count)
	}
	var rows []string
	for at := r.top; at < min(r.top+count, len(r.entries)); at++ {
		rows = append(rows, r.listRow(at, width))
	}
	for at := range text {
		if at >= len(rows) {
			rows = append(rows, strings.Repeat(" ", width))
		}
		rows[at] += r.app.style(styleFaint, " │ ") + text[at]
	}
	return rows
}

func (r *reviewer) listRow(at, width int) string {
	entry := r.entries[at]
	mark := "  "
	if at == r.at {
		mark = "> "
	}
	score := 0.0
	if entry.Score != nil {
		score = entry.Score.Composite
	}
	domain := runewidth.FillRight(runewidth.Truncate(entry.Domain, 11, "…"), 11)
	row := runewidth.FillRight(r.fit(fmt.Sprintf("%.2f ", score), width), 5) + domain + " " + oneLine(printable(triage.TitleOf(entry.Signal)))
	row = runewidth.FillRight(mark+runewidth.Truncate(row, max(width-2, 1), "…"), width)
	if at == r.at {
		return r.app.style(styleMark, row)
	}
	return row
}

// textRows are the rows of the signal under the cursor: what it is, why it has its score, and its text.
func (r *reviewer) textRows(columns int) []string {
	if len(r.entries) == 0 {
		return nil
	}
	entry := r.entries[r.at]
	signal, one := entry.Signal, waitingOf(entry)
	var rows []string
	add := func(style, text string) {
		for _, row := range wrap(oneLine(printable(text)), max(columns, 10)) {
			rows = append(rows, r.app.style(style, runewidth.Truncate(row, columns, "…")))
		}
	}
	add(styleTitle, one.Title)
	add(styleFaint, strings.Join(slices.DeleteFunc([]string{one.From, signal.Author, signal.Created.Format(time.DateOnly)}, func(part string) bool { return part == "" }), " · "))
	add(stylePath, signal.Address)
	if entry.Score != nil {
		for _, figure := range []struct {
			name string
			intake.Dimension
		}{{"relevance", entry.Score.Relevance}, {"actionability", entry.Score.Actionability}, {"depth", entry.Score.Depth}, {"authority", entry.Score.Authority}} {
			add(styleFaint, fmt.Sprintf("%s %.2f  %s", figure.name, figure.Value, strings.Join(figure.Reasons, "; ")))
		}
	}
	rows = append(rows, "")
	for line := range strings.SplitSeq(signal.Body[:min(len(signal.Body), maxReviewedBytes)], "\n") {
		if strings.TrimSpace(line) == "" {
			rows = append(rows, "")
			continue
		}
		for _, row := range wrap(printable(strings.ReplaceAll(line, "\t", "    ")), max(columns, 10)) {
			rows = append(rows, runewidth.Truncate(row, columns, "…"))
		}
	}
	return rows
}

// maxReviewedBytes is how much of a text is shown.
const maxReviewedBytes = 64 << 10

func (r *reviewer) domainRows() []string {
	rows := []string{r.fit("Move “"+triage.TitleOf(r.entries[r.at].Signal)+"” into:", r.columns), ""}
	first := max(0, r.domain-max(r.listRows()-3, 0))
	for at, name := range r.triage.Domains() {
		if at < first || len(rows) >= r.listRows() {
			continue
		}
		if at == r.domain {
			rows = append(rows, r.app.style(styleMark, r.fit("> "+name, r.columns)))
		} else {
			rows = append(rows, "  "+r.fit(name, r.columns-2))
		}
	}
	return rows
}
