package cli

import (
	"fmt"
	"strings"

	"quarry/convert"
)

const maxListed = 20 // lines of one kind; --json has all

// printImport tells of an import in words.
func (a *app) printImport(answer importAnswer) error {
	var b strings.Builder
	verb := "written"
	if answer.IsDryRun {
		verb = "would be written"
	}
	printCounts(&b, "notes", answer.Notes, verb)
	printCounts(&b, "attachments", answer.Attachments, verb)
	fmt.Fprintf(&b, "links        %d of %d lead where they did\n", answer.Links.Resolved, answer.Links.Found)
	printList(&b, verb, answer.Written, func(f convert.File) string {
		if f.Title != "" {
			return f.Path + "  (" + f.Title + ")"
		}
		return f.Path
	})
	printList(&b, "left alone in the vault", answer.Kept, func(f convert.File) string { return f.Path + ": " + f.Reason })
	printList(&b, "links that lead nowhere", answer.Links.Lost, func(l convert.LostLink) string { return l.From + ": " + l.Target + ": " + l.Reason })
	printList(&b, "left out of the export", answer.LeftOut, func(l convert.LeftOut) string {
		return fmt.Sprintf("%d × %s: %s", l.Count, l.Reason, strings.Join(l.Examples, ", "))
	})
	printList(&b, "lost", answer.Lost, func(l convert.Lost) string { return fmt.Sprintf("%d × %s", l.Count, l.What) })
	for _, s := range answer.Secrets {
		fmt.Fprintf(&b, "secret       %d × %s: stays in the note, left out of the index\n", s.Count, s.Name)
	}
	for i, p := range answer.Problems {
		if i == maxListed {
			fmt.Fprintf(&b, "  … and %d more; --json has all\n", len(answer.Problems)-maxListed)
			break
		}
		fmt.Fprintf(&b, "problem      %s: %s\n", oneLinePath(p.Where), oneLine(p.Reason))
	}
	if answer.Verify != nil {
		printVerification(&b, *answer.Verify)
	}
	_, err := fmt.Fprint(a.io.Out, b.String())
	return err
}

func printCounts(b *strings.Builder, what string, c convert.Counts, verb string) {
	fmt.Fprintf(b, "%-12s %d found, %d %s", what, c.Found, c.Written, verb)
	for _, one := range []struct {
		count int
		what  string
	}{
		{c.Unchanged, "there already"},
		{c.Same, "the same as others"},
		{c.Moved, "moved since"},
		{c.Edited, "edited since"},
		{c.Gone, "deleted since"},
		{c.Changed, "changed in the export since"},
		{c.Failed, "failed"},
	} {
		if one.count > 0 {
			fmt.Fprintf(b, ", %d %s", one.count, one.what)
		}
	}
	b.WriteByte('\n')
}

func printList[T any](b *strings.Builder, title string, list []T, line func(T) string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n", title)
	for i, one := range list {
		if i == maxListed {
			fmt.Fprintf(b, "  … and %d more; --json has all\n", len(list)-maxListed)
			return
		}
		fmt.Fprintf(b, "  %s\n", oneLinePath(line(one)))
	}
}

func printVerification(b *strings.Builder, v verification) {
	fmt.Fprintf(b, "found        %d of %d notes by words of their own, %d as the first result\n", v.Found, v.Notes, v.First)
	printList(b, "not found", v.Missing, func(m missedNote) string { return m.Path + ": " + m.Query })
	printList(b, "queries", v.Queries, func(q askedQuery) string {
		if q.Rank == 0 {
			return fmt.Sprintf("not found: %s: %s", q.Query, q.Path)
		}
		return fmt.Sprintf("%d. %s: %s", q.Rank, q.Query, q.Path)
	})
}
