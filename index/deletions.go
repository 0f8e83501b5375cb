package index

// Deletions counts the notes that went in runs one after another, so that ErrMassDelete sees in them what it would in one run that
// does as much. The zero value is ready, and may be kept from one process to the next; it is for one goroutine at a time. Notes that
// came make up for notes that went; a run with Force begins to count anew.
type Deletions struct {
	Gone   int  `json:"gone"`  // notes since the count began, at least 0
	Notes  int  `json:"notes"` // in the index after the last run
	IsHeld bool `json:"held"`  // the last run that was to delete was held back
}

// Forget begins to count anew, as after a while in which nothing went. Where a run was held back it does nothing: the notes that
// went before it are of the same mistake, until all that is there has been compared and passes, or a run is forced.
func (d *Deletions) Forget() {
	if !d.IsHeld {
		*d = Deletions{}
	}
}

// isMass tells of a plan whether it and the runs before it delete too much, and takes down that it is held back.
func (d *Deletions) isMass(p *plan) bool {
	if d == nil {
		return false
	}
	d.compare(len(p.known.files))
	if d.Gone == 0 || len(p.gone) == 0 {
		return false
	}
	came := 0
	for i := range p.jobs {
		if !p.known.has(p.jobs[i].name) {
			came++
		}
	}
	d.IsHeld = isMass(d.Gone+len(p.gone)-came, len(p.known.files)+d.Gone)
	return d.IsHeld
}

// compare takes the number of notes that the index has now: fewer than counted were deleted by a run that was cut short before it
// could tell; none at all are those of another index.
func (d *Deletions) compare(notes int) {
	switch {
	case d.Gone == 0:
	case notes == 0:
		*d = Deletions{}
	case notes < d.Notes:
		d.Gone, d.Notes = d.Gone+d.Notes-notes, notes
	}
}

// add counts what a run did.
func (d *Deletions) add(p *plan, report Report, options Options) {
	if d == nil {
		return
	}
	if options.Force {
		*d = Deletions{}
		return
	}
	came := 0
	for _, name := range report.Written {
		if !p.known.has(name) {
			came++
		}
	}
	d.Gone = max(0, d.Gone+len(p.gone)-came)
	d.Notes = len(p.known.files) + came - report.Deleted
	d.IsHeld = d.IsHeld && len(options.Paths) > 0
}

func (k *known) has(name string) bool {
	_, isKnown := k.places[name]
	return isKnown
}

// isMass tells whether so many notes gone, of so many, look like a mistake.
func isMass(gone, of int) bool { return of >= massDeleteFloor && gone*2 > of }
