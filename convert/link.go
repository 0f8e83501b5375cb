package convert

import (
	"context"
	"path"
	"strings"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/filename"
	"quarry/internal/lazyregexp"
)

// targets finds what links of an export mean.
type targets struct {
	byID   map[string]*placed
	exact  [4]map[string]*placed // by path, title, further name and last part of the path, the surest first
	folded [4]map[string]*placed
}

func newTargets(all []*placed) *targets {
	t := &targets{byID: map[string]*placed{}}
	for i := range t.exact {
		t.exact[i], t.folded[i] = map[string]*placed{}, map[string]*placed{}
	}
	for _, p := range all {
		if _, ok := t.byID[p.id]; !ok {
			t.byID[p.id] = p
		}
		if p.note == nil {
			continue
		}
		t.add(0, p.note.Path, p)
		t.add(1, p.note.Title, p)
		for _, name := range p.note.Names {
			t.add(2, name, p)
		}
		t.add(3, strings.ReplaceAll(path.Base(p.note.Path), export.Slash, "/"), p)
	}
	return t
}

func (t *targets) add(tier int, name string, p *placed) {
	if _, ok := t.exact[tier][name]; !ok {
		t.exact[tier][name] = p
	}
	if key := foldKey(name); t.folded[tier][key] == nil {
		t.folded[tier][key] = p
	}
}

// find gives what a name or an ID means, nil where nothing is called so.
func (t *targets) find(to export.Target) *placed {
	if to.ID != "" {
		return t.byID[to.ID]
	}
	for _, tier := range t.exact {
		if p := tier[to.Name]; p != nil {
			return p
		}
	}
	key := foldKey(strings.TrimSpace(to.Name))
	for _, tier := range t.folded {
		if p := tier[key]; p != nil {
			return p
		}
	}
	return nil
}

// endings gives the shortest names by which links can mean files.
type endings struct{ byName map[string][]string }

func newEndings(there map[string]bool, lists ...[]*placed) *endings {
	e := &endings{map[string][]string{}}
	seen := map[string]bool{}
	add := func(file string) {
		if file != "" && !seen[file] {
			seen[file] = true
			folded := filename.Fold(file)
			e.byName[path.Base(folded)] = append(e.byName[path.Base(folded)], folded)
		}
	}
	for file := range there {
		add(file)
	}
	for _, list := range lists {
		for _, p := range list {
			add(p.path)
		}
	}
	return e
}

const maxCompared = 50 // files of one name; of more the whole path is written

// shortest is the end of a path that no other file has, without the extension of a note.
func (e *endings) shortest(file string) string {
	folded := filename.Fold(file)
	same := e.byName[path.Base(folded)]
	shown := strings.TrimSuffix(file, filename.NoteExtension)
	if e.byName[path.Base(filename.Fold(shown))] != nil {
		shown = file // "a.png" would be the picture, not "a.png.md"
	}
	if len(same) > maxCompared {
		return shown
	}
	for at := len(file); at > 0; {
		at = strings.LastIndexByte(file[:at], '/')
		ending, count := filename.Fold(file[at+1:]), 0
		for _, other := range same {
			if other == ending || strings.HasSuffix(other, "/"+ending) {
				count++
			}
		}
		if count <= 1 {
			return shown[at+1:]
		}
	}
	return shown
}

// means tells whether a name in a link can only mean this file.
func (e *endings) means(name, file string) bool {
	folded, ending := filename.Fold(file), filename.Fold(name)
	if e.byName[path.Base(ending)] == nil {
		ending += filename.NoteExtension
	}
	count := 0
	for _, other := range e.byName[path.Base(ending)] {
		if other == ending || strings.HasSuffix(other, "/"+ending) {
			count++
		}
	}
	return count == 1 && (folded == ending || strings.HasSuffix(folded, "/"+ending))
}

// writer writes the links of one note.
type writer struct {
	run      *run
	ctx      context.Context
	from     *placed
	isSilent bool // links are not counted
}

// resolve writes the links of a text. In the row of a table "|" is written "\|".
func (w *writer) resolve(text string) string {
	if !strings.Contains(text, "\uE0FE") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		isRow := strings.HasPrefix(strings.TrimLeft(line, " \t>"), "|")
		lines[i] = w.run.built.Resolve(line, func(to export.Target) string {
			link := w.link(to)
			if isRow {
				link = strings.ReplaceAll(strings.ReplaceAll(link, `\|`, "|"), "|", `\|`)
			}
			return link
		})
	}
	return strings.Join(lines, "\n")
}

func (w *writer) link(to export.Target) string {
	if !w.isSilent {
		w.run.report.Links.Found++
	}
	target := w.from
	if to.ID != "" || to.Name != "" {
		target = w.run.targets.find(to)
	}
	if target == nil {
		target = w.run.before(w.ctx, to.ID)
	}
	if target == nil || target.path == "" {
		reason := "it is not in the export"
		if target != nil {
			reason = "its file was deleted"
		}
		w.lose(to, reason)
		return otherwise(to)
	}
	part, reason := w.run.part(target, to)
	if reason != "" {
		w.lose(to, reason)
	} else if !w.isSilent {
		w.run.report.Links.Resolved++
	}
	return w.written(target, part, to)
}

func otherwise(to export.Target) string {
	for _, text := range []string{to.Otherwise, to.Text, to.Name} {
		if text != "" {
			return text
		}
	}
	return to.ID
}

func (w *writer) lose(to export.Target, reason string) {
	if w.isSilent {
		return
	}
	meant := draft.Line(to.Name + to.ID)
	if to.Heading != "" {
		meant += "#" + draft.Line(to.Heading)
	}
	if to.Block != "" {
		meant += "#^" + draft.Line(to.Block)
	}
	w.run.report.Links.Lost = append(w.run.report.Links.Lost, LostLink{w.from.path, meant, reason})
}

// written is a link to a part of a file, "" for all of it, as Obsidian takes it.
func (w *writer) written(target *placed, part string, to export.Target) string {
	if to.Written != "" && w.run.links.means(to.Name, target.path) {
		return to.Written
	}
	name := w.run.links.shortest(target.path)
	inside := name + part
	if target == w.from && part != "" {
		inside = part
	}
	shown := aliasOf(to.Text)
	switch {
	case to.IsEmbed && to.Size != "":
		shown = to.Size
	case to.IsEmbed && (target.note != nil || isNumber(shown) || shown == path.Base(target.path)):
		shown = ""
	case shown == "" && part == "" && target.note != nil && !to.IsEmbed:
		shown = aliasOf(target.title)
	}
	if shown != "" && shown != inside {
		inside += "|" + shown
	}
	if to.IsEmbed {
		return "![[" + inside + "]]"
	}
	return "[[" + inside + "]]"
}

func isNumber(text string) bool { return strings.Trim(text, "0123456789x") == "" }

// aliasOf is a text as a link can show it.
func aliasOf(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if !strings.ContainsAny(text, "[]|") {
		return text
	}
	return strings.NewReplacer("[[", "", "]]", "", "|", "-", `\[`, "(", `\]`, ")", "[", "(", "]", ")").Replace(text)
}

// before gives a note or an attachment of an earlier export of the same app, nil where there was none.
func (r *run) before(ctx context.Context, id string) *placed {
	if id == "" {
		return nil
	}
	for _, kind := range []string{"note:", "file:"} {
		for _, item := range r.Memory.Imported(r.Format, kind+id) {
			if now, _ := r.became(ctx, item); now != "" && item.IsDone && item.From == "" {
				return &placed{id: id, path: now, title: filename.Stem(now)}
			}
		}
	}
	return nil
}

// part is what a link names within a file, and why it names nothing that it should.
func (r *run) part(target *placed, to export.Target) (part, reason string) {
	switch {
	case target.note == nil && to.Heading != "" && !filename.IsNote(target.path):
		return "#" + linkHeading(to.Heading), "" // of a PDF: "page=3"
	case target.note == nil:
		return "", ""
	case to.Block != "":
		r.parse(target)
		if target.blocks[strings.ToLower(to.Block)] {
			return "#^" + to.Block, ""
		}
		return "", "the note has no such block"
	case to.Heading != "":
		r.parse(target)
		if heading := findHeading(target.headings, to.Heading); heading != "" {
			return "#" + heading, ""
		}
		return "", "the note has no such heading"
	}
	return "", ""
}

var (
	headingLine = lazyregexp.New(`^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$`)
	blockEnd    = lazyregexp.New(`(?:^|\s)\^([A-Za-z0-9-]+)\s*$`)
	fenceLine   = lazyregexp.New("^[ \t>]*(?:[-*+] +)?(```+|~~~+)")
)

// parse finds headings and blocks of a note of the export.
func (r *run) parse(p *placed) {
	if p.isParsed {
		return
	}
	p.isParsed, p.blocks = true, map[string]bool{}
	w := &writer{run: r, ctx: context.Background(), from: p, isSilent: true}
	fence := ""
	for line := range strings.SplitSeq(p.note.Body, "\n") {
		if mark := fenceLine.FindStringSubmatch(line); mark != nil {
			switch {
			case fence == "":
				fence = mark[1]
			case strings.HasPrefix(mark[1], fence):
				fence = ""
			}
			continue
		}
		if fence != "" {
			continue
		}
		if m := blockEnd.FindStringSubmatch(line); m != nil {
			p.blocks[strings.ToLower(m[1])] = true
			line = strings.TrimSuffix(strings.TrimRight(line, " \t"), "^"+m[1])
		}
		if m := headingLine.FindStringSubmatch(line); m != nil {
			p.headings = append(p.headings, linkHeading(w.resolve(m[1])))
		}
	}
}
