package index

// Deletions counts the notes that went in runs one after another, so that ErrMassDelete sees in them what it would in one run that
// does as much. The zero value is ready; it is for one goroutine at a time. Notes that came make up for notes that went.
type Deletions struct {
	gone   int  // since Forget
	notes  int  // in the index after the last run
	isHeld bool // the last one that deleted was held back
}

// Forget begins to count anew, as after a while in which nothing went. Where a run was held back it does nothing: the notes that
// went before it are of the same mistake, until all that is there has been compared and passes, or another process deletes.
func (d *Deletions) Forget() {
	if !d.isHeld {
		d.gone = 0
	}
}

// isMass tells of a plan whether it and the runs before it delete too much, and takes down that it is held back.
func (d *Deletions) isMass(p *plan) bool {
	if d == nil {
		return false
	}
	if len(p.known.files) < d.notes { // somebody else deleted, who was asked
		*d = Deletions{}
	}
	if d.gone == 0 || len(p.gone) == 0 {
		return false
	}
	came := 0
	for i := range p.jobs {
		if !p.known.has(p.jobs[i].name) {
			came++
		}
	}
	d.isHeld = isMass(d.gone+len(p.gone)-came, len(p.known.files)+d.gone)
	return d.isHeld
}

// add counts what a run did. isPart: it looked at some paths alone.
func (d *Deletions) add(p *plan, report Report, isPart bool) {
	if d == nil {
		return
	}
	came := 0
	for _, name := range report.Written {
		if !p.known.has(name) {
			came++
		}
	}
	d.gone = max(0, d.gone+len(p.gone)-came)
	d.notes = len(p.known.files) + came - report.Deleted
	d.isHeld = d.isHeld && isPart
}

func (k *known) has(name string) bool {
	_, isKnown := k.places[name]
	return isKnown
}

// isMass tells whether so many notes gone, of so many, look like a mistake.
func isMass(gone, of int) bool { return of >= massDeleteFloor && gone*2 > of }
