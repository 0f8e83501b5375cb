package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"quarry"
	"quarry/internal/eval"
	"quarry/internal/lazyregexp"
)

// newEntry is what `eval add` was told.
type newEntry struct {
	query, intent string
	expected      []string // PATH[#Section][=grade]
	picked        []string // N[=grade]
}

func (a *app) evalAddCommand() *cobra.Command {
	var entry newEntry
	cmd := &cobra.Command{
		Use:   "add GOLDEN.jsonl --query TEXT (--expect NOTE | --pick N)",
		Short: "Add a golden query to a file",
		Long: `Appends a query, with the notes that answer it, to a file of golden queries; what is there stays. The file is made where
there is none.

--expect names a note as ` + "`quarry get`" + ` does, with a section behind # and a grade behind =: 2 answers the query, 1 helps.
Without a grade it is 2. --pick takes notes and sections out of the answer to the query, by their numbers; without either the
answer is listed, so that you can choose, and nothing is added. The intent is told from how many of the words stand in
the notes: all of them is lookup, hardly any concept, else mixed.`,
		Example: `  quarry eval add ~/golden.jsonl --query "restore drill" --expect "Backups#The drill"
  quarry eval add ~/golden.jsonl --query "who is woken at night" --expect On-call --expect Backups=1 --intent concept
  quarry eval add ~/golden.jsonl --query "pool size"
  quarry eval add ~/golden.jsonl --query "pool size" --pick 1,3=1`,
		Args: args(1, 1, "a file of golden queries"),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := entry.check(); err != nil {
				return err
			}
			if err := a.refuseClient("eval is for the owner: files are not written for clients", "ask by `quarry search`"); err != nil {
				return err
			}
			return a.withEngine(cmd.Context(), func(engine *quarry.Engine) error {
				return a.evalAdd(cmd.Context(), engine, files[0], entry)
			})
		},
	}
	cmd.Flags().StringVar(&entry.query, "query", "", "the `text` of the query")
	cmd.Flags().StringArrayVar(&entry.expected, "expect", nil, "a `note` that the answer ought to bring: PATH[#Section][=grade]; may be repeated")
	cmd.Flags().StringSliceVar(&entry.picked, "pick", nil, "results of the query that are right, by their `numbers`: 1,3 or 1,3=1")
	cmd.Flags().StringVar(&entry.intent, "intent", "", "lookup, concept or mixed (else it is told from the words)")
	completeWords(cmd, "intent", eval.Lookup, eval.Concept, eval.Mixed)
	return cmd
}

func (e newEntry) check() error {
	switch e.intent {
	case "", eval.Lookup, eval.Concept, eval.Mixed:
	default:
		return usage("intents are lookup, concept and mixed", "there is no intent %q", e.intent)
	}
	if strings.TrimSpace(e.query) == "" {
		return usage("give the words with --query", "eval add needs a query")
	}
	return nil
}

func (a *app) evalAdd(ctx context.Context, engine *quarry.Engine, file string, entry newEntry) error {
	path := a.absolute(file)
	queries, held, err := a.readGrowing(path)
	if err != nil {
		return &hinted{fmt.Errorf("read %s: %w", file, plain(err)), "mend the file first; nothing was changed"}
	}
	text := oneLine(a.redacted(entry.query))
	if text != oneLine(entry.query) {
		a.notice("notice: a secret in the query was redacted")
	}
	if known, ok := eval.Find(queries, text); ok {
		return &hinted{fmt.Errorf("add to %s: the query is there already, as %s", file, known.ID), "edit that line to change what it expects"}
	}
	answer, err := a.evalSearch(ctx, engine, text, quarry.Hybrid)
	if err != nil {
		return err
	}
	switch answer.Status {
	case quarry.StatusNothingRelevant:
		a.notice("notice: a search for this says that nothing is relevant and lists what is here with --all alone: eval counts 0 for it as it is")
	case quarry.StatusEmptyIndex:
		return &hinted{fmt.Errorf("add to %s: the index holds no passages", file), "write a note, run `quarry index`, then add; nothing was changed"}
	}
	expected, err := a.expectations(ctx, engine, entry, answer)
	if err != nil {
		return err
	}
	line := eval.Entry{ID: eval.NewID(text, queries), Query: text, Intent: entry.intent, Expected: expected}
	if line.Intent == "" {
		if line.Intent, err = a.guessIntent(ctx, engine, text, expected); err != nil {
			return err
		}
	}
	done := added{line, rankAmong(answer, expected), string(answer.Status)}
	return a.appendEntry(file, held, done)
}

// evalSearch asks as eval does.
func (a *app) evalSearch(ctx context.Context, engine *quarry.Engine, query string, mode quarry.Mode) (quarry.SearchAnswer, error) {
	var answer quarry.SearchAnswer
	err := a.ensureIndex(ctx, engine, func() (err error) {
		answer, err = engine.Search(ctx, quarry.SearchRequest{
			Query: query, Mode: mode, Limit: eval.DefaultPassages, MaxTokens: evalTokens, Explain: true, All: true,
			Filter: quarry.Filter{ExcludeArchived: true},
		})
		return err
	})
	return answer, err
}

// readGrowing reads a file that may be missing or empty, and tells how it ends.
func (a *app) readGrowing(path string) (queries []eval.Query, content []byte, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errors.New("it is no plain file")
	}
	if content, err = a.readInput(path); err != nil {
		return nil, nil, err
	}
	queries, err = eval.Load(bytes.NewReader(content))
	if errors.Is(err, eval.ErrNone) {
		err = nil
	}
	return queries, content, err
}

// expectations are the notes that were named or picked, each part of one once, with the higher grade. Without any the answer is
// listed, and it is an error.
func (a *app) expectations(ctx context.Context, engine *quarry.Engine, entry newEntry, answer quarry.SearchAnswer) ([]eval.Expected, error) {
	if len(entry.expected)+len(entry.picked) == 0 {
		for i, r := range answer.Results {
			fmt.Fprintf(a.io.Out, "%2d. %s\n    %s\n", i+1, a.style(styleTitle, a.head(r)), a.style(stylePath, fmt.Sprintf("%s:%d", oneLinePath(r.FilePath), r.LineStart)))
		}
		return nil, usage("choose by --pick 1,3, or name a note by --expect PATH", "nothing was added: no note is expected")
	}
	var list []eval.Expected
	for _, text := range entry.picked {
		picked, err := pick(text, answer.Results)
		if err != nil {
			return nil, err
		}
		list = addExpected(list, picked)
	}
	for _, text := range entry.expected {
		named, err := a.expectation(ctx, engine, text)
		if err != nil {
			return nil, err
		}
		list = addExpected(list, named)
	}
	return list, nil
}

// pick reads N or N=grade.
func pick(text string, results []quarry.SearchResult) (eval.Expected, error) {
	number, grade, hasGrade := strings.Cut(text, "=")
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || n < 1 || n > len(results) {
		return eval.Expected{}, usage("without --pick the numbered answer is listed", "there is no result %q among %d", number, len(results))
	}
	expected := eval.Expected{Path: results[n-1].FilePath, Section: results[n-1].Section, Grade: eval.Answers}
	if hasGrade {
		expected.Grade, err = readGrade(grade)
	}
	return expected, err
}

// addExpected takes one in, once.
func addExpected(list []eval.Expected, e eval.Expected) []eval.Expected {
	for i, known := range list {
		if known.Path == e.Path && known.Section == e.Section {
			list[i].Grade = max(known.Grade, e.Grade)
			return list
		}
	}
	return append(list, e)
}

// graded is a name with a grade behind it.
var graded = lazyregexp.New(`^(.*)=(\d+)$`)

// readGrade takes the two that there are.
func readGrade(text string) (int, error) {
	switch grade, err := strconv.Atoi(strings.TrimSpace(text)); {
	case err == nil && (grade == eval.Answers || grade == eval.Helps):
		return grade, nil
	default:
		return 0, usage("2 answers the query, 1 helps", "there is no grade %q", text)
	}
}

// expectation finds the note and the section that PATH[#Section][=grade] names.
func (a *app) expectation(ctx context.Context, engine *quarry.Engine, text string) (eval.Expected, error) {
	address, grade := text, eval.Answers
	if m := graded.FindStringSubmatch(text); m != nil {
		var err error
		if grade, err = readGrade(m[2]); err != nil {
			return eval.Expected{}, err
		}
		address = m[1]
	}
	excerpts, err := engine.Read(ctx, []string{address}, 0)
	if err != nil {
		return eval.Expected{}, fmt.Errorf("expect %s: %w", address, err)
	}
	if len(excerpts) != 1 {
		return eval.Expected{}, usage("repeat --expect for each of them", "%s names %s", address, counted(len(excerpts), "note"))
	}
	found := excerpts[0]
	for _, notice := range found.Notices {
		a.notice("notice: %s", notice)
	}
	indexed, err := engine.List(ctx, quarry.ListRequest{})
	if err != nil {
		return eval.Expected{}, err
	}
	for i := range indexed {
		if indexed[i].FilePath == found.FilePath {
			return eval.Expected{Path: found.FilePath, Section: found.Section, Grade: grade}, nil
		}
	}
	return eval.Expected{}, &hinted{fmt.Errorf("expect %s: the note is not in the index", found.FilePath), "`quarry index` takes new notes in, `quarry status` tells why one is left out"}
}

// guessIntent tells the intent from how much of the query's words, by their weight, stands in the notes.
func (a *app) guessIntent(ctx context.Context, engine *quarry.Engine, query string, expected []eval.Expected) (string, error) {
	answer, err := a.evalSearch(ctx, engine, query, quarry.Lexical)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, e := range expected {
		excerpts, err := engine.Read(ctx, []string{e.Path}, 0)
		if err != nil {
			return "", err
		}
		for _, found := range excerpts {
			text.WriteString(strings.ToLower(found.Text))
		}
	}
	all, stands := 0.0, 0.0
	for _, term := range answer.Plan.Terms {
		all += term.IDF
		if strings.Contains(text.String(), stemOf(term.Text)) {
			stands += term.IDF
		}
	}
	if all == 0 {
		return eval.Mixed, nil
	}
	return eval.GuessIntent(stands / all), nil
}

// stemOf takes the last letters from a long word, so that its other forms count too.
func stemOf(word string) string {
	const shortest, ending = 5, 2
	letters := []rune(strings.ToLower(word))
	if len(letters) >= shortest+ending {
		letters = letters[:len(letters)-ending]
	}
	return string(letters)
}

// rankAmong is the rank of the first expected note, 0 if it is not there.
func rankAmong(answer quarry.SearchAnswer, expected []eval.Expected) int {
	seen := map[string]bool{}
	for _, r := range answer.Results {
		seen[r.FilePath] = true
		for _, e := range expected {
			if e.Path == r.FilePath {
				return len(seen)
			}
		}
	}
	return 0
}

// appendEntry adds a line behind what the file holds, and tells where its notes stand now.
func (a *app) appendEntry(file string, held []byte, done added) error {
	line, err := done.Line()
	if err != nil {
		return err
	}
	if len(held) > 0 && held[len(held)-1] != '\n' {
		line = append([]byte{'\n'}, line...)
	}
	if err := appendWhole(a.absolute(file), line); err != nil {
		return &hinted{fmt.Errorf("add to %s: %w", file, plain(err)), "name a file that can be written to; nothing was added"}
	}
	return show(a, done, a.flags.json, func(done added) error {
		where := "not among the first ten passages"
		if done.Rank > 0 {
			where = fmt.Sprintf("rank %d", done.Rank)
		}
		fmt.Fprintf(a.io.Out, "added %s (%s): %s\n", done.ID, done.Intent, printable(done.Query))
		for _, e := range done.Expected {
			fmt.Fprintf(a.io.Out, "  %d  %s\n", e.Grade, oneLinePath(strings.TrimSuffix(e.Path+"#"+e.Section, "#")))
		}
		fmt.Fprintf(a.io.Out, "now: %s\n", where)
		return nil
	})
}

// added is the JSON form of what was added.
type added struct {
	eval.Entry
	Rank   int    `json:"rank"`   // of the first expected note now, all that is near being listed; 0: it is not among the first ten passages
	Status string `json:"status"` // of the answer, as search gives it
}

// appendWhole adds bytes at the end of a file, in one write. Where only a part of them could be written, that part goes again, unless
// others have written behind it by then.
func appendWhole(path string, content []byte) (err error) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	n, err := file.Write(content)
	if err == nil {
		return file.Sync()
	}
	if end, seekErr := file.Seek(0, io.SeekCurrent); n > 0 && seekErr == nil {
		if info, statErr := file.Stat(); statErr == nil && info.Size() == end {
			return errors.Join(err, file.Truncate(end-int64(n)))
		}
	}
	return err
}
