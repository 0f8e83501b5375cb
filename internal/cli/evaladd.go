package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"quarry"
	"quarry/internal/eval"
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
	queries, held, err := readGrowing(path)
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
	return a.appendEntry(file, held, line, rankAmong(answer, expected))
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
func readGrowing(path string) (queries []eval.Query, content []byte, err error) {
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
	if content, err = os.ReadFile(path); err != nil {
		return nil, nil, err
	}
	queries, err = eval.Load(bytes.NewReader(content))
	if errors.Is(err, eval.ErrNone) {
		err = nil
	}
	return queries, content, err
}

// expectations are the notes that were named or picked. Without any the answer is listed, and it is an error.
func (a *app) expectations(ctx context.Context, engine *quarry.Engine, entry newEntry, answer quarry.SearchAnswer) ([]eval.Expected, error) {
	if len(entry.expected)+len(entry.picked) == 0 {
		for i, r := range answer.Results {
			fmt.Fprintf(a.io.Out, "%2d. %s\n    %s\n", i+1, a.style(styleTitle, a.head(r)), a.style(stylePath, fmt.Sprintf("%s:%d", oneLinePath(r.FilePath), r.LineStart)))
		}
		return nil, usage("choose by --pick 1,3, or name a note by --expect PATH", "nothing was added: no note is expected")
	}
	var list []eval.Expected
	for _, text := range entry.picked {
		number, grade := splitGrade(text)
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || n < 1 || n > len(answer.Results) {
			return nil, usage("without --pick the numbered answer is listed", "there is no result %q among %d", number, len(answer.Results))
		}
		r := answer.Results[n-1]
		list = append(list, eval.Expected{Path: r.FilePath, Section: r.Section, Grade: grade})
	}
	for _, text := range entry.expected {
		named, err := a.expectation(ctx, engine, text)
		if err != nil {
			return nil, err
		}
		list = append(list, named)
	}
	return list, nil
}

// grade is the end of what is expected.
var grade = regexp.MustCompile(`^(.*)=(\d)$`)

// splitGrade parts a name from the grade behind it, 2 where there is none.
func splitGrade(text string) (string, int) {
	if m := grade.FindStringSubmatch(text); m != nil {
		return m[1], int(m[2][0] - '0')
	}
	return text, 2
}

// expectation finds the note and the section that PATH[#Section][=grade] names.
func (a *app) expectation(ctx context.Context, engine *quarry.Engine, text string) (eval.Expected, error) {
	address, grade := splitGrade(text)
	if grade != 1 && grade != 2 {
		return eval.Expected{}, usage("2 answers the query, 1 helps", "there is no grade %d", grade)
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

// appendEntry adds a line behind what the file holds, in one write, which others who add do not get in between of. Where only a
// part of it could be written, that part goes again.
func (a *app) appendEntry(file string, held []byte, entry eval.Entry, rank int) error {
	line, err := entry.Line()
	if err != nil {
		return err
	}
	if len(held) > 0 && held[len(held)-1] != '\n' {
		line = append([]byte{'\n'}, line...)
	}
	if err := appendWhole(a.absolute(file), line); err != nil {
		return &hinted{fmt.Errorf("add to %s: %w", file, plain(err)), "name a file that can be written to; nothing was added"}
	}
	where := "not among the first ten passages"
	if rank > 0 {
		where = fmt.Sprintf("rank %d", rank)
	}
	return show(a, added{entry, rank}, a.flags.json, func(done added) error {
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
	Rank int `json:"rank"` // of the first expected note now, 0: it is not among the first ten passages
}

// appendWhole adds bytes at the end of a file, all or none.
func appendWhole(path string, content []byte) (err error) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if n, err := file.Write(content); err != nil {
		if n > 0 {
			return errors.Join(err, file.Truncate(info.Size()))
		}
		return err
	}
	return file.Sync()
}
