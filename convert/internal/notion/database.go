package notion

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"quarry/convert/export"
	"quarry/internal/markdown"
)

// Bounds of a database.
const (
	maxTableBytes = 4 << 20  // of the table in its note
	maxTableFile  = 32 << 20 // of its file
	maxColumns    = 200
	maxCompared   = 50 // pages of one title that are compared with a row
)

// database is a database: a file of its rows, a folder of their pages.
type database struct {
	file    export.File
	page    *page
	rows    [][]string
	columns []string        // names, in small letters
	isList  map[string]bool // by column: its values are lists
}

// csv takes a file of rows: one of all rows is taken before one of a view.
func (r *reader) csv(f export.File) {
	stem := strings.TrimSuffix(f.Path, path.Ext(f.Path))
	if !strings.HasSuffix(stem, "_all") && r.tree.Has(stem+"_all.csv") {
		r.into.LeaveOut("a view of a database, all of whose rows are taken", f.Path)
		return
	}
	r.databases = append(r.databases, &database{file: f})
}

// readDatabases reads all rows, so that pages know what their properties are.
func (r *reader) readDatabases() {
	var kept []*database
	for _, d := range r.databases {
		if err := r.readRows(d); err != nil {
			r.into.Problem(d.file.Path, "%v", err)
		}
		if len(d.rows) == 0 {
			continue
		}
		stem := strings.TrimSuffix(strings.TrimSuffix(d.file.Path, path.Ext(d.file.Path)), "_all")
		name, id := splitID(path.Base(stem))
		r.folders[stem] = d
		r.folders[path.Join(path.Dir(stem), name)] = d
		if other := r.byID[id]; id != "" && other != nil && other.kind == ".html" {
			r.into.LeaveOut("the rows of a database that has a page", d.file.Path)
			r.byPath[d.file.Path], r.byPath[stem] = other, other
			continue
		}
		d.page = &page{file: d.file, kind: ".csv", at: stem}
		r.register(d.page)
		kept = append(kept, d)
	}
	r.databases = kept
}

// readRows reads the rows of a file, as far as it can be read.
func (r *reader) readRows(d *database) error {
	content, err := r.tree.Read(d.file.Path)
	if err == nil && len(content) > maxTableFile {
		err = export.ErrTooLarge
	}
	if err != nil {
		return err
	}
	lines := csv.NewReader(bytes.NewReader([]byte(normalised(string(content)))))
	lines.FieldsPerRecord, lines.LazyQuotes = -1, true
	for {
		row, rowErr := lines.Read()
		if errors.Is(rowErr, io.EOF) {
			break
		}
		if rowErr != nil {
			err = rowErr
			break
		}
		if len(d.rows) == 0 || slices.ContainsFunc(row, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			d.rows = append(d.rows, row)
		}
	}
	d.describe()
	return err
}

// describe tells lists among the columns: their values are short, and some stand beside others in one row and come again in another.
func (d *database) describe() {
	d.isList = map[string]bool{}
	if len(d.rows) == 0 {
		return
	}
	for i, name := range d.rows[0] {
		name = strings.ToLower(strings.TrimSpace(name))
		d.columns = append(d.columns, name)
		seen, again, isShort, isMany := map[string]bool{}, false, true, false
		for _, row := range d.rows[1:] {
			if i == 0 || i >= len(row) || !isShort {
				break
			}
			list := strings.Split(row[i], ", ")
			isMany = isMany || len(list) > 1
			for _, one := range list {
				again = again || one != "" && seen[one]
				seen[one] = true
				isShort = isShort && len(one) <= 40 && !strings.ContainsAny(one, ".;:!?()\n")
			}
		}
		_, isDate := parseDate(strings.Join(slices.Collect(firstValue(d.rows[1:], i)), ""))
		d.isList[name] = isMany && again && isShort && !isDate
	}
}

// firstValue is the first value of a column.
func firstValue(rows [][]string, column int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, row := range rows {
			if column < len(row) && row[column] != "" {
				yield(row[column])
				return
			}
		}
	}
}

// table writes a database as a note with a table, whose first column links to the pages of its rows.
func (r *reader) table(d *database) {
	pages := map[string][]*page{}
	for _, p := range r.pages {
		if p.database == d {
			pages[p.title] = append(pages[p.title], p)
		}
	}
	width := 0
	for _, row := range d.rows {
		width = max(width, len(row))
	}
	if width > maxColumns {
		r.into.Problem(d.file.Path, "the table ends after %d of %d columns", maxColumns, width)
		width = maxColumns
	}
	var b strings.Builder
	for i, row := range d.rows {
		if b.Len() > maxTableBytes {
			r.into.Problem(d.file.Path, "the table ends after %d of %d rows: it would be too large for a note", i-1, len(d.rows)-1)
			break
		}
		var first string
		if p := takeRow(d, pages, row); i > 0 && p != nil {
			first = r.linkTo(p, p.id, p.title, p.title)
		}
		r.row(&b, d, row, first, width)
		if i == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", width) + "\n")
		}
	}
	d.page.note.Body = strings.TrimSpace(b.String())
}

// row writes a row; first, if set, is its first cell.
func (r *reader) row(b *strings.Builder, d *database, row []string, first string, width int) {
	b.WriteByte('|')
	for i := range width {
		cell := ""
		if i < len(row) {
			cell = r.cell(d, row[i])
		}
		if i == 0 && first != "" {
			cell = first
		}
		b.WriteString(" " + cell + " |")
	}
	b.WriteByte('\n')
}

func (r *reader) cell(d *database, value string) string {
	value = strings.TrimSpace(value)
	if links := r.relations(d.page, value); links != nil {
		return strings.Join(links, ", ")
	}
	if when, ok := parseDate(value); ok {
		if text, ok := when.value().(string); ok {
			return text
		}
	}
	return strings.ReplaceAll(markdown.Escape(value), "\n", "<br>")
}

// takeRow is the page of a row; of several with one title the one whose properties are most alike. Each is taken once.
func takeRow(d *database, pages map[string][]*page, row []string) *page {
	if len(row) == 0 {
		return nil
	}
	title := strings.Join(strings.Fields(row[0]), " ")
	if title == "" {
		title = "Untitled"
	}
	list := pages[title]
	if len(list) == 0 {
		return nil
	}
	best, most := 0, -1
	for i, p := range list[:min(len(list), maxCompared)] {
		alike := 0
		for at, name := range d.columns[:min(len(d.columns), len(row))] {
			if value, ok := p.cells[name]; ok && value == row[at] {
				alike++
			}
		}
		if alike > most {
			best, most = i, alike
		}
	}
	p := list[best]
	copy(list[1:best+1], list[:best])
	pages[title] = list[1:]
	return p
}
