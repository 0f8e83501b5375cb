package index

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quarry/internal/notetype"
	"quarry/store"
)

// typesReason begins the problem of a file of types that is a note, too: it is none of the note.
const typesReason = "as the settings of types: "

// settingsOfNotes are the properties that may take the place of a type's settings.
var settingsOfNotes = [...]string{notetype.OverrideChunkProfile, notetype.OverrideEdgeDefaults, notetype.OverrideRetrieverWeight}

// isComplaint tells of a problem whether it is about what a note overrides: it depends on more than the note.
func isComplaint(p store.Problem) bool {
	property, _, _ := strings.Cut(p.Reason, ": ")
	return p.State == "warning" && slices.Contains(settingsOfNotes[:], property)
}

// overridesOf lists the properties that may take the place of a type's settings, sorted.
func overridesOf(types *notetype.Types) []string {
	wrong := map[string]any{}
	for _, name := range settingsOfNotes {
		wrong[name] = struct{}{} // no note has such a value: there is a complaint wherever it would count
	}
	var names []string
	for _, complaint := range types.Complaints(wrong) {
		names = append(names, complaint.Property)
	}
	slices.Sort(names)
	return names
}

// propertiesOf gives what the index holds of a note's properties.
func propertiesOf(n *store.Note) map[string]any {
	var properties map[string]any
	if json.Unmarshal(n.Frontmatter, &properties) != nil {
		return nil // there are none, or they were none that JSON can write
	}
	return properties
}

// complainsRightly tells whether the index has the complaints about a note that the types of now would make.
func (r *run) complainsRightly(n *store.Note) bool {
	var wanted []string
	for _, complaint := range r.config.Types.Complaints(propertiesOf(n)) {
		wanted = append(wanted, r.plan.naming.redacted(complaint.Reason()))
	}
	slices.Sort(wanted)
	return slices.Equal(wanted, r.plan.known.complaints(n.Path))
}

// complaints are the reasons of those about a note, sorted.
func (k *known) complaints(path string) []string {
	var reasons []string
	place, _ := slices.BinarySearchFunc(k.problems, path, func(p store.Problem, path string) int { return strings.Compare(p.Path, path) })
	for ; place < len(k.problems) && k.problems[place].Path == path; place++ {
		if isComplaint(k.problems[place]) {
			reasons = append(reasons, k.problems[place].Reason)
		}
	}
	slices.Sort(reasons)
	return reasons
}

// reconsider looks, where the types may be others than those that the index was made by, for notes that override something: it
// weighs them, and has those read again about which there is now something else to complain.
func (r *run) reconsider(ctx context.Context) error {
	names := overridesOf(r.config.Types)
	if r.plan.full || !r.joining.isStale || len(names) == 0 || len(r.plan.known.files) == 0 {
		return nil
	}
	snapshot, err := r.config.Store.Snapshot(ctx)
	if err != nil {
		return fmt.Errorf("read the index: %w", err)
	}
	wrong, err := r.overriding(ctx, snapshot, names)
	if err = errors.Join(err, snapshot.Close()); err != nil {
		return fmt.Errorf("read the index: %w", err)
	}
	r.askAgain(wrong)
	return nil
}

// overriding weighs the notes that have some of the properties, and gives those with complaints that are not those of now.
func (r *run) overriding(ctx context.Context, catalog store.Catalog, names []string) (map[string]bool, error) {
	wrong, seen := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		having, err := catalog.Notes(ctx, store.NoteQuery{Filter: store.Filter{Properties: []store.Property{{Key: name}}}})
		if err != nil {
			return nil, err
		}
		for i := range having {
			path := having[i].Path
			if seen[path] {
				continue
			}
			seen[path] = true
			n, ok, err := catalog.Note(ctx, path)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			r.joining.weights[path] = r.config.weightOf(&n)
			if r.complainsRightly(&n) {
				r.rightly[path] = true
			} else {
				wrong[path] = true
			}
		}
	}
	return wrong, nil
}

// askAgain has files read again for their problems alone. What cannot be read counts as changed as soon as it can.
func (r *run) askAgain(paths map[string]bool) {
	if len(paths) == 0 {
		return
	}
	p := r.plan
	for i := range p.jobs {
		p.jobs[i].again = paths[p.jobs[i].name]
	}
	unchanged := p.unchanged[:0]
	for _, j := range p.unchanged {
		if j.again = paths[j.name]; j.again {
			p.jobs = append(p.jobs, j)
		} else {
			unchanged = append(unchanged, j)
		}
	}
	p.unchanged = unchanged
	for _, name := range p.unreachable {
		if paths[name] {
			r.touched = append(r.touched, store.File{Path: name})
		}
	}
}

// problemsOfTypes are those of the file of types. They are told apart where it is a note, too.
func (r *run) problemsOfTypes() []store.Problem {
	if len(r.config.TypesProblems) == 0 {
		return nil
	}
	names, problems := r.nameSet(), slices.Clone(r.config.TypesProblems)
	for i := range problems {
		if names.has(problems[i].Path) {
			problems[i].Reason = typesReason + problems[i].Reason
		}
	}
	return problems
}

// stays tells of a problem that the index holds whether it is one of now, though nobody looked.
func (r *run) stays(p store.Problem) bool {
	_, isNote := r.plan.known.places[p.Path]
	isHere := isNote && !r.settled[p.Path]
	if r.plan.full {
		isHere = r.carried[p.Path]
	}
	if p.State != "warning" || !isHere || strings.HasPrefix(p.Reason, typesReason) {
		return false
	}
	return !isComplaint(p) || r.rightly[p.Path] || !r.plan.full && !r.joining.isStale
}

// failedOf counts the problems of files that could not be read.
func failedOf(problems []store.Problem) int {
	count := 0
	for i := range problems {
		if problems[i].State == "failed" {
			count++
		}
	}
	return count
}
