package boot

// Offset is what is known of how far one CPU's TSC is ahead of another's, in
// ticks: between Low and High, both included, as far as the rounds so far tell.
// In a round the first CPU asks, the second reads its TSC and tells it, and the
// first hears that. What was told was read in between, so each round gives a
// bound on either side; those that travelled quickest count. If the two bounds
// cross, no one offset explains all rounds: the TSCs do not run alike.
type Offset struct {
	Low, High int64
	Rounds    uint64 // how many, 0: nothing is known
}

// Add takes in a round: the asker's TSC before it asked and after it had heard,
// and in between the TSC that was told.
func (o *Offset) Add(asked, told, heard uint64) {
	low, high := int64(told-heard), int64(told-asked)
	if o.Rounds == 0 {
		o.Low, o.High = low, high
	}
	o.Low, o.High = max(o.Low, low), min(o.High, high)
	o.Rounds++
}

// Steady reports whether one offset explains all rounds.
func (o *Offset) Steady() bool { return o.Low <= o.High }

// None reports whether the two TSCs may agree: no offset explains all rounds.
func (o *Offset) None() bool { return o.Low <= 0 && 0 <= o.High }

// Middle returns the offset with the least error, in ticks.
func (o *Offset) Middle() int64 { return o.Low + (o.High-o.Low)/2 }

// Within returns the error that Middle may have, in ticks; of an offset that is
// not steady, by how much at least it changed.
func (o *Offset) Within() uint64 {
	if !o.Steady() {
		return uint64(o.Low - o.High)
	}
	return uint64(o.High-o.Low+1) / 2
}

// Correction returns what to take from the second CPU's TSC so that it agrees with
// the first's. ok is false if nothing would: the offset changes, or it is known
// only to within more than most ticks. Two TSCs that may agree are believed to,
// however little is known.
func (o *Offset) Correction(most uint64) (ticks int64, ok bool) {
	switch {
	case !o.Steady():
		return 0, false
	case o.None():
		return 0, true
	case o.Within() > most:
		return 0, false
	}
	return o.Middle(), true
}
